// What a package.json, or the copy of it that a lockfile keeps, asks for.
import type { Files } from '../../reader.ts';
import { json } from './syntax.ts';
import { type Fields, fieldOf, isFields, rangesOf, textOf, textsOf } from './value.ts';

export interface Manifest {
  /** Names and ranges of dependencies, devDependencies and optionalDependencies. */
  readonly wanted: ReadonlyMap<string, string>;
  readonly peers: ReadonlyMap<string, string>;
  /** Patterns of `workspaces`, as an array or as `{packages}`. */
  readonly workspaces: readonly string[];
  /** The name in `packageManager` (`pnpm@9.1.0`), else in `devEngines.packageManager`. */
  readonly manager: string | undefined;
  readonly name: string | undefined;
}

export const EMPTY: Manifest = {
  wanted: new Map(),
  peers: new Map(),
  workspaces: [],
  manager: undefined,
  name: undefined,
};

const managerOf = (fields: Fields): string | undefined => {
  const named = textOf(fields, 'packageManager')?.split('@')[0];
  if (named !== undefined) return named;
  const engines = fieldOf(fieldOf(fields, 'devEngines'), 'packageManager');
  return textOf(Array.isArray(engines) ? engines[0] : engines, 'name');
};

export const manifestOf = (fields: Fields): Manifest => {
  const workspaces = fieldOf(fields, 'workspaces');
  return {
    wanted: new Map([
      ...rangesOf(fieldOf(fields, 'devDependencies')),
      ...rangesOf(fieldOf(fields, 'optionalDependencies')),
      ...rangesOf(fieldOf(fields, 'dependencies')),
    ]),
    peers: rangesOf(fieldOf(fields, 'peerDependencies')),
    workspaces: textsOf(isFields(workspaces) ? fieldOf(workspaces, 'packages') : workspaces),
    manager: managerOf(fields),
    name: textOf(fields, 'name'),
  };
};

/** The package.json in a folder of the root; undefined without one. @throws Error naming the file and the place */
export const manifestIn = (files: Files, folder: string): Manifest | undefined => {
  const file = folder === '' ? 'package.json' : `${folder}/package.json`;
  const text = files.text(file);
  if (text === undefined) return undefined;
  const fields = json(file, text);
  if (!isFields(fields)) throw new Error(`${file} holds no object.`);
  return manifestOf(fields);
};
