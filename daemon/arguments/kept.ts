// What was made and is worth keeping, within a bound: what was not asked for the longest goes first.

export interface Kept<K extends object, V> {
  readonly get: (key: K) => V | undefined;
  /** Takes the place of what is kept under the key. What alone is over the bound is not kept. */
  readonly put: (key: K, value: V, size: number) => void;
  readonly drop: (key: K) => void;
  /** The sum of all sizes. */
  readonly size: () => number;
}

/** @param bound of the sum of all sizes */
export const createKept = <K extends object, V>(bound: number): Kept<K, V> => {
  /** In the order of their last use. */
  const entries = new Map<K, { readonly value: V; readonly size: number }>();
  let sum = 0;
  const drop = (key: K): void => {
    sum -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    put: (key, value, size) => {
      drop(key);
      if (size > bound) return;
      entries.set(key, { value, size });
      sum += size;
      for (const oldest of entries.keys()) {
        if (sum <= bound) return;
        drop(oldest);
      }
    },
    drop,
    size: () => sum,
  };
};
