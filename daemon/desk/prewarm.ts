// Starts ahead what a workspace used last time, when its next session opens and the machine has nothing better to do.
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Definition } from '../../schema/config.ts';
import { messageOf } from '../../schema/errors.ts';
import type { Log } from '../log.ts';
import { settledWithin } from '../scope.ts';
import type { SavedUse, Warmth } from '../store/store.ts';
import type { InstanceStatus, Owner, Pool } from '../upstream/pool.ts';
import { instanceFor } from './contact.ts';

export interface Choice {
  /** Of this workspace, newest first. */
  readonly uses: readonly SavedUse[];
  /** The setting `prewarm`. */
  readonly isOn: boolean;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly statuses: readonly InstanceStatus[];
  readonly owner: Owner;
  readonly now: number;
}

/** Servers that are started ahead for one session. */
export const MOST = 6;
/** "Last time" is the workspace's last use and what was used within so long before it. */
const LAST_TIME_MS = 12 * 3_600_000;
const TOO_OLD_MS = 14 * 86_400_000;

/**
 * The servers that are worth starting ahead, most recently used first: never one that is switched off, that each session
 * has for itself, that runs already, or that has failed.
 */
export const worthWarming = ({ uses, isOn, definitions, statuses, owner, now }: Choice): readonly Definition[] => {
  const newest = uses[0]?.at ?? 0;
  return uses
    .filter(({ at }) => newest - at <= LAST_TIME_MS && now - at <= TOO_OLD_MS)
    .flatMap(({ server }) => definitions.get(server) ?? [])
    .filter(({ disabled, sharing, prewarm }) => !disabled && sharing !== 'session' && (prewarm ?? isOn))
    .filter((definition) => (instanceFor(statuses, definition, owner)?.state ?? 'cold') === 'cold')
    .slice(0, MOST);
};

export interface PrewarmOptions {
  /** The setting `prewarm`. */
  readonly isOn: () => boolean;
  readonly definitionsAt: (root: string | null) => ReadonlyMap<string, Definition>;
  readonly warmth: Pick<Warmth, 'uses'>;
  readonly pool: () => Promise<Pool>;
  readonly log: Log;
  readonly now?: () => number;
  /** Whether the machine has time for this. Default: its load is under its cores. */
  readonly isIdle?: () => boolean;
  /** Milliseconds between two looks. Default 2000. */
  readonly lookMs?: number;
}

export type SessionState = 'opening' | 'open' | 'gone';

export interface Prewarm extends Disposable {
  /** A session has opened; nothing is started before its opening is answered, nor after its end. */
  opened(owner: () => Owner, state: () => SessionState): void;
}

/** After so long of a busy machine the session has started itself what it needs. */
const PATIENCE_MS = 300_000;
/** What a start may take before the next one begins. */
const START_MS = 60_000;

const lessThanCores = (): boolean => (loadavg()[0] ?? 0) < availableParallelism();

/** One start at a time in the whole daemon, and only while nobody else's is going on: those never wait for it. */
export const createPrewarm = (options: PrewarmOptions): Prewarm => {
  const { definitionsAt, warmth, pool, log, now = Date.now, isIdle = lessThanCores, lookMs = 2000 } = options;
  const scope = new AbortController();
  /** Workspaces that are being looked after. */
  const going = new Set<string | null>();

  const isOn = ({ root }: Owner): boolean =>
    options.isOn() || [...definitionsAt(root).values()].some(({ prewarm }) => prewarm === true);

  const warm = async (owner: () => Owner, state: () => SessionState): Promise<void> => {
    const tried = new Set<string>();
    const end = performance.now() + PATIENCE_MS;
    while (performance.now() < end) {
      await sleep(lookMs, undefined, { signal: scope.signal, ref: false });
      if (state() === 'gone' || !isOn(owner())) return;
      if (state() === 'opening') continue;
      const servers = await pool();
      const statuses = servers.status();
      const uses = warmth.uses(owner().root ?? '');
      const [next] = worthWarming({
        uses,
        isOn: options.isOn(),
        definitions: definitionsAt(owner().root),
        statuses,
        owner: owner(),
        now: now(),
      }).filter(({ name }) => !tried.has(name));
      if (next === undefined || tried.size >= MOST) return;
      if (!isIdle() || statuses.some(({ state }) => state === 'starting')) continue;
      tried.add(next.name);
      log('prewarm', { server: next.name, workspace: owner().root });
      const starting = servers.list(next, owner(), scope.signal);
      starting.catch((error: unknown) => log('prewarm.failed', { server: next.name, error: messageOf(error) }));
      await settledWithin(START_MS, starting);
    }
  };

  return {
    opened(owner, state) {
      if (!isOn(owner())) return;
      const { root } = owner();
      if (going.has(root)) return;
      going.add(root);
      void warm(owner, state)
        .catch((error: unknown) => {
          if (!scope.signal.aborted) log('prewarm.failed', { error: messageOf(error) });
        })
        .finally(() => going.delete(root));
    },
    [Symbol.dispose]: () => scope.abort(),
  };
};
