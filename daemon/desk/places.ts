// The workspaces as the daemon has them: their findings kept in the store, their servers from config, files and plugins.
import type { Environment } from '../config/environment.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import type { Definitions, Sources } from '../workspace/applied.ts';
import type { Finding } from '../workspace/survey/survey.ts';
import { createSurveyor } from '../workspace/survey/surveyor.ts';
import { createWorkspaces, type Workspaces } from '../workspace/workspaces.ts';

export interface PlacesOptions {
  readonly config: () => Definitions;
  readonly offers: () => Sources['offers'];
  readonly environment: Environment;
  readonly store: Pick<Store, 'survey' | 'saveSurvey'>;
  /** Of metad: what another one read, its parsers may have read wrong. */
  readonly version: string;
  /** The bundle of the survey's worker. */
  readonly surveyUrl: URL;
  readonly onFiles: (root: string) => void;
  readonly onChange: (root: string) => void;
  readonly log: Log;
}

const NONE: Sources['own'] = [];

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

export const createPlaces = ({
  config,
  offers,
  environment,
  store,
  version,
  ...options
}: PlacesOptions): Workspaces => {
  const workspaces = createWorkspaces({
    ...options,
    config,
    surveyor: createSurveyor({ workerUrl: options.surveyUrl }),
    kept: (root) => findingsOf(store.survey(root, version)),
    save: (root, findings) => store.saveSurvey(root, version, Date.now(), JSON.stringify(findings)),
    sources: () => ({ config: config(), own: NONE, offers: offers() }),
    moreFiles: () => [],
    readMore: async () => {},
    environment: environment.variables,
  });
  return {
    ...workspaces,
    // Where no plugin asks, nobody waits for an answer.
    known: async (root, milliseconds) => {
      if (offers().length > 0) await workspaces.known(root, milliseconds);
    },
  };
};
