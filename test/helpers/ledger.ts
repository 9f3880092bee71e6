// A ledger whose rows are in memory.
import { createLedger, type Ledger, type LedgerOptions, type RunRow, type RunStore } from '../../daemon/run/ledger.ts';
import type { RunCall } from '../../schema/wire.ts';

export interface TestRunStore extends RunStore {
  readonly rows: Map<string, RunRow>;
  /** By run; each in its place. */
  readonly calls: Map<string, RunCall[]>;
}

export const testRunStore = (): TestRunStore => {
  const rows = new Map<string, RunRow>();
  const calls = new Map<string, RunCall[]>();
  let last = 0;
  return {
    rows,
    calls,
    nextRun: () => ++last,
    saveRun: (run) => void rows.set(run.id, run),
    saveRunCall: (run, place, call) => {
      const own = calls.get(run) ?? [];
      own[place] = call;
      calls.set(run, own);
    },
    findRun: (id) => {
      const run = rows.get(id);
      return run && { run, trace: calls.get(id) ?? [] };
    },
    recentRuns: (count) => [...rows.values()].reverse().slice(0, count),
  };
};

export const testLedger = (options: Partial<LedgerOptions> = {}): Ledger =>
  createLedger({ store: testRunStore(), keepsArguments: () => false, onChange: () => {}, ...options });
