// What the disk says of a program in the cache of npx or bunx, and of what would be taken in its place.
import { access, constants, lstat, readFile, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isObject } from '../../../../schema/tool.ts';
import type { Program } from '../contract.ts';
import type { Asked } from './runner.ts';

export const isThere = (path: string): Promise<boolean> =>
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

/** The install of a program that lies in its `node_modules/.bin`. */
const installOf = (program: string): string => dirname(dirname(dirname(program)));

/** The version of the package as it lies there; undefined where the program cannot be started, or npm is at work there. */
export const nodeVersion = async (program: string, name: string): Promise<string | undefined> => {
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
export const foundIn = async (command: string, path: string): Promise<string | undefined> => {
  if (isAbsolute(command)) return dirname(command);
  for (const folder of path.split(delimiter)) if (await isThere(join(folder, command))) return folder;
  return undefined;
};

/** Whether the project or a folder above it has something of that name: both npx and bunx take that first. */
export const mayBeInProject = async ({ name, program }: Asked, cwd: string): Promise<boolean> => {
  const folders = upFrom(cwd);
  if (await anyOf(folders.flatMap((up) => ['.bin/', ''].map((place) => join(up, 'node_modules', place + program)))))
    return true;
  if (await anyOf(folders.map((up) => join(up, 'node_modules', name)))) return true;
  for (const up of folders) {
    const { name: own, bin } = await jsonAt(join(up, 'package.json')).catch(() => ({}) as Record<string, unknown>);
    if (own === name || own === program || (isObject(bin) && Object.hasOwn(bin, program))) return true;
  }
  return false;
};

/** Whether npm has it as a global package. */
export const mayBeInstalled = async (
  { name, program }: Asked,
  command: string,
  env: Program['env'],
): Promise<boolean> => {
  const runner = await foundIn(command, env['PATH'] ?? '');
  if (runner === undefined) return true;
  const prefixes = [dirname(runner), ...(env['npm_config_prefix'] === undefined ? [] : [env['npm_config_prefix']])];
  return anyOf(prefixes.flatMap((prefix) => [join(prefix, 'bin', program), join(prefix, 'lib', 'node_modules', name)]));
};

/** Whether a program of that name is there for everybody. */
export const isOnPath = async (program: string, path: string): Promise<boolean> =>
  (await foundIn(program, path)) !== undefined;

/** What the runner puts into its program's environment, as far as programs look at it. @param event the runner's name */
export const nodeEnvironment = (program: string, cwd: string, env: Program['env'], event: string): Program['env'] => ({
  ...env,
  PATH: [
    dirname(program),
    ...upFrom(cwd).map((up) => join(up, 'node_modules', '.bin')),
    ...(env['PATH'] === undefined ? [] : [env['PATH']]),
  ].join(delimiter),
  INIT_CWD: cwd,
  npm_command: 'exec',
  npm_lifecycle_event: event,
});
