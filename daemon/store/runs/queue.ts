// What of the runs waits to be written, and what can be read of them.
import type { RunCall } from '../../../schema/wire.ts';
import type { Database } from '../../sqlite.ts';
import type { Connection } from '../connection.ts';
import {
  readRun,
  readRunCalls,
  readRuns,
  runCallWriter,
  type SavedRun,
  takeRunNumber,
  trimRuns,
  writeRun,
} from './runs.ts';

export interface RunRows {
  nextRun(): number;
  saveRun(run: SavedRun): void;
  saveRunCall(run: string, place: number, call: RunCall): void;
  findRun(id: string): { readonly run: SavedRun; readonly trace: readonly RunCall[] } | undefined;
  recentRuns(count: number): readonly SavedRun[];
}

export interface RunQueue extends RunRows {
  isWaiting(): boolean;
  /** Inside the store's transaction. */
  write(db: Database): void;
  written(): void;
}

/** Rows that wait while the database is off. */
const WAITING = 5000;

export interface RunQueueOptions {
  readonly connection: Pick<Connection, 'read' | 'write'>;
  /** Writes what waits. */
  readonly flush: () => void;
  /** Asks for a flush within this time. */
  readonly flushWithin: (milliseconds: number) => void;
  /** Runs one write that may fail for its own row. */
  readonly tolerate: (event: string, work: () => void) => void;
}

/** A short script's beginning is not worth a write of its own; a long one's must survive the daemon's death. */
const RUN_WAIT_MS = 100;
const CALL_WAIT_MS = 1000;

export const createRunQueue = ({ connection, flush, flushWithin, tolerate }: RunQueueOptions): RunQueue => {
  const runs = new Map<string, SavedRun>();
  const calls = new Map<string, readonly [string, number, RunCall]>();
  let last = 0;
  const bound = (map: Map<string, unknown>): void => {
    for (const key of map.keys()) {
      if (map.size <= WAITING) return;
      map.delete(key);
    }
  };
  return {
    nextRun() {
      let taken = last + 1;
      connection.write((db) => {
        taken = takeRunNumber(db, last + 1);
      });
      last = taken;
      return taken;
    },
    saveRun(run) {
      runs.set(run.id, run);
      bound(runs);
      flushWithin(RUN_WAIT_MS);
    },
    saveRunCall(run, place, call) {
      calls.set(`${run} ${place}`, [run, place, call]);
      bound(calls);
      flushWithin(CALL_WAIT_MS);
    },
    findRun(id) {
      flush();
      return connection.read((db) => {
        const run = readRun(db, id);
        return run && { run, trace: readRunCalls(db, id) };
      });
    },
    recentRuns(count) {
      flush();
      return connection.read((db) => readRuns(db, count)) ?? [];
    },
    isWaiting: () => runs.size + calls.size > 0,
    write(db) {
      for (const run of runs.values()) tolerate('store-run-unwritable', () => writeRun(db, run));
      const write = calls.size > 0 ? runCallWriter(db) : () => {};
      for (const call of calls.values()) tolerate('store-run-call-unwritable', () => write(...call));
      trimRuns(db);
    },
    written() {
      runs.clear();
      calls.clear();
    },
  };
};
