// From an HTTP Upgrade to a session: reads the hello, answers 101 or refuses, and hands the bare socket over.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { MetadError, messageOf, toWire } from '../../schema/errors.ts';
import { type Greeting, type Hello, SESSION_PATH, UPGRADE } from '../../schema/wire.ts';
import type { Log } from '../log.ts';
import { greetingOf, parseHello } from './hello.ts';
import { IDENTITY, refuse, statusOf, strangerOf } from './reply.ts';

/** Bytes of a hello that are read at most. */
export const HELLO_LIMIT = 1024 * 1024;

export interface UpgradeOptions {
  /**
   * Whether there can be such a session: where it rejects, the shim is told why instead of a 101. What it gives gets the
   * socket after the 101, with all bytes that followed the hello still to be read. From then on the socket is the
   * session's: it half-closes (`allowHalfOpen`), so whoever hears its `end` must end it.
   */
  readonly admit: (hello: Hello) => Promise<(socket: Duplex) => void>;
  /** Hears of every client's metad, also of one whose protocol is another and which is refused therefore. */
  readonly meet?: (greeting: Greeting) => void;
  readonly log: Log;
  /** The 101 waits for it; where it rejects the shim is told why. Absent: nothing is waited for. */
  readonly ready?: Promise<unknown>;
  /** Milliseconds within which the whole hello must be here. Default 5000. */
  readonly helloTimeoutMs?: number;
}

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const lengthOf = (request: IncomingMessage): number => {
  const declared = request.headers['content-length'];
  if (declared === undefined || request.headers['transfer-encoding'] !== undefined)
    throw new MetadError('bad-request', 'The hello of the shim needs a Content-Length.');
  const length = Number(declared);
  if (length > HELLO_LIMIT)
    throw new MetadError('limit', `The hello of the shim has ${length} bytes; the limit is ${HELLO_LIMIT}.`);
  return length;
};

const checkRequest = (request: IncomingMessage): void => {
  const stranger = strangerOf(request.headers);
  if (stranger) throw stranger;
  if (request.url !== SESSION_PATH)
    throw new MetadError('not-found', `There is nothing to upgrade at ${String(request.url).slice(0, 80)}.`);
  if (request.headers.upgrade?.toLowerCase() !== UPGRADE)
    throw new MetadError('bad-request', `Only an upgrade to \`${UPGRADE}\` is served here.`);
};

/**
 * Exactly `length` bytes, the rest stays in the socket. Reads by `readable`, never by `data`: a socket that was paused
 * by hand would not start to flow again for whoever listens to `data` next.
 */
const readBody = (socket: Duplex, head: Buffer, length: number, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): boolean => {
      const missing = length - size;
      chunks.push(chunk.length > missing ? chunk.subarray(0, missing) : chunk);
      size += Math.min(chunk.length, missing);
      if (chunk.length > missing) socket.unshift(chunk.subarray(missing));
      return size === length;
    };
    const finish = (act: () => void) => {
      socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd);
      signal.removeEventListener('abort', onAbort);
      act();
    };
    const onReadable = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read())
        if (take(chunk)) return finish(() => resolve(Buffer.concat(chunks).toString('utf8')));
    };
    const onEnd = () =>
      finish(() => reject(new MetadError('bad-request', 'The shim left before its hello was whole.')));
    const onAbort = () => finish(() => reject(signal.reason));
    if (take(head)) return resolve(Buffer.concat(chunks).toString('utf8'));
    socket.on('readable', onReadable).on('end', onEnd).on('close', onEnd);
    signal.addEventListener('abort', onAbort, { once: true });
  });

/** The handler of a `node:http` server's `upgrade` event. It never throws, and no error of the socket escapes it. */
export const createUpgrade = ({ admit, meet, log, ready, helloTimeoutMs = 5000 }: UpgradeOptions): Upgrade => {
  const answer = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    checkRequest(request);
    const length = lengthOf(request);
    const late = new AbortController();
    const sentence = `The hello of the shim was not whole after ${helloTimeoutMs / 1000} s.`;
    const timer = setTimeout(() => late.abort(new MetadError('timeout', sentence)), helloTimeoutMs);
    const body = await readBody(socket, head, length, late.signal).finally(() => clearTimeout(timer));
    meet?.(greetingOf(body));
    const hello = parseHello(body);
    await ready;
    const begin = await admit(hello);
    if (socket.destroyed || !socket.writable) return;
    const headers = Object.entries(IDENTITY).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${UPGRADE}\r\n${headers.join('')}\r\n`,
    );
    begin(socket);
  };

  return (request, socket, head) => {
    // Stays for the socket's whole life: without one, a reset at any time would end the daemon.
    socket.on('error', (error) => log('session socket failed', { reason: messageOf(error) }));
    answer(request, socket, head).catch((error: unknown) => {
      log('session refused', { reason: messageOf(error) });
      refuse(
        socket,
        toWire(error),
        error instanceof MetadError && error.code === 'timeout' ? 408 : statusOf(toWire(error).code),
      );
    });
  };
};
