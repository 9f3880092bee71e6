// Registries: other people's plugins, from a repository or a folder. What runs of them is what a person said yes to.
import { join } from 'node:path';
import type { RegistryEntry } from '../../../schema/config/registry.ts';
import { MetadError, messageOf } from '../../../schema/errors.ts';
import type { RegistryReport, SyncedRegistry } from '../../../schema/sync.ts';
import type { TrustedServer, TrustFile, TrustServer } from '../../../schema/trust.ts';
import type { Offer } from '../offer.ts';
import { type Admitted, createPluginLoader, type PluginFolder } from '../plugins/load.ts';
import type { LoadedPlugins } from '../plugins/source.ts';
import { candidateOf, statesOf } from '../trust/candidate.ts';
import { FETCH_LIMITS, fetchNewest } from './fetch.ts';
import { createStanding, isThere, type Place, placeOf, pluginsIn, type StandingOptions } from './standing.ts';

export interface RegistriesOptions extends StandingOptions {
  /** Of the config, in its order. */
  readonly entries: () => readonly RegistryEntry[];
  readonly trusts: {
    of(root: string): readonly TrustedServer[];
    add(root: string, servers: readonly TrustedServer[]): void;
  };
  /** A candidate as a person is shown it. */
  readonly shown: (offer: Offer, root: string) => Omit<TrustServer, 'state' | 'hash'>;
  readonly environment: () => Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

export interface Registries {
  /** Where plugins of them are now. Throws no error: what cannot be read is a problem. */
  folders(): readonly PluginFolder[];
  /** What of all offers may be used: of registries, those that a person said yes to; the rest waits, and that is told. */
  readonly admitted: Admitted;
  /** Fetches, uses nothing, and says what would change. One at a time. */
  look(asked: AbortSignal): Promise<readonly RegistryReport[]>;
  /**
   * Takes exactly this from now on, all or nothing.
   * @throws MetadError `refused` where something is not, or no longer, what was shown
   */
  accept(asked: readonly SyncedRegistry[]): Promise<void>;
}

export const createRegistries = (options: RegistriesOptions): Registries => {
  const { entries, cache, folderAt, pins, trusts, shown, environment, signal, now } = options;
  const { commitFolder, pinOf, folderOf, isOf, prune } = createStanding(options);
  let last: Promise<unknown> = Promise.resolve();

  const load = (folder: string): Promise<LoadedPlugins> => createPluginLoader(() => [pluginsIn(folder)])();

  const folders = (): readonly PluginFolder[] =>
    entries().flatMap((entry): PluginFolder[] => {
      const folder = quiet(() => folderOf(placeOf(entry)), undefined);
      return folder === undefined ? [] : [pluginsIn(folder)];
    });

  const admitted: Admitted = (all) => {
    const problems: string[] = [];
    let offers = all;
    for (const entry of entries()) {
      const place = placeOf(entry);
      try {
        const folder = folderOf(place);
        if (folder === undefined) {
          problems.push(
            `Nothing of the registry ${entry.name} is used yet: \`metad sync\` fetches it and shows what it has.`,
          );
          continue;
        }
        const stateOf = statesOf(trusts.of(place.root));
        const isWaiting = (offer: Offer): boolean => {
          if (!isOf(place, offer.definition.origin)) return false;
          const { file, hash } = candidateOf(folder, offer);
          return stateOf({ file, server: offer.definition.name, hash }) !== 'trusted';
        };
        const waiting = offers.filter(isWaiting).map(({ definition }) => definition.name);
        offers = offers.filter((offer) => !isWaiting(offer));
        if (waiting.length > 0)
          problems.push(`Of the registry ${entry.name} these wait for \`metad sync\`: ${waiting.join(', ')}.`);
      } catch (error) {
        offers = offers.filter(({ definition }) => !isOf(place, definition.origin));
        problems.push(`The registry ${entry.name} is not used: ${messageOf(error)}`);
      }
    }
    return { offers, problems };
  };

  const filesOf = (
    folder: string,
    place: Place,
    offers: readonly Offer[],
    before: readonly Offer[],
  ): readonly TrustFile[] => {
    const stateOf = statesOf(trusts.of(place.root));
    const byFile = new Map<string, TrustServer[]>();
    for (const offer of offers) {
      const { file, hash } = candidateOf(folder, offer);
      const state = stateOf({ file, server: offer.definition.name, hash });
      const old = before.find(({ definition }) => definition.name === offer.definition.name);
      const was = state === 'changed' && old !== undefined && old !== offer ? { before: shown(old, folder).plan } : {};
      byFile.set(file, [...(byFile.get(file) ?? []), { ...shown(offer, folder), ...was, state, hash }]);
    }
    return [...byFile].map(([file, servers]) => ({ file, servers, problems: [] }));
  };

  const lookAt = async (place: Place, given: AbortSignal): Promise<RegistryReport> => {
    const { entry } = place;
    const source = entry.git ?? folderAt(entry.path ?? '');
    const pin = pinOf(place);
    const problems: string[] = [];
    let next = pin;
    let isFetched = true;
    if (entry.git !== undefined)
      try {
        const source = { git: entry.git, ref: entry.ref ?? 'HEAD' };
        const where = {
          cache: join(cache, entry.name),
          environment: environment(),
          signal: given,
          limits: FETCH_LIMITS,
        };
        const newest = await fetchNewest(source, where);
        next = newest.commit;
        problems.push(...newest.problems);
      } catch (error) {
        isFetched = false;
        problems.push(`It could not be fetched: ${messageOf(error)}`);
      }
    if (entry.git === undefined && !(await isThere(source))) {
      isFetched = false;
      problems.push(`${source} is not there.`);
    }
    const folder = entry.git === undefined ? source : next === undefined ? undefined : commitFolder(place, next);
    if (folder === undefined)
      return { name: entry.name, source, commit: null, files: [], gone: [], isFetched, problems };
    const after = await load(folder);
    const before = pin === undefined || pin === next ? after : await load(commitFolder(place, pin));
    const names = new Set(after.offers.map(({ definition }) => definition.name));
    return {
      name: entry.name,
      source,
      commit: next === undefined ? null : { now: pin ?? null, next },
      files: filesOf(folder, place, after.offers, before.offers),
      gone: before.offers.map(({ definition }) => definition.name).filter((name) => !names.has(name)),
      isFetched,
      problems: [...problems, ...after.problems],
    };
  };

  const look = async (asked: AbortSignal): Promise<readonly RegistryReport[]> => {
    await prune(entries()); // by now nobody reads what was in use before
    const given = AbortSignal.any([signal, asked]);
    return Promise.all(entries().map((entry) => lookAt(placeOf(entry), given)));
  };

  const checked = async ({ name, commit, servers }: SyncedRegistry) => {
    const refuse = (why: string): never => {
      throw new MetadError('refused', `${why}, so nothing was taken: look again with \`metad sync\`.`);
    };
    const entry = entries().find((one) => one.name === name) ?? refuse(`There is no registry ${name} any more`);
    const place = placeOf(entry);
    if ((commit === null) !== (entry.git === undefined)) refuse(`The registry ${name} is another one by now`);
    const folder = commit === null ? folderAt(entry.path ?? '') : commitFolder(place, commit);
    if (commit !== null && !/^[0-9a-f]{40,64}$/.test(commit)) refuse(`${JSON.stringify(commit)} is no commit`);
    if (!(await isThere(folder))) refuse(`${folder} is not there any more`);
    const candidates = (await load(folder)).offers.map((offer) => candidateOf(folder, offer));
    for (const { file, server, hash } of servers)
      if (!candidates.some((one) => one.file === file && one.offer.definition.name === server && one.hash === hash))
        refuse(`${JSON.stringify(server)} of the registry ${name} is no longer what was shown`);
    return { place, commit, servers };
  };

  return {
    folders,
    admitted,
    look: (asked) => {
      const next = last.then(() => look(asked));
      last = next.catch(() => {});
      return next;
    },
    accept: async (asked) => {
      const all = await Promise.all(asked.map(checked));
      const at = now();
      for (const { place, commit, servers } of all) {
        trusts.add(
          place.root,
          servers.map(({ file, server, hash }) => ({ file, server, hash, at })),
        );
        if (commit !== null) pins.set(place.entry.name, place.source, commit, at);
      }
    },
  };
};

const quiet = <T>(work: () => T, otherwise: T): T => {
  try {
    return work();
  } catch {
    return otherwise; // whoever is asked next says what is wrong
  }
};
