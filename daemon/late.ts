// A part that is loaded when first needed, once, and closed only if it ever was.

export interface Late<T> {
  /** Loads it now if nobody has. */
  (): Promise<T>;
  /** The part, where it is loaded already. */
  readonly now: () => T | undefined;
}

/** A load that fails is not kept: whoever asks next tries again. */
export const late = <T>(load: () => Promise<T>): Late<T> => {
  let part: T | undefined;
  let loading: Promise<T> | undefined;
  const get = (): Promise<T> => {
    loading ??= load().then(
      (loaded) => {
        part = loaded;
        return loaded;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  return Object.assign(get, { now: () => part });
};
