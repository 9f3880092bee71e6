// Whose call an instance gets next, seen from what the server saw.
import { expect, test } from 'vitest';
import { eventually } from '../../../helpers/eventually.ts';
import { ALICE, server, testPool } from '../../../helpers/upstream.ts';

const gather = server('gather', [], { sharing: 'user' });
const of = (session: string) => ({ ...ALICE, session });

test('call() gives an instance 16 calls at a time from all sessions, and the others when one ends', async () => {
  await using up = await testPool();
  const naps = Array.from({ length: 40 }, (_, at) => up.say(gather, 'nap', { ms: 100 }, of(`s${at % 4}`)));
  const together = (await Promise.all(naps)).map(Number);
  expect(Math.max(...together)).toBe(16);
  expect(up.pool.callsInFlight()).toBe(0);
});

test('call() follows `maxConcurrent`, and serves the sessions that wait in turn', async () => {
  await using up = await testPool();
  const one = { ...gather, maxConcurrent: 1 };
  await up.say(one, 'next', { n: 0 });
  const order: string[] = [];
  const call = (name: string) =>
    up.say(one, 'nap', { ms: 1 }, of(name.charAt(0))).then((said) => {
      order.push(name);
      return said;
    });
  const said = await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(call));
  expect(said).toEqual(Array(7).fill('1'));
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('call() refuses where 256 wait; who gives up leaves at once; the time limit begins when the call is sent', async () => {
  await using up = await testPool();
  const one = { ...gather, maxConcurrent: 1, callTimeoutMs: 3_000 };
  await up.say(one, 'next', { n: 0 });
  const leaving = new AbortController();
  const first = up.say(one, 'nap', { ms: 2_000 });
  const waiting = Array.from({ length: 255 }, (_, n) => up.say(one, 'next', { n }));
  const given = up.say(one, 'next', {}, ALICE, { signal: leaving.signal });
  await expect(up.say(one, 'next', { n: 1 })).rejects.toMatchObject({
    code: 'limit',
    message: expect.stringMatching(/`gather` has 1 calls in flight .*256 that wait; this one was not made/),
  });
  const begun = performance.now();
  leaving.abort();
  await expect(given).rejects.toMatchObject({ code: 'cancelled' });
  expect(performance.now() - begun).toBeLessThan(1_000);
  const last = up.say(one, 'nap', { ms: 2_000 });
  expect(await first).toBe('1');
  expect(await Promise.all(waiting)).toHaveLength(255);
  // Both took 2 s: together more than the limit of one.
  expect(await last).toBe('1');
  await eventually(() => expect(up.pool.callsInFlight()).toBe(0));
});
