// Time as the parts of this folder see it, so that tests can turn it by hand.

export interface Clock {
  /** Milliseconds that only grow, from no particular start. */
  now(): number;
  /** Runs once, no earlier than asked for; gives the way to call it off. Never keeps the process alive. */
  later(milliseconds: number, run: () => void): () => void;
}

/** Node runs a longer timer at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  later(milliseconds, run) {
    let timer: NodeJS.Timeout;
    const wait = (left: number) => {
      timer = setTimeout(
        () => (left > LONGEST_TIMER ? wait(left - LONGEST_TIMER) : run()),
        Math.min(left, LONGEST_TIMER),
      );
      timer.unref();
    };
    wait(milliseconds);
    return () => clearTimeout(timer);
  },
};
