// The workspaces as the daemon has them: their findings kept in the store, their servers from config, files and plugins.
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../schema/config.ts';
import { MetadError } from '../../schema/errors.ts';
import type { Environment } from '../config/environment.ts';
import { variablesOf } from '../config/expand.ts';
import { createExpander } from '../config/expander.ts';
import type { Log } from '../log.ts';
import type { Choices, Store } from '../store/store.ts';
import { leaseOf } from '../upstream/lease.ts';
import { createOwn } from '../workspace/own.ts';
import { createPluginLoader, type PluginFolder } from '../workspace/plugins/load.ts';
import { createPluginSource } from '../workspace/plugins/source.ts';
import { createRegistries, type Registries } from '../workspace/registry/registries.ts';
import type { Finding } from '../workspace/survey/survey.ts';
import { createSurveyor } from '../workspace/survey/surveyor.ts';
import { shownOf } from '../workspace/trust/plan.ts';
import { createWorkspaces, type Workspaces } from '../workspace/workspaces.ts';

export interface PlacesOptions {
  readonly config: () => Pick<Config, 'servers' | 'pluginFolders' | 'registries'>;
  /** The folder of plugins that is always looked into. */
  readonly plugins: string;
  readonly home: string;
  readonly environment: Environment;
  readonly store: Pick<Store, 'survey' | 'saveSurvey'>;
  /** What a person said yes to: of workspaces' own files, and of registries. */
  readonly choices: Pick<Choices, 'trusts' | 'pins'>;
  /** Holds what was fetched of registries. */
  readonly data: string;
  readonly signal: AbortSignal;
  /** Of metad: what another one read, its parsers may have read wrong. */
  readonly version: string;
  /** The bundle of the survey's worker. */
  readonly surveyUrl: URL;
  readonly onFiles: (root: string) => void;
  /** Something else applies at some root. */
  readonly onChange: () => void;
  /** The system has no more watches to give. */
  readonly onPolling: (reason: string) => void;
  readonly log: Log;
}

/** As they were saved; none where the text is no such thing. */
const findingsOf = (json: string | undefined): readonly Finding[] => {
  if (json === undefined) return [];
  try {
    const found: unknown = JSON.parse(json);
    return Array.isArray(found) ? (found as Finding[]) : [];
  } catch {
    return [];
  }
};

/** The workspaces, and the plugins that say what applies in them. */
export interface Places extends Workspaces {
  readonly registries: Pick<Registries, 'look' | 'accept'>;
  /** Resolves when the plugins were read once. */
  ready(): Promise<void>;
  /** Follows the plugins' files from now on. */
  watch(): Promise<void>;
  /** Reads plugins and the files of open workspaces again. */
  reload(): Promise<void>;
}

/** A person writes `~/plugins`, an absolute path, or one from the folder that holds theirs. */
const folderAt = (path: string, plugins: string, home: string): string =>
  /^~(\/|$)/.test(path) ? join(home, path.slice(1)) : resolve(dirname(plugins), path);

export const createPlaces = ({
  config,
  plugins: always,
  home,
  environment,
  store,
  choices,
  data,
  signal,
  version,
  ...options
}: PlacesOptions): Places => {
  const { log, onChange, onPolling } = options;
  const expand = createExpander(environment.variables);
  const registries = createRegistries({
    entries: () => config().registries,
    cache: join(data, 'registries'),
    folderAt: (path) => folderAt(path, always, home),
    ...choices,
    shown: (offer) => shownOf(offer.definition, 'the root of each workspace', variablesOf, offer),
    environment: environment.variables,
    signal,
    now: Date.now,
  });
  const folders = (): readonly PluginFolder[] => [
    ...[always, ...config().pluginFolders.map((path) => folderAt(path, always, home))].map((path) => ({ path })),
    ...registries.folders(),
  ];
  const load = createPluginLoader(folders, registries.admitted);
  const plugins = createPluginSource({ load, onChange, onPolling, log });
  const reading = plugins.reload();
  const workspaces = createWorkspaces({
    log,
    onChange,
    onPolling,
    onFiles: options.onFiles,
    config: () => config().servers,
    surveyor: createSurveyor({ workerUrl: options.surveyUrl }),
    kept: (root) => findingsOf(store.survey(root, version)),
    save: (root, findings) => store.saveSurvey(root, version, Date.now(), JSON.stringify(findings)),
    sources: () => ({ config: config().servers, offers: plugins.offers() }),
    isSame: (root) => (one, other) => {
      const owner = { root, session: '' };
      try {
        return leaseOf(expand(one, root), owner, home).key === leaseOf(expand(other, root), owner, home).key;
      } catch (error) {
        if (error instanceof MetadError) return false; // a variable of one is not set
        throw error;
      }
    },
    ownOf: (root) => createOwn({ root, trusted: () => choices.trusts.of(root) }),
    environment: environment.variables,
  });
  return {
    ...workspaces,
    problems: () => [...plugins.problems(), ...workspaces.problems()],
    registries,
    ready: () => reading,
    watch: plugins.watch,
    reload: async () => {
      await plugins.reload();
      await Promise.all(workspaces.held().map(workspaces.refresh));
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([plugins[Symbol.asyncDispose](), workspaces[Symbol.asyncDispose]()]);
    },
  };
};
