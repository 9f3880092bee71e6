// Which folder is the workspace of a session.
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MetadError } from '../../schema/errors.ts';
import type { Hello } from '../../schema/wire.ts';

/** What makes a folder the root of a workspace. `.git` is a file in worktrees and submodules: each is its own root. */
export const MARKERS: readonly string[] = [
  '.git',
  // lockfiles
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'Cargo.lock',
  'go.sum',
  'uv.lock',
  'poetry.lock',
  'pdm.lock',
  'Pipfile.lock',
  'pylock.toml',
  'Gemfile.lock',
  'composer.lock',
  'packages.lock.json',
  'mix.lock',
  'Package.resolved',
  'pubspec.lock',
  'gradle.lockfile',
  // workspace manifests
  'pnpm-workspace.yaml',
  'lerna.json',
  'nx.json',
  'rush.json',
  'go.work',
  'go.mod',
  'settings.gradle',
  'settings.gradle.kts',
];

/** Go modules of one `go.work` have a go.mod and go.sum each: these alone make no root below it. */
const GO_MEMBER = new Set(['go.mod', 'go.sum']);
const GO_WORKSPACE = 'go.work';

export interface RootOptions {
  /** The account's home: it and all above it are never a workspace. */
  readonly home: string;
  /** Names in a folder. Default: the file system, with nothing for a folder that cannot be read. */
  readonly list?: (folder: string) => Promise<readonly string[]>;
}

const listFolder = async (folder: string): Promise<readonly string[]> => {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return [];
    // It may be entered but not listed: ask by name.
    const there = MARKERS.map(async (name) => (await access(join(folder, name)).catch(() => 'no')) === undefined);
    const found = await Promise.all(there);
    return MARKERS.filter((_, at) => found[at]);
  }
};

const real = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);

/**
 * The nearest folder from `start` upwards that holds a marker, with links resolved; null where there is none, or where
 * `start` does not exist, is the home folder or lies above it. One listing a level, nothing is read.
 */
export const workspaceRoot = async (start: string, options: RootOptions): Promise<string | null> => {
  const { list = listFolder } = options;
  const folder = await real(start);
  if (folder === undefined) return null;
  const home = (await real(options.home)) ?? options.home;
  let member: string | null = null;
  for (let at = folder; isPossible(at, home); at = dirname(at)) {
    const names = new Set(await list(at));
    if (member !== null) {
      if (names.has(GO_WORKSPACE)) return at;
      if (names.has('.git')) return member;
      continue;
    }
    const found = MARKERS.filter((name) => names.has(name));
    if (found.length === 0) continue;
    if (names.has(GO_WORKSPACE) || !found.every((name) => GO_MEMBER.has(name))) return at;
    member = at;
  }
  return member;
};

/** Neither `/` nor the home folder nor what lies above it. */
const isPossible = (folder: string, home: string): boolean =>
  folder !== dirname(folder) && folder !== home && !home.startsWith(`${folder}/`);

/** The folder that a person named with `--workspace`: as given, links resolved. @throws MetadError `bad-request`. */
const named = async (path: string, cwd: string): Promise<string> => {
  const folder = await real(resolve(cwd, path));
  if (folder === undefined) throw new MetadError('bad-request', `--workspace ${path}: there is no such folder.`);
  const isFolder = await stat(folder).then((there) => there.isDirectory());
  if (!isFolder) throw new MetadError('bad-request', `--workspace ${path} is a file: name the folder that holds it.`);
  return folder;
};

/** What agents set for every session, wherever it was opened: where to begin to look, not a choice of the person's. */
const AGENT_FOLDERS = ['CLAUDE_PROJECT_DIR', 'GOOSE_WORKING_DIR'];

/**
 * The workspace of a session from what its shim said: `--workspace` as given; else the root of CLAUDE_PROJECT_DIR or
 * GOOSE_WORKING_DIR; else the root of the shim's folder; else null (then `rootOfDeclared` may know better).
 * @throws MetadError `bad-request` when `--workspace` is no folder.
 */
export const workspaceOf = async (
  hello: Pick<Hello, 'cwd' | 'workspace' | 'environment'>,
  options: RootOptions,
): Promise<string | null> => {
  const { workspace, environment, cwd } = hello;
  const byAgent = AGENT_FOLDERS.map((name) => environment[name]).filter((path) => path !== undefined && path !== '');
  if (workspace !== undefined && workspace !== '' && !byAgent.includes(workspace)) return named(workspace, cwd);
  for (const folder of [...byAgent, cwd]) {
    if (folder === undefined || !isAbsolute(folder) || (await real(folder)) === undefined) continue;
    return workspaceRoot(folder, options);
  }
  return null;
};

/**
 * The workspace out of the roots that a legacy agent declared (`roots/list`): the first `file:` root decides, by its
 * own root or, without a marker, itself. Null for the home folder, for what lies above it, and without any file root.
 */
export const rootOfDeclared = async (uris: readonly string[], options: RootOptions): Promise<string | null> => {
  const first = uris.find((uri) => uri.startsWith('file:'));
  if (first === undefined) return null;
  let path: string;
  try {
    path = fileURLToPath(first);
  } catch {
    return null;
  }
  const folder = await real(path);
  if (folder === undefined) return null;
  const home = (await real(options.home)) ?? options.home;
  return (await workspaceRoot(folder, options)) ?? (isPossible(folder, home) ? folder : null);
};
