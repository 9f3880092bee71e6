// The one HTTP exchange of a shim: an Upgrade request with the hello as its body, written by hand over node:net.
import type { Socket } from 'node:net';
import type { Paths } from '../schema/paths.ts';
import { type Hello, SESSION_PATH, UPGRADE, VERSION, VERSION_HEADER } from '../schema/wire.ts';
import { dial, dialOrStart, type StartOptions } from './connect.ts';

const REPLY_LIMIT = 64 * 1024;
const AGAIN_MS = 100;

/** A session's socket, paused, and what the daemon sent right behind its 101. */
export interface Link {
  readonly socket: Socket;
  readonly head: Buffer;
}

type Reply =
  | { readonly head: Buffer; readonly version: string | undefined }
  | { readonly status: number; readonly message: string }
  | 'gone';

/** The request's bytes. The hello is no header: those overflow at 16 KB. */
export const requestOf = (hello: Hello): Buffer => {
  const body = Buffer.from(JSON.stringify(hello));
  const head = `GET ${SESSION_PATH} HTTP/1.1\r\nHost: metad\r\nConnection: Upgrade\r\nUpgrade: ${UPGRADE}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
};

/** What a refusal says: the daemon's error object, in whatever transfer coding it came. */
const messageOf = (status: number, body: string): string => {
  try {
    const { error } = JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1));
    if (typeof error?.message === 'string') return error.message;
  } catch {
    // Told below as it is.
  }
  return `The metad daemon refused the session (HTTP ${status}). ${body.trim()}`.trim();
};

/** Null where the daemon says no version. */
const OTHER_VERSION = new RegExp(`^${VERSION_HEADER}: *(\\S+)`, 'im');

/** Reads a reply out of all bytes so far; undefined while it is not whole. `isOver`: no more will come. */
export const replyOf = (bytes: Buffer, isOver: boolean): Reply | undefined => {
  const split = bytes.indexOf('\r\n\r\n');
  if (split === -1) return isOver || bytes.length > REPLY_LIMIT ? 'gone' : undefined;
  const head = bytes.toString('latin1', 0, split);
  const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? 0);
  const rest = bytes.subarray(split + 4);
  if (status === 101) return { head: rest, version: OTHER_VERSION.exec(head)?.[1] };
  const body = rest.toString();
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  const isWhole = length === undefined ? /(^|\n)0\r\n\r\n$/.test(body) : rest.length >= Number(length);
  if (!isWhole && !isOver && rest.length < REPLY_LIMIT) return undefined;
  return { status, message: messageOf(status, body) };
};

/** Asks for the session. Waits as long as the daemon holds the connection: a blocked daemon is not a dead one. */
const upgrade = (socket: Socket, request: Buffer, signal: AbortSignal): Promise<Reply> =>
  new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0);
    const settle = (reply: Reply) => {
      socket.off('data', read);
      socket.off('close', over);
      signal.removeEventListener('abort', aborted);
      if (typeof reply === 'object' && 'head' in reply) socket.pause();
      else socket.destroy();
      resolve(reply);
    };
    const read = (chunk: Buffer) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const reply = replyOf(bytes, false);
      if (reply !== undefined) settle(reply);
    };
    const over = () => settle(replyOf(bytes, true) ?? 'gone');
    const aborted = () => settle('gone');
    socket.on('error', () => {}); // `close` follows
    socket.on('data', read);
    socket.on('close', over);
    signal.addEventListener('abort', aborted);
    socket.write(request);
  });

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * A session with the daemon. Where nobody listens, or the one who listens is leaving (it hangs up, or says 503), asks
 * again until `deadlineMs` with `mayStart`, and returns undefined without.
 * @throws Error with the daemon's own words when it refuses the session, or as dialOrStart().
 */
export const openLink = async (
  paths: Paths,
  hello: Hello,
  mayStart: boolean,
  options: StartOptions & { readonly signal: AbortSignal; readonly tell?: (sentence: string) => void },
): Promise<Link | undefined> => {
  const { deadlineMs = 20_000, signal } = options;
  const request = requestOf(hello);
  const began = performance.now();
  for (;;) {
    const left = Math.max(0, deadlineMs - (performance.now() - began));
    const socket = mayStart ? await dialOrStart(paths, { ...options, deadlineMs: left }) : await dial(paths, signal);
    if (socket === undefined) return undefined;
    const reply = await upgrade(socket, request, signal);
    if (typeof reply === 'object' && 'head' in reply) {
      const { head, version } = reply;
      if (version !== undefined && version !== VERSION)
        options.tell?.(
          `the daemon is metad ${version}, this shim metad ${VERSION}; the newer one takes over by itself.`,
        );
      return { socket, head };
    }
    signal.throwIfAborted();
    const leaving = reply === 'gone' || reply.status === 503;
    if (!leaving) throw new Error(reply.message);
    if (!mayStart) return undefined;
    if (performance.now() - began > deadlineMs) {
      throw new Error(
        reply === 'gone' ? `The metad daemon on ${paths.socket} hangs up on every session.` : reply.message,
      );
    }
    await sleep(AGAIN_MS);
  }
};
