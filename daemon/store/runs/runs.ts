// Runs and their calls as rows, bounded in number. Cache: what the daemon did, not what anybody gave it.
import type { RunCall, RunState } from '../../../schema/wire.ts';
import type { Database, Row } from '../../sqlite.ts';

export interface SavedRun {
  /** `r12`. */
  readonly id: string;
  readonly session: string;
  readonly agent: string;
  readonly workspace: string | null;
  /** Milliseconds since the epoch, as `ended`. */
  readonly at: number;
  /** Null while it goes on, and where nobody knows. */
  readonly ended: number | null;
  readonly state: RunState;
  readonly calls: number;
  readonly failed: number;
}

/** Kept on disk: so many runs, and so many calls of all of them together. */
const RUNS = 1000;
const CALLS = 20_000;

export const runName = (number: number): string => `r${number}`;

/** Undefined for what is no name of a run. */
export const numberOfRun = (id: string): number | undefined => {
  const digits = /^r([1-9]\d{0,14})$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** The next number, which no other life of the daemon was given or will be. */
export const takeRunNumber = (db: Database, least: number): number => {
  const last = Number(db.prepare('SELECT last FROM run_numbers').get()?.['last'] ?? 0);
  const next = Math.max(last + 1, least);
  db.prepare('UPDATE run_numbers SET last = ?').run(next);
  return next;
};

/** What an earlier life left `running` ended with it. */
export const interruptRuns = (db: Database): void =>
  db.exec("UPDATE runs SET state = 'interrupted' WHERE state = 'running'");

export const writeRun = (db: Database, run: SavedRun): void => {
  const { session, agent, workspace, at, ended, state, calls, failed } = run;
  db.prepare(
    `INSERT OR REPLACE INTO runs (id, session, agent, workspace, at, ended, state, calls, failed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(numberOfRun(run.id) ?? 0, session, agent, workspace, at, ended, state, calls, failed);
};

/** Gives what writes one call of a run; `place` in the run is from 0. Prepared once: a script may make a thousand. */
export const runCallWriter = (db: Database) => {
  const statement = db.prepare(
    `INSERT INTO run_calls (run, place, server, tool, ms, outcome, bytes, error, arguments)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (run, place) DO UPDATE SET ms = excluded.ms, outcome = excluded.outcome, bytes = excluded.bytes,
       error = excluded.error`,
  );
  return (run: string, place: number, call: RunCall): void => {
    const { server, tool, ms, outcome, bytes, error = null } = call;
    const number = numberOfRun(run) ?? 0;
    statement.run(number, place, server, tool, ms, outcome, bytes, error, call.arguments ?? null);
  };
};

export const trimRuns = (db: Database): void => {
  db.prepare('DELETE FROM runs WHERE id <= (SELECT max(id) FROM runs) - ?').run(RUNS);
  db.prepare('DELETE FROM run_calls WHERE id <= (SELECT max(id) FROM run_calls) - ?').run(CALLS);
};

const orNull = (value: unknown): number | null => (value === null ? null : Number(value));

const toRun = (row: Row): SavedRun => ({
  id: runName(Number(row['id'])),
  session: String(row['session']),
  agent: String(row['agent']),
  workspace: row['workspace'] === null ? null : String(row['workspace']),
  at: Number(row['at']),
  ended: orNull(row['ended']),
  state: String(row['state']) as RunState,
  calls: Number(row['calls']),
  failed: Number(row['failed']),
});

const toCall = (row: Row): RunCall => ({
  server: String(row['server']),
  tool: String(row['tool']),
  ms: orNull(row['ms']),
  outcome: String(row['outcome']) as RunCall['outcome'],
  bytes: Number(row['bytes']),
  ...(row['error'] === null ? {} : { error: String(row['error']) }),
  ...(row['arguments'] === null ? {} : { arguments: String(row['arguments']) }),
});

/** Of a run that was interrupted only its calls are sure: its own row is from its beginning. */
const counted = (column: string, filter = ''): string =>
  `CASE WHEN ended IS NULL THEN (SELECT count(*) FROM run_calls WHERE run = runs.id${filter}) ELSE ${column} END AS ${column}`;
const SELECT = `SELECT id, session, agent, workspace, at, ended, state, ${counted('calls')},
  ${counted('failed', " AND outcome NOT IN ('ok', 'running')")} FROM runs`;

export const readRun = (db: Database, id: string): SavedRun | undefined => {
  const row = db.prepare(`${SELECT} WHERE id = ?`).get(numberOfRun(id) ?? 0);
  return row === undefined ? undefined : toRun(row);
};

/** Newest first. */
export const readRuns = (db: Database, count: number): readonly SavedRun[] =>
  db.prepare(`${SELECT} ORDER BY id DESC LIMIT ?`).all(count).map(toRun);

export const readRunCalls = (db: Database, id: string): readonly RunCall[] =>
  db
    .prepare('SELECT * FROM run_calls WHERE run = ? ORDER BY place')
    .all(numberOfRun(id) ?? 0)
    .map(toCall);
