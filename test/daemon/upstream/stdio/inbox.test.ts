import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { createInbox } from '../../../../daemon/upstream/stdio/inbox.ts';

const note: JSONRPCMessage = { jsonrpc: '2.0', method: 'notifications/progress' };
const reply = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });

test('createInbox() keeps the order, and lets one microtask pass behind each notification', async () => {
  const given: string[] = [];
  const take = createInbox((message) => {
    given.push('id' in message ? String(message.id) : 'note');
    if (!('id' in message)) queueMicrotask(() => given.push('handled'));
  });
  for (const message of [reply(1), note, reply(2), note, note, reply(3)]) take(message);
  expect(given).toEqual(['1', 'note']);
  await new Promise(setImmediate);
  expect(given).toEqual(['1', 'note', 'handled', '2', 'note', 'handled', 'note', 'handled', '3']);
  take(reply(4));
  expect(given.at(-1)).toBe('4');
});

test('createInbox() takes a batch of 200,000 notifications in time linear in its length', async () => {
  let given = 0;
  const take = createInbox(() => {
    given += 1;
  });
  const before = performance.now();
  for (let at = 0; at < 200_000; at += 1) take(note);
  await new Promise(setImmediate);
  expect(given).toBe(200_000);
  // The square of it would take minutes.
  expect(performance.now() - before).toBeLessThan(5_000);
});
