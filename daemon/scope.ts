// How long something may live: signals that nest, and deadlines with a reason.
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
