// Cargo: Cargo.toml of each crate of a workspace, Cargo.lock (v1 to v4).
import { broken, readToml, type Thinning } from '../parts/documents.ts';
import { below, expand, inFolder, MOST_MEMBERS } from '../parts/paths.ts';
import { createTally, groupBy } from '../parts/tally.ts';
import { at, isTable, listAt, type Table, tableAt, textAt, textsAt } from '../parts/values.ts';
import type { Files, Reader } from '../reader.ts';

const MANIFEST = 'Cargo.toml';
const LOCK = 'Cargo.lock';
/** The last two are old spellings of `dev-dependencies` and `build-dependencies`. */
const TABLES = ['dependencies', 'dev-dependencies', 'build-dependencies', 'dev_dependencies', 'build_dependencies'];

interface Crate {
  readonly folder: string;
  readonly manifest: unknown;
}
interface Package {
  readonly name: string;
  readonly version: string | null;
  /** Of the workspace, or of a folder beside it: those have no source. */
  readonly isLocal: boolean;
  /** `name`, or `name version` where the lock holds more than one; before v2 with the source behind. */
  readonly dependencies: readonly string[];
}

/** Dependency tables of a manifest, of all targets. */
const tablesOf = (manifest: unknown): readonly Table[] =>
  [manifest, ...Object.values(tableAt(manifest, 'target'))].flatMap((part) =>
    TABLES.map((name) => tableAt(part, name)),
  );

/** Root crate, members by pattern, and crates of the root that others name by `path`: these are members without a word. */
const cratesOf = (files: Files, root: unknown): readonly Crate[] => {
  const workspace = tableAt(root, 'workspace');
  const exclude = textsAt(workspace, 'exclude');
  const queue = ['', ...expand(files, textsAt(workspace, 'members'), { exclude })];
  const excluded = exclude.map((path) => below('', path));
  const crates = new Map<string, Crate>();
  const addPaths = (folder: string, tables: readonly Table[]): void => {
    for (const wanted of tables.flatMap((table) => Object.values(table))) {
      const path = textAt(wanted, 'path');
      const there = path === undefined ? undefined : below(folder, path);
      if (there !== undefined && !excluded.includes(there)) queue.push(there);
    }
  };
  addPaths('', [tableAt(workspace, 'dependencies')]);
  const asked = new Set<string>();
  for (const folder of queue) {
    if (asked.has(folder) || asked.size >= MOST_MEMBERS) continue;
    asked.add(folder);
    const manifest = folder === '' ? root : readToml(files, inFolder(folder, MANIFEST));
    if (manifest === undefined) continue;
    crates.set(folder, { folder, manifest });
    addPaths(folder, tablesOf(manifest));
  }
  return [...crates.values()];
};

const packagesOf = (lock: unknown): readonly Package[] => {
  // Before v2 the root crate had a table of its own.
  const all = [...listAt(lock, 'package'), at(lock, 'root')];
  return all.flatMap((entry) => {
    const name = textAt(entry, 'name');
    if (name === undefined) return [];
    const dependencies = textsAt(entry, 'dependencies');
    const isLocal = textAt(entry, 'source') === undefined;
    return [{ name, version: textAt(entry, 'version') ?? null, isLocal, dependencies }];
  });
};

/** Which versions a crate got of a dependency: its own package in the lock says it; else any that is there. */
const resolver = (packages: readonly Package[]) => {
  const byName = groupBy(packages, ({ name }) => name);
  return (crate: string | undefined): ((name: string) => readonly (string | null)[]) => {
    const own = byName.get(crate ?? '')?.find(({ isLocal }) => isLocal);
    const wanted = groupBy(
      (own?.dependencies ?? []).map((text) => text.split(' ')),
      ([name]) => name,
    );
    return (name) => {
      const all = (byName.get(name) ?? []).map(({ version }) => version);
      const stated = wanted.get(name)?.flatMap(([, version]) => (version === undefined ? all : [version]));
      return stated ?? all;
    };
  };
};

/** The name on crates.io of a dependency, which `package` gives where the key is another. */
const nameOf = (key: string, wanted: unknown, shared: Table): string => {
  const isShared = at(wanted, 'workspace') === true;
  return textAt(wanted, 'package') ?? (isShared ? textAt(shared, key, 'package') : undefined) ?? key;
};

/** What a package from a registry depends on decides nothing here, and is two thirds of the file. */
const needed = (): Thinning => {
  let isLocal = true;
  return (line) => {
    if (line.startsWith('[')) isLocal = true;
    if (line.startsWith('source = ')) isLocal = false;
    if (line.startsWith('checksum = ')) return 'line';
    return !isLocal && line.startsWith('dependencies = [') ? 'list' : 'keep';
  };
};

export const cargo: Reader = {
  id: 'cargo',
  title: 'Cargo',
  ecosystems: ['cargo'],
  files: [
    {
      file: MANIFEST,
      reads: 'direct dependencies of the crate and of each workspace member, renamed ones by their real name',
    },
    { file: LOCK, reads: 'versions and indirect dependencies (v1 to v4)' },
  ],
  read: (files) => {
    const root = readToml(files, MANIFEST);
    const lock = readToml(files, LOCK, needed);
    if (root === undefined && lock === undefined) return undefined;
    if (
      lock !== undefined &&
      !isTable(at(lock, 'root')) &&
      at(lock, 'version') === undefined &&
      !Array.isArray(at(lock, 'package'))
    )
      throw broken(LOCK, 'holds no packages: not wholly written?');
    const packages = packagesOf(lock);
    const resolve = resolver(packages);
    const shared = tableAt(root, 'workspace', 'dependencies');
    const tally = createTally('cargo');
    const crates = root === undefined ? [] : cratesOf(files, root);
    for (const { folder, manifest } of crates) {
      const versionsOf = resolve(textAt(manifest, 'package', 'name'));
      for (const [key, wanted] of tablesOf(manifest).flatMap((table) => Object.entries(table))) {
        const name = nameOf(key, wanted, shared);
        tally.direct(name, folder, versionsOf(name));
      }
    }
    const own = new Set(crates.map(({ manifest }) => textAt(manifest, 'package', 'name')));
    for (const { name, version, isLocal } of packages) {
      if (!(isLocal && own.has(name))) tally.locked(name, version);
    }
    return tally.list();
  },
};
