// The daemons of one session, one after the other: who is looked for, how soon again after a loss, and when no more.
import type { Link } from '../upgrade.ts';

const POLL_MS = { first: 100, most: 5000 };
/** Connections in a row that were short and brought the agent nothing, after which it is told instead of served. */
const FRUITLESS = { most: 3, milliseconds: 2000 };

export interface DaemonsParts {
  /** As openLink(): undefined where nobody listens and none may be started. */
  connect(mayStart: boolean, resumed: boolean): Promise<Link | undefined>;
  /** Whether something waits that a daemon may be started for. */
  wanted(): boolean;
  /** From here on somebody is looked for, until `found`, `none` or `failed`. */
  searching(): void;
  /** `generation` counts the connections: 1 is the session's first daemon. */
  found(link: Link, generation: number): void;
  /** Nobody is there and nobody is wanted; looks again by itself. */
  none(): void;
  /** No daemon can be had, in a sentence; looks again by itself, and at once when it is told to. */
  failed(sentence: string): void;
}

export interface Daemons {
  /** How many were found so far. */
  readonly generation: number;
  search(mayStart: boolean): Promise<void>;
  /** The daemon said something that reached the agent. */
  heard(): void;
  /** The session goes on with the daemon that was found. */
  settled(): void;
  /** The daemon that was found is gone. */
  lost(): void;
  /** Ends the search for good. */
  stop(): void;
}

export const createDaemons = ({ connect, wanted, searching, found, none, failed }: DaemonsParts): Daemons => {
  let generation = 0;
  let fruitless = 0;
  let isHeard = false;
  let foundAt = 0;
  let pollMs = POLL_MS.first;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  /** Whoever waits has been told; somebody else may yet bring a daemon, and the agent need not write for that. */
  const giveUp = (sentence: string): void => {
    failed(sentence);
    if (!stopped) timer = setTimeout(() => void search(false), POLL_MS.most);
  };

  const search = async (mayStart: boolean): Promise<void> => {
    clearTimeout(timer);
    searching();
    let link: Link | undefined;
    try {
      link = await connect(mayStart, generation > 0);
    } catch (error) {
      if (!stopped) giveUp(error instanceof Error ? error.message : String(error));
      return;
    }
    if (stopped) return void link?.socket.destroy();
    if (link !== undefined) {
      generation += 1;
      isHeard = false;
      foundAt = performance.now();
      return found(link, generation);
    }
    if (wanted()) return search(true);
    none();
    timer = setTimeout(() => void search(false), pollMs);
    pollMs = Math.min(pollMs * 2, POLL_MS.most);
  };

  return {
    get generation() {
      return generation;
    },
    search,
    heard: () => {
      isHeard = true;
    },
    settled: () => {
      pollMs = POLL_MS.first;
    },
    lost: () => {
      const wasFruitful = isHeard || performance.now() - foundAt > FRUITLESS.milliseconds;
      fruitless = wasFruitful ? 1 : fruitless + 1;
      if (fruitless > FRUITLESS.most) {
        fruitless = 0;
        return giveUp('The metad daemon ends as soon as it is used; `metad logs` may say why.');
      }
      searching();
      timer = setTimeout(() => void search(wanted()), fruitless === 1 ? 0 : 50 * 2 ** fruitless);
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
