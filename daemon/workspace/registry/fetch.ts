// A commit of somebody's repository as a folder: plain files only, whole or not at all, within limits.
import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MetadError } from '../../../schema/errors.ts';
import { type GitOptions, runGit } from './git.ts';

export interface FetchLimits {
  readonly milliseconds: number;
  /** On disk: of what is fetched, and again of its files. */
  readonly bytes: number;
  readonly files: number;
}

export const FETCH_LIMITS: FetchLimits = { milliseconds: 60_000, bytes: 64 * 1024 * 1024, files: 20_000 };

export interface GitSource {
  readonly git: string;
  /** A branch or tag, or HEAD. */
  readonly ref: string;
}

export interface FetchOptions extends Pick<GitOptions, 'environment' | 'signal'> {
  /** Holds a folder for each commit. */
  readonly cache: string;
  readonly limits: FetchLimits;
}

export interface Fetched {
  readonly commit: string;
  readonly folder: string;
  /** What of it is left out; a sentence each. */
  readonly problems: readonly string[];
}

/** Of folders that are being worked in; no commit is named so. */
export const WORK = '.work-';

const LOOK_MS = 200;
const MIB = 1024 * 1024;

const bytesBelow = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = entries.map(async (entry): Promise<number> => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return bytesBelow(path);
    return lstat(path).then(
      ({ size }) => size,
      () => 0,
    );
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

interface Entry {
  readonly mode: string;
  readonly size: number;
  readonly path: string;
}

/** `MODE TYPE HASH SIZE\tPATH`, each with a NUL at its end. */
const entriesOf = (listing: string): readonly Entry[] =>
  listing.split('\0').flatMap((line) => {
    const [, mode, size, path] = /^(\d+) \w+ \w+ +(\d+|-)\t(.*)$/s.exec(line) ?? [];
    return mode === undefined || path === undefined ? [] : [{ mode, size: Number(size) || 0, path }];
  });

const some = (entries: readonly Entry[]): string => {
  const names = entries.slice(0, 3).map(({ path }) => JSON.stringify(path));
  return entries.length > names.length
    ? `${names.join(', ')} and ${entries.length - names.length} more`
    : names.join(', ');
};

const leftOut = (entries: readonly Entry[]): readonly string[] => {
  const links = entries.filter(({ mode }) => mode === '120000');
  const modules = entries.filter(({ mode }) => mode === '160000');
  return [
    ...(links.length === 0 ? [] : [`Links of a registry are not followed: ${some(links)}.`]),
    ...(modules.length === 0 ? [] : [`Submodules of a registry are not fetched: ${some(modules)}.`]),
  ];
};

/** @throws MetadError `limit` */
const checkSize = (entries: readonly Entry[], { files, bytes }: FetchLimits): void => {
  if (entries.length > files)
    throw new MetadError('limit', `It has ${entries.length} files, and a registry may have ${files}.`);
  const sum = entries.reduce((total, { size }) => total + size, 0);
  if (sum > bytes)
    throw new MetadError(
      'limit',
      `Its files have ${Math.ceil(sum / MIB)} MiB, and a registry may have ${bytes / MIB} MiB.`,
    );
};

/** A signal that ends as `outer` does, at the time limit, and when `folder` has grown too large. */
const bounded = (folder: string, { signal: outer, limits }: FetchOptions) => {
  const scope = new AbortController();
  const end = (error: MetadError) => scope.abort(error);
  const onAbort = () => end(new MetadError('cancelled', 'It was given up.'));
  if (outer.aborted) onAbort();
  outer.addEventListener('abort', onAbort, { once: true });
  const { milliseconds, bytes } = limits;
  const late = setTimeout(
    () => end(new MetadError('timeout', `git was not done within ${milliseconds / 1000} s.`)),
    milliseconds,
  );
  const looking = setInterval(() => {
    void bytesBelow(folder).then((size) => {
      if (size > bytes * 2) end(new MetadError('limit', `It is larger than ${bytes / MIB} MiB.`));
    });
  }, LOOK_MS);
  return {
    signal: scope.signal,
    [Symbol.dispose]: () => {
      clearTimeout(late);
      clearInterval(looking);
      outer.removeEventListener('abort', onAbort);
    },
  };
};

/** Puts it in its place; another may have done so meanwhile, with the same content. */
const settle = async (made: string, folder: string): Promise<void> => {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  await rename(made, folder).catch((error: unknown) => {
    if (!existsSync(folder)) throw error;
  });
};

/**
 * Fetches the newest commit of a source.
 * @throws MetadError saying why there is none
 */
export const fetchNewest = async ({ git, ref }: GitSource, options: FetchOptions): Promise<Fetched> => {
  const { cache, environment, limits } = options;
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(cache, WORK));
  try {
    using bound = bounded(work, options);
    const { signal } = bound;
    const [repository, tree] = [join(work, 'repository'), join(work, 'tree')];
    await mkdir(tree);
    const talk = { cwd: work, environment, signal };
    const plain = { cwd: tree, environment, signal, isBare: true };
    await runGit(['init', '--quiet', '--bare', '--template=', repository], { ...talk, isBare: true });
    const inside = `--git-dir=${repository}`;
    await runGit(
      [
        inside,
        'fetch',
        '--quiet',
        '--depth=1',
        '--no-tags',
        '--no-recurse-submodules',
        '--',
        git,
        `+${ref}:refs/metad`,
      ],
      talk,
    );
    const commit = (await runGit([inside, 'rev-parse', '--verify', 'refs/metad^{commit}'], plain)).trim();
    if (!/^[0-9a-f]{40,64}$/.test(commit)) throw new MetadError('unavailable', 'git named no commit.');
    const entries = entriesOf(await runGit([inside, 'ls-tree', '-r', '-l', '-z', '--full-tree', commit], plain));
    checkSize(entries, limits);
    const folder = join(cache, commit);
    if (!existsSync(folder)) {
      const files = [inside, `--work-tree=${tree}`, '-c', 'core.bare=false', '-c', 'core.fileMode=true'];
      await runGit([...files, 'read-tree', commit], plain);
      await runGit([...files, 'checkout-index', '--all', '--force', '--quiet'], plain);
      await settle(tree, folder);
    }
    return { commit, folder, problems: leftOut(entries) };
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 3 });
  }
};
