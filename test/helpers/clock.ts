// A clock that a test turns by hand.
import type { Clock } from '../../daemon/life/clock.ts';

export interface TestClock extends Clock {
  /** Runs what falls due on the way, in order. */
  advance(milliseconds: number): void;
  waiting(): number;
}

export const testClock = (): TestClock => {
  let time = 0;
  const timers: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => time,
    later(milliseconds, run) {
      const timer = { at: time + milliseconds, run };
      timers.push(timer);
      return () => {
        const at = timers.indexOf(timer);
        if (at !== -1) timers.splice(at, 1);
      };
    },
    advance(milliseconds) {
      const end = time + milliseconds;
      for (;;) {
        const due = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
        if (due === undefined) break;
        timers.splice(timers.indexOf(due), 1);
        time = Math.max(time, due.at);
        due.run();
      }
      time = end;
    },
    waiting: () => timers.length,
  };
};
