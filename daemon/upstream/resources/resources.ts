// The resources of one instance: requests pass through, subscriptions are counted, one upstream for all sessions.
import { MetadError, messageOf } from '../../../schema/errors.ts';
import { isObject, type JsonObject } from '../../../schema/tool.ts';
import { ANYTHING } from '../call/call.ts';
import { type Connection, NO_LIMIT_MS } from '../connect/handshake.ts';
import { answeredCode, withCause } from '../failure.ts';
import type { Resources } from './contract.ts';
import { createCounts } from './counts.ts';

export interface ResourcesParts {
  readonly server: string;
  readonly connection: () => Connection | undefined;
  readonly ready: (signal: AbortSignal) => Promise<Connection>;
  readonly limitMs: () => number;
  /** It is in use, or not any more. */
  readonly onUse: () => void;
  readonly onUpdated: (sessions: readonly string[], params: JsonObject) => void;
  readonly log: (line: string) => void;
}

const GATHER_MS = 50;
/** Resources whose updates wait to be passed on; a flood of others is dropped. */
const MOST_GATHERED = 1000;

export const createResources = (parts: ResourcesParts): Resources => {
  const counts = createCounts();
  const gathered = new Map<string, JsonObject>();
  /** What the present connection was told. */
  let told = new Set<string>();
  /** Subscribing and its end never overtake each other for one resource. */
  const chains = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  const send = async (
    open: Connection,
    method: string,
    params: JsonObject,
    signal?: AbortSignal,
  ): Promise<JsonObject> => {
    const limit = AbortSignal.timeout(parts.limitMs());
    const ends = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    try {
      const options = { signal: ends, timeout: NO_LIMIT_MS };
      const result = await open.client.request({ method, params: { ...params } }, ANYTHING, options);
      return isObject(result) ? result : {};
    } catch (error) {
      const what = `\`${method}\` of \`${parts.server}\``;
      if (limit.aborted)
        throw new MetadError('timeout', `${what} was not answered within ${parts.limitMs() / 1000} s.`);
      const said = answeredCode(error) === undefined ? withCause(error) : messageOf(error);
      throw new MetadError('upstream', `${what} failed: ${said}`, { cause: error });
    }
  };

  /** Makes true at the server what the counts say. */
  const settle = async (uri: string): Promise<void> => {
    const open = parts.connection();
    if (open === undefined || counts.has(uri) === told.has(uri)) return;
    const mine = told;
    if (counts.has(uri)) {
      await send(open, 'resources/subscribe', { uri });
      mine.add(uri);
    } else {
      mine.delete(uri);
      await send(open, 'resources/unsubscribe', { uri });
    }
  };
  const sync = (uri: string): Promise<void> => {
    const next = (chains.get(uri) ?? Promise.resolve()).catch(() => {}).then(() => settle(uri));
    chains.set(uri, next);
    const forget = () => chains.get(uri) === next && chains.delete(uri);
    next.then(forget, forget);
    return next;
  };
  const quietly = (uri: string): Promise<void> => sync(uri).catch((error: unknown) => parts.log(messageOf(error)));

  const flush = (): void => {
    timer = undefined;
    const those = [...gathered];
    gathered.clear();
    for (const [uri, params] of those) {
      const sessions = counts.concerned(uri);
      if (sessions.length > 0) parts.onUpdated(sessions, params);
    }
  };

  return {
    offered: () => {
      const open = parts.connection();
      return open && open.client.getServerCapabilities()?.resources !== undefined;
    },
    async request(method, params, signal) {
      const open = await parts.ready(signal);
      if (open.client.getServerCapabilities()?.resources === undefined) {
        throw new MetadError('unsupported', `Server \`${parts.server}\` has no resources.`);
      }
      parts.onUse();
      return send(open, method, params, signal);
    },
    async subscribe(uri, session, signal) {
      const open = await parts.ready(signal);
      if (open.client.getServerCapabilities()?.resources?.subscribe !== true) {
        throw new MetadError('unsupported', `Server \`${parts.server}\` takes no subscriptions to its resources.`);
      }
      counts.add(uri, session);
      parts.onUse();
      try {
        await sync(uri);
      } catch (error) {
        counts.remove(uri, session);
        throw error;
      }
    },
    async unsubscribe(uri, session) {
      if (counts.remove(uri, session)) await quietly(uri);
      parts.onUse();
    },
    leave(session) {
      for (const uri of counts.leave(session)) void quietly(uri);
    },
    busy: () => counts.uris().length > 0,
    renew() {
      told = new Set();
      for (const uri of counts.uris()) void quietly(uri);
    },
    updated(params) {
      const { uri } = params;
      if (typeof uri !== 'string') return;
      if (gathered.size < MOST_GATHERED || gathered.has(uri)) gathered.set(uri, params);
      if (timer === undefined) timer = setTimeout(flush, GATHER_MS).unref();
    },
  };
};
