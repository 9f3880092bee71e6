// What an `npx` command line asks for, and what of the registry's answer npx would take. Pure.
//
// Facts of npm 10 and 11 (libnpmexec): a package that is neither in the project nor global is installed below
// CACHE/_npx/HASH, where HASH is the start of the SHA-512 of what was asked for; then `sh -c` runs its program by name,
// with that folder's node_modules/.bin first in PATH. An exact version is taken from there unasked; for anything else
// the registry is asked at each start.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { isObject } from '../../../schema/tool.ts';

export interface Asked {
  /** As written: `@scope/name@^1`. */
  readonly spec: string;
  /** The name of the package alone. */
  readonly name: string;
  /** What follows its name: a version, a range, a tag, or nothing. */
  readonly wanted: string;
  /** One version, which never becomes another. */
  readonly isExact: boolean;
  /** The name by which the program is looked for before any package is. */
  readonly program: string;
  /** Arguments of the program. */
  readonly rest: readonly string[];
}

const SPEC = /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@(.+))?$/i;
const EXACT = /^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/i;
/** `1`, `1.x`, `^1.2`, `~1.2.3`: other ranges, addresses, folders and aliases are left to npx. */
const RANGE = /^[\^~]?\d+(\.(\d+|x|\*)){0,2}(-[0-9a-z.-]+)?$/i;
const TAG = /^[a-z][a-z-]*$/i;
const PACKAGE = /^(?:-p|--package)(?:=(.+))?$/;

/** Undefined for what is no `npx`, and for any form that is not surely understood. */
export const askedOf = (command: string, args: readonly string[]): Asked | undefined => {
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
  const [, name, wanted = ''] = SPEC.exec(spec) ?? [];
  if (name === undefined) return undefined;
  const isExact = EXACT.test(wanted);
  if (wanted !== '' && !isExact && !RANGE.test(wanted) && !TAG.test(wanted)) return undefined;
  return { spec, name, wanted, isExact, program: first, rest };
};

/** The end of the folder in npx's cache that belongs to a spec. */
export const folderOf = (spec: string): string =>
  `_npx/${createHash('sha512').update(spec).digest('hex').slice(0, 16)}`;

/**
 * Places in a command line at which the path of a program may begin that belongs to this folder and is called with these
 * arguments and no others; paths may hold spaces.
 */
export const programsIn = (command: string, { spec, rest }: Asked): readonly string[] => {
  const tail = rest.length === 0 ? '' : ` ${rest.join(' ')}`.trimEnd();
  const bin = `/${folderOf(spec)}/node_modules/.bin/`;
  const found = command.indexOf(bin);
  if (found < 0 || !command.endsWith(tail)) return [];
  const line = command.slice(0, command.length - tail.length);
  if (/[ /]/.test(line.slice(found + bin.length)) || line.length <= found + bin.length) return [];
  const begins = [...line.slice(0, found + 1).matchAll(/(?<=^| )\//g)].map(({ index }) => index);
  return begins.map((begin) => line.slice(begin));
};

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
