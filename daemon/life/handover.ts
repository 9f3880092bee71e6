// From this daemon to the next one: who follows, and when nothing of ours is cut by it.
import type { Successor, SuccessorStatus } from '../../schema/wire.ts';
import type { Log } from '../log.ts';
import { type Clock, systemClock } from './clock.ts';

export interface HandoverOptions {
  /** Calls and scripts that go on. */
  readonly inUse: () => number;
  /**
   * Starts it, so that it only waits for our lock. Rejects where it cannot run: then this daemon stays, as it does where
   * `ended` resolves before it leaves.
   */
  readonly prepare: (successor: Successor) => Promise<{ readonly ended: Promise<string> }>;
  /** Called once: the orderly end. */
  readonly onLeave: (successor: Successor) => void;
  /** Something that `status` shows has changed. */
  readonly onChange: () => void;
  /** True where the first version is the newer one. */
  readonly isNewer: (one: string, other: string) => boolean;
  readonly log: Log;
  readonly clock?: Clock;
}

export interface Handover extends Disposable {
  /**
   * Plans it, or brings a planned one forward: at the first moment without a call or script, `withinMs` from now at the
   * latest. Of several successors the newest counts until one is up; one that could not run is tried again only where
   * somebody asks for it (`isAsked`).
   */
  plan(successor: Successor, withinMs: number, isAsked?: boolean): void;
  /** To be called whenever `inUse` may have become nothing. */
  update(): void;
  status(): SuccessorStatus | null;
  /** Why a successor did not take over, as a sentence. */
  warning(): string | undefined;
}

interface Plan {
  readonly successor: Successor;
  readonly since: number;
  readonly until: number;
}

export const createHandover = (options: HandoverOptions): Handover => {
  const { inUse, prepare, onLeave, onChange, isNewer, log, clock = systemClock } = options;
  const failed = new Set<string>();
  let plan: Plan | undefined;
  let ready: Successor | undefined;
  let isPreparing = false;
  let isOver = false;
  let warning: string | undefined;
  let cancel = () => {};

  const giveUp = (successor: Successor, reason: string): void => {
    log('handover.failed', { to: successor.version, program: successor.program, reason });
    failed.add(successor.program);
    warning = `metad ${successor.version} could not take over: ${reason}`;
    cancel();
    plan = undefined;
    ready = undefined;
    onChange();
  };

  const begin = async (successor: Successor): Promise<void> => {
    isPreparing = true;
    try {
      const { ended } = await prepare(successor);
      ready = successor;
      void ended.then((reason) => {
        if (!isOver) giveUp(successor, reason);
      });
    } catch (error) {
      giveUp(successor, error instanceof Error ? error.message : String(error));
    } finally {
      isPreparing = false;
    }
    update();
  };

  const update = (): void => {
    if (plan === undefined || isOver || isPreparing) return;
    if (inUse() > 0 && clock.now() < plan.until) return;
    // Made ready first: a package that does not run must never replace one that does.
    if (ready === undefined) return void begin(plan.successor);
    isOver = true;
    cancel();
    log('handover', { to: ready.version, cut: inUse() });
    onLeave(ready);
  };

  return {
    plan(successor, withinMs, isAsked = false) {
      if (isAsked) failed.delete(successor.program);
      if (isOver || failed.has(successor.program)) return;
      const now = clock.now();
      const keeps = plan !== undefined && isNewer(plan.successor.version, successor.version);
      const next: Plan = {
        successor: ready ?? (keeps && plan !== undefined ? plan.successor : successor),
        since: plan?.since ?? now,
        until: Math.min(plan?.until ?? Number.POSITIVE_INFINITY, now + withinMs),
      };
      if (plan === undefined) log('handover.planned', { to: next.successor.version, waitingFor: inUse() });
      warning = undefined;
      plan = next;
      cancel();
      cancel = clock.later(next.until - now, update);
      onChange();
      update();
    },
    update,
    status: () =>
      plan === undefined
        ? null
        : {
            version: plan.successor.version,
            sinceSeconds: Math.round((clock.now() - plan.since) / 1000),
            withinSeconds: Math.max(0, Math.round((plan.until - clock.now()) / 1000)),
            waitingFor: inUse(),
          },
    warning: () => warning,
    [Symbol.dispose]() {
      isOver = true;
      cancel();
    },
  };
};
