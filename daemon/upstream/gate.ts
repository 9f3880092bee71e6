// How many starts go on at once; the others wait in order.

export interface Gate {
  /**
   * Resolves when it is this one's turn, with the function that gives the turn on (any number of times).
   * @throws the signal's reason where it ends first; then nothing was taken.
   */
  enter(signal: AbortSignal): Promise<() => void>;
}

export const createGate = (limit: number): Gate => {
  let inside = 0;
  const waiting = new Set<() => void>();

  const pass = (): (() => void) => {
    inside += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside -= 1;
      const [first] = waiting;
      if (first !== undefined) first();
    };
  };

  return {
    enter: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (inside < limit) return resolve(pass());
        const go = () => {
          waiting.delete(go);
          signal.removeEventListener('abort', give);
          resolve(pass());
        };
        const give = () => {
          waiting.delete(go);
          reject(signal.reason);
        };
        waiting.add(go);
        signal.addEventListener('abort', give, { once: true });
      }),
  };
};
