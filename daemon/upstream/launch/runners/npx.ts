// What an `npx` command line asks for, and what of the registry's answer npx would take. Pure.
//
// Facts of npm 10 and 11 (libnpmexec): a package that is neither in the project nor global is installed below
// CACHE/_npx/HASH, where HASH is the start of the SHA-512 of what was asked for; then `sh -c` runs its program by name,
// with that folder's node_modules/.bin first in PATH. An exact version is taken from there unasked; for anything else
// the registry is asked at each start.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { isObject } from '../../../../schema/tool.ts';
import { mayBeInProject, mayBeInstalled, nodeEnvironment, nodeVersion } from './node.ts';
import { type Asked, DAY_MS, isRightIn, pathsBefore, type Runner } from './runner.ts';
import { specOf } from './spec.ts';

const PACKAGE = /^(?:-p|--package)(?:=(.+))?$/;

/** Undefined for what is no `npx`, and for any form that is not surely understood. */
const askedOf = (command: string, args: readonly string[]): Asked | undefined => {
  if (basename(command) !== 'npx') return undefined;
  let at = 0;
  let named: string | undefined;
  for (; args[at]?.startsWith('-') === true; at += 1) {
    const flag = args[at] ?? '';
    if (flag === '-y' || flag === '--yes') continue;
    const match = PACKAGE.exec(flag);
    // Several packages, scripts and settings by flag: npx alone knows.
    if (match === null || named !== undefined) return undefined;
    if (match[1] === undefined) at += 1;
    named = match[1] ?? args[at] ?? '';
  }
  const [first, ...rest] = args.slice(at);
  if (first === undefined || rest.includes('--')) return undefined;
  const spec = named ?? first;
  const found = specOf(spec);
  return found === undefined ? undefined : { spec, ...found, program: first, rest };
};

/** The end of the folder in npx's cache that belongs to a spec. */
export const folderOf = (spec: string): string =>
  `_npx/${createHash('sha512').update(spec).digest('hex').slice(0, 16)}`;

/**
 * The version that npx would take, of what `npm view SPEC version dist-tags.latest --json` says: the one that is tagged
 * `latest`, where it fits, else the last. Undefined for an answer that is none.
 */
export const newestOf = (text: string): string | undefined => {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return undefined;
  }
  const rows = (Array.isArray(said) ? said : [said]).filter(isObject);
  const versions = rows.map((row) => row['version']).filter((version) => typeof version === 'string');
  const latest = rows[0]?.['dist-tags.latest'];
  return versions.find((version) => version === latest) ?? versions.at(-1);
};

/**
 * Whether the registry has come to have something else than what is known: npx would install it. What it already had
 * when npx took another (which then had its reasons) is no news.
 */
export const isOutdated = ({ version, newest }: { readonly version: string; readonly newest: string }, now: string) =>
  now !== version && now !== newest;

export const npx: Runner = {
  asked: askedOf,
  programsIn: (commandLine, { spec, rest }) =>
    pathsBefore(commandLine, rest, (path) => isRightIn(path, `/${folderOf(spec)}/node_modules/.bin/`)),
  versionOf: nodeVersion,
  mayBeElsewhere: async (asked, command, cwd, env) =>
    (await mayBeInProject(asked, cwd)) || mayBeInstalled(asked, command, env),
  environmentOf: (program, cwd, env) => nodeEnvironment(program, cwd, env, 'npx'),
  knownMs: () => 30 * DAY_MS,
  isRenewed: true,
  tools: ['node'],
  settings: ['.npmrc'],
};
