// Where each registry stands on this machine: the person's own folder, or the commit of a repository that was taken.
import { access, readdir, realpath, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { RegistryEntry } from '../../../schema/config/registry.ts';
import { readWithin } from '../files/read.ts';
import type { PluginFolder } from '../plugins/load.ts';

/** Where commits are kept; every method may throw a MetadError. */
export interface PinKeeper {
  get(name: string, source: string): string | undefined;
  set(name: string, source: string, commit: string, at: number): void;
  /** Forgets all others. */
  keep(names: readonly string[]): void;
}

export interface StandingOptions {
  /** Holds `NAME/COMMIT`: the files of one commit, which never change. */
  readonly cache: string;
  /** What a path of the config means. */
  readonly folderAt: (path: string) => string;
  readonly pins: PinKeeper;
}

export interface Place {
  readonly entry: RegistryEntry;
  readonly source: string;
  /** Key of what was trusted. */
  readonly root: string;
}

export const placeOf = (entry: RegistryEntry): Place => {
  const source = entry.git === undefined ? `folder ${entry.path ?? ''}` : `${entry.git} ${entry.ref ?? ''}`.trim();
  return { entry, source, root: `registry:${entry.name} ${source}` };
};

export const isThere = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  );

/** As a folder of plugins. Nothing outside of it is read: what is not there today was not shown today. */
export const pluginsIn = (folder: string): PluginFolder => ({
  path: folder,
  isForeign: true,
  read: async (file) => {
    const real = await realpath(folder).catch(() => undefined);
    return real === undefined ? undefined : readWithin(real)(file);
  },
});

export const createStanding = ({ cache, folderAt, pins }: StandingOptions) => {
  const commitFolder = ({ entry }: Place, commit: string): string =>
    join(cache, entry.name, commit, entry.folder ?? '');
  const pinOf = ({ entry, source }: Place): string | undefined =>
    entry.git === undefined ? undefined : pins.get(entry.name, source);
  return {
    commitFolder,
    pinOf,
    /** Undefined for a repository of which nothing was taken yet. @throws MetadError */
    folderOf: (place: Place): string | undefined => {
      if (place.entry.path !== undefined) return folderAt(place.entry.path);
      const pin = pinOf(place);
      return pin === undefined ? undefined : commitFolder(place, pin);
    },
    /** Whether a file is of that registry, whatever commit. */
    isOf: ({ entry }: Place, file: string): boolean =>
      file.startsWith((entry.path === undefined ? join(cache, entry.name) : folderAt(entry.path)) + sep),
    /** Removes registries that are named no more, and commits that nobody said yes to, or no longer. */
    prune: async (entries: readonly RegistryEntry[]): Promise<void> => {
      pins.keep(entries.map(({ name }) => name));
      for (const name of await readdir(cache).catch(() => [])) {
        const entry = entries.find((one) => one.name === name);
        const pin = entry === undefined ? undefined : pinOf(placeOf(entry));
        if (entry === undefined) await rm(join(cache, name), { recursive: true, force: true });
        else
          for (const commit of await readdir(join(cache, name)).catch(() => []))
            if (commit !== pin) await rm(join(cache, name, commit), { recursive: true, force: true });
      }
    },
  };
};
