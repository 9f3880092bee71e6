import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { SandboxOptions } from '../../../daemon/sandbox/pool.ts';
import type { JsonObject } from '../../../schema/tool.ts';
import { bundleWorker, errorOf, resultOf, runner, testSandbox, type WorkerBundle } from '../../helpers/sandbox.ts';

let bundle: WorkerBundle;
beforeAll(async () => {
  bundle = await bundleWorker();
});
afterAll(() => bundle[Symbol.asyncDispose]());
const open = (options: Partial<SandboxOptions>) => testSandbox(bundle.url, options);

/** Tools that answer when told. */
const held = () => {
  const releases: (() => void)[] = [];
  const call = (_: string, __: string, args: JsonObject) =>
    new Promise<JsonObject>((resolve) => {
      releases.push(() => resolve(args));
    });
  return { call, releases };
};

test('createSandbox() starts its warm workers by itself and keeps them', async () => {
  await using sandbox = open({ warmWorkers: 2, maxWorkers: 4 });
  expect(sandbox.workers()).toBe(0);
  await vi.waitFor(() => expect(sandbox.workers()).toBe(2), { timeout: 20_000 });
  expect(resultOf(await runner(sandbox)('1'))).toBe(1);
});

test('run() grows to maxWorkers, lets the others wait their turn, and shrinks after a rest', async () => {
  await using sandbox = open({ warmWorkers: 1, maxWorkers: 3, idleMs: 100 });
  const run = runner(sandbox);
  const { call, releases } = held();
  const outcomes = Array.from({ length: 5 }, (_, at) => run(`(await files.read({ at: ${at} })).at`, { call }));
  await vi.waitFor(() => expect(releases).toHaveLength(3), { timeout: 20_000 });
  expect(sandbox.workers()).toBe(3);
  for (let at = 0; at < 5; at++) {
    await vi.waitFor(() => expect(releases.length).toBeGreaterThan(at), { timeout: 20_000 });
    releases[at]?.();
  }
  expect((await Promise.all(outcomes)).map(resultOf)).toEqual([0, 1, 2, 3, 4]);
  await vi.waitFor(() => expect(sandbox.workers()).toBe(1), { timeout: 20_000 });
});

test('a worker whose script took much memory is renewed once it rests', async () => {
  let made = 0;
  const count = (): void => {
    made += 1;
  };
  process.on('worker', count);
  try {
    await using sandbox = open({ warmWorkers: 1, maxWorkers: 1, idleMs: 100 });
    const run = runner(sandbox);
    expect(resultOf(await run('1'))).toBe(1);
    expect(
      resultOf(
        await run('const rows = Array.from({ length: 260_000 }, (_, at) => ({ at })); rows.length', {
          limits: { timeoutMs: 20_000 },
        }),
      ),
    ).toBe(260_000);
    await vi.waitFor(() => expect(made).toBe(2), { timeout: 20_000 });
    expect(resultOf(await run('2'))).toBe(2);
  } finally {
    process.off('worker', count);
  }
});

test('run() gives up waiting for a worker when it is cancelled or its time is over', async () => {
  await using sandbox = open({ warmWorkers: 1, maxWorkers: 1 });
  const run = runner(sandbox);
  const { call, releases } = held();
  const first = run('await files.read()', { call });
  await vi.waitFor(() => expect(releases).toHaveLength(1), { timeout: 20_000 });
  const stop = new AbortController();
  const second = run('1', { signal: stop.signal });
  stop.abort();
  expect(errorOf(await second).name).toBe('CancelledError');
  expect(errorOf(await run('1', { limits: { totalMs: 50 } })).name).toBe('TimeoutError');
  releases[0]?.();
  expect((await first).ok).toBe(true);
});

test('a worker that had to be terminated is replaced before anybody asks', async () => {
  await using sandbox = open({ warmWorkers: 1, maxWorkers: 2 });
  const run = runner(sandbox);
  expect(errorOf(await run('Array(1e9).join()', { limits: { timeoutMs: 200 } })).name).toBe('TimeoutError');
  await vi.waitFor(() => expect(sandbox.workers()).toBeGreaterThanOrEqual(1), { timeout: 20_000 });
  expect(resultOf(await run('1'))).toBe(1);
});

test('R035: after a worker had to be terminated the next run finds another one warm', async () => {
  // What a run costs that has to wait for a worker's start.
  const cold = async (): Promise<number> => {
    await using sandbox = open({ warmWorkers: 1, maxWorkers: 1 });
    const began = performance.now();
    expect(resultOf(await runner(sandbox)('1'))).toBe(1);
    return performance.now() - began;
  };
  const starts = [await cold(), await cold(), await cold()];
  await using sandbox = open({ warmWorkers: 2, maxWorkers: 4 });
  const run = runner(sandbox);
  const warm: number[] = [];
  for (let time = 0; time < 4; time++) {
    await vi.waitFor(() => expect(sandbox.workers()).toBe(2), { timeout: 20_000 });
    expect(resultOf(await run('0'))).toBe(0);
    const killed = await run('Array(1e9).join()', { limits: { timeoutMs: 200 } });
    expect(errorOf(killed).name).toBe('TimeoutError');
    const began = performance.now();
    expect(resultOf(await run('2 + 2'))).toBe(4);
    warm.push(performance.now() - began);
  }
  expect(Math.min(...warm)).toBeLessThan(Math.min(...starts) / 2);
});

test('run() reuses its worker, and 500 runs leave workers and memory as they were', async () => {
  await using sandbox = open({ warmWorkers: 1, maxWorkers: 2, idleMs: 100 });
  const run = runner(sandbox);
  const memory = async (): Promise<number> => {
    const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  };
  const some = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++) {
      const bad = at % 50 === 7;
      const script = bad
        ? 'throw new Error("x")'
        : 'const a = await files.read({ a: [1, 2, 3] }); console.log(a); files.read(); a.args.a';
      expect((await run(script)).ok).toBe(!bad);
    }
  };
  await some(200);
  const before = await memory();
  await some(500);
  await vi.waitFor(() => expect(sandbox.workers()).toBe(1), { timeout: 20_000 });
  expect((await memory()) - before).toBeLessThan(40);
});

describe('a closed sandbox', () => {
  test('leaves no worker, ends what runs, and refuses what comes', async () => {
    const sandbox = open({ warmWorkers: 1, maxWorkers: 2 });
    const run = runner(sandbox);
    const { call, releases } = held();
    const outcome = run('await files.read()', { call });
    await vi.waitFor(() => expect(releases).toHaveLength(1), { timeout: 20_000 });
    await sandbox[Symbol.asyncDispose]();
    expect(errorOf(await outcome).name).toBe('CancelledError');
    expect(sandbox.workers()).toBe(0);
    await expect(run('1')).rejects.toMatchObject({ code: 'unavailable' });
  });
  test('may be closed before it has started anything', async () => {
    const sandbox = open({ warmWorkers: 2 });
    await sandbox[Symbol.asyncDispose]();
    expect(sandbox.workers()).toBe(0);
  });
});

test('run() rejects when no worker can be started, once for each try', async () => {
  const events: string[] = [];
  await using sandbox = testSandbox('/nowhere/worker.mjs', { log: (event) => events.push(event) });
  await expect(runner(sandbox)('1')).rejects.toMatchObject({ code: 'internal' });
  expect(events).toContain('sandbox.start-failed');
  expect(sandbox.workers()).toBe(0);
});
