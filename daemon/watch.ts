// Says when one of a few files, or the names in a few folders, may have changed. Watches folders, never a tree.
import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { messageOf } from '../schema/errors.ts';
import type { Log } from './log.ts';

export interface Watched {
  /** Absolute. Neither they nor their folders need exist. */
  readonly files: readonly string[];
  /** Absolute; what comes and goes directly in them counts. They need not exist either. */
  readonly folders?: readonly string[];
}

export interface WatchOptions extends Watched {
  /** Called once per burst of events; reads happen there. */
  readonly onSettled: () => void;
  readonly log: Log;
  /** The system has no more watches to give: from now on the files are looked at every `pollMs`. */
  readonly onPolling?: (reason: string) => void;
  /** Quiet time after the last event. Default 150 ms. */
  readonly settleMs?: number;
  /** Interval of polling, used where the system has no more watches to give. Default 2000 ms. */
  readonly pollMs?: number;
}

export interface Watch extends AsyncDisposable {
  /**
   * Watches these in place of those before; resolves when changes from now on are seen. Where that took another watch,
   * `onSettled` is called once more: what changed meanwhile was seen by nobody. Never rejects.
   */
  follow(watched: Watched): Promise<void>;
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

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

/**
 * Starts to watch; resolves when changes from now on are seen. A file that is replaced by renaming, appears later, is
 * deleted and created again or is a link to another is followed. One watch a folder. Never rejects: without watches it
 * polls.
 */
export const watchFiles = async (options: WatchOptions): Promise<Watch> => {
  const { onSettled, log, onPolling = () => {}, settleMs = 150, pollMs = 2000 } = options;
  const { watch } = await import('chokidar');
  let watched: Watched = options;
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  let shape = '';
  let polling = false;
  let closed = false;
  let arming: Promise<boolean> = Promise.resolve(false);

  /** What has to be watched now; as text, to see whether it is another than before. */
  const plan = async () => {
    const { files, folders = [] } = watched;
    // A name that nothing has stands for all that may come into a folder.
    const paths = unique([...(await Promise.all(files.map(hops))).flat(), ...folders.map((one) => `${one}/\0`)]);
    const roots = unique(await Promise.all(paths.map(standing)));
    const real = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
    return { paths, roots, folders, shape: JSON.stringify([paths, roots, real, polling]) };
  };

  /** True where it took another watch. */
  const arm = async (): Promise<boolean> => {
    const { paths, roots, folders, shape: wanted } = await plan();
    if (closed || (wanted === shape && watcher !== undefined)) return false;
    await watcher?.close();
    shape = wanted;
    const isConcerned = (path: string): boolean => paths.some((one) => one === path || isBelow(one, path));
    const isNamed = (path: string): boolean => folders.includes(dirname(path));
    const next = watch([...roots], {
      // A folder's watch tells of what is in it too; to poll, each file is looked at. The rest is nobody's business here.
      ignored: (path) => !roots.includes(path) && !(polling && (isConcerned(path) || isNamed(path))),
      ignoreInitial: true,
      followSymlinks: true,
      usePolling: polling,
      interval: pollMs,
    });
    watcher = next;
    next.on('all', settle);
    next.on('raw', (event, path: string | null | undefined, details) => {
      const { watchedPath } = details as { readonly watchedPath?: string };
      // Where the system does not say what changed, it may be anything; a folder that goes says its own name.
      if (typeof path !== 'string' || watchedPath === undefined || path === basename(watchedPath)) settle();
      else if (isConcerned(resolve(watchedPath, path))) settle();
      else if (event !== 'change' && isNamed(resolve(watchedPath, path))) settle();
    });
    next.on('error', failed);
    await new Promise<void>((done) => {
      const late = setTimeout(done, 5000); // a watcher that fails early may never be ready
      next.once('ready', () => {
        clearTimeout(late);
        done();
      });
    });
    return true;
  };

  const rearm = (): Promise<boolean> => {
    arming = arming.then(arm).catch((error: unknown) => {
      log('watch.failed', { error: messageOf(error) });
      return false;
    });
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
    log('watch.polls', { error: messageOf(error), milliseconds: pollMs });
    onPolling(messageOf(error));
    void rearm(); // not awaited: this may run within an arming that waits for `ready`
    settle();
  };

  await rearm();
  return {
    follow: async (next) => {
      watched = next;
      if (await rearm()) settle();
    },
    [Symbol.asyncDispose]: async () => {
      closed = true;
      clearTimeout(timer);
      await arming;
      await watcher?.close();
    },
  };
};
