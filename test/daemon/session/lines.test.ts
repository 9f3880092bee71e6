import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createSocketTransport } from '../../../daemon/session/transport.ts';
import { eventually } from '../../helpers/eventually.ts';
import { socketPair } from '../../helpers/sockets.ts';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly error?: { readonly code: number; readonly message: string };
}

const setUp = async (limit?: number) => {
  const pair = await socketPair();
  const events: string[] = [];
  const transport = createSocketTransport(pair.far, (event) => events.push(event), limit);
  const heard: Message[] = [];
  const replies: Message[] = [];
  let closed = 0;
  transport.onmessage = (message: object) => heard.push(message);
  transport.onclose = () => {
    closed += 1;
  };
  await transport.start();
  let rest = '';
  pair.near.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    replies.push(...lines.map((line) => JSON.parse(line) as Message));
  });
  return {
    transport,
    events,
    heard,
    replies,
    near: pair.near,
    closed: () => closed,
    /** Gives each piece a packet of its own. */
    write: async (...pieces: (string | Buffer)[]) => {
      for (const piece of pieces) {
        await new Promise<void>((resolve) => pair.near.write(piece, () => setImmediate(resolve)));
      }
    },
    [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose](),
  };
};

const request = (id: unknown, more: object = {}) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'x', ...more })}\n`;
const reply = (id: string | number) => ({ jsonrpc: '2.0' as const, id, result: {} });

test('lines split anywhere, also inside a character, and several in one packet are whole again', async () => {
  await using at = await setUp();
  const bytes = Buffer.from(request(1, { params: { text: 'naïve — 漢字 🧪' } }));
  for (const byte of bytes) await at.write(Buffer.of(byte));
  await at.write(`${request(2)}\r\n\n${request(3)}`);
  await eventually(() => expect(at.heard).toHaveLength(3));
  expect(at.heard[0]).toMatchObject({ id: 1, params: { text: 'naïve — 漢字 🧪' } });
  expect(at.heard.map(({ id }) => id)).toEqual([1, 2, 3]);
});

test('R082: an id in use is refused and the first call goes on; 1 and "1" are two ids', async () => {
  await using at = await setUp();
  await at.write(request(1), request('1'), request(1));
  await eventually(() => expect(at.replies).toHaveLength(1));
  expect(at.replies[0]).toMatchObject({ id: 1, error: { code: -32600, message: expect.stringContaining('in use') } });
  expect(at.heard.map(({ id }) => id)).toEqual([1, '1']);
  await at.transport.send(reply('1'));
  await at.transport.send(reply(1));
  await at.write(request(1), request('1'));
  await eventually(() => expect(at.heard).toHaveLength(4));
});

test('the id of a cancelled request is free, and its type counts', async () => {
  await using at = await setUp();
  const cancel = (requestId: unknown) =>
    request(undefined, { method: 'notifications/cancelled', params: { requestId } });
  await at.write(request(5), cancel('5'), request(5));
  await eventually(() => expect(at.replies).toHaveLength(1));
  await at.write(cancel(5), request(5));
  await eventually(() => expect(at.heard.filter(({ id }) => id === 5)).toHaveLength(2));
  expect(at.replies).toHaveLength(1);
});

test('batches are taken apart, and what is no JSON or no object is refused without an end', async () => {
  await using at = await setUp();
  await at.write(`[${request(1).trim()},${request(2).trim()},7]\n`, '{half\n', 'null\n', request(3));
  await eventually(() => expect(at.heard.map(({ id }) => id)).toEqual([1, 2, 3]));
  await eventually(() => expect(at.replies.map(({ error }) => error?.code)).toEqual([-32600, -32700, -32600]));
  expect(at.replies.every(({ id }) => id === null)).toBe(true);
  expect(at.events).toContain('session.bad-json');
});

test('a line over the limit is refused under its id, and the next line is read', async () => {
  await using at = await setUp(10_000);
  const long = request('long', { params: { text: 'x'.repeat(200_000) } });
  await at.write(long.slice(0, 5_000), long.slice(5_000, 60_000), long.slice(60_000) + request(2));
  await eventually(() => expect(at.heard.map(({ id }) => id)).toEqual([2]));
  expect(at.replies).toMatchObject([{ id: 'long', error: { message: expect.stringContaining('10000 bytes') } }]);
});

test('send() waits while the reader does not read, and not for one that is gone', async () => {
  const socket = new PassThrough({ highWaterMark: 10 });
  const transport = createSocketTransport(socket, () => {});
  const sent: string[] = [];
  const sending = transport
    .send({ jsonrpc: '2.0', id: 1, result: { a: 'x'.repeat(100) } })
    .then(() => sent.push('one'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual([]);
  socket.resume();
  await sending;
  socket.pause();
  const late = transport.send({ jsonrpc: '2.0', id: 2, result: { a: 'x'.repeat(100) } });
  socket.destroy();
  await late;
  await transport.send({ jsonrpc: '2.0', id: 3, result: {} });
});

test('the end of the socket is the end of the transport, once', async () => {
  await using at = await setUp();
  at.near.end();
  await eventually(() => expect(at.closed()).toBe(1));
  await at.transport.close();
  expect(at.closed()).toBe(1);
});
