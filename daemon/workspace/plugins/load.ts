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
}

/** A plugin may name others, these others in turn; deeper is a mistake. */
const DEEPEST = 8;

const listOf = (texts: string | readonly string[] | undefined): readonly string[] =>
  texts === undefined ? [] : typeof texts === 'string' ? [texts] : texts;

const gateOf = (table: Pick<PluginFile, 'depends-on' | 'predicates'>): Predicate | undefined =>
  parseGate(listOf(table['depends-on']), table.predicates ?? []);

const both = (...gates: readonly (Predicate | undefined)[]): Predicate | undefined => {
  const given = gates.filter((gate) => gate !== undefined);
  return given.length === 0 ? undefined : allOf(given);
};

interface Found {
  readonly offers: readonly Omit<Offer, 'customs'>[];
  readonly customs: readonly (readonly [string, CustomPredicate])[];
  readonly warnings: readonly string[];
  /** Files of plugins that it names. */
  readonly files: readonly string[];
}

const NOTHING: Found = { offers: [], customs: [], warnings: [], files: [] };

const merged = (parts: readonly Found[]): Found => ({
  offers: parts.flatMap(({ offers }) => offers),
  customs: parts.flatMap(({ customs }) => customs),
  warnings: parts.flatMap(({ warnings }) => warnings),
  files: parts.flatMap(({ files }) => files),
});

const customsOf = (plugin: PluginFile, place: Place, file: string): Found['customs'] =>
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
  });

/** @throws Error naming the file: then nothing of this plugin is new */
const readPlace = async (place: Place, read: ReadText, outer?: Predicate, depth = 0): Promise<Found> => {
  const manifest = await manifestAt(place, read);
  if (manifest === undefined) return NOTHING;
  const { file, plugin } = manifest;
  const own = await ownAt(place, read);
  const at = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      const said = messageOf(error);
      throw new Error(said.startsWith(file) ? said : `${file}: ${said}`);
    }
  };
  const gate = at(() => both(outer, gateOf(plugin)));
  const servers = at(() =>
    (plugin.mcp_servers ?? []).map((server) => {
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
    else if (depth >= DEEPEST) throw new Error(`${file}: its [[plugins]] lead more than ${DEEPEST} plugins deep.`);
    else {
      const next = placeIn(resolve(place.folder, path));
      const found = await readPlace(next, read, inside, depth + 1);
      inner.push({ ...found, files: [...found.files, ...filesOfPlace(next)] });
    }
  }
  const mine: Found = {
    offers: servers.map(({ definition, gate: when }) => ({
      definition,
      plugin: plugin.name ?? place.name,
      gate: when,
    })),
    customs: at(() => customsOf(plugin, place, file)),
    warnings: [...manifest.warnings, ...servers.flatMap(({ warnings }) => warnings)],
    files: [],
  };
  return merged([mine, ...inner]);
};

const namesDependency = (gate: Predicate | undefined): boolean =>
  gate !== undefined && leavesOf(gate).some(({ kind }) => kind === 'depends-on');

/** A name that two plugins give to a predicate is nobody's: which one is meant cannot be known. */
const customsByName = (all: Found['customs'], problems: string[]): ReadonlyMap<string, CustomPredicate> => {
  const byName = new Map<string, CustomPredicate>();
  const twice = new Set<string>();
  for (const [name, custom] of all) {
    if (byName.has(name)) twice.add(name);
    byName.set(name, custom);
  }
  for (const name of twice) {
    byName.delete(name);
    problems.push(`Two plugins have a predicate named ${name}; neither is used. Rename one.`);
  }
  return byName;
};

/** Two offers of one server name: the first registered counts. */
const withoutDoubles = (offers: readonly Omit<Offer, 'customs'>[], problems: string[]) => {
  const first = new Map<string, string>();
  return offers.filter(({ definition: { name, origin } }) => {
    const known = first.get(name);
    if (known === undefined) first.set(name, origin);
    else
      problems.push(`Two plugins have a server named ${name}: the one of ${known} is used, that of ${origin} is not.`);
    return known === undefined;
  });
};

/**
 * Gives what reads all of them; what was good once is remembered between two readings.
 * @param read default: any file that the person may read
 */
export const createPluginLoader = (
  folders: () => readonly PluginFolder[],
  read: ReadText = readText,
): (() => Promise<LoadedPlugins>) => {
  const good = new Map<string, Found>();
  return async () => {
    const problems: string[] = [];
    const files: string[] = [];
    const found: Found[] = [];
    for (const { path, isPlugin = false, isForeign = false } of folders()) {
      for (const place of isPlugin ? [placeIn(path)] : await placesBelow(path)) {
        files.push(...filesOfPlace(place));
        const id = join(place.folder, place.name);
        try {
          const all = await readPlace(place, read);
          good.set(id, isForeign ? { ...all, offers: all.offers.filter(({ gate }) => namesDependency(gate)) } : all);
        } catch (error) {
          problems.push(`${messageOf(error)}${good.has(id) ? ' What it said before still holds.' : ''}`);
        }
        found.push(good.get(id) ?? NOTHING);
      }
    }
    const all = merged(found);
    const customs = customsByName(all.customs, problems);
    const offers = withoutDoubles(all.offers, problems).map((offer): Offer => ({ ...offer, customs }));
    return {
      offers,
      problems: [...problems, ...all.warnings],
      files: [...new Set([...files, ...all.files])],
      folders: folders().flatMap(({ path, isPlugin }) => (isPlugin ? [] : [path])),
    };
  };
};
