// All runs of this daemon: those that go on, the last ones that ended, and on disk those before.
import { MetadError } from '../../schema/errors.ts';
import type { ToolResult } from '../../schema/tool.ts';
import type { RunCall, RunStatus } from '../../schema/wire.ts';
import type { Ledger, RunHandle, RunOwner } from './contract.ts';
import { type Run, startRun } from './run.ts';

export type * from './contract.ts';

/** What a run is on disk. */
export interface RunRow {
  readonly id: string;
  readonly session: string;
  readonly agent: string;
  readonly workspace: string | null;
  readonly at: number;
  readonly ended: number | null;
  readonly state: RunStatus['state'];
  readonly calls: number;
  readonly failed: number;
}

export interface RunStore {
  nextRun(): number;
  saveRun(run: RunRow): void;
  saveRunCall(run: string, place: number, call: RunCall): void;
  findRun(id: string): { readonly run: RunRow; readonly trace: readonly RunCall[] } | undefined;
  recentRuns(count: number): readonly RunRow[];
}

export interface LedgerOptions {
  readonly store: RunStore;
  readonly keepsArguments: () => boolean;
  /** Runs began or ended. */
  readonly onChange: () => void;
  readonly now?: () => number;
  readonly clock?: () => number;
}

/** Runs kept in memory after their end, for how long, and how large their answers may be together. */
const KEPT = 200;
const KEPT_MS = 30 * 60_000;
const KEPT_CHARACTERS = 32 * 1024 * 1024;
/** Runs of one workspace that go on by themselves: each holds a sandbox worker, or waits for one. */
const IN_BACKGROUND = 32;
/** Runs that are named to somebody who asks for one that is not there. */
const NAMED = 5;

const sizeOf = ({ content }: ToolResult): number => JSON.stringify(content).length;

const rowOf = (run: Run): RunRow => {
  const { id, session, agent, workspace, at, state, calls, failed } = run.status();
  return { id, session, agent, workspace, at, ended: run.endedAt() ?? null, state, calls, failed };
};

const statusOf = ({ ended, ...row }: RunRow): RunStatus => ({
  ...row,
  milliseconds: ended === null ? null : ended - row.at,
  now: null,
});

export const createLedger = (options: LedgerOptions): Ledger => {
  const { store, onChange, now = Date.now, clock = () => performance.now() } = options;
  const running = new Map<string, Run>();
  /** Oldest end first. */
  const ended = new Map<string, { readonly run: Run; size: number }>();
  /** What waits for the last run of a session that is gone. */
  const leaving = new Map<string, () => void>();
  let kept = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const drop = (id: string): void => {
    kept -= ended.get(id)?.size ?? 0;
    ended.get(id)?.run.forget();
    ended.delete(id);
  };
  const prune = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const [id, { run }] of ended) {
      const age = now() - (run.endedAt() ?? 0);
      if (ended.size > KEPT || kept > KEPT_CHARACTERS || age >= KEPT_MS) drop(id);
      else {
        timer = setTimeout(prune, Math.max(1000, KEPT_MS - age)).unref();
        return;
      }
    }
  };
  const ofSession = (session: string): Run[] => [...running.values()].filter(({ owner }) => owner.session === session);

  const onEnd = (run: Run): void => {
    running.delete(run.id);
    store.saveRun(rowOf(run));
    const entry = { run, size: 0 };
    ended.set(run.id, entry);
    run.result().then(
      (answer) => {
        if (answer === undefined || !ended.has(run.id)) return;
        entry.size = sizeOf(answer);
        kept += entry.size;
        prune();
      },
      () => {}, // an error is small
    );
    prune();
    const { session } = run.owner;
    const gone = leaving.get(session);
    if (gone !== undefined && ofSession(session).length === 0) {
      leaving.delete(session);
      gone();
    }
    onChange();
  };

  const handleOf = (run: Run, session: string): RunHandle => ({
    id: run.id,
    state: run.state,
    trace: run.trace,
    moment: run.moment,
    wait: (how) => run.wait(session, how),
    detach: run.detach,
    result: run.result,
  });

  const notFound = (why: string, { root }: RunOwner): MetadError => {
    const own = [...running.values(), ...[...ended.values()].map(({ run }) => run)].filter(
      ({ owner }) => owner.root === root,
    );
    const names = own.slice(-NAMED).map((run) => `${run.id} (${run.state()})`);
    const recent =
      names.length === 0 ? ' This workspace has none.' : ` Recent ones of this workspace: ${names.join(', ')}.`;
    return new MetadError('not-found', `${why}${recent}`);
  };

  return {
    begin(owner, work, { background }) {
      if (closed) throw new MetadError('unavailable', 'metad is stopping.');
      if (background) {
        const own = [...running.values()].filter((run) => run.isDetached() && run.owner.root === owner.root);
        if (own.length >= IN_BACKGROUND) {
          throw new MetadError(
            'limit',
            `${own.length} runs of this workspace go on in the background, which is the most; wait for one: execute({"resume": "${own[0]?.id}"}).`,
          );
        }
      }
      const id = `r${store.nextRun()}`;
      const save = () => {
        store.saveRun(rowOf(run));
        onChange();
      };
      const run: Run = startRun(
        {
          id,
          owner,
          background,
          keepsArguments: options.keepsArguments(),
          now,
          clock,
          onCall: (place, call) => store.saveRunCall(id, place, call),
          onChange: save,
          onEnd: () => onEnd(run),
        },
        // Begun in a later turn: `run` is there then.
        async (scope) => {
          await undefined;
          return work(scope);
        },
      );
      running.set(id, run);
      save();
      return handleOf(run, owner.session);
    },
    find(owner, id) {
      const run = running.get(id) ?? ended.get(id)?.run;
      const elsewhere = `No run ${id.slice(0, 40)} is here: it belongs to another workspace.`;
      if (run !== undefined) {
        if (run.owner.root !== owner.root) throw notFound(elsewhere, owner);
        return handleOf(run, owner.session);
      }
      const saved = store.findRun(id);
      if (saved === undefined) throw notFound(`No run is named ${id.slice(0, 40)}.`, owner);
      if (saved.run.workspace !== owner.root) throw notFound(elsewhere, owner);
      return {
        id,
        state: () => saved.run.state,
        trace: () => saved.trace,
        moment: () => `${saved.run.calls} calls`,
        wait: async () => true,
        detach: () => {},
        result: async () => undefined,
      };
    },
    recent(count) {
      const here = [...running.values(), ...[...ended.values()].map(({ run }) => run)].map((run) => run.status());
      const known = new Set(here.map(({ id }) => id));
      const before = store.recentRuns(count).filter(({ id }) => !known.has(id));
      const all = [...here, ...before.map(statusOf)].sort((one, other) => other.at - one.at);
      let left = count;
      return all.filter(({ state }) => state === 'running' || left-- > 0);
    },
    running: () => running.size,
    sessionGone(session, work) {
      const own = ofSession(session);
      for (const run of own) if (!run.isDetached()) run.cancel('The session ended.');
      if (own.length === 0) work();
      else leaving.set(session, work);
    },
    interrupt() {
      closed = true;
      clearTimeout(timer);
      for (const run of [...running.values()]) run.interrupt();
    },
  };
};
