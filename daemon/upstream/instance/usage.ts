// Whether an instance is in use: counts its calls, and says when nobody has needed it for a while.
import { settledWithin } from '../../scope.ts';

export interface Usage {
  /** Calls taken and not answered yet. */
  pending(): number;
  /** Calls taken so far. */
  total(): number;
  begin(): void;
  end(): void;
  /** Somebody has used it without a call; the idle time begins anew. */
  touch(): void;
  /** It does not run, so nothing is to be stopped. */
  rest(): void;
  /** Resolves when no call is pending, or after this many milliseconds. */
  free(milliseconds: number): Promise<void>;
}

/** Longest timer that Node takes. */
const LONGEST_MS = 2 ** 31 - 1;

/** `onIdle` is called once `idleMs` have passed since the last use, never with a call pending or while `busy`. */
export const createUsage = (idleMs: () => number, busy: () => boolean, onIdle: () => void): Usage => {
  let pending = 0;
  let total = 0;
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Set<() => void>();

  const rest = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const touch = (): void => {
    rest();
    if (pending > 0) return;
    timer = setTimeout(() => (pending > 0 || busy() ? touch() : onIdle()), Math.min(idleMs(), LONGEST_MS)).unref();
  };

  return {
    pending: () => pending,
    total: () => total,
    begin() {
      pending += 1;
      total += 1;
      rest();
    },
    end() {
      pending -= 1;
      if (pending > 0) return;
      for (const go of waiting) go();
      touch();
    },
    touch,
    rest,
    async free(milliseconds) {
      if (pending === 0 || milliseconds <= 0) return;
      let go: () => void = () => {};
      const freed = new Promise<void>((resolve) => {
        go = resolve;
      });
      waiting.add(go);
      await settledWithin(milliseconds, freed);
      waiting.delete(go);
    },
  };
};
