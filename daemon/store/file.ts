// One database file, opened with its schema in place, or the reason why it cannot be used; and how a bad one is set aside.
import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../../schema/errors.ts';
import { type Database, type Driver, type SqlFault, sqlFaultOf } from '../sqlite.ts';
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts';

/** `newer`: made by a later version of metad. */
export type Fault = SqlFault | 'newer';

export interface Problem {
  readonly fault: Fault;
  /** One sentence for a person. */
  readonly reason: string;
}

/** `db` beside a `problem` can still be read. */
export interface Opened {
  readonly db?: Database;
  readonly problem?: Problem;
  /** True for the one opening, of all processes, that set the schema up. */
  readonly migrated: boolean;
}

export interface FileOptions {
  readonly driver: Driver;
  readonly path: string;
  readonly busyMs: number;
}

const EXPLAINED: Readonly<Record<Fault, string>> = {
  busy: 'is locked by another process',
  damaged: 'is damaged or not of metad',
  readonly: 'is read-only',
  full: 'cannot grow: the disk is full',
  unopenable: 'cannot be opened',
  io: 'cannot be read or written',
  other: 'cannot be used',
  newer: 'was made by a newer metad',
};

export const problemOf = (path: string, error: unknown): Problem => {
  const fault = sqlFaultOf(error) ?? 'other';
  return { fault, reason: `The database ${path} ${EXPLAINED[fault]} (${messageOf(error)}); metad works from memory.` };
};

const damaged = (text: string) => Object.assign(new Error(text), { code: 'SQLITE_NOTADB' });

const versionOf = (db: Database) => Number(db.pragma('user_version'));

/**
 * The version of a file of ours; 0 for an empty one. Read in one transaction: between two reads another process may set
 * the schema up, and a file that is half old and half new looks like a stranger's.
 * @throws where the file is a database of something else.
 */
const identify = (db: Database): number => {
  db.exec('BEGIN');
  try {
    const version = versionOf(db);
    if (db.pragma('application_id') === APPLICATION_ID) return version;
    const tables = Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n']);
    if (version !== 0 || tables !== 0) throw damaged('it belongs to another program');
    return 0;
  } finally {
    rollBack(db);
  }
};

/**
 * Runs inside one transaction, so that of ten processes one sets up and nine find it done. Where nothing is to be done
 * it writes what is there already and takes it back: a file that may only be read shows itself at no other statement.
 */
const migrate = (db: Database): boolean => {
  db.exec('BEGIN IMMEDIATE');
  try {
    const steps = MIGRATIONS.slice(versionOf(db));
    for (const step of steps) db.exec(step);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`);
    db.exec(steps.length > 0 ? 'COMMIT' : 'ROLLBACK');
    return steps.length > 0;
  } catch (error) {
    rollBack(db);
    throw error;
  }
};

/** After some failures SQLite has rolled back by itself, and says so by throwing. */
export const rollBack = (db: Database): void => {
  try {
    db.exec('ROLLBACK');
  } catch {
    // Nothing was open.
  }
};

/** Never throws. Blocks for a few times `busyMs` at most. A file of a newer version is only read. */
export const openFile = ({ driver, path, busyMs }: FileOptions): Opened => {
  let db: Database | undefined;
  let version = 0;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const isNew = !existsSync(path);
    db = driver.open(path, busyMs);
    // What SQLite puts beside the file later takes its mode from it.
    if (isNew) chmodSync(path, 0o600);
    version = identify(db);
    if (version > MIGRATIONS.length) {
      db.close();
      const reason = `The database ${path} ${EXPLAINED.newer} (schema ${version}); metad works from memory.`;
      return { problem: { fault: 'newer', reason }, migrated: false };
    }
    enableWal(db);
    return { db, migrated: migrate(db) };
  } catch (error) {
    const problem = problemOf(path, error);
    const isReadable = version === MIGRATIONS.length && (problem.fault === 'readonly' || problem.fault === 'busy');
    if (db !== undefined && isReadable) return { db, problem, migrated: false };
    db?.close();
    return { problem, migrated: false };
  }
};

/** Whoever is busy with the file, or forbids writing, will show at the next statement; without WAL all works, slower. */
export const enableWal = (db: Database): void => {
  try {
    if (db.pragma('journal_mode') !== 'wal') db.pragma('journal_mode = WAL');
    db.exec('PRAGMA synchronous = NORMAL');
  } catch (error) {
    if (sqlFaultOf(error) === 'damaged') throw error;
  }
};

export const inodeOf = (path: string): bigint | undefined => {
  try {
    return lstatSync(path, { bigint: true }).ino;
  } catch {
    return undefined;
  }
};

/**
 * Renames a damaged file, never deletes it. Does nothing where another process already put a new one in its place.
 * @param inode what stood there when the damage was found.
 * @returns the new name, or undefined.
 */
export const setAside = (path: string, inode: bigint | undefined, now: number): string | undefined => {
  if (inode === undefined || inodeOf(path) !== inode) return undefined;
  const stem = `${path}.damaged-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}`;
  let target = stem;
  for (let count = 2; existsSync(target); count += 1) target = `${stem}-${count}`;
  // A new database would take in an old -wal beside it, so that goes first.
  for (const suffix of ['-wal', '-shm', '-journal', ''])
    if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
  return target;
};
