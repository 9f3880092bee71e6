// Which package manager's lockfile counts at a root, by one rule.
import type { Files } from '../../reader.ts';
import { manifestIn } from './manifest.ts';

export type Manager = 'pnpm' | 'bun' | 'yarn' | 'npm' | 'deno';

/** npm itself prefers the shrinkwrap. bun.lockb is binary and not read: its root counts as one without a lockfile. */
const LOCKFILES: readonly (readonly [Manager, readonly string[]])[] = [
  ['pnpm', ['pnpm-lock.yaml']],
  ['bun', ['bun.lock']],
  ['yarn', ['yarn.lock']],
  ['npm', ['npm-shrinkwrap.json', 'package-lock.json']],
  ['deno', ['deno.lock']],
];

export interface Chosen {
  readonly manager: Manager;
  readonly file: string;
  readonly text: string;
}

const lockfileOf = (files: Files, manager: Manager): Chosen | undefined => {
  for (const file of LOCKFILES.find(([name]) => name === manager)?.[1] ?? []) {
    const text = files.text(file);
    if (text !== undefined) return { manager, file, text };
  }
  return undefined;
};

const rootOf = (files: Files): { readonly manager?: string | undefined; readonly problem?: unknown } => {
  try {
    return { manager: manifestIn(files, '')?.manager };
  } catch (problem) {
    return { problem };
  }
};

/**
 * The lockfile that counts: the one of the manager that package.json names (`packageManager`, `devEngines`); else the
 * first there of pnpm, Bun, Yarn, npm, Deno. A package-lock.json beside another's lockfile is mostly left over from one
 * `npm install` too many, and Bun and Deno write only their own. Dates do not decide: a checkout gives all files the same.
 */
export const chosenLock = (files: Files): Chosen | undefined => {
  const { manager: named } = rootOf(files);
  const order = LOCKFILES.map(([name]) => name).sort((a, b) => Number(b === named) - Number(a === named));
  for (const manager of order) {
    const found = lockfileOf(files, manager);
    if (found !== undefined) return found;
  }
  return undefined;
};

/**
 * As `chosenLock`, for one manager: undefined where another's counts. While package.json is broken nobody knows whom it
 * names, so each manager whose lockfile is there keeps what it had.
 * @throws Error naming package.json and the place
 */
export const lockOf = (files: Files, manager: Manager): Chosen | undefined => {
  const { problem } = rootOf(files);
  if (problem !== undefined && lockfileOf(files, manager) !== undefined) throw problem;
  const chosen = chosenLock(files);
  return chosen?.manager === manager ? chosen : undefined;
};
