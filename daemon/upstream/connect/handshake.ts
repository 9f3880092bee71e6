// What a connection is, and how one is opened over any transport: the SDK's client in the right era.
import type { Client, JSONRPCRequest, Result, Transport } from '@modelcontextprotocol/client';
import { isObject, type JsonObject } from '../../../schema/tool.ts';
import { VERSION } from '../../../schema/wire.ts';
import type { Launch, Launcher } from '../launch/contract.ts';
import type { Lease } from '../lease.ts';
import type { Link, Unfinished } from '../stdio/link.ts';
import type { ServerLog } from '../stdio/logs.ts';

export interface Connection {
  readonly client: Client;
  readonly pid: number | null;
  /** Why it ended, as `exited with code 3` fits into a sentence; never rejects. */
  readonly ended: Promise<string>;
  alive(): boolean;
  unfinished(): Unfinished;
  /** The server's last words on stderr, or the empty string. */
  tail(): string;
  /** Ends it for a fault of the server's. */
  fail(why: string): void;
  /** Ends it and whatever stands behind it. Any number of times; never rejects. */
  close(): Promise<void>;
}

export interface OpenRequest {
  readonly lease: Lease;
  readonly environment: Readonly<Record<string, string>>;
  readonly log: ServerLog;
  readonly onNoise: () => void;
  /** A process was started; its words can be quoted while nothing is connected yet. */
  readonly onProcess: (link: Link, launch: Pick<Launch, 'how' | 'resolved'>) => void;
  readonly launcher?: Launcher | undefined;
  /** Whether the program behind a package runner may be started directly. */
  readonly isDirect?: boolean;
  readonly onToolsChanged: () => void;
  /** A log message of the server's. */
  readonly onMessage: (params: JsonObject) => void;
  /** A resource of the server's has changed. */
  readonly onResourceUpdated: (params: JsonObject) => void;
  /** Answers what the server asks of us: roots, elicitation, sampling. `related`: the id of the call that it is for. */
  readonly onRequest: (request: JSONRPCRequest, signal: AbortSignal, related?: string) => Promise<Result>;
}

/** Newest revision without `initialize`; tried once where a server refuses `initialize`. */
const MODERN = '2026-07-28';
/** The SDK's own limits are set out of the way (longest timer that Node takes): ours decide. */
export const NO_LIMIT_MS = 2 ** 31 - 1;

/** Declared to every server alike: some list other tools to clients without them. Refused per call instead. */
const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };

/** Opens one client over one transport in the given era. On failure the transport is closed. */
export const handshake = async (
  request: OpenRequest,
  transport: Transport,
  era: 'legacy' | 'modern',
  signal: AbortSignal,
): Promise<Client> => {
  const sdk = await import('@modelcontextprotocol/client');
  const client = new sdk.Client(
    { name: 'metad', version: VERSION },
    {
      capabilities: CAPABILITIES,
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: MODERN } },
      inputRequired: { autoFulfill: false },
    },
  );
  // The fallback, not setRequestHandler: that one would check and rewrite what servers and agents say to each other.
  client.fallbackRequestHandler = (message, context) => request.onRequest(message, context.mcpReq.signal);
  client.setNotificationHandler('notifications/tools/list_changed', request.onToolsChanged);
  // Likewise: what is odd about a message is for whoever reads it.
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (!isObject(params)) return;
    if (method === 'notifications/message') request.onMessage(params);
    if (method === 'notifications/resources/updated') request.onResourceUpdated(params);
  };
  client.onerror = (error) => request.log.line('metad', error.message.slice(0, 500));
  const connecting = client.connect(transport, { signal, timeout: NO_LIMIT_MS });
  const given = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  connecting.catch(() => {});
  given.catch(() => {});
  // The SDK's probe of the modern era knows no signal.
  await Promise.race([connecting, given]);
  if (era === 'modern' && client.getServerCapabilities()?.tools?.listChanged === true) {
    client.listen({ toolsListChanged: true }).catch((error: Error) => request.log.line('metad', error.message));
  }
  return client;
};
