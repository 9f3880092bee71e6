// From this daemon to the next one: who follows, and when nothing of ours is cut by it.
import type { Successor, SuccessorStatus } from '../../schema/wire.ts';
import type { Log } from '../log.ts';
import { type Clock, systemClock } from './clock.ts';

export interface HandoverOptions {
  /** Calls and scripts that go on. */
  readonly inUse: () => number;
  /** Called once: the orderly end, with whom to start then. */
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
   * latest. Of several successors the newest counts.
   */
  plan(successor: Successor, withinMs: number): void;
  /** To be called whenever `inUse` may have become nothing. */
  update(): void;
  status(): SuccessorStatus | null;
}

interface Plan {
  readonly successor: Successor;
  readonly since: number;
  readonly until: number;
}

export const createHandover = (options: HandoverOptions): Handover => {
  const { inUse, onLeave, onChange, isNewer, log, clock = systemClock } = options;
  let plan: Plan | undefined;
  let isLeaving = false;
  let cancel = () => {};

  const leave = (): void => {
    if (plan === undefined || isLeaving) return;
    isLeaving = true;
    cancel();
    log('handover', { to: plan.successor.version, cut: inUse() });
    onLeave(plan.successor);
  };
  const update = (): void => {
    if (plan !== undefined && inUse() === 0) leave();
  };

  return {
    plan(successor, withinMs) {
      if (isLeaving) return;
      const now = clock.now();
      const isLater = plan !== undefined && isNewer(plan.successor.version, successor.version);
      const next: Plan = {
        successor: isLater && plan !== undefined ? plan.successor : successor,
        since: plan?.since ?? now,
        until: Math.min(plan?.until ?? Number.POSITIVE_INFINITY, now + withinMs),
      };
      if (plan === undefined) log('handover.planned', { to: next.successor.version, waitingFor: inUse() });
      plan = next;
      cancel();
      cancel = clock.later(next.until - now, leave);
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
    [Symbol.dispose]() {
      isLeaving = true;
      cancel();
    },
  };
};
