// All plugins of some folders to what they offer. A manifest that is broken keeps its last good offers.
import { join, resolve } from 'node:path';
import { messageOf } from '../../../schema/errors.ts';
import type { PluginFile } from '../../../schema/plugin.ts';
import type { CustomPredicate, Offer } from '../offer.ts';
import { isFreeName, parseGate } from '../predicate/parse.ts';
import { allOf, leavesOf, type Predicate } from '../predicate/predicate.ts';
import { filesOfPlace, manifestAt, ownAt, type Place, placeIn, placesBelow, type ReadText, readText } from './find.ts';
import { definitionOfServer, runnableOf } from './server.ts';
import type { LoadedPlugins } from './source.ts';

export interface PluginFolder {
  /** Holds plugins, one an entry. */
  readonly path: string;
  /** It is one plugin itself. */
  readonly isPlugin?: boolean;
  /** Somebody else's: a plugin of it that names no dependency is left alone. */
  readonly isForeign?: boolean;
  /** Default: any file that the person may read. */
  readonly read?: ReadText;
  /** Entries of it that are looked at. Default 1,000. */
  readonly most?: number;
}

/** A plugin may name others, these others in turn; deeper is a mistake. */
const DEEPEST = 8;
/** Of one plugin: more nobody has, and each is work of the daemon's. */
const MOST_MANIFESTS = 200;
const MOST_SERVERS = 200;
const MOST_PLUGINS = 1000;

const listOf = (texts: string | readonly string[] | undefined): readonly string[] =>
  texts === undefined ? [] : typeof texts === 'string' ? [texts] : texts;

const gateOf = (table: Pick<PluginFile, 'depends-on' | 'predicates'>): Predicate | undefined =>
  parseGate(listOf(table['depends-on']), table.predicates ?? []);

const both = (...gates: readonly (Predicate | undefined)[]): Predicate | undefined => {
  const given = gates.filter((gate) => gate !== undefined);
  return given.length === 0 ? undefined : allOf(given);
};

interface Found {
  readonly offers: readonly Offer[];
  readonly warnings: readonly string[];
  /** Files of plugins that it names. */
  readonly files: readonly string[];
}

const NOTHING: Found = { offers: [], warnings: [], files: [] };

const merged = (parts: readonly Found[]): Found => ({
  offers: parts.flatMap(({ offers }) => offers),
  warnings: parts.flatMap(({ warnings }) => warnings),
  files: parts.flatMap(({ files }) => files),
});

/** A plugin's own predicates: nobody else can name them, so what a plugin may run stands in its manifest. */
const customsOf = (plugin: PluginFile, place: Place, file: string): Offer['customs'] =>
  new Map<string, CustomPredicate>(
    (plugin.predicate ?? []).map(({ name, command, args = [] }) => {
      if (!isFreeName(name))
        throw new Error(`${file}: a predicate cannot be named "${name}": metad has one of that name.`);
      const installation =
        typeof command === 'string' ? plugin.installations?.find((one) => one.name === command) : { name, ...command };
      const program =
        installation === undefined
          ? { command: String(command), args: [] }
          : runnableOf(installation, { file, folder: place.folder });
      return [name, { command: program.command, args: [...program.args, ...args] }] as const;
    }),
  );

/** What all manifests of one plugin share while they are read. */
interface Reading {
  readonly read: ReadText;
  manifests: number;
}

/** What the plugin that names this one gives to it. */
interface Outer {
  readonly gate?: Predicate | undefined;
  readonly customs: Offer['customs'];
  readonly depth: number;
}

const NO_OUTER: Outer = { customs: new Map(), depth: 0 };

/** @throws Error naming the file: then nothing of this plugin is new */
const readPlace = async (place: Place, reading: Reading, outer: Outer = NO_OUTER): Promise<Found> => {
  const manifest = await manifestAt(place, reading.read);
  if (manifest === undefined) return NOTHING;
  const { file, plugin } = manifest;
  reading.manifests += 1;
  if (reading.manifests > MOST_MANIFESTS)
    throw new Error(`${file}: with it the plugin has more than ${MOST_MANIFESTS} manifests.`);
  const declared = plugin.mcp_servers ?? [];
  if (declared.length > MOST_SERVERS)
    throw new Error(`${file}: it has ${declared.length} servers, and at most ${MOST_SERVERS} are read.`);
  const own = await ownAt(place, reading.read);
  const at = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      const said = messageOf(error);
      throw new Error(said.startsWith(file) ? said : `${file}: ${said}`);
    }
  };
  const customs = at(() => {
    const mine = customsOf(plugin, place, file);
    const twice = [...mine.keys()].find((name) => outer.customs.has(name));
    if (twice !== undefined) throw new Error(`the plugin that names this one has a predicate "${twice}" too.`);
    return new Map([...outer.customs, ...mine]);
  });
  const gate = at(() => both(outer.gate, gateOf(plugin)));
  const servers = at(() =>
    declared.map((server) => {
      const installations = plugin.installations ?? [];
      const context = { file, folder: place.folder, installations, own: own[server.name] };
      return { gate: both(gate, gateOf(server)), ...definitionOfServer(server, context) };
    }),
  );
  const inner: Found[] = [];
  for (const source of plugin.plugins ?? []) {
    const { path, cargo } = source.source;
    const inside = at(() => both(gate, gateOf(source)));
    if (path === undefined)
      inner.push({
        ...NOTHING,
        warnings: [
          `${file}: the plugin of the crate ${cargo ?? '?'} is not read, since metad fetches no crates: copy its manifest into your folder of plugins.`,
        ],
      });
    else if (outer.depth >= DEEPEST)
      throw new Error(`${file}: its [[plugins]] lead more than ${DEEPEST} plugins deep.`);
    else {
      const next = placeIn(resolve(place.folder, path));
      const found = await readPlace(next, reading, { gate: inside, customs, depth: outer.depth + 1 });
      inner.push({ ...found, files: [...found.files, ...filesOfPlace(next)] });
    }
  }
  const mine: Found = {
    offers: servers.map(({ definition, gate: when }) => ({
      definition,
      plugin: plugin.name ?? place.name,
      gate: when,
      customs,
    })),
    warnings: [...manifest.warnings, ...servers.flatMap(({ warnings }) => warnings)],
    files: [],
  };
  return merged([mine, ...inner]);
};

const namesDependency = (gate: Predicate | undefined): boolean =>
  gate !== undefined && leavesOf(gate).some(({ kind }) => kind === 'depends-on');

/** Two offers of one server name: the first registered counts. */
const withoutDoubles = (offers: readonly Offer[], problems: string[]): readonly Offer[] => {
  const first = new Map<string, string>();
  return offers.filter(({ definition: { name, origin } }) => {
    const known = first.get(name);
    if (known === undefined) first.set(name, origin);
    else
      problems.push(`Two plugins have a server named ${name}: the one of ${known} is used, that of ${origin} is not.`);
    return known === undefined;
  });
};

/** Which of all offers may be used, and a sentence on each reason why others may not. */
export type Admitted = (offers: readonly Offer[]) => Pick<LoadedPlugins, 'offers' | 'problems'>;

/**
 * Gives what reads all of them; what was good once is remembered between two readings.
 * @param admitted default: all may be used. What may not takes no name from what may.
 */
export const createPluginLoader = (
  folders: () => readonly PluginFolder[],
  admitted: Admitted = (offers) => ({ offers, problems: [] }),
): (() => Promise<LoadedPlugins>) => {
  const good = new Map<string, Found>();
  return async () => {
    const problems: string[] = [];
    const files: string[] = [];
    const found: Found[] = [];
    for (const { path, isPlugin = false, isForeign = false, read = readText, most = MOST_PLUGINS } of folders()) {
      for (const place of isPlugin ? [placeIn(path)] : await placesBelow(path, most)) {
        files.push(...filesOfPlace(place));
        const id = join(place.folder, place.name);
        try {
          const all = await readPlace(place, { read, manifests: 0 });
          good.set(id, isForeign ? { ...all, offers: all.offers.filter(({ gate }) => namesDependency(gate)) } : all);
        } catch (error) {
          problems.push(`${messageOf(error)}${good.has(id) ? ' What it said before still holds.' : ''}`);
        }
        found.push(good.get(id) ?? NOTHING);
      }
    }
    const all = merged(found);
    const { offers, problems: waiting } = admitted(all.offers);
    problems.push(...waiting);
    return {
      offers: withoutDoubles(offers, problems),
      problems: [...problems, ...all.warnings],
      files: [...new Set([...files, ...all.files])],
      folders: folders().flatMap(({ path, isPlugin }) => (isPlugin ? [] : [path])),
    };
  };
};
