// One agent's connection as the SDK sees it: whole lines in, whole lines out, ids that are in use guarded.
import type { Duplex } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { messageOf } from '../../schema/errors.ts';
import type { Log } from '../log.ts';

/** Bytes of one message from an agent. The SDK's own reader would end the connection at 10 MB. */
export const MESSAGE_LIMIT = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/** JSON-RPC 2.0 §5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

type Id = string | number;

interface Request {
  readonly id: Id;
  readonly method: string;
}

const isRequest = (message: object): message is Request => 'method' in message && 'id' in message;

const isId = (value: unknown): value is Id => typeof value === 'string' || Number.isSafeInteger(value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is wrong with a request; undefined where the SDK takes it. What it does not take it would never answer. */
const objectionTo = (message: Readonly<Record<string, unknown>>): string | undefined => {
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0') return '`jsonrpc` must be "2.0"';
  if (!isId(id)) return '`id` must be a string or a whole number';
  if (typeof method !== 'string') return '`method` must be a string';
  if (params === undefined) return undefined;
  if (!isObject(params)) return '`params` must be an object';
  const { _meta } = params;
  if (_meta === undefined) return undefined;
  if (!isObject(_meta)) return '`params._meta` must be an object';
  const token = _meta['progressToken'];
  return token === undefined || isId(token) ? undefined : '`progressToken` must be a string or a whole number';
};

/** `1` and `"1"` are two ids (JSON-RPC 2.0 §4), so a plain Set of both types keeps them apart. */
export const createSocketTransport = (socket: Duplex, log: Log, limit = MESSAGE_LIMIT): Transport => {
  const inUse = new Set<Id>();
  let chunks: Buffer[] = [];
  let length = 0;
  let skipping = false;
  let closed = false;

  let drained: Promise<void> | undefined;

  /** One for all that wait: an agent that does not read may have thousands of answers waiting. */
  const whenDrained = (): Promise<void> => {
    drained ??= new Promise((resolve) => {
      const done = () => {
        drained = undefined;
        socket.off('drain', done);
        socket.off('close', done);
        resolve();
      };
      socket.on('drain', done);
      socket.on('close', done);
    });
    return drained;
  };

  const write = (message: unknown): Promise<void> => {
    if (closed || socket.destroyed || socket.writableEnded) return Promise.resolve();
    return socket.write(`${JSON.stringify(message)}\n`) ? Promise.resolve() : whenDrained();
  };
  const refuse = (id: Id | null, code: number, message: string) =>
    void write({ jsonrpc: '2.0', id, error: { code, message } });

  const receive = (message: JSONRPCMessage): void => {
    const isAnswer = 'result' in message || 'error' in message;
    if (isRequest(message) || ('id' in message && !isAnswer)) {
      const objection = objectionTo({ ...message });
      if (objection !== undefined) {
        log('session.bad-request', { objection });
        // A number that is no id of ours goes back as it came, so that whoever counts that way finds the answer.
        const { id } = message;
        refuse(typeof id === 'number' || isId(id) ? id : null, INVALID_REQUEST, `Not a request: ${objection}.`);
        return;
      }
    }
    if (isRequest(message)) {
      if (inUse.has(message.id)) {
        log('session.id-reused', { method: message.method });
        refuse(
          message.id,
          INVALID_REQUEST,
          `Request id ${JSON.stringify(message.id)} is still in use; nothing was done.`,
        );
        return;
      }
      inUse.add(message.id);
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      const id = (message.params as { requestId?: Id } | undefined)?.requestId;
      // The SDK sends no answer for a cancelled request, so the id is free from here on.
      if (id !== undefined) inUse.delete(id);
    }
    transport.onmessage?.(message);
  };

  const line = (bytes: Buffer): void => {
    const text = bytes.toString('utf8').trim();
    if (text === '') return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (error) {
      log('session.bad-json', { error: messageOf(error), bytes: bytes.length });
      refuse(null, PARSE_ERROR, 'That line is not JSON.');
      return;
    }
    // Batches were in one revision only (2025-03-26); taking them apart serves those agents too.
    for (const one of Array.isArray(message) ? message : [message]) {
      if (typeof one === 'object' && one !== null) receive(one as JSONRPCMessage);
      else refuse(null, INVALID_REQUEST, 'A JSON-RPC message is an object.');
    }
  };

  const data = (chunk: Buffer): void => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end);
      start = end + 1;
      if (skipping) skipping = false;
      else line(chunks.length === 0 ? piece : Buffer.concat([...chunks, piece]));
      chunks = [];
      length = 0;
    }
    if (start === chunk.length || skipping) return;
    chunks.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length <= limit) return;
    log('session.message-too-long', { limit });
    refuse(
      idOf(Buffer.concat(chunks).subarray(0, 4096)),
      INVALID_REQUEST,
      `A message may be ${limit} bytes long; this one is longer.`,
    );
    chunks = [];
    length = 0;
    skipping = true;
  };

  const end = (): void => {
    if (closed) return;
    closed = true;
    socket.end();
    transport.onclose?.();
  };

  const transport: Transport = {
    start: async () => {
      socket.on('data', data);
      socket.on('end', end);
      socket.on('close', end);
      socket.on('error', (error) => log('session.socket-error', { error: error.message }));
    },
    send: (message) => {
      if ('id' in message && message.id !== undefined && !('method' in message)) inUse.delete(message.id);
      return write(message);
    },
    close: async () => end(),
  };
  return transport;
};

/** The id at the head of a message too long to parse, where it stands before anything long. */
const idOf = (head: Buffer): Id | null => {
  const found =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"method"\s*:\s*"[^"]*"\s*,\s*)?"id"\s*:\s*(\d+|"(?:[^"\\]|\\.)*")/.exec(
      head.toString('utf8'),
    );
  return found?.[1] === undefined ? null : (JSON.parse(found[1]) as Id);
};
