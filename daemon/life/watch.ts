// Are lock and socket still this daemon's own? If somebody replaced or removed them, another daemon may be the one.
import { lstat } from 'node:fs/promises';
import { type Clock, systemClock } from './clock.ts';
import { isMissing, type Owned } from './inode.ts';

export interface WatchOptions {
  readonly owned: readonly Owned[];
  /** Called once, with a sentence for the log. */
  readonly onLost: (reason: string) => void;
  readonly everyMs?: number;
  readonly clock?: Clock;
}

/** What is no longer as it was, or undefined. A path that cannot be read tells nothing, so nothing is lost by it. */
const lostOf = async (owned: readonly Owned[]): Promise<string | undefined> => {
  for (const { path, inode } of owned) {
    try {
      const { ino } = await lstat(path, { bigint: true });
      if (ino !== inode) return `${path} was replaced`;
    } catch (error) {
      if (isMissing(error)) return `${path} was removed`;
    }
  }
  return undefined;
};

/** Compares inodes every 10 s until disposed; ends by itself after it has called `onLost`. */
export const watchOwnership = ({ owned, onLost, everyMs = 10_000, clock = systemClock }: WatchOptions): Disposable => {
  let isOver = false;
  let cancel = () => {};
  const look = async () => {
    const lost = await lostOf(owned);
    if (isOver) return;
    if (lost === undefined) {
      cancel = clock.later(everyMs, look);
      return;
    }
    isOver = true;
    onLost(lost);
  };
  cancel = clock.later(everyMs, look);
  return {
    [Symbol.dispose]() {
      isOver = true;
      cancel();
    },
  };
};
