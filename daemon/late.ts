// A part that is loaded when first needed, once, and closed even where the daemon closes while it loads.
import { MetadError } from '../schema/errors.ts';

export interface Late<T> extends AsyncDisposable {
  /** Loads it now if nobody has. @throws MetadError `unavailable` once it is closed. */
  (): Promise<T>;
  /** The part, where it is loaded already. */
  readonly now: () => T | undefined;
}

/**
 * A load that fails is not kept: whoever asks next tries again. Closing does not wait for a load that goes on; what comes
 * of it is closed at once and given to nobody.
 */
export const late = <T>(load: () => Promise<T>, close: (part: T) => PromiseLike<void> | void = () => {}): Late<T> => {
  let part: T | undefined;
  let loading: Promise<T> | undefined;
  let closed = false;
  const gone = () => new MetadError('unavailable', 'metad is stopping.');

  const begin = async (): Promise<T> => {
    try {
      const loaded = await load();
      if (closed) {
        await close(loaded);
        throw gone();
      }
      part = loaded;
      return loaded;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  const get = async (): Promise<T> => {
    if (closed) throw gone();
    loading ??= begin();
    return loading;
  };
  return Object.assign(get, {
    now: () => part,
    [Symbol.asyncDispose]: async () => {
      if (closed) return;
      closed = true;
      if (part !== undefined) await close(part);
    },
  });
};
