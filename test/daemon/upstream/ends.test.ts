import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Definition } from '../../../schema/config.ts';
import { eventually } from '../../helpers/eventually.ts';
import { ALICE, alive, server, testPool } from '../../helpers/upstream.ts';

/** As everybody's definitions: these alone. */
const only =
  (...definitions: readonly Definition[]) =>
  () =>
    new Map(definitions.map((one) => [one.name, one]));

const gone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

test.each([[[]], [['stubborn']]])('R001: nothing of a fork tree lives on after a stop (%j)', async (args) => {
  await using up = await testPool();
  const wrapper = server('wrapper', args);
  const pids: number[] = JSON.parse(await up.say(wrapper, 'pids'));
  expect(pids).toHaveLength(3);
  expect(up.pool.status()[0]?.pid).toBe(pids[0]);
  const begun = performance.now();
  expect(await up.pool.restart('wrapper')).toBe(1);
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(await alive(up.mark)).toEqual([]);
  // Stopping what has stopped is no error.
  expect(await up.pool.restart('wrapper')).toBe(0);
  expect(await up.pool.restart('no such server')).toBe(0);
});

test('R001: the group of a leader that has exited is ended too', async () => {
  await using up = await testPool();
  const wrapper = server('wrapper', ['stubborn']);
  await up.say(wrapper, 'orphan');
  await eventually(() => expect(up.pool.status()[0]?.state).toBe('dead'));
  await eventually(async () => expect(await alive(up.mark)).toEqual([]));
});

test('R001: a removed definition takes its processes along, an unchanged one runs on', async () => {
  await using up = await testPool();
  const kept = server('echo');
  const pid = await up.say(kept, 'pid');
  await up.say(server('wrapper'), 'pids');
  up.pool.reconcile(only({ ...kept, callTimeoutMs: 5, excludeTools: ['odd'] }));
  await eventually(async () => expect(await alive(up.mark)).toEqual([Number(pid)]));
  expect(await up.say(kept, 'pid')).toBe(pid);
});

test('reconcile() lets calls in flight of a changed definition end before its process does', async () => {
  await using up = await testPool();
  const before = server('slow');
  await up.say(before, 'cancels');
  const running = up.say(before, 'wait', { ms: 400 });
  await eventually(() => expect(up.pool.callsInFlight()).toBe(1));
  const pid = up.pool.status()[0]?.pid as number;
  up.pool.reconcile(only(server('slow', ['changed'])));
  expect(await running).toBe('waited 400');
  await eventually(() => expect(gone(pid)).toBe(true));
});

test('R002: ending the pool ends hanging starts and never starts queued ones', async () => {
  await using up = await testPool({ maxStarts: 2 });
  const starts = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    up.say({ ...server('hanging', ['stubborn']), name }, 'x').catch((error) => error.message as string),
  );
  await eventually(async () => expect(await alive(up.mark)).toHaveLength(2));
  await sleep(100);
  expect(await alive(up.mark)).toHaveLength(2);
  const begun = performance.now();
  await up.pool[Symbol.asyncDispose]();
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(await alive(up.mark)).toEqual([]);
  for (const message of await Promise.all(starts)) expect(message).toMatch(/was stopped/);
  await expect(up.say(server('echo'), 'pid')).rejects.toThrow(/metad is stopping/);
});

test('an instance that nobody uses is stopped, never one with a call in flight', async () => {
  await using up = await testPool();
  const slow = server('slow', [], { idleMs: 150 });
  expect(await up.say(slow, 'wait', { ms: 600 })).toBe('waited 600');
  expect(up.pool.status()[0]?.state).toBe('ready');
  await eventually(() => expect(up.pool.status()[0]?.state).toBe('cold'));
  await eventually(async () => expect(await alive(up.mark)).toEqual([]));
  expect(await up.say(slow, 'wait', { ms: 1 })).toBe('waited 1');
});

test('asyncDispose() closes many servers side by side', async () => {
  await using up = await testPool();
  const many = Array.from({ length: 4 }, (_, at) => ({ ...server('wrapper', ['stubborn']), name: `w${at}` }));
  await Promise.all(many.map((one) => up.say(one, 'pids')));
  const begun = performance.now();
  await up.pool[Symbol.asyncDispose]();
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test('R013: a pipe that breaks during a write fails over without touching other servers', async () => {
  await using up = await testPool();
  const deaf = server('deaf');
  const pid = await up.say(deaf, 'ok');
  await up.say(deaf, 'deafen');
  await eventually(async () =>
    expect(await readFile(join(up.folder, 'logs', 'deaf.log'), 'utf8')).toContain('deaf now'),
  );
  const other = up.say(server('slow'), 'wait', { ms: 300 });
  // It was surely not sent, so it is sent again, to a new process.
  const again = await up.say(deaf, 'ok');
  expect(Number(again)).toBeGreaterThan(0);
  expect(again).not.toBe(pid);
  expect(await other).toBe('waited 300');
  await eventually(() => expect(gone(Number(pid))).toBe(true));
});

test('R013: a start that fails with nobody waiting is no unhandled rejection', async () => {
  await using up = await testPool();
  const controller = new AbortController();
  const waiting = up.say(server('crash'), 'x', {}, ALICE, { signal: controller.signal });
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  await eventually(() => expect(up.pool.status()[0]?.state).toBe('dead'));
});
