// pnpm's lockfile, versions 5 to 9: `importers` are the members with what each got, `packages` are all that there is.

import type { Reader } from '../reader.ts';
import { readerOf } from './parts/client.ts';
import type { Lock } from './parts/lock.ts';
import { EMPTY, type Manifest } from './parts/manifest.ts';
import { type Package, packageIn, versionIn } from './parts/package.ts';
import { clean, thinned, yaml } from './parts/syntax.ts';
import { entriesOf, fieldOf, isFields, textOf } from './parts/value.ts';

const KINDS = ['devDependencies', 'optionalDependencies', 'dependencies'];
const LOCAL = /^(?:link|file|workspace|portal):/;

/** `ms@1.0.0(peers)` of version 9, `/ms@1.0.0` of 6, `/ms/1.0.0_peers` of 5. */
const inKey = (key: string): Package | undefined => {
  const plain = key.startsWith('/') ? key.slice(1) : key;
  const [, name, rest = ''] = /^((?:@[^/]+\/)?[^/@]+)\/(\d.*)$/.exec(plain) ?? [];
  if (name === undefined) return packageIn(plain);
  const version = versionIn(rest);
  return version === null ? undefined : { name, version };
};

/** What comes from git or as an archive has a URL for a key, and its name and version inside. */
const inside = (key: string, entry: unknown): Package | undefined => {
  const version = textOf(entry, 'version');
  const name = textOf(entry, 'name') ?? /^((?:@[^/@]+\/)?[^/@]+)@/.exec(key)?.[1];
  return version === undefined || name === undefined ? undefined : { name, version: versionIn(version) };
};

/** @param reference what an importer says it got: a version, a key of `packages`, or a link */
const referred = (name: string, reference: string, packages: unknown): Package | undefined => {
  if (LOCAL.test(reference)) return { name, version: null };
  const version = versionIn(reference);
  if (version !== null) return { name, version };
  const known = inKey(reference);
  if (known !== undefined) return known;
  const keys = [reference, `${name}@${reference}`, `@${reference}`];
  const key = keys.find((one) => fieldOf(packages, one) !== undefined);
  return key === undefined ? undefined : inside(key, fieldOf(packages, key));
};

/** Since version 6 an importer keeps `{specifier, version}`; before, versions alone and `specifiers` beside them. */
const referencesOf = (importer: unknown): ReadonlyMap<string, string> =>
  new Map(
    KINDS.flatMap((kind) =>
      entriesOf(fieldOf(importer, kind)).flatMap(([name, value]) => {
        const reference = typeof value === 'string' ? value : textOf(value, 'version');
        // The slash of version 6 would make a path of it.
        return reference === undefined ? [] : [[name, reference.replace(/^\//, '')] as const];
      }),
    ),
  );

/** Of `packages` the keys, and what tells the version of those from git; of what came with whom, nothing. */
const needed = (): ((line: string) => boolean) => {
  let section = '';
  return (line) => {
    if (/^[A-Za-z-]/.test(line)) section = line.slice(0, line.indexOf(':'));
    if (line.startsWith('---')) section = '';
    if (section === 'packages') return !line.startsWith('    ') || /^ {4}(?:name|version):/.test(line);
    return section !== 'snapshots' && section !== 'time';
  };
};

export const parsePnpm = (file: string, text: string): Lock => {
  // pnpm may keep its own tools in a document before the project's.
  const documents = yaml(file, thinned(file, clean(file, text), needed()));
  if (!documents.some((document) => textOf(document, 'lockfileVersion') !== undefined))
    throw new Error(`${file} has no lockfileVersion: it is empty, cut off, or none of pnpm's.`);
  const importers = new Map<string, ReadonlyMap<string, string>>();
  const packages = new Map<string, unknown>();
  for (const document of documents) {
    const several = fieldOf(document, 'importers');
    const found = isFields(several) ? Object.entries(several) : [['.', document] as const];
    for (const [folder, importer] of found) {
      const member = folder === '.' ? '' : folder;
      importers.set(member, new Map([...(importers.get(member) ?? []), ...referencesOf(importer)]));
    }
    for (const [key, entry] of entriesOf(fieldOf(document, 'packages'))) packages.set(key, entry);
  }
  const all = Object.fromEntries(packages);
  const held = [...packages]
    .filter(([key]) => !LOCAL.test(key) && !/@(?:link|file):/.test(key))
    .flatMap(([key, entry]) => inKey(key) ?? inside(key, entry) ?? []);
  return {
    members: new Map<string, Manifest>([...importers].map(([member, wanted]) => [member, { ...EMPTY, wanted }])),
    held,
    resolve: (member, name) => {
      const reference = importers.get(member)?.get(name);
      return reference === undefined ? undefined : referred(name, reference, all);
    },
  };
};

export const pnpm: Reader = readerOf({
  manager: 'pnpm',
  title: 'pnpm',
  files: [{ file: 'pnpm-lock.yaml', reads: 'versions, direct dependencies of each importer (lockfileVersion 5 to 9)' }],
  isOpenEnded: true,
  parse: parsePnpm,
});
