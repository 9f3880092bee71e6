// The daemon's HTTP server: there at once, with little loaded; the control API joins it when somebody first asks for it.
import { createServer as createHttpServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { MetadError, messageOf, toWire, type WireError } from '../../schema/errors.ts';
import type { Contract } from '../../schema/wire.ts';
import type { Log } from '../log.ts';
import type { Events } from './events.ts';
import { IDENTITY, refuse, statusOf, strangerOf } from './reply.ts';
import { closeSilent } from './silent.ts';
import type { Upgrade } from './upgrade.ts';

export interface ServerOptions {
  /** Asked once per control request, after `ready`. */
  readonly handlers: () => Promise<Contract>;
  /** Gets Upgrade requests at once: it does not wait for `ready`, and the control API need not be loaded. */
  readonly upgrade: Upgrade;
  readonly events: Events;
  /** Control requests wait for it inside the daemon; where it rejects they are told why. */
  readonly ready: Promise<unknown>;
  /** Throws where no more connections can be borne; the caller is told why. */
  readonly checkRoom?: () => void;
  readonly log: Log;
  /** The daemon's own scope: aborts the methods in flight. */
  readonly signal?: AbortSignal;
  /** Milliseconds for which a new connection may say nothing. Default 5000. */
  readonly silenceMs?: number;
}

const send = (response: ServerResponse, error: WireError, status = statusOf(error.code)): void => {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
  response.end(JSON.stringify({ error }));
};

/** What Node's parser refuses, by its code; anything else is a plain mistake in the request. */
const PARSE_STATUS: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/**
 * A server that can be bound at once. To close it: emit `closing` (event streams end with it), end the sessions'
 * sockets (they count as connections), then `close()`. Fastify neither listens nor closes it.
 */
export const createServer = (options: ServerOptions): Server => {
  const {
    events,
    handlers,
    log,
    ready,
    signal = new AbortController().signal,
    upgrade,
    checkRoom,
    silenceMs,
  } = options;
  let routes: Promise<RequestListener> | undefined;
  // Every request looks at `ready` itself; without this a start that fails before the first one would end the process.
  ready.catch(() => {});

  const server = createHttpServer((request, response) => {
    response.setHeaders(new Map(Object.entries(IDENTITY)));
    const stranger = strangerOf(request.headers);
    if (stranger) return send(response, toWire(stranger));
    const answer = async () => {
      await ready;
      routes ??= import('./routes.ts').then(({ createRoutes }) =>
        createRoutes(server, { handlers, events, log, signal }),
      );
      (await routes)(request, response);
    };
    answer().catch((error: unknown) => {
      log('control request failed', { url: request.url, reason: messageOf(error) });
      const wire = toWire(error);
      send(response, wire, wire.code === 'internal' ? 500 : 503);
    });
  });

  // A connection that cannot be accepted, for want of descriptors, is that caller's loss.
  server.on('error', (error) => log('connection failed', { reason: messageOf(error) }));
  server.on('connection', (socket) => {
    try {
      checkRoom?.();
    } catch (error) {
      log('connection refused', { reason: messageOf(error) });
      socket.on('error', () => {});
      refuse(socket, toWire(error));
    }
  });
  closeSilent(server, silenceMs);
  server.on('upgrade', upgrade);
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    if (error.code === 'ECONNRESET') return socket.destroy();
    socket.on('error', () => {});
    const sentence = `This is no HTTP request that metad can read: ${error.message}.`;
    return refuse(socket, toWire(new MetadError('bad-request', sentence)), PARSE_STATUS[error.code ?? ''] ?? 400);
  });
  return server;
};
