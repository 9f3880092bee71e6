// Writing later: one timer for each length of wait, however often it is asked for.

export type Later = (milliseconds: number, run: () => void) => () => void;

export const timer: Later = (milliseconds, run) => {
  const handle = setTimeout(run, milliseconds).unref();
  return () => clearTimeout(handle);
};

/** Gives what runs `work` within so many milliseconds, and what cancels all that waits. */
export const createWaits = (later: Later, work: () => void) => {
  const waits = new Map<number, () => void>();
  return {
    within(milliseconds: number): void {
      if (waits.has(milliseconds)) return;
      const cancel = later(milliseconds, () => {
        waits.delete(milliseconds);
        work();
      });
      waits.set(milliseconds, cancel);
    },
    cancel(): void {
      for (const cancel of waits.values()) cancel();
    },
  };
};
