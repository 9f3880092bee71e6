// choices.db: what people and scripts gave metad to keep. User data: never set aside, never built anew, never guessed at.
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { MetadError, messageOf } from '../../../schema/errors.ts';
import { type Database, type Driver, loadDriver, sqlFaultOf } from '../../sqlite.ts';
import { enableWal, rollBack } from '../file.ts';
import type { Choices } from '../store.ts';
import { CHOICES_ID, CHOICES_MIGRATIONS } from './migrations.ts';
import { createPins } from './pins.ts';
import { createTrusts } from './trusts.ts';

/** Of a key in characters; of values in bytes of their JSON; `keys` and `bytes` for one workspace. */
export const CHOICE_LIMITS = { key: 256, value: 1024 * 1024, keys: 1000, bytes: 16 * 1024 * 1024 } as const;

export interface ChoicesOptions {
  /** The file; it and its folder are made by the first write or read. */
  readonly path: string;
  readonly driver?: Driver;
  readonly busyMs?: number;
}

const REASONS = {
  busy: 'is locked by another process; try again',
  damaged: 'is damaged or not of metad. metad leaves it as it is: move it away to begin anew, or put a copy of it back',
  readonly: 'is read-only; make it and its folder writable',
  full: 'cannot grow: the disk is full',
  unopenable: 'cannot be opened; look at the rights of its folder',
  io: 'cannot be read or written',
  other: 'cannot be used',
} as const;

const MIB = 1024 * 1024;
const mebibytes = (bytes: number): string => `${Math.round((bytes / MIB) * 100) / 100} MiB`;

const limit = (text: string): MetadError => new MetadError('limit', text);

/**
 * The steps that this file still lacks.
 * @throws MetadError for a stranger's file and a later version's: they stay as they are.
 */
const stepsFor = (db: Database, path: string): readonly string[] => {
  const version = Number(db.pragma('user_version'));
  const tables = Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n']);
  if (db.pragma('application_id') !== CHOICES_ID && (version !== 0 || tables !== 0))
    throw new MetadError('unavailable', `${path} belongs to another program; metad leaves it as it is.`);
  if (version > CHOICES_MIGRATIONS.length)
    throw new MetadError(
      'unavailable',
      `${path} was made by a newer metad (schema ${version}); update metad to use it.`,
    );
  return CHOICES_MIGRATIONS.slice(version);
};

/** Writes only where something is missing, so that a file that may only be read can be read. */
const migrate = (db: Database, path: string): void => {
  if (stepsFor(db, path).length === 0) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const step of stepsFor(db, path)) db.exec(step);
    db.exec(`PRAGMA application_id = ${CHOICES_ID}; PRAGMA user_version = ${CHOICES_MIGRATIONS.length}`);
    db.exec('COMMIT');
  } catch (error) {
    rollBack(db);
    throw error;
  }
};

/** Touches nothing before the first use, and tries again at each use where the file could not be opened. */
export const openChoices = ({ path, driver, busyMs = 200 }: ChoicesOptions): Choices => {
  let db: Database | undefined;
  let closed = false;

  const open = (): Database => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const isNew = !existsSync(path);
    const opened = (driver ?? loadDriver()).open(path, busyMs);
    try {
      if (isNew) chmodSync(path, 0o600);
      // First of all: a file that is not ours is not even changed in its mode.
      stepsFor(opened, path);
      enableWal(opened);
      migrate(opened, path);
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  };

  const use = <T>(work: (db: Database) => T): T => {
    if (closed) throw new MetadError('unavailable', 'metad is stopping.');
    try {
      db ??= open();
      return work(db);
    } catch (error) {
      if (error instanceof MetadError) throw error;
      const fault = sqlFaultOf(error) ?? 'other';
      // What is wrong with the file may be mended while the daemon runs.
      if (fault !== 'busy') {
        db?.close();
        db = undefined;
      }
      throw new MetadError('unavailable', `${path} ${REASONS[fault]} (${messageOf(error)}).`, { cause: error });
    }
  };
  /** All or nothing, and nobody else's write between its reads and its own. */
  const change = <T>(work: (db: Database) => T): T =>
    use((held) => {
      held.exec('BEGIN IMMEDIATE');
      try {
        const result = work(held);
        held.exec('COMMIT');
        return result;
      } catch (error) {
        rollBack(held);
        throw error;
      }
    });

  const checkKey = (key: string): void => {
    if (key === '') throw new MetadError('bad-request', 'A key of the store is a text of at least one character.');
    if (key.length > CHOICE_LIMITS.key)
      throw limit(`A key of the store may have ${CHOICE_LIMITS.key} characters; this one has ${key.length}.`);
  };
  const checkRoom = (held: Database, workspace: string, key: string, bytes: number): void => {
    const row = held
      .prepare(
        'SELECT count(*) AS n, coalesce(sum(bytes), 0) AS bytes FROM script_values WHERE workspace = ? AND key <> ?',
      )
      .get(workspace, key);
    if (Number(row?.['n']) + 1 > CHOICE_LIMITS.keys)
      throw limit(`The store of a workspace may have ${CHOICE_LIMITS.keys} keys; delete some with store.delete(key).`);
    if (Number(row?.['bytes']) + bytes > CHOICE_LIMITS.bytes)
      throw limit(
        `The store of a workspace may have ${mebibytes(CHOICE_LIMITS.bytes)} in all, and ${JSON.stringify(key.slice(0, 60))} with ` +
          `${mebibytes(bytes)} is too much for it; delete some with store.delete(key).`,
      );
  };

  return {
    get: (workspace, key) => {
      checkKey(key);
      const row = use((held) =>
        held.prepare('SELECT body FROM script_values WHERE workspace = ? AND key = ?').get(workspace, key),
      );
      return row === undefined ? undefined : String(row['body']);
    },
    set: (workspace, key, json) => {
      checkKey(key);
      const bytes = Buffer.byteLength(json);
      if (bytes > CHOICE_LIMITS.value)
        throw limit(
          `A value of the store may have ${mebibytes(CHOICE_LIMITS.value)} as JSON; ${JSON.stringify(key.slice(0, 60))} has ` +
            `${mebibytes(bytes)}. Keep it in parts under several keys.`,
        );
      change((held) => {
        checkRoom(held, workspace, key, bytes);
        held
          .prepare(
            `INSERT INTO script_values (workspace, key, bytes, body) VALUES (?, ?, ?, ?)
             ON CONFLICT (workspace, key) DO UPDATE SET bytes = excluded.bytes, body = excluded.body`,
          )
          .run(workspace, key, bytes, json);
      });
    },
    delete: (workspace, key) => {
      checkKey(key);
      return change(
        (held) =>
          Number(
            held.prepare('DELETE FROM script_values WHERE workspace = ? AND key = ?').run(workspace, key).changes,
          ) > 0,
      );
    },
    keys: (workspace, prefix) =>
      use((held) =>
        held
          .prepare('SELECT key FROM script_values WHERE workspace = ?')
          .all(workspace)
          .map((row) => String(row['key'])),
      )
        .filter((key) => key.startsWith(prefix))
        .sort(),
    trusts: createTrusts({ use, change }),
    pins: createPins({ use, change }),
    [Symbol.dispose]() {
      closed = true;
      db?.close();
      db = undefined;
    },
  };
};
