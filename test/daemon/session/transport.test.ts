import { once } from 'node:events';
import { Duplex, PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createSocketTransport } from '../../../daemon/session/transport.ts';

const open = async () => {
  const toAgent = new PassThrough({ highWaterMark: 1024 });
  const fromAgent = new PassThrough();
  const socket = Duplex.from({ readable: fromAgent, writable: toAgent });
  const transport = createSocketTransport(socket, () => {});
  const taken: unknown[] = [];
  transport.onmessage = (message) => taken.push(message);
  await transport.start();
  return { transport, socket, fromAgent, toAgent, taken };
};

test.each([
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
  ['{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', null],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 1.5],
  ['{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a'],
  ['{"id":"a","method":"ping"}', 'a'],
  ['{"jsonrpc":"2.0","id":"a","method":5}', 'a'],
  ['{"jsonrpc":"2.0","id":"a"}', 'a'],
  ['{"jsonrpc":"2.0","id":"a","method":"ping","params":[1]}', 'a'],
  ['{"jsonrpc":"2.0","id":"a","method":"ping","params":null}', 'a'],
  ['{"jsonrpc":"2.0","id":"a","method":"ping","params":{"_meta":5}}', 'a'],
  ['{"jsonrpc":"2.0","id":"a","method":"ping","params":{"_meta":{"progressToken":{}}}}', 'a'],
])('a request that the SDK would leave unanswered is refused, each time: %s', async (line, id) => {
  const { fromAgent, toAgent, taken } = await open();
  for (let time = 0; time < 2; time += 1) {
    fromAgent.write(`${line}\n`);
    const [answer] = await once(toAgent, 'data');
    expect(JSON.parse(answer)).toMatchObject({
      id,
      error: { code: -32_600, message: expect.stringContaining('Not a request') },
    });
  }
  expect(taken).toEqual([]);
});

test('notifications, answers and plain requests pass', async () => {
  const { fromAgent, taken } = await open();
  const lines = [
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":"1","method":"ping","params":{"_meta":{"progressToken":0,"x/y":1}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":7,"result":{}}',
    '{"jsonrpc":"2.0","id":8,"error":{"code":1,"message":"no"}}',
  ];
  fromAgent.write(`${lines.join('\n')}\n`);
  await expect.poll(() => taken).toHaveLength(lines.length);
});

test('send() to an agent that does not read adds no listener for each answer', async () => {
  const { transport, socket, toAgent } = await open();
  const before = socket.listenerCount('drain') + socket.listenerCount('close');
  const text = 'x'.repeat(2000);
  const sent = Array.from({ length: 500 }, (_, id) =>
    transport.send({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }),
  );
  expect(socket.listenerCount('drain') + socket.listenerCount('close')).toBe(before + 2);
  toAgent.resume();
  await Promise.all(sent);
  expect(socket.listenerCount('drain') + socket.listenerCount('close')).toBe(before);
});
