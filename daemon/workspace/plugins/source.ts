// The plugins in force: read, watched, and told to others when they are others.
import { messageOf } from '../../../schema/errors.ts';
import type { Log } from '../../log.ts';
import { type Watch, type Watched, watchFiles } from '../../watch.ts';
import type { Offer } from '../offer.ts';

export interface LoadedPlugins extends Watched {
  readonly offers: readonly Offer[];
  /** A sentence each. */
  readonly problems: readonly string[];
}

export interface PluginSourceOptions {
  /** Reads all manifests. A manifest that is broken is a problem, and its last good offers stay. */
  readonly load: () => Promise<LoadedPlugins>;
  /** What is offered, or what is wrong, has changed. */
  readonly onChange: () => void;
  /** The system has no more watches to give. */
  readonly onPolling?: (reason: string) => void;
  readonly log: Log;
}

export interface PluginSource extends AsyncDisposable {
  /** The same array while nothing changed. */
  offers(): readonly Offer[];
  problems(): readonly string[];
  /** Reads them now; resolves when `offers` says what they say. Never rejects. */
  reload(): Promise<void>;
  /** Follows their files from now on; once. */
  watch(): Promise<void>;
}

const NONE: LoadedPlugins = { offers: [], problems: [], files: [] };

/** By what they say: customs are maps, which JSON would lose. */
const textOf = ({ offers }: LoadedPlugins): string =>
  JSON.stringify(offers.map(({ customs, ...offer }) => [offer, [...customs]]));

export const createPluginSource = ({
  load,
  onChange,
  onPolling = () => {},
  log,
}: PluginSourceOptions): PluginSource => {
  let loaded = NONE;
  let told = '[]';
  let watching: Promise<Watch> | undefined;
  let last: Promise<void> = Promise.resolve();
  let closed = false;

  const read = async (): Promise<void> => {
    const next = await load();
    const text = textOf(next);
    const isSame = text === told;
    const hasOtherProblems = next.problems.join('\n') !== loaded.problems.join('\n');
    loaded = isSame ? { ...next, offers: loaded.offers } : next;
    told = text;
    if (hasOtherProblems) for (const problem of next.problems) log('plugin.problem', { problem });
    await (await watching)?.follow(next);
    if (!closed && (!isSame || hasOtherProblems)) onChange();
  };

  /** One after the other, so that the last reading is the one that counts. */
  const reload = (): Promise<void> => {
    last = last.then(read).catch((error: unknown) => log('plugin.failed', { error: messageOf(error) }));
    return last;
  };

  return {
    offers: () => loaded.offers,
    problems: () => loaded.problems,
    reload,
    watch: async () => {
      if (closed || watching !== undefined) return;
      await last;
      watching = watchFiles({ ...loaded, onSettled: () => void reload(), onPolling, log });
      await watching;
      await reload(); // something may have changed before the watch stood
    },
    [Symbol.asyncDispose]: async () => {
      closed = true;
      await last;
      await (await watching)?.[Symbol.asyncDispose]();
    },
  };
};
