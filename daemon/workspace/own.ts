// What a root declares by itself: servers in its files and its plugins, of which those count that a person trusted.
import { join, sep } from 'node:path';
import { problemText } from '../../schema/config/problem.ts';
import type { Definition } from '../../schema/config.ts';
import { messageOf } from '../../schema/errors.ts';
import type { TrustedServer } from '../../schema/trust.ts';
import type { Watched } from '../watch.ts';
import { definitionsOf, type WorkspaceDefinitions } from './files/definitions.ts';
import { FILE_KINDS } from './files/kinds.ts';
import { readWithin, readWorkspaceFiles } from './files/read.ts';
import type { Offer } from './offer.ts';
import { createPluginLoader } from './plugins/load.ts';
import type { LoadedPlugins } from './plugins/source.ts';

export interface OwnOptions {
  /** Absolute, without links. */
  readonly root: string;
  /** What a person trusted of this root. May throw MetadError. */
  readonly trusted: () => readonly TrustedServer[];
}

export interface Own {
  /** Trusted servers of its files; the same array while none has changed. */
  definitions(): readonly Definition[];
  /** Those of its plugins; the same array while none has changed. */
  offers(): readonly Offer[];
  /** What is wrong with the files, and how many servers wait for a person's trust; a sentence each. */
  problems(): readonly string[];
  /** What decides about all this, whether it is there or not. Absolute. */
  watched(): Watched;
  /** Reads it from the disk. Starts, expands and contacts nothing (R101). Never rejects. */
  read(): Promise<void>;
  /** Servers that are declared here and that nobody trusted yet, as far as it was read. */
  waiting(): number;
  /** Something was trusted here, and nobody has looked yet whether it still stands there. */
  isAwaited(): boolean;
}

/** Reading them is work of the daemon's before anybody trusts anything. */
const MOST_PLUGINS = 100;
const MOST_SERVERS = 200;

/** Loads the plugins that stand in a root: its own manifest, and those of a folder for them. */
export const pluginsWithin = (root: string): (() => Promise<LoadedPlugins>) => {
  const read = readWithin(root);
  const load = createPluginLoader(() => [
    { path: root, isPlugin: true, read },
    { path: join(root, '.metad', 'plugins'), read, most: MOST_PLUGINS },
  ]);
  return async () => {
    const loaded = await load();
    const count = loaded.offers.length;
    if (count <= MOST_SERVERS) return loaded;
    const problem = `${root}: its plugins have ${count} servers, and at most ${MOST_SERVERS} are read: none of them is.`;
    return { ...loaded, offers: [], problems: [...loaded.problems, problem] };
  };
};

const isBelow = (file: string, root: string): boolean => file.startsWith(root.endsWith(sep) ? root : root + sep);

/** Equal things keep their identity: whoever compares by reference sees that nothing has changed. */
const kept = <T>(before: readonly T[], after: readonly T[], textOf: (one: T) => string): readonly T[] => {
  const known = new Map(before.map((one) => [textOf(one), one]));
  const next = after.map((one) => known.get(textOf(one)) ?? one);
  return next.length === before.length && next.every((one, at) => one === before[at]) ? before : next;
};

const offerText = ({ customs, ...offer }: Offer): string => JSON.stringify([offer, [...customs]]);

const waitingText = (file: string, count: number): string =>
  count === 1
    ? `${file} declares a server that waits until you trust it: \`metad trust\` shows what it would run.`
    : `${file} declares ${count} servers that wait until you trust them: \`metad trust\` shows what they would run.`;

export const createOwn = ({ root, trusted }: OwnOptions): Own => {
  const load = pluginsWithin(root);
  let plugins: LoadedPlugins = { offers: [], problems: [], files: [] };
  let found: WorkspaceDefinitions | undefined;
  let definitions: readonly Definition[] = [];
  let offers: readonly Offer[] = [];
  let failure: string | undefined;

  const look = async (): Promise<void> => {
    const [files, loaded] = await Promise.all([readWorkspaceFiles(root), load()]);
    plugins = loaded;
    const before = found === undefined ? {} : { before: found };
    found = definitionsOf({ root, files, offers: loaded.offers, trusted: trusted(), ...before });
    definitions = kept(definitions, found.definitions, (one) => JSON.stringify(one));
    offers = kept(
      offers,
      found.offers.map((offer) => ({ ...offer, root })),
      offerText,
    );
  };

  const untrusted = () =>
    (found?.servers ?? []).filter(({ state, definition }) => state !== 'trusted' && !definition.disabled);
  const waitingTexts = (): readonly string[] => {
    const counts = new Map<string, number>();
    for (const { file } of untrusted()) counts.set(file, (counts.get(file) ?? 0) + 1);
    return [...counts].map(([file, count]) => waitingText(join(root, file), count));
  };

  return {
    definitions: () => definitions,
    offers: () => offers,
    problems: () => [
      ...(failure === undefined ? [] : [failure]),
      ...[...(found?.problems.values() ?? [])].flat().map(problemText),
      ...plugins.problems,
      ...waitingTexts(),
    ],
    watched: () => ({
      // Others are none of its business: a manifest may name any path.
      files: [
        ...FILE_KINDS.map(({ path }) => join(root, path)),
        ...plugins.files.filter((file) => isBelow(file, root)),
      ],
      folders: plugins.folders ?? [],
    }),
    read: async () => {
      try {
        await look();
        failure = undefined;
      } catch (error) {
        failure = `${root}: which of its own servers are trusted cannot be read: ${messageOf(error)}`;
      }
    },
    waiting: () => untrusted().length,
    isAwaited: () => {
      if (found !== undefined) return false;
      try {
        return trusted().length > 0;
      } catch {
        return false;
      }
    },
  };
};
