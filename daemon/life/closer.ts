// What was opened, closed in reverse order: every step is tried, bounded in time, and known by its name.
import type { Log } from '../log.ts';
import { type Clock, systemClock } from './clock.ts';

export interface StepOptions {
  /** Neighbouring steps of one group close side by side. */
  readonly group?: string;
  /** Milliseconds after which the step is left behind. */
  readonly limitMs?: number;
}

export interface Closer {
  /**
   * Notes how `value` (or what it resolves to) is closed, and gives it back. What failed to open is not closed.
   * Added after the closing began, it is closed at once, so nothing that opens late stays open.
   */
  add<T>(name: string, value: T, close: (value: Awaited<T>) => unknown, options?: StepOptions): T;
  /** Never rejects, and closes once however often it is called. Resolves with the steps that failed or hung. */
  close(): Promise<readonly string[]>;
}

interface Step extends StepOptions {
  readonly name: string;
  run(): Promise<void>;
}

export interface CloserOptions {
  readonly log: Log;
  /** Default limit of a step: above the 4 s that a backing server may take. */
  readonly limitMs?: number;
  readonly clock?: Clock;
}

/** The last run of neighbours that share a group, or the last step alone; taken off `steps`. */
const takeLast = (steps: Step[]): readonly Step[] => {
  const last = steps.pop();
  if (last === undefined) return [];
  const taken = [last];
  while (last.group !== undefined && steps.at(-1)?.group === last.group) taken.push(...steps.splice(-1));
  return taken;
};

export const createCloser = ({ log, limitMs = 6_000, clock = systemClock }: CloserOptions): Closer => {
  const steps: Step[] = [];
  const failed: string[] = [];
  let closing: Promise<readonly string[]> | undefined;

  const perform = (step: Step): Promise<void> =>
    new Promise((resolve) => {
      const milliseconds = step.limitMs ?? limitMs;
      const cancel = clock.later(milliseconds, () => {
        failed.push(step.name);
        log('close-hung', { step: step.name, milliseconds });
        resolve();
      });
      step
        .run()
        .catch((error: unknown) => {
          failed.push(step.name);
          log('close-failed', { step: step.name, error });
        })
        .finally(() => {
          cancel();
          resolve();
        });
    });

  const closeAll = async () => {
    while (steps.length > 0) await Promise.all(takeLast(steps).map(perform));
    return failed;
  };

  return {
    add(name, value, close, options = {}) {
      const run = async () => {
        let opened: Awaited<typeof value>;
        try {
          opened = await value;
        } catch {
          return; // Whoever opened it heard of it.
        }
        await close(opened);
      };
      steps.push({ name, run, ...options });
      if (closing !== undefined) closing = closing.then(closeAll);
      return value;
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
};
