// The time limit of one call: a clock that can be stopped while a person is asked.

export interface Deadline {
  /** Stops the clock; what it gives lets it run on with the time that was left. Nests. */
  hold(): () => void;
  clear(): void;
}

/** Longest timer that Node takes; a longer limit is as good as none. */
const LONGEST_MS = 2 ** 31 - 1;

export const createDeadline = (milliseconds: number, onEnd: () => void): Deadline => {
  let left = Math.min(milliseconds, LONGEST_MS);
  let holds = 0;
  let startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined = setTimeout(onEnd, left);
  let over = false;

  return {
    hold() {
      if (holds === 0) {
        clearTimeout(timer);
        timer = undefined;
        left = Math.max(0, left - (performance.now() - startedAt));
      }
      holds += 1;
      let released = false;
      return () => {
        if (released) return;
        released = true;
        holds -= 1;
        if (holds > 0 || over) return;
        startedAt = performance.now();
        timer = setTimeout(onEnd, left);
      };
    },
    clear() {
      over = true;
      clearTimeout(timer);
    },
  };
};
