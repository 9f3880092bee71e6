// Results that were too long to show, whole, by the number of their run and the workspace that they belong to. Cache, bounded.
import type { Database } from '../sqlite.ts';
import type { Connection } from './connection.ts';
import { numberOfRun } from './runs/runs.ts';

/** One entry in bytes of UTF-8, all together, and how many: the oldest go first. */
export const RESULT_LIMITS = { entry: 16 * 1024 * 1024, all: 128 * 1024 * 1024, count: 200 } as const;
export type ResultLimits = { readonly entry: number; readonly all: number; readonly count: number };

export interface SavedResult {
  readonly run: number;
  /** The workspace root; empty for sessions without one. */
  readonly workspace: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly bytes: number;
  /** JSON. */
  readonly body: string;
}

export interface Results {
  /** False where it is larger than an entry may be, or that is no name of a run: then nothing is kept. */
  keep(runId: string, workspace: string, body: string): boolean;
  /** JSON; undefined where nothing is kept under that number for this workspace. */
  read(runId: string, workspace: string): string | undefined;
  /** Writes what came while the database was off; inside its transaction. */
  write(db: Database): void;
  written(): void;
  isWaiting(): boolean;
}

/** Bytes held in memory while the database is off. */
const IN_MEMORY = 32 * 1024 * 1024;

const insert = (db: Database, { run, workspace, at, bytes, body }: SavedResult): void => {
  db.prepare('INSERT OR REPLACE INTO results (run, workspace, at, bytes, body) VALUES (?, ?, ?, ?, ?)').run(
    run,
    workspace,
    at,
    bytes,
    body,
  );
};

/** The newest are kept while they fit together. */
const trim = (db: Database, { all, count }: ResultLimits): void => {
  db.prepare(
    `DELETE FROM results WHERE run NOT IN (
       SELECT run FROM (
         SELECT run, sum(bytes) OVER newest AS bytes, row_number() OVER newest AS place
         FROM results WINDOW newest AS (ORDER BY run DESC)
       ) WHERE bytes <= ? AND place <= ?
     )`,
  ).run(all, count);
};

export const createResults = (
  connection: Pick<Connection, 'read' | 'write'>,
  now: () => number,
  limits: ResultLimits = RESULT_LIMITS,
): Results => {
  /** Oldest first. */
  let waiting: SavedResult[] = [];
  const wait = (result: SavedResult): void => {
    waiting.push(result);
    let held = waiting.reduce((sum, { bytes }) => sum + bytes, 0);
    while (held > IN_MEMORY || waiting.length > limits.count) held -= waiting.shift()?.bytes ?? 0;
  };
  const write = (db: Database): void => {
    for (const result of waiting) insert(db, result);
    trim(db, limits);
  };
  return {
    keep: (runId, workspace, body) => {
      const run = numberOfRun(runId);
      if (run === undefined) return false;
      const bytes = Buffer.byteLength(body);
      if (bytes > limits.entry) return false;
      wait({ run, workspace, at: now(), bytes, body });
      // At once: whoever is told of the handle may use it after the daemon's sudden end.
      if (connection.write(write)) waiting = [];
      return true;
    },
    read: (runId, workspace) => {
      const run = numberOfRun(runId);
      if (run === undefined) return undefined;
      const held = waiting.findLast((one) => one.run === run && one.workspace === workspace);
      if (held !== undefined) return held.body;
      const row = connection.read((db) =>
        db.prepare('SELECT body FROM results WHERE run = ? AND workspace = ?').get(run, workspace),
      );
      return row === undefined ? undefined : String(row['body']);
    },
    write,
    written: () => {
      waiting = [];
    },
    isWaiting: () => waiting.length > 0,
  };
};
