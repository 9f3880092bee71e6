// Deno: what deno.json imports from npm and JSR, and the versions in deno.lock (versions 3 to 5).
import { Range } from 'semver';
import type { Files, Reader } from '../reader.ts';
import { memberManifests } from './parts/client.ts';
import { dependenciesOf, type Lock, NO_LOCK } from './parts/lock.ts';
import { lockOf } from './parts/manager.ts';
import { EMPTY, type Manifest, manifestIn } from './parts/manifest.ts';
import { nameBehind, type Package, packageIn, versionIn } from './parts/package.ts';
import { foldersOf } from './parts/pattern.ts';
import { json, jsonc } from './parts/syntax.ts';
import { entriesOf, type Fields, fieldOf, isFields, rangesOf, textOf, textsOf } from './parts/value.ts';

const CONFIGS = ['deno.json', 'deno.jsonc'];

/** `npm:/preact@10/hooks` → `npm:preact@10`; undefined for URLs, paths and `node:`. */
const plain = (specifier: string): string | undefined => {
  const [, protocol, name, range] = /^(npm|jsr):\/?((?:@[^/@]+\/)?[^/@]+)(?:@([^/]*))?(?:\/.*)?$/.exec(specifier) ?? [];
  return protocol === undefined
    ? undefined
    : `${protocol}:${name}@${range === undefined || range === '' ? '*' : range}`;
};

const wantedOf = (specifiers: Iterable<readonly [string, string]>): Manifest => ({
  ...EMPTY,
  wanted: new Map(
    [...specifiers].flatMap(([key, specifier]) => {
      const wanted = plain(specifier);
      return wanted === undefined ? [] : [[key, wanted] as const];
    }),
  ),
});

const joined = (...manifests: readonly Manifest[]): Manifest => ({
  ...EMPTY,
  wanted: new Map(manifests.flatMap(({ wanted }) => [...wanted])),
});

/** A package.json as Deno understands it. */
const ofNode = ({ wanted }: Manifest): Manifest =>
  wantedOf(
    [...wanted].map(([name, range]) => [`package.json ${name}`, plain(range) ?? `npm:${name}@${range}`] as const),
  );

const importsOf = (map: unknown): Manifest =>
  wantedOf([
    ...rangesOf(fieldOf(map, 'imports')),
    ...entriesOf(fieldOf(map, 'scopes')).flatMap(([scope, imports]) =>
      [...rangesOf(imports)].map(([key, specifier]) => [`${scope} ${key}`, specifier] as const),
    ),
  ]);

const configIn = (files: Files, folder: string): Fields | undefined => {
  for (const name of CONFIGS) {
    const file = folder === '' ? name : `${folder}/${name}`;
    const text = files.text(file);
    if (text === undefined) continue;
    const config = jsonc(file, text);
    if (!isFields(config)) throw new Error(`${file} holds no object.`);
    return config;
  }
  return undefined;
};

/** Its own imports, else those of the import map that it names. */
const mapOf = (files: Files, config: Fields | undefined): unknown => {
  const named = textOf(config, 'importMap');
  if (config === undefined || named === undefined || fieldOf(config, 'imports') !== undefined) return config;
  const text = /^[a-z]+:/.test(named) ? undefined : files.text(named.replace(/^\.\//, ''));
  return text === undefined ? config : jsonc(named, text);
};

/** Deno writes ranges in its own shortest way: `^7.0.0` as `7`. */
const sameRange = (range: string): string => {
  try {
    return new Range(range).range;
  } catch {
    return range; // a tag
  }
};

const canonical = (specifier: string): string => {
  const at = specifier.lastIndexOf('@');
  return `${specifier.slice(0, at)}@${sameRange(specifier.slice(at + 1))}`;
};

/** The specifiers of one `dependencies` in the lockfile's `workspace`. */
const recorded = (entry: unknown): Manifest =>
  wantedOf(
    [
      ...textsOf(fieldOf(entry, 'dependencies')),
      ...textsOf(fieldOf(fieldOf(entry, 'packageJson'), 'dependencies')),
    ].map((specifier) => [specifier, specifier] as const),
  );

const membersOf = (workspace: unknown): Lock['members'] =>
  isFields(workspace)
    ? new Map([
        ['', recorded(workspace)] as const,
        ...entriesOf(fieldOf(workspace, 'members')).map(([folder, entry]) => [folder, recorded(entry)] as const),
      ])
    : undefined;

export const parseDeno = (file: string, text: string): Lock => {
  const lock = json(file, text);
  if (!isFields(lock)) throw new Error(`${file} holds no object.`);
  const content = isFields(fieldOf(lock, 'packages')) ? fieldOf(lock, 'packages') : lock; // version 3
  const versions = new Map<string, string | null>();
  for (const [specifier, value] of rangesOf(fieldOf(content, 'specifiers'))) {
    const resolved = versionIn(value) ?? packageIn(value.replace(/^(?:npm|jsr):/, ''))?.version; // version 3 repeats the name
    versions.set(canonical(plain(specifier) ?? specifier), resolved ?? null);
  }
  const heldUnder = (home: 'npm' | 'jsr'): readonly Package[] =>
    entriesOf(fieldOf(content, home)).flatMap(([key]) => {
      const found = packageIn(key);
      return found === undefined ? [] : [{ ...found, name: nameBehind('', `${home}:${found.name}@`) }];
    });
  return {
    members: membersOf(fieldOf(lock, 'workspace')),
    held: [...heldUnder('npm'), ...heldUnder('jsr')],
    resolve: (_member, name, specifier) => ({
      name: nameBehind(name, specifier),
      version: versions.get(canonical(specifier)) ?? null,
    }),
  };
};

const memberConfigs = (files: Files, config: Fields | undefined): ReadonlyMap<string, Manifest> => {
  const workspace = fieldOf(config, 'workspace');
  const patterns = textsOf(isFields(workspace) ? fieldOf(workspace, 'members') : workspace);
  const members = new Map(
    [...memberManifests(files, patterns)].map(([folder, manifest]) => [folder, ofNode(manifest)]),
  );
  for (const folder of foldersOf(files, patterns, CONFIGS))
    members.set(folder, joined(importsOf(configIn(files, folder)), members.get(folder) ?? EMPTY));
  return members;
};

export const deno: Reader = {
  id: 'deno',
  title: 'Deno',
  ecosystems: ['npm', 'jsr'],
  files: [
    { file: 'deno.json, deno.jsonc', reads: '`imports`, `scopes`, `importMap`, `workspace`' },
    { file: 'deno.lock', reads: 'versions, direct dependencies of each workspace (versions 3 to 5)' },
    { file: 'package.json', reads: 'direct dependencies, where no lockfile of npm, pnpm, Yarn or Bun counts' },
  ],
  read: (files) => {
    const chosen = lockOf(files, 'deno');
    const config = configIn(files, '');
    if (config === undefined && chosen === undefined) return undefined;
    const text = chosen?.text ?? files.text('deno.lock');
    const lock = text === undefined ? NO_LOCK : parseDeno('deno.lock', text);
    // Where another manager's lockfile counts, its reader has the package.json.
    const node = chosen === undefined ? undefined : manifestIn(files, '');
    const root = joined(importsOf(mapOf(files, config)), node === undefined ? EMPTY : ofNode(node));
    return dependenciesOf(new Map([...(lock.members ?? memberConfigs(files, config)), ['', root]]), lock);
  },
};
