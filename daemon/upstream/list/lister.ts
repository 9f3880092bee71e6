// Keeps the list of one instance: listed at each start, again after a change, once for all who wait.
import { messageOf } from '../../../schema/errors.ts';
import { within } from '../../scope.ts';
import { ANYTHING } from '../call/call.ts';
import { type Connection, NO_LIMIT_MS } from '../connect/handshake.ts';
import type { Listed } from '../contract.ts';
import { answeredCode, isBroken } from '../failure.ts';
import { type About, nextListed } from './listing.ts';
import { type Pages, walkPages } from './pages.ts';

export interface ListerOptions {
  readonly server: string;
  /** Milliseconds that one listing, all pages, may take. */
  readonly limitMs: () => number;
  readonly now: () => number;
  readonly onListed: (listed: Listed) => void;
  /** A listing gave nothing at all; undefined when the next one did. */
  readonly onFailure: (reason: string | undefined) => void;
}

export interface Lister {
  /** The list of this connection: the one at hand, the one under way, or a new one. */
  get(connection: Connection): Promise<Listed>;
  /** The server said that its list has changed. */
  changed(connection: Connection): void;
  /** Whether the list has changed since it was last asked for. */
  changing(): boolean;
  /** Whether a listing is under way. */
  busy(): boolean;
}

/** `tools/list_changed` notifications are one burst until none came for this long, or until somebody needs the list. */
const QUIET_MS = 250;
/** A burst that does not end is listed this often. */
const BURST_MS = 2000;
const METHOD_NOT_FOUND = -32601;

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

const aboutOf = (server: string, { client }: Connection): About => {
  const instructions = client.getInstructions();
  const info = client.getServerVersion();
  const protocolVersion = client.getNegotiatedProtocolVersion();
  return {
    server,
    ...(instructions === undefined ? {} : { instructions }),
    ...(info === undefined
      ? {}
      : {
          serverInfo: {
            name: info.name,
            version: info.version,
            ...(info.title === undefined ? {} : { title: info.title }),
          },
        }),
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
  };
};

const pagesOf = async ({ client }: Connection, signal: AbortSignal): Promise<Pages> => {
  const ask = (cursor: string | undefined) =>
    client.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } }, ANYTHING, {
      signal,
      timeout: NO_LIMIT_MS,
    });
  // Reading a list twice does nothing, so a page whose answer was lost is asked for once more.
  const pages = await walkPages((cursor) =>
    ask(cursor).catch((error: unknown) => {
      if (!isBroken(error) || signal.aborted) throw error;
      return ask(cursor);
    }),
  );
  // A server without tools need not know the method, if it did not announce them.
  const none =
    answeredCode(causeOf(pages.failure)) === METHOD_NOT_FOUND && client.getServerCapabilities()?.tools === undefined;
  return none ? { tools: [], warnings: [], failure: undefined } : pages;
};

export const createLister = (options: ListerOptions): Lister => {
  /** The last complete list, of whichever connection. */
  let last: Listed | undefined;
  let current: { readonly connection: Connection; readonly listed: Listed } | undefined;
  let running: { readonly connection: Connection; readonly list: Promise<Listed> } | undefined;
  /** A listing that waits for the one under way, which may have begun before the change. */
  let following: { readonly connection: Connection; readonly list: Promise<Listed> } | undefined;
  let burst: { readonly connection: Connection; readonly since: number; timer: NodeJS.Timeout } | undefined;
  let renewing = false;

  const fetchPages = async (connection: Connection): Promise<Pages> => {
    const sentence = `it did not list its tools within ${options.limitMs() / 1000} s`;
    const pages = await within(options.limitMs(), sentence, undefined, (signal) => pagesOf(connection, signal)).catch(
      (failure: unknown): Pages => ({ tools: [], warnings: [], failure }),
    );
    if (pages.failure === undefined || connection.alive()) return pages;
    return { ...pages, failure: new Error(`it ${await connection.ended}`, { cause: pages.failure }) };
  };

  const run = async (connection: Connection): Promise<Listed> => {
    try {
      const pages = await fetchPages(connection);
      const listed = nextListed(last, pages, aboutOf(options.server, connection), options.now());
      if (listed.freshness === 'confirmed') last = listed;
      current = { connection, listed };
      options.onFailure(undefined);
      options.onListed(listed);
      return listed;
    } catch (error) {
      options.onFailure(messageOf(error));
      throw error;
    }
  };

  const refresh = (connection: Connection): Promise<Listed> => {
    const mine = run(connection).finally(() => {
      if (running?.list === mine) running = undefined;
    });
    running = { connection, list: mine };
    mine.catch(() => {});
    return mine;
  };

  const follow = (connection: Connection): Promise<Listed> => {
    if (running === undefined) return refresh(connection);
    if (following?.connection === connection) return following.list;
    const list = running.list
      .catch(() => {})
      .then(() => {
        if (following?.list === list) following = undefined;
        return refresh(connection);
      });
    following = { connection, list };
    list.catch(() => {});
    return list;
  };

  /** The burst is over: what is listed from now on holds all its changes. */
  const renew = (connection: Connection): Promise<Listed> => {
    clearTimeout(burst?.timer);
    burst = undefined;
    renewing = true;
    const list = follow(connection);
    const done = () => {
      renewing = following !== undefined;
    };
    list.then(done, done);
    return list;
  };

  return {
    get(connection) {
      if (burst?.connection === connection) return renew(connection);
      if (following?.connection === connection) return following.list;
      if (running?.connection === connection) return running.list;
      if (current?.connection === connection && current.listed.freshness === 'confirmed') {
        return Promise.resolve(current.listed);
      }
      return refresh(connection);
    },
    changed(connection) {
      const since = burst?.connection === connection ? burst.since : options.now();
      clearTimeout(burst?.timer);
      const wait = Math.max(0, Math.min(QUIET_MS, since + BURST_MS - options.now()));
      const timer = setTimeout(() => {
        burst = undefined;
        if (connection.alive()) renew(connection).catch(() => {});
      }, wait).unref();
      burst = { connection, since, timer };
    },
    changing: () => burst !== undefined || renewing,
    busy: () => running !== undefined,
  };
};
