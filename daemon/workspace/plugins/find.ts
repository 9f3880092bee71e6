// Where manifests are: a folder of plugins holds NAME.toml, or NAME/ with a manifest in it.
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isObject } from '../../../schema/tool.ts';
import type { Manifest } from './manifest.ts';
import { manifestOf, tomlOf } from './manifest.ts';

/** Symposium has written it both ways. */
const NAMES = ['SYMPOSIUM.toml', 'Symposium.toml'];
const CARGO = 'Cargo.toml';
const OWN = 'metad.toml';
/** Files of other programs that stand beside plugins where a repository's top holds them. */
const OTHERS = [
  CARGO,
  'pyproject.toml',
  'book.toml',
  'rustfmt.toml',
  'rust-toolchain.toml',
  'clippy.toml',
  'deny.toml',
];

/** One plugin, wherever it stands. */
export interface Place {
  /** The folder that relative paths in it belong to. */
  readonly folder: string;
  /** Its name where it gives none. */
  readonly name: string;
  /** What it may be read from, the first that is there counts. */
  readonly manifests: readonly string[];
  /** metad's own settings for its servers. */
  readonly own: string;
}

export const placeIn = (folder: string): Place => ({
  folder,
  name: basename(folder),
  manifests: NAMES.map((name) => join(folder, name)),
  own: join(folder, OWN),
});

/**
 * All places of a folder of plugins, by name. None where there is no such folder.
 * @param most entries that are looked at
 */
export const placesBelow = async (folder: string, most: number): Promise<readonly Place[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => !name.startsWith('.'))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, most)
    .flatMap((entry): readonly Place[] => {
      const path = join(folder, entry.name);
      if (entry.isDirectory() || entry.isSymbolicLink()) return [placeIn(path)];
      if (!entry.name.endsWith('.toml') || entry.name.endsWith(`.${OWN}`)) return [];
      if (entry.name === OWN || OTHERS.includes(entry.name)) return [];
      const name = entry.name.slice(0, -'.toml'.length);
      return [{ folder, name, manifests: [path], own: join(folder, `${name}.${OWN}`) }];
    });
};

/** The text of a file, undefined where there is none. @throws Error naming the file */
export type ReadText = (file: string) => Promise<string | undefined>;

export const readText: ReadText = async (file) => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code)) return undefined;
    throw new Error(`${file} cannot be read (${code}).`);
  }
};

const metadataOf = (cargo: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined => {
  const inner = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);
  const found = inner(inner(inner(cargo, 'package'), 'metadata'), 'symposium');
  return isObject(found) ? found : undefined;
};

/** The manifest of a place: `[package.metadata.symposium]` with the keys of the file over it. @throws Error naming the file */
export const manifestAt = async ({ folder, manifests }: Place, read: ReadText): Promise<Manifest | undefined> => {
  const cargo = manifests.length > 1 ? await read(join(folder, CARGO)) : undefined;
  const metadata = cargo === undefined ? undefined : metadataOf(tomlOf(cargo, join(folder, CARGO)));
  for (const file of manifests) {
    const text = await read(file);
    if (text !== undefined) return manifestOf({ ...metadata, ...tomlOf(text, file) }, file);
  }
  return metadata === undefined ? undefined : manifestOf(metadata, join(folder, CARGO));
};

/** metad's settings by server name; none where there is no such file. @throws Error naming the file */
export const ownAt = async ({ own }: Place, read: ReadText): Promise<Readonly<Record<string, unknown>>> => {
  const text = await read(own);
  if (text === undefined) return {};
  const { servers = {} } = tomlOf(text, own);
  if (!isObject(servers)) throw new Error(`${own}: "servers" must be tables, like [servers.NAME].`);
  return servers;
};

/** Every file of a place that a change of may matter. */
export const filesOfPlace = ({ folder, manifests, own }: Place): readonly string[] => [
  ...manifests,
  own,
  ...(manifests.length > 1 ? [join(folder, CARGO)] : []),
];
