// The one form in which the daemon refuses over HTTP, also on sockets that no HTTP parser owns any more.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, MetadError, type WireError } from '../../schema/errors.ts';
import { PROTOCOL, PROTOCOL_HEADER, VERSION, VERSION_HEADER } from '../../schema/wire.ts';

/** On every reply, a refusal included: a client learns from any of them whom it talks to. */
export const IDENTITY: Readonly<Record<string, string>> = {
  [VERSION_HEADER]: VERSION,
  [PROTOCOL_HEADER]: String(PROTOCOL),
};

const STATUS: Readonly<Record<ErrorCode, number>> = {
  'bad-request': 400,
  'bad-config': 422,
  'not-found': 404,
  unavailable: 503,
  upstream: 502,
  timeout: 504,
  cancelled: 499,
  limit: 413,
  refused: 403,
  unsupported: 501,
  internal: 500,
};

export const statusOf = (code: ErrorCode): number => STATUS[code];

const HOSTS = new Set(['metad', 'localhost']);

/**
 * Why a request is refused before anyone reads it, or undefined. Browsers cannot reach a Unix socket; the rule stands
 * here so that nothing changes for them on the day the same server listens on a port.
 */
export const strangerOf = (headers: IncomingMessage['headers']): MetadError | undefined => {
  if (headers.origin !== undefined)
    return new MetadError('refused', 'Requests with an Origin header are refused: metad does not serve web pages.');
  const host = headers.host ?? '';
  if (!HOSTS.has(host.toLowerCase()))
    return new MetadError('refused', `Host "${host.slice(0, 80)}" is refused: send \`Host: metad\`.`);
  return undefined;
};

/**
 * Writes a whole HTTP error reply on a bare socket and closes it. What the peer still sends is read and dropped for up
 * to a second: a socket closed over unread bytes would reset, and the peer might never see the reply.
 */
export const refuse = (socket: Duplex, error: WireError, status = statusOf(error.code)): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error });
  const head = [
    `HTTP/1.1 ${status} ${error.code}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...Object.entries(IDENTITY).map(([name, value]) => `${name}: ${value}`),
  ];
  const linger = setTimeout(() => socket.destroy(), 1000);
  socket.once('close', () => clearTimeout(linger));
  socket.once('end', () => socket.destroy());
  socket.resume();
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
};
