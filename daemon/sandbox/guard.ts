// The daemon's own watch over one run: what must end it when the worker does not.
import type { RunLimits } from './sandbox.ts';
import { type Shared, STOP, type Stop } from './shared.ts';

/** ms beyond script time in which the engine should have ended the script itself. */
const GRACE = 700;
/** ms between asking a worker to stop and terminating it. */
const PATIENCE = 150;

export interface Guard {
  /** Why the run was asked to stop; `none` until then. */
  reason(): Stop;
  close(): void;
}

/**
 * @param nudge wakes a worker that waits, so that it sees the stop mark.
 * @param terminate the worker is stuck in one native operation, where the engine never looks at the mark.
 */
export const watch = (
  { limits, signal, shared }: { limits: RunLimits; signal: AbortSignal; shared: Shared },
  nudge: () => void,
  terminate: () => void,
): Guard => {
  let patience: NodeJS.Timeout | undefined;
  const ask = (reason: Stop): void => {
    if (shared.stop() !== STOP.none) return;
    shared.setStop(reason);
    nudge();
    patience = setTimeout(terminate, PATIENCE);
  };
  const cancel = (): void => ask(STOP.cancelled);
  const total = setTimeout(() => ask(STOP.total), limits.totalMs);
  const stuck = (): void => {
    const left = limits.timeoutMs + GRACE - shared.scriptMs();
    if (left <= 0) return void terminate();
    // A worker that only waits uses none of it: look again after the least time in which it could be used up.
    script = setTimeout(stuck, left);
  };
  let script = setTimeout(stuck, limits.timeoutMs + GRACE);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  return {
    reason: () => shared.stop(),
    close: () => {
      signal.removeEventListener('abort', cancel);
      for (const timer of [total, script, patience]) clearTimeout(timer);
    },
  };
};
