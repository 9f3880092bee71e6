// What the disk says of a program in npx's cache, and of what npx would take in its place.
import { createHash } from 'node:crypto';
import { access, constants, lstat, readFile, realpath, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { isObject } from '../../../schema/tool.ts';
import type { Program } from './contract.ts';
import type { Asked } from './npx.ts';

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const anyOf = async (paths: readonly string[]): Promise<boolean> =>
  (await Promise.all(paths.map(isThere))).includes(true);

const jsonAt = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
  const value: unknown = JSON.parse(await readFile(path, 'utf8'));
  return isObject(value) ? value : {};
};

/** The folder and all above it, nearest first. */
export const upFrom = (folder: string): readonly string[] => {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upFrom(above)];
};

/** `CACHE/_npx/HASH` of a program that lies in its `node_modules/.bin`. */
const installOf = (program: string): string => dirname(dirname(dirname(program)));

/** The version of the package as it lies there; undefined where the program cannot be started, or npm is at work there. */
export const versionOf = async (program: string, name: string): Promise<string | undefined> => {
  const folder = installOf(program);
  try {
    await access(program, constants.X_OK);
    if (!(await stat(program)).isFile() || (await isThere(join(folder, 'concurrency.lock')))) return undefined;
    const { version } = await jsonAt(join(folder, 'node_modules', name, 'package.json'));
    return typeof version === 'string' && version !== '' ? version : undefined;
  } catch {
    return undefined;
  }
};

/** Where a command without slashes is found. */
const foundIn = async (command: string, path: string): Promise<string | undefined> => {
  if (isAbsolute(command)) return dirname(command);
  for (const folder of path.split(delimiter)) if (await isThere(join(folder, command))) return folder;
  return undefined;
};

/**
 * Whether npx, run in this folder, might take something of the project's or a global package instead of what is in its
 * cache: then only npx knows.
 */
export const mayBeElsewhere = async (
  { name, program }: Asked,
  command: string,
  cwd: string,
  env: Program['env'],
): Promise<boolean> => {
  const folders = upFrom(cwd);
  if (await anyOf(folders.flatMap((up) => ['.bin/', ''].map((place) => join(up, 'node_modules', place + program)))))
    return true;
  if (await anyOf(folders.map((up) => join(up, 'node_modules', name)))) return true;
  for (const up of folders) {
    const { name: own, bin } = await jsonAt(join(up, 'package.json')).catch(() => ({}) as Record<string, unknown>);
    if (own === name || own === program || (isObject(bin) && Object.hasOwn(bin, program))) return true;
  }
  const runner = await foundIn(command, env['PATH'] ?? '');
  if (runner === undefined) return true;
  const prefixes = [dirname(runner), ...(env['npm_config_prefix'] === undefined ? [] : [env['npm_config_prefix']])];
  return anyOf(prefixes.flatMap((prefix) => [join(prefix, 'bin', program), join(prefix, 'lib', 'node_modules', name)]));
};

const realOf = async (tool: string, env: Program['env']): Promise<string> => {
  const folder = await foundIn(tool, env['PATH'] ?? '');
  return folder === undefined ? '' : realpath(join(folder, basename(tool))).catch(() => '');
};

/** Settings of npm's that decide where its cache and its packages are, in files: their identity, not their content. */
const settingsOf = (cwd: string, env: Program['env']): Promise<readonly string[]> =>
  Promise.all(
    [...upFrom(cwd).map((up) => join(up, '.npmrc')), join(env['HOME'] ?? '/', '.npmrc')].map((path) =>
      stat(path).then(
        ({ mtimeMs, size }) => `${path} ${mtimeMs} ${size}`,
        () => '',
      ),
    ),
  );

/** Equal as long as the same command would find the same program; holds no secret. */
export const keyOf = async (
  command: string,
  args: readonly string[],
  cwd: string,
  env: Program['env'],
): Promise<string> => {
  const own = Object.entries(env).filter(([name]) => /^(npm_config_.*|home|node_.*)$/i.test(name));
  // Not PATH itself: version managers put another folder into it for each shell.
  const tools = await Promise.all([command, 'node'].map((tool) => realOf(tool, env)));
  const parts = [
    command,
    tools,
    args,
    cwd,
    own.sort(([one], [other]) => (one < other ? -1 : 1)),
    await settingsOf(cwd, env),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
};

/** What npx would put into its program's environment, as far as programs look at it. */
export const environmentOf = (program: string, cwd: string, env: Program['env']): Program['env'] => ({
  ...env,
  PATH: [
    dirname(program),
    ...upFrom(cwd).map((up) => join(up, 'node_modules', '.bin')),
    ...(env['PATH'] === undefined ? [] : [env['PATH']]),
  ].join(delimiter),
  INIT_CWD: cwd,
  npm_command: 'exec',
  npm_lifecycle_event: 'npx',
});
