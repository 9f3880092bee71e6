// npm's lockfiles: `packages` by folder since version 2, a tree of `dependencies` in version 1.

import type { Reader } from '../reader.ts';
import { readerOf } from './parts/client.ts';
import type { Lock } from './parts/lock.ts';
import { EMPTY, type Manifest, manifestOf } from './parts/manifest.ts';
import { nameBehind, type Package, versionIn } from './parts/package.ts';
import { json } from './parts/syntax.ts';
import { entriesOf, type Fields, fieldOf, isFields, textOf } from './parts/value.ts';

const FOLDER = 'node_modules/';

/** As Node looks for it: in the member's own node_modules, then in those of the folders above. */
const nearest = (packages: Fields, member: string, name: string): readonly [string, unknown] | undefined => {
  for (let at = member; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = `${at === '' ? '' : `${at}/`}${FOLDER}${name}`;
    const found = fieldOf(packages, path);
    if (found !== undefined) return [path, found];
    if (at === '') return undefined;
  }
};

const installed = (path: string, entry: unknown): Package => ({
  name: textOf(entry, 'name') ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length), // the name only of aliases
  version: fieldOf(entry, 'link') === true ? null : versionIn(textOf(entry, 'version') ?? ''),
});

const isMember = (path: string): boolean =>
  path === '' || !(path.includes(FOLDER) || path.startsWith('..') || path.startsWith('/'));

const byFolder = (packages: Fields): Lock => {
  const members = new Map<string, Manifest>();
  const held: Package[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    if (isMember(path)) members.set(path, isFields(entry) ? manifestOf(entry) : EMPTY);
    else if (path.includes(FOLDER) && fieldOf(entry, 'link') !== true) held.push(installed(path, entry));
  }
  return {
    members,
    held,
    resolve: (member, name) => {
      const found = nearest(packages, member, name);
      return found === undefined ? undefined : installed(...found);
    },
  };
};

/** Version 1 writes aliases as `npm:ms@1.0.0`, and what is on this disk as `file:`. */
const inTree = (name: string, entry: unknown): Package => {
  const version = textOf(entry, 'version') ?? '';
  const alias = /^npm:.+@([^@]+)$/.exec(version);
  return { name: nameBehind(name, version), version: versionIn(alias?.[1] ?? version) };
};

const byTree = (tree: unknown): Lock => {
  const held: Package[] = [];
  /** What a linked member has in its own node_modules. */
  const own = new Map<string, unknown>();
  const pending = [...entriesOf(tree)];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [name, entry] = next;
    const version = textOf(entry, 'version') ?? '';
    const below = fieldOf(entry, 'dependencies');
    if (version.startsWith('file:')) own.set(version.slice('file:'.length), below);
    else held.push(inTree(name, entry));
    pending.push(...entriesOf(below));
  }
  return {
    members: undefined,
    held,
    resolve: (member, name) => {
      const entry = fieldOf(own.get(member), name) ?? fieldOf(tree, name);
      return entry === undefined ? undefined : inTree(name, entry);
    },
  };
};

export const parseNpm = (file: string, text: string): Lock => {
  const lock = json(file, text);
  const packages = fieldOf(lock, 'packages');
  if (isFields(packages)) return byFolder(packages);
  if (!isFields(lock)) throw new Error(`${file} holds no object.`);
  return byTree(fieldOf(lock, 'dependencies'));
};

export const npm: Reader = readerOf({
  manager: 'npm',
  title: 'npm',
  files: [
    { file: 'package-lock.json', reads: 'versions, direct dependencies of each workspace (lockfileVersion 1 to 3)' },
    { file: 'npm-shrinkwrap.json', reads: 'the same, before package-lock.json' },
  ],
  parse: parseNpm,
});
