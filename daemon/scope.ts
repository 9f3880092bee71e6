// How long something may live or be waited for: signals that nest, deadlines with a reason. None leaves a listener or a timer behind.
import { MetadError } from '../schema/errors.ts';

/** A controller that ends when any parent does, with the parent's reason. */
export const childOf = (...parents: readonly (AbortSignal | undefined)[]): AbortController => {
  const controller = new AbortController();
  for (const parent of parents) {
    if (parent === undefined) continue;
    if (parent.aborted) controller.abort(parent.reason);
    else
      parent.addEventListener('abort', () => controller.abort(parent.reason), {
        once: true,
        signal: controller.signal,
      });
  }
  return controller;
};

/**
 * Runs `work` with a signal that ends with `parent` or after `milliseconds`, and never leaves a timer behind.
 * @throws MetadError `timeout` with `sentence`, or the parent's reason.
 */
export const within = async <T>(
  milliseconds: number,
  sentence: string,
  parent: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const scope = childOf(parent);
  const timer = setTimeout(() => scope.abort(new MetadError('timeout', sentence)), milliseconds);
  const ended = new Promise<never>((_, reject) => {
    scope.signal.addEventListener('abort', () => reject(scope.signal.reason), { once: true });
  });
  try {
    scope.signal.throwIfAborted();
    return await Promise.race([work(scope.signal), ended]);
  } finally {
    clearTimeout(timer);
    ended.catch(() => {});
    scope.abort();
  }
};

/** What to throw for an ended signal: its reason if that is ours, else `cancelled`. */
export const reasonOf = (signal: AbortSignal): MetadError =>
  signal.reason instanceof MetadError
    ? signal.reason
    : new MetadError('cancelled', 'The caller gave up.', { cause: signal.reason });

export interface Follower {
  readonly controller: AbortController;
  /** Lets go of the parents; ends nothing. */
  release(): void;
}

/**
 * A controller that ends with any parent. As `childOf`, but let go by `release` instead of an abort: making the error of an
 * abort costs more than all the rest of a small call, and each call needs two of these.
 */
export const follow = (...parents: readonly AbortSignal[]): Follower => {
  const controller = new AbortController();
  const ends = parents.map((parent) => () => controller.abort(parent.reason));
  for (const [at, parent] of parents.entries()) {
    const end = ends[at];
    if (end === undefined) continue;
    if (parent.aborted) end();
    else parent.addEventListener('abort', end);
  }
  return {
    controller,
    release() {
      for (const [at, parent] of parents.entries()) {
        const end = ends[at];
        if (end !== undefined) parent.removeEventListener('abort', end);
      }
    },
  };
};

/** Waits for `work` as long as `signal` lives; the work itself goes on. @throws MetadError when the signal ends first. */
export const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  work.catch(() => {});
  if (signal.aborted) throw reasonOf(signal);
  let give: () => void = () => {};
  const given = new Promise<never>((_, reject) => {
    give = () => reject(reasonOf(signal));
  });
  signal.addEventListener('abort', give, { once: true });
  try {
    return await Promise.race([work, given]);
  } finally {
    signal.removeEventListener('abort', give);
  }
};

/** Waits for `work` to end in any way, but not longer than this. True where it ended. */
export const settledWithin = async (milliseconds: number, work: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  const done = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
};
