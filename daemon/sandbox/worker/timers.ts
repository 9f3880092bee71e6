// The timers of one script.

export interface Timers {
  /** Its number. */
  add(ms: number): number;
  cancel(id: number): void;
  /** How many are running. */
  open(): number;
  clear(): void;
}

export const createTimers = (fire: (id: number) => void): Timers => {
  const running = new Map<number, NodeJS.Timeout>();
  let last = 0;
  return {
    add: (ms) => {
      last += 1;
      const id = last;
      const timer = setTimeout(() => {
        running.delete(id);
        fire(id);
      }, ms);
      running.set(id, timer);
      return id;
    },
    cancel: (id) => {
      clearTimeout(running.get(id));
      running.delete(id);
    },
    open: () => running.size,
    clear: () => {
      for (const timer of running.values()) clearTimeout(timer);
      running.clear();
    },
  };
};
