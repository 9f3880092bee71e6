// The config as the daemon holds it: loaded, watched, and told to others as differences.

import { type Problem, problemText } from '../../schema/config/problem.ts';
import type { Config } from '../../schema/config.ts';
import { messageOf } from '../../schema/errors.ts';
import type { Log } from '../log.ts';
import { type WatchOptions, watchFiles } from '../watch.ts';
import { type ConfigDiff, diffConfig, isEmpty } from './diff.ts';
import { createLoader, type Loaded } from './load.ts';

export interface ConfigChange {
  readonly before: Config;
  readonly after: Config;
  readonly difference: ConfigDiff;
}

export interface ConfigSource extends AsyncDisposable {
  /** The config in force. Frozen: a change is another object. */
  config(): Config;
  /** What is wrong with the file now; for status, log and `metad config check`. */
  problems(): readonly Problem[];
  /** Reads the file now, tells of a difference, and gives what is in force then. Never rejects. */
  reload(): Promise<Loaded>;
  /** Begins to watch the file, once; resolves when changes are seen. Apart from `openConfig`, since it loads chokidar. */
  watch(): Promise<void>;
}

export interface SourceOptions {
  readonly file: string;
  readonly log: Log;
  /** Called after each reading that changed the config, never for one that did not. */
  readonly onChange: (change: ConfigChange) => void;
  /** Called when `problems()` changed. */
  readonly onProblems?: () => void;
  readonly watching?: Pick<WatchOptions, 'settleMs' | 'pollMs' | 'onPolling'>;
  readonly goneMs?: number;
}

/** Reads the file and resolves with the config in force. Never rejects for what it finds. */
export const openConfig = async (options: SourceOptions): Promise<ConfigSource> => {
  const { file, log, onChange, onProblems, watching = {}, goneMs = 1000 } = options;
  const loader = createLoader({ file, goneMs });
  let state = await loader.load();
  let told = '';
  let closed = false;

  const tell = ({ problems }: Loaded): void => {
    const text = problems.map(problemText).join('\n');
    if (text === told) return;
    told = text;
    for (const problem of problems) log('config.problem', { severity: problem.severity, text: problemText(problem) });
    onProblems?.();
  };

  const reload = async (): Promise<Loaded> => {
    const next = await loader.load();
    const before = state.config;
    const difference = diffConfig(before, next.config);
    // Where nothing changed the old object stays, so that whoever compares by reference sees that too.
    state = isEmpty(difference) ? { ...next, config: before } : next;
    if (closed) return state;
    if (!isEmpty(difference)) {
      log('config.changed', { ...difference.servers, settings: difference.settings });
      onChange({ before, after: next.config, difference });
    }
    tell(next);
    return state;
  };

  const reloadQuietly = () =>
    reload().then(
      () => {},
      (error: unknown) => log('config.reload', { error: messageOf(error) }),
    );
  const startWatching = async (): Promise<AsyncDisposable> => {
    const watcher = await watchFiles({ ...watching, files: [file], log, onSettled: () => void reloadQuietly() });
    // Something may have changed between the first reading and the moment from which changes are seen.
    await reloadQuietly();
    return watcher;
  };
  let watcher: Promise<AsyncDisposable> | undefined;

  tell(state);
  return {
    config: () => state.config,
    problems: () => state.problems,
    reload,
    watch: async () => {
      if (closed) return;
      watcher ??= startWatching();
      await watcher;
    },
    [Symbol.asyncDispose]: async () => {
      closed = true;
      await (await watcher)?.[Symbol.asyncDispose]();
    },
  };
};
