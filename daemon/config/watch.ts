// Says when the config file may have changed. Watches the file and its folder, never a tree.
import { readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { messageOf } from '../../schema/errors.ts';
import type { Log } from '../log.ts';

export interface WatchOptions {
  /** Absolute. Neither it nor its folder need exist. */
  readonly file: string;
  /** Called once per burst of events; reads happen there. */
  readonly onSettled: () => void;
  readonly log: Log;
  /** Quiet time after the last event. Default 150 ms. */
  readonly settleMs?: number;
  /** Interval of polling, used where the system has no more watches to give. Default 2000 ms. */
  readonly pollMs?: number;
}

/** The file and each file that it leads to by links, in order. */
const hops = async (file: string): Promise<string[]> => {
  const found = [file];
  for (let at = file; found.length < 16; ) {
    const next = await readlink(at).catch(() => undefined);
    if (next === undefined) break;
    at = resolve(dirname(at), next);
    if (found.includes(at)) break;
    found.push(at);
  }
  return found;
};

/** The folder of a file, or its nearest ancestor that is there, as the system names it. */
const standing = async (file: string): Promise<string> => {
  const folder = dirname(file);
  const there = await stat(folder).catch(() => undefined);
  return there?.isDirectory() === true || folder === dirname(folder) ? folder : standing(folder);
};

const isBelow = (path: string, folder: string): boolean => path.startsWith(folder === '/' ? '/' : `${folder}/`);

/**
 * Starts to watch; resolves when changes from now on are seen. A file that is replaced by renaming, appears later, is
 * deleted and created again or is a link to another is followed. Never rejects: without watches it polls.
 */
export const watchFile = async (options: WatchOptions): Promise<AsyncDisposable> => {
  const { file, onSettled, log, settleMs = 150, pollMs = 2000 } = options;
  const { watch } = await import('chokidar');
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  let shape = '';
  let polling = false;
  let closed = false;
  let arming: Promise<void> = Promise.resolve();

  /** What has to be watched now; as text, to see whether it is another than before. */
  const plan = async () => {
    const paths = await hops(file);
    const roots = await Promise.all(paths.map(standing));
    const real = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
    return { paths, roots, shape: JSON.stringify([paths, roots, real, polling]) };
  };

  const arm = async (): Promise<void> => {
    const { paths, roots, shape: wanted } = await plan();
    if (closed || (wanted === shape && watcher !== undefined)) return;
    await watcher?.close();
    shape = wanted;
    const next = watch([...new Set(roots)], {
      // Only the way down from a root to its file: the rest of the folder is nobody's business here.
      ignored: (path) => !roots.includes(path) && !paths.some((one) => one === path || isBelow(one, path)),
      ignoreInitial: true,
      followSymlinks: true,
      usePolling: polling,
      interval: pollMs,
    });
    watcher = next;
    next.on('all', settle);
    next.on('error', failed);
    await new Promise<void>((done) => {
      const late = setTimeout(done, 5000); // a watcher that fails early may never be ready
      next.once('ready', () => {
        clearTimeout(late);
        done();
      });
    });
  };

  const rearm = (): Promise<void> => {
    arming = arming.then(arm).catch((error: unknown) => log('config.watch', { error: messageOf(error) }));
    return arming;
  };

  const settle = (): void => {
    clearTimeout(timer);
    if (closed) return;
    timer = setTimeout(() => void rearm().then(() => closed || onSettled()), settleMs);
  };

  const failed = (error: unknown): void => {
    if (closed || polling) return;
    polling = true;
    log('config.watch', { error: messageOf(error), polls: true });
    void rearm(); // not awaited: this may run within an arming that waits for `ready`
    settle();
  };

  await rearm();
  return {
    [Symbol.asyncDispose]: async () => {
      closed = true;
      clearTimeout(timer);
      await arming;
      await watcher?.close();
    },
  };
};
