// Log messages of servers on their way to one agent: only what it asked for, and never a flood.
import { isShown, type Level, mostTalkative } from '../../schema/level.ts';
import type { JsonObject } from '../../schema/tool.ts';

/** Messages that an agent gets in one second at most. */
const MOST = 100;
const WINDOW_MS = 1000;

export interface Messages {
  /** Passes on `params` of a server's `notifications/message`, with the server's name before its own logger's. */
  offer(server: string, params: JsonObject): void;
}

export interface MessagesOptions {
  readonly wanted: Level;
  readonly send: (params: JsonObject) => void;
  readonly now: () => number;
}

/** What is left out in a flood is counted, and said with the first message that goes through again. */
export const createMessages = ({ wanted, send, now }: MessagesOptions): Messages => {
  let since = 0;
  let sent = 0;
  let left = 0;
  return {
    offer(server, params) {
      if (!isShown(params['level'], wanted)) return;
      if (now() - since >= WINDOW_MS) {
        since = now();
        sent = 0;
      }
      if (sent >= MOST) {
        left += 1;
        return;
      }
      sent += 1;
      if (left > 0) {
        const data = `${left} log messages of servers were left out: more than ${MOST} in a second.`;
        send({ level: 'warning', logger: 'metad', data });
        left = 0;
      }
      const { logger } = params;
      send({ ...params, logger: typeof logger === 'string' ? `${server}: ${logger}` : server });
    },
  };
};

export interface Hearers {
  /** Somebody hears from now on what is at least that serious; gives what ends it. */
  add(level: Level, send: (params: JsonObject) => void): () => void;
  offer(server: string, params: JsonObject): void;
}

/**
 * Who hears at an agent: a legacy one as a whole, once it has set a level (`logging/setLevel`), a modern one each request
 * that names a level (`_meta`, revision 2026-07-28).
 * @param onLevel told the most talkative level of all, whenever it is another; undefined when nobody hears
 */
export const createHearers = (now: () => number, onLevel: (level: Level | undefined) => void): Hearers => {
  const hearers = new Map<Messages, Level>();
  let told: Level | undefined;
  const tell = (): void => {
    const level = mostTalkative(hearers.values());
    if (level === told) return;
    told = level;
    onLevel(level);
  };
  return {
    add(level, send) {
      const hearer = createMessages({ wanted: level, send, now });
      hearers.set(hearer, level);
      tell();
      return () => {
        hearers.delete(hearer);
        tell();
      };
    },
    offer: (server, params) => {
      for (const hearer of hearers.keys()) hearer.offer(server, params);
    },
  };
};
