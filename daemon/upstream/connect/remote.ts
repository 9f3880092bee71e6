// A connection to a server at a URL: Streamable HTTP, or SSE where that is asked for or all there is.
import type { Client, Transport } from '@modelcontextprotocol/client';
import type { RemoteReach } from '../../../schema/config.ts';
import { settledWithin } from '../../scope.ts';
import { httpStatus, isBroken } from '../failure.ts';
import { answering } from './answering.ts';
import { type Connection, handshake, type OpenRequest } from './handshake.ts';
import { createRelations } from './relations.ts';

/** How long the polite goodbye to a remote session may take. */
const GOODBYE_MS = 1000;

/**
 * Answers to the first POST that may mean an SSE-only server (2025-11-25, basic/transports, backwards compatibility:
 * 400, 404 or 405).
 */
const MAYBE_SSE = [400, 404, 405];

const overTransport = (client: Client, transport: Transport, goodbye: () => Promise<unknown>): Connection => {
  let settle: (why: string) => void = () => {};
  let alive = true;
  const ended = new Promise<string>((resolve) => {
    settle = resolve;
  });
  const end = (why: string) => {
    alive = false;
    settle(why);
  };
  client.onclose = () => end('closed the connection');
  let closing: Promise<void> | undefined;
  const close = async () => {
    await settledWithin(GOODBYE_MS, goodbye());
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
  };
  const closeOnce = () => {
    end('was stopped');
    closing ??= close();
    return closing;
  };
  return {
    client,
    pid: null,
    ended,
    alive: () => alive,
    unfinished: () => ({ bytes: 0, lines: 0 }),
    tail: () => '',
    fail: (why) => {
      end(why);
      void closeOnce();
    },
    close: closeOnce,
  };
};

/** @throws whatever the SDK says; the transport is closed then. */
export const openRemote = async (
  request: OpenRequest,
  reach: RemoteReach,
  signal: AbortSignal,
): Promise<Connection> => {
  const sdk = await import('@modelcontextprotocol/client');
  const url = new URL(reach.url);
  const requestInit = { headers: { ...reach.headers } };

  const overSse = async (): Promise<Connection> => {
    const transport = new sdk.SSEClientTransport(url, { requestInit });
    try {
      return overTransport(await handshake(request, transport, 'legacy', signal), transport, async () => {});
    } catch (error) {
      await transport.close().catch(() => {});
      throw error;
    }
  };
  const overHttp = async (era: 'legacy' | 'modern'): Promise<Connection> => {
    const transport = new sdk.StreamableHTTPClientTransport(url, { requestInit });
    try {
      const relations = createRelations();
      const related: OpenRequest = {
        ...request,
        onRequest: (message, ends) => request.onRequest(message, ends, relations.take(message.id)),
      };
      const client = await handshake(related, answering(transport, relations), era, signal);
      return overTransport(client, transport, () => transport.terminateSession());
    } catch (error) {
      await transport.close().catch(() => {});
      throw error;
    }
  };

  if (reach.kind === 'sse') return overSse();
  // Nothing has happened before a session is open, so an `initialize` whose answer was lost is sent once more.
  const begin = (): Promise<Connection> =>
    overHttp('legacy').catch((error: unknown) => {
      if (!isBroken(error) || signal.aborted) throw error;
      return overHttp('legacy');
    });
  try {
    return await begin();
  } catch (error) {
    const status = httpStatus(error);
    if (signal.aborted || status === undefined || !MAYBE_SSE.includes(status)) throw error;
    // A server of the modern era alone answers `initialize` with 400 too; both are tried once, the first refusal stands.
    for (const other of status === 400 ? [() => overHttp('modern'), overSse] : [overSse]) {
      try {
        return await other();
      } catch {
        signal.throwIfAborted();
      }
    }
    throw error;
  }
};
