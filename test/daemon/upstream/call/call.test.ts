import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../../helpers/eventually.ts';
import { ALICE, server, testPool, textOf } from '../../../helpers/upstream.ts';

const signal = () => new AbortController().signal;

test('call() passes results on unchanged, fields that nobody knows included', async () => {
  await using up = await testPool();
  const result = await up.pool.call(server('echo'), ALICE, 'odd', {}, { signal: signal() });
  expect(result).toEqual({
    content: [{ type: 'hologram', depth: 3 }],
    structuredContent: [1, 2],
    extra: { kept: true },
  });
  const failed = await up.pool.call(server('echo'), ALICE, 'fail', { text: 'no' }, { signal: signal() });
  expect(failed.isError).toBe(true);
  expect(textOf(failed)).toBe('no');
});

test("call() gives the server's own error with its message and code", async () => {
  await using up = await testPool();
  await expect(up.say(server('echo'), 'error')).rejects.toMatchObject({
    code: 'upstream',
    message: '`echo.error` failed: no such thing (404)',
  });
  expect(up.pool.status()[0]).toMatchObject({ state: 'ready', callsInFlight: 0 });
});

test('call() takes a progress token to the server only where somebody listens', async () => {
  await using up = await testPool();
  const heard: number[] = [];
  const onProgress = ({ progress }: { progress: number }) => void heard.push(progress);
  expect(await up.say(server('slow'), 'progress', {}, ALICE, { onProgress })).toBe('token');
  expect(heard).toEqual([1, 2, 3]);
  expect(await up.say(server('slow'), 'progress')).toBe('no token');
});

test('call() tells the server when the caller gives up, and the server goes on', async () => {
  await using up = await testPool();
  const slow = server('slow');
  await up.say(slow, 'cancels');
  const controller = new AbortController();
  const hanging = up.say(slow, 'hang', {}, ALICE, { signal: controller.signal });
  await eventually(() => expect(up.pool.callsInFlight()).toBe(1));
  controller.abort();
  await expect(hanging).rejects.toMatchObject({ code: 'cancelled' });
  await eventually(async () => expect(JSON.parse(await up.say(slow, 'cancels'))).toHaveLength(1));
  expect(up.pool.callsInFlight()).toBe(0);
});

test('R059: a call that is never answered fails at its limit and is cancelled, one whose server exits fails at once', async () => {
  await using up = await testPool();
  const slow = server('slow', [], { callTimeoutMs: 1000 });
  await up.say(slow, 'cancels');
  const begun = performance.now();
  const error = await up.say(slow, 'hang').catch((thrown) => thrown);
  const took = performance.now() - begun;
  expect(error).toMatchObject({ code: 'timeout' });
  expect(error.message).toContain(
    '`slow.hang` did not answer within 1 s (`timeout` of `slow` in /home/me/config.json)',
  );
  expect(took).toBeGreaterThanOrEqual(990);
  await eventually(async () => {
    const [cancel] = JSON.parse(await up.say(slow, 'cancels'));
    expect(cancel.reason).toContain('did not answer within 1 s');
  });

  const crash = server('crash', ['call']);
  await up.say(crash, 'ok');
  const crashed = performance.now();
  const lost = await up.say(crash, 'crash', { code: 7 }).catch((thrown) => thrown);
  expect(performance.now() - crashed).toBeLessThan(15_000);
  expect(lost).toMatchObject({ code: 'upstream' });
  expect(lost.message).toContain('Server `crash` exited with code 7 during `crash.crash`; whether it ran is unknown.');
  expect(lost.message).toContain('the disk is on fire');
  expect(up.pool.callsInFlight()).toBe(0);
  expect(up.pool.status().find(({ server: name }) => name === 'crash')).toMatchObject({ state: 'dead', pid: null });
});

test('R040: a server that died in mid-call is started again by the next call', async () => {
  await using up = await testPool();
  const crash = server('crash', ['call']);
  await expect(up.say(crash, 'crash')).rejects.toThrow(/whether it ran is unknown/);
  expect(await up.say(crash, 'ok')).toBe('ok');
});

test('R016: a reply written one byte per write arrives as it was meant', async () => {
  await using up = await testPool();
  expect(await up.say(server('bytewise'), 'say')).toBe('naïve — 漢字 🧪');
});

test('R017: noise on stdout goes to the log and is counted, and every reply is used', async () => {
  await using up = await testPool();
  const noisy = server('noisy');
  expect(await up.say(noisy, 'say', { text: 'one' })).toBe('one');
  expect(await up.say(noisy, 'say', { text: 'two' })).toBe('two');
  // Banner, half-line, and three lines per call.
  expect(up.pool.status()[0]?.noiseLines).toBe(8);
  await up.pool.restart('noisy');
  await eventually(async () => {
    const log = await readFile(join(up.folder, 'logs', 'noisy.log'), 'utf8');
    expect(log).toContain('stdout Widget bridge v7 ready');
    expect(log).toContain('stdout loading plugins ... {half');
    expect(log).toContain('stdout debug: handling a call');
  });
});

test('R019: 300 KiB on stderr block neither start nor call, and the tail is quoted on failure', async () => {
  await using up = await testPool();
  const flood = server('flood');
  expect(await up.say(flood, 'call')).toBe('still here');
  const error = await up.say(flood, 'fail').catch((thrown) => thrown);
  expect(error.message).toContain('exited with code 9');
  expect(error.message).toContain('the last straw');
  expect(error.message.length).toBeLessThan(1500);
});

test('call() passes a megabyte on whole', async () => {
  await using up = await testPool();
  expect(await up.say(server('huge'), 'blob', { bytes: 5_000_000 })).toHaveLength(5_000_000);
});

test('call() keeps many calls at once apart', async () => {
  await using up = await testPool();
  const slow = server('slow');
  const waits = Array.from({ length: 50 }, (_, at) => 1 + ((at * 37) % 50));
  const answers = await Promise.all(waits.map((ms) => up.say(slow, 'wait', { ms })));
  expect(answers).toEqual(waits.map((ms) => `waited ${ms}`));
});

test.each([
  [{}, []],
  [{ content: 'text' }, []],
  [{ content: null, structuredContent: { a: 1 } }, []],
  [{ content: [null, 5, {}, { type: 7 }, { type: 'text', text: 'kept' }] }, [{ type: 'text', text: 'kept' }]],
])('call() gives a list of parts, whatever %j says', async (result, content) => {
  await using up = await testPool();
  const given = await up.pool.call(server('echo'), ALICE, 'shapeless', { result }, { signal: signal() });
  expect(given).toEqual({ ...result, content });
});
