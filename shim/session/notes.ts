// What the shim remembers of a session for the day its daemon dies. Fed with every message after it went out; no effects.
import type { Envelope } from '../line/envelope.ts';
import { cancelledId, errorLine, LOST, listChangedLine, lostLine, subscriptionOf, valueAt } from '../line/replies.ts';

/** An opening that a daemon dies of is sent again only so often. */
const OPENING_TRIES = 3;

/** How the agent opened its session, as the agent wrote it, and the protocol version that came of it. */
export interface Opening {
  readonly era: 'legacy' | 'modern';
  readonly line: Buffer;
  readonly version: string;
}

interface Listen {
  readonly line: Buffer;
  readonly wantsTools: boolean;
  acknowledged: boolean;
}

/** What becomes of the requests in flight: answers for the agent, and openings that may surely be sent again. */
export interface Loss {
  readonly answers: readonly Buffer[];
  readonly again: readonly Buffer[];
}

export interface Notes {
  /** A message went to the daemon. */
  sent(line: Buffer, envelope: Envelope | undefined): void;
  /** A message of the daemon went to the agent. */
  received(line: Buffer, envelope: Envelope | undefined): void;
  /** The agent gave this request up: nobody answers it any more. */
  cancelled(id: string): void;
  /** The daemon is gone: forgets what was in flight and says what to do about it. */
  lost(): Loss;
  /** True while the agent waits for an answer (an open listen is none). */
  busy(): boolean;
  readonly opening: Opening | undefined;
  /** The agent's `notifications/initialized`. */
  readonly initialized: Buffer | undefined;
  /** Open `subscriptions/listen` requests by id. */
  readonly listens: ReadonlyMap<string, Readonly<Listen>>;
  /** tools/list_changed in the form that this agent may hear now; none where it did not ask. */
  listChanged(): Buffer[];
}

const OPENERS = new Set(['initialize', 'server/discover']);

const requestedVersion = (line: Buffer): string =>
  String(valueAt(line, 'params', '_meta', 'io.modelcontextprotocol/protocolVersion'));

export const createNotes = (): Notes => {
  const inFlight = new Map<string, string>();
  const openers = new Map<string, { method: string; line: Buffer }>();
  const tries = new Map<string, number>();
  const listens = new Map<string, Listen>();
  let opening: Opening | undefined;
  let initialized: Buffer | undefined;

  const cancelled = (id: string) => {
    inFlight.delete(id);
    listens.delete(id);
    openers.delete(id);
  };

  const opened = (method: string, line: Buffer, reply: Buffer) => {
    if (method === 'initialize') {
      opening = { era: 'legacy', line, version: String(valueAt(reply, 'result', 'protocolVersion')) };
    } else if (opening?.era !== 'legacy') opening = { era: 'modern', line, version: requestedVersion(line) };
  };

  return {
    sent: (line, envelope) => {
      if (envelope === undefined) return;
      const { kind, id, method } = envelope;
      if (kind === 'request') {
        // Lines are views of a read buffer; what stays is copied, so that it keeps no more alive than itself.
        if (OPENERS.has(method)) openers.set(id, { method, line: Buffer.from(line) });
        else if (method === 'subscriptions/listen') {
          const wantsTools = valueAt(line, 'params', 'notifications', 'toolsListChanged') === true;
          listens.set(id, {
            line: Buffer.from(line),
            wantsTools,
            acknowledged: listens.get(id)?.acknowledged ?? false,
          });
        } else inFlight.set(id, method);
      } else if (method === 'notifications/initialized') initialized = Buffer.from(line);
      else if (method === 'notifications/cancelled') cancelled(cancelledId(line) ?? '');
    },
    received: (line, envelope) => {
      if (envelope === undefined) return;
      const { kind, id, method } = envelope;
      if (kind === 'answer') {
        if (inFlight.delete(id)) return;
        listens.delete(id);
        const opener = openers.get(id);
        if (opener === undefined) return;
        openers.delete(id);
        tries.delete(id);
        if (!envelope.failed) opened(opener.method, opener.line, line);
      } else if (method === 'notifications/subscriptions/acknowledged') {
        const listen = listens.get(subscriptionOf(line) ?? '');
        if (listen !== undefined) listen.acknowledged = true;
      }
    },
    cancelled,
    lost: () => {
      const answers = [...inFlight].map(([id, method]) => lostLine(id, method));
      const again: Buffer[] = [];
      for (const [id, { method, line }] of openers) {
        const tried = (tries.get(id) ?? 0) + 1;
        tries.set(id, tried);
        if (tried < OPENING_TRIES) again.push(line);
        else answers.push(errorLine(id, LOST, `The metad daemon ended ${tried} times while it answered ${method}.`));
      }
      inFlight.clear();
      openers.clear();
      return { answers, again };
    },
    busy: () => inFlight.size + openers.size > 0,
    get opening() {
      return opening;
    },
    get initialized() {
      return initialized;
    },
    listens,
    listChanged: () => {
      if (opening?.era === 'legacy') return initialized === undefined ? [] : [listChangedLine()];
      return [...listens]
        .filter(([, listen]) => listen.wantsTools && listen.acknowledged)
        .map(([id]) => listChangedLine(id));
    },
  };
};
