// SQLite behind one small interface: better-sqlite3, else node:sqlite, whichever this Node can load.
import { createRequire } from 'node:module';
import { MetadError, messageOf } from '../schema/errors.ts';

export type SqlValue = null | number | bigint | string | Uint8Array;
export type Row = Readonly<Record<string, SqlValue>>;

/** Parameters are positional (`?`). */
export interface Statement {
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint };
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): readonly Row[];
}

/** One connection. Every call is synchronous; keep the reference: a collected connection closes, and its locks go. */
export interface Database extends Disposable {
  readonly driver: string;
  /** Runs any number of statements, without parameters or rows. */
  exec(sql: string): void;
  prepare(sql: string): Statement;
  /** `PRAGMA text`; gives the first column of its first row. */
  pragma(text: string): SqlValue | undefined;
  /** May be called twice. */
  close(): void;
}

export interface Driver {
  readonly name: string;
  /** @param busyMs how long one call may wait for another process's lock; the event loop stands still meanwhile. */
  open(path: string, busyMs: number): Database;
}

/** What both libraries have in common. */
export interface RawDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): unknown;
  pragma?(text: string, options: { simple: true }): unknown;
  close(): unknown;
}

/** Gives the library's own way to open a file, or throws where this machine cannot load it. */
export interface DriverLoader {
  readonly name: string;
  load(): (path: string, busyMs: number) => RawDatabase;
}

// Not named `require`: a bundler must leave these two calls to run time.
const requireHere = createRequire(import.meta.url);

export const LOADERS: readonly DriverLoader[] = [
  {
    name: 'better-sqlite3',
    load() {
      const Library = requireHere('better-sqlite3') as new (path: string, options: { timeout: number }) => RawDatabase;
      // The native binary is loaded by the first connection only, so a missing one shows here.
      new Library(':memory:', { timeout: 0 }).close();
      return (path, busyMs) => new Library(path, { timeout: busyMs });
    },
  },
  {
    name: 'node:sqlite',
    load() {
      const { DatabaseSync } = requireHere('node:sqlite') as { DatabaseSync: new (path: string) => RawDatabase };
      return (path, busyMs) => {
        const raw = new DatabaseSync(path);
        raw.exec(`PRAGMA busy_timeout = ${busyMs}`);
        return raw;
      };
    },
  },
];

const wrap = (driver: string, raw: RawDatabase): Database => {
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    raw.close();
  };
  return {
    driver,
    exec: (sql) => void raw.exec(sql),
    prepare: (sql) => raw.prepare(sql) as Statement,
    pragma(text) {
      if (raw.pragma !== undefined) return raw.pragma(text, { simple: true }) as SqlValue | undefined;
      const row = (raw.prepare(`PRAGMA ${text}`) as Statement).all()[0];
      return row === undefined ? undefined : Object.values(row)[0];
    },
    close,
    [Symbol.dispose]: close,
  };
};

/**
 * The first driver that loads here; about 12 ms with better-sqlite3, once per process.
 * @throws MetadError `unsupported` with what each one said and what to run.
 */
export const loadDriver = (loaders: readonly DriverLoader[] = LOADERS): Driver => {
  const failures: string[] = [];
  for (const { name, load } of loaders) {
    try {
      const open = load();
      return { name, open: (path, busyMs) => wrap(name, open(path, busyMs)) };
    } catch (error) {
      failures.push(`${name}: ${messageOf(error).split('\n')[0]}`);
    }
  }
  throw new MetadError(
    'unsupported',
    `metad needs SQLite and found no driver (${failures.join('; ')}). ` +
      "Run `npm rebuild better-sqlite3` in metad's folder, or use Node 22.13 or newer.",
  );
};

/**
 * What went wrong in words that both drivers share; undefined for an error that is not SQLite's.
 * - `busy`: another process holds the file.
 * - `damaged`: not a database, or a broken one.
 * - `readonly`, `full`, `unopenable`, `io`: the disk or its rights.
 */
export type SqlFault = 'busy' | 'damaged' | 'readonly' | 'full' | 'unopenable' | 'io' | 'other';

// Primary result codes of https://sqlite.org/rescode.html; PROTOCOL is contention while a WAL is set up.
const FAULTS: Readonly<Record<string, SqlFault>> = {
  BUSY: 'busy',
  5: 'busy',
  LOCKED: 'busy',
  6: 'busy',
  PROTOCOL: 'busy',
  15: 'busy',
  READONLY: 'readonly',
  8: 'readonly',
  IOERR: 'io',
  10: 'io',
  CORRUPT: 'damaged',
  11: 'damaged',
  NOTADB: 'damaged',
  26: 'damaged',
  FULL: 'full',
  13: 'full',
  CANTOPEN: 'unopenable',
  14: 'unopenable',
  PERM: 'unopenable',
  3: 'unopenable',
};

export const sqlFaultOf = (error: unknown): SqlFault | undefined => {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof code === 'string' && code.startsWith('SQLITE_')) return FAULTS[code.split('_')[1] ?? ''] ?? 'other';
  return typeof errcode === 'number' ? (FAULTS[errcode & 0xff] ?? 'other') : undefined;
};
