// The control contract over HTTP on the daemon's socket, and its event stream.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { ERROR_CODES, fromWire, MetadError, messageOf, type WireError } from '../schema/errors.ts';
import {
  CONTROL_PATH,
  type Contract,
  type ControlEvent,
  EVENTS_PATH,
  type Method,
  type Methods,
  PROTOCOL,
  PROTOCOL_HEADER,
  VERSION,
  VERSION_HEADER,
} from '../schema/wire.ts';

/** Opens a connection of its own for each request: a command makes one or two, and nothing is left to keep alive. */
export type Connect = () => Promise<Socket>;

interface Sent {
  readonly verb: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

const lost = (cause: unknown) =>
  new MetadError('unavailable', `The daemon went away before it answered (${messageOf(cause)}). See \`metad logs\`.`, {
    cause,
  });

const exchange = async (connect: Connect, { verb, path, body }: Sent, signal?: AbortSignal) => {
  signal?.throwIfAborted();
  const socket = await connect();
  return new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      host: 'metad',
      connection: 'close',
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    };
    const request = httpRequest({ createConnection: () => socket, method: verb, path, headers });
    const abort = () => request.destroy(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    request.once('close', () => signal?.removeEventListener('abort', abort));
    request.once('response', resolve);
    request.on('error', (error) => reject(signal?.aborted ? signal.reason : lost(error)));
    request.end(body);
  });
};

/**
 * A daemon of another protocol may answer in ways that this client misreads; it is named instead. All but `stop`: the
 * way out must work between any two versions.
 */
const checkPeer = ({ headers }: IncomingMessage, method?: Method): void => {
  const protocol = headers[PROTOCOL_HEADER];
  if (protocol === String(PROTOCOL) || (protocol !== undefined && method === 'stop')) return;
  if (protocol === undefined)
    throw new MetadError('unavailable', 'Something other than metad answers on the socket of the daemon.');
  throw new MetadError(
    'unsupported',
    `The daemon is metad ${headers[VERSION_HEADER]} (protocol ${protocol}), this command metad ${VERSION} ` +
      `(protocol ${PROTOCOL}). Run \`metad daemon restart\`.`,
  );
};

const isWireError = (value: unknown): value is WireError => {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('message' in value)) return false;
  return ERROR_CODES.some((code) => code === value.code) && typeof value.message === 'string';
};

const parse = (body: string): { result?: unknown; error?: unknown } => {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
};

/** @throws MetadError of the daemon's own code and words, or `unavailable` when it went away. */
const invoke = async <M extends Method>(
  connect: Connect,
  method: M,
  params: Methods[M]['params'],
  signal?: AbortSignal,
): Promise<Methods[M]['result']> => {
  const sent: Sent = { verb: 'POST', path: `${CONTROL_PATH}/${method}`, body: JSON.stringify(params) };
  const response = await exchange(connect, sent, signal);
  const body = await text(response).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : lost(error);
  });
  checkPeer(response, method);
  const { error, result } = parse(body);
  if (isWireError(error)) throw fromWire(error);
  if (response.statusCode !== 200 || result === undefined)
    throw new MetadError(
      'internal',
      `The daemon answered \`${method}\` with something unreadable. See \`metad logs\`.`,
    );
  // The daemon of this very protocol said so; checking it here would cost every command zod.
  return result as Methods[M]['result'];
};

/** The whole contract, each call on a connection of its own. Aborting a call's signal ends it in the daemon too. */
export const createClient = (connect: Connect): Contract => {
  const stub =
    <M extends Method>(method: M) =>
    (params: Methods[M]['params'], signal?: AbortSignal) =>
      invoke(connect, method, params, signal);
  return {
    status: stub('status'),
    tools: stub('tools'),
    call: stub('call'),
    exec: stub('exec'),
    reload: stub('reload'),
    why: stub('why'),
    list: stub('list'),
    suggest: stub('suggest'),
    sync: stub('sync'),
    'sync.accept': stub('sync.accept'),
    trust: stub('trust'),
    'trust.accept': stub('trust.accept'),
    'trust.revoke': stub('trust.revoke'),
    'server.restart': stub('server.restart'),
    handover: stub('handover'),
    stop: stub('stop'),
  };
};

/** Splits Server-Sent Events out of text that comes in any pieces; comments and unknown fields are dropped. */
export const createEventParser = (onData: (data: string) => void) => {
  let rest = '';
  return (chunk: string): void => {
    rest += chunk;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []));
      if (data.length > 0) onData(data.join('\n'));
    }
  };
};

/**
 * Hears the daemon's events until it closes, the connection breaks (both resolve) or `signal` aborts (rejects).
 * @param onOpen called when the stream stands: from then on nothing is missed
 */
export const readEvents = async (
  connect: Connect,
  { onEvent, onOpen, signal }: { onEvent: (event: ControlEvent) => void; onOpen?: () => void; signal: AbortSignal },
): Promise<void> => {
  const response = await exchange(connect, { verb: 'GET', path: EVENTS_PATH }, signal);
  checkPeer(response);
  if (response.statusCode !== 200) {
    const { error } = parse(await text(response));
    throw isWireError(error) ? fromWire(error) : new MetadError('internal', 'The daemon gives no events.');
  }
  onOpen?.();
  const feed = createEventParser((data) => onEvent(JSON.parse(data) as ControlEvent));
  try {
    for await (const chunk of response.setEncoding('utf8')) feed(String(chunk));
  } catch {
    // A daemon that is gone ends the stream this way or in order; the caller looks for a new one in either case.
    if (signal.aborted) throw signal.reason;
  }
};
