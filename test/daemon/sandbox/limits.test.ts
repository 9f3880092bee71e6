import { readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import type { RunLimits } from '../../../daemon/sandbox/sandbox.ts';
import type { JsonObject } from '../../../schema/tool.ts';
import { errorOf, resultOf, suite } from '../../helpers/sandbox.ts';

const { run } = suite({ warmWorkers: 1, maxWorkers: 3 });

const never = (_: string, __: string, ___: JsonObject, signal: AbortSignal) =>
  new Promise<null>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

describe('R035: a script ends near its limit though it', () => {
  test.each([
    ['loops', 'for (;;);'],
    ['loops and catches', '(async () => { for (;;) { try { await null; for (;;); } catch {} } })()'],
    ['never stops making jobs', 'for (;;) await null'],
    ['loops in a finally', 'const f = async () => { try { for (;;); } finally { for (;;); } }; await f()'],
    ['makes jobs that make jobs', 'const f = () => { Promise.resolve().then(f); }; f(); await new Promise(() => {})'],
    ['is in a regular expression', '/(a+)+$/.test("a".repeat(60) + "b")'],
    ['loops in a getter of its result', '({ get x() { for (;;); } })'],
    ['loops in toJSON of an argument', 'await files.read({ toJSON() { for (;;); } })'],
    ['is in one native operation', 'Array(1e9).join()'],
    ['sorts without end', 'const a = Array.from({ length: 2e5 }, (_, i) => -i); for (;;) a.slice().sort()'],
  ])('%s', async (_, script) => {
    // What a worker's start takes on a busy machine is no matter of the limit.
    expect(resultOf(await run('0'))).toBe(0);
    const began = performance.now();
    const outcome = run(script, { limits: { timeoutMs: 1_000 } });
    // Another session is served meanwhile.
    expect(resultOf(await run('1 + 1'))).toBe(2);
    expect(errorOf(await outcome)).toMatchObject({ name: 'TimeoutError' });
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(900);
    expect(took).toBeLessThan(6_000);
    expect(resultOf(await run('2 + 2'))).toBe(4);
  });
});

test('console output before an operation that never ends is kept', async () => {
  const outcome = await run('console.log("here"); console.log("there"); Array(1e9).join()', {
    limits: { timeoutMs: 300 },
  });
  expect(outcome.logs).toEqual(['here', 'there']);
});

describe('R037: a script ends with an error, and the next one runs, though it', () => {
  const memory = async (): Promise<number> => {
    const rollup = await readFile('/proc/self/smaps_rollup', 'utf8').catch(() => '');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
  };
  test.each([
    ['allocates for ever', 'const all = []; for (;;) all.push(new Uint8Array(400000))', 'MemoryError'],
    [
      'allocates in a promise',
      'const all = []; for (;;) { await null; all.push(new Array(1000).fill(0)) }',
      'MemoryError',
    ],
    ['doubles a string', 'let s = "ab"; for (;;) s = (s + s).replace(/^a/, "b")', 'MemoryError'],
    ['doubles a string that stays a rope', 'let s = "ab"; for (;;) s += s', 'MemoryError'],
    ['asks for one huge buffer', 'new ArrayBuffer(1e9)', 'MemoryError'],
    [
      'returns more than it may have',
      'const a = []; for (let i = 0; i < 20; i++) a.push("x".repeat(2e6)); a',
      'MemoryError',
    ],
    ['calls itself without end', '(function f() { f() })()', 'StackOverflowError'],
    [
      'nests data without end',
      'let l = []; for (let i = 0; i < 1e5; i++) l = [l]; l.flat(Infinity)',
      'StackOverflowError',
    ],
    ['nests source without end', 'eval("[".repeat(1e5))', 'StackOverflowError'],
    ['recurses through a getter', 'class A { get x() { return new A().x } } new A().x', 'StackOverflowError'],
    [
      'recurses through a proxy',
      'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x',
      'StackOverflowError',
    ],
    [
      'recurses through iterators',
      'let i = [1].values(); for (let n = 0; n < 1e5; n++) i = i.map((x) => x); [...i]',
      'StackOverflowError',
    ],
  ])('%s', async (_, script, name) => {
    const before = await memory();
    const outcome = run(script, { limits: { timeoutMs: 20_000 } });
    expect(resultOf(await run('1 + 1'))).toBe(2);
    expect(errorOf(await outcome).name).toBe(name);
    expect((await memory()) - before).toBeLessThan(200);
    expect(resultOf(await run('2 + 2'))).toBe(4);
  });
  test.each([64, 1024])('nests calls or source without end, with a stack of %i KiB', async (kib) => {
    for (const script of [
      'let n = 0; const f = () => { n += 1; f() }; try { f() } catch {} n',
      '(function f() { f() })()',
      'eval("[".repeat(1e5))',
      'eval("(".repeat(1e5))',
      'JSON.parse("[".repeat(1e5))',
      'let l = []; for (let i = 0; i < 1e5; i++) l = [l]; l.flat(Infinity)',
    ]) {
      const outcome = await run(script, { limits: { stackBytes: kib * 1024, timeoutMs: 20_000 } });
      if (outcome.ok) expect(outcome.value).toBeGreaterThan(kib);
      else expect(outcome.error.name).toBe('StackOverflowError');
    }
  });
  test('catches the error again and again', async () => {
    const script = 'for (;;) try { const a = []; for (;;) a.push(new Uint8Array(400000)) } catch {}';
    expect(errorOf(await run(script, { limits: { timeoutMs: 500 } })).name).toBe('TimeoutError');
    expect(resultOf(await run('2 + 2'))).toBe(4);
  });
  test('stops at its own limit and not at that of the one before', async () => {
    const script = 'const a = []; for (let i = 0; i < 20; i++) a.push(new Uint8Array(1e6)); a.length';
    expect(errorOf(await run(script, { limits: { memoryBytes: 10e6 } })).name).toBe('MemoryError');
    expect(resultOf(await run(script, { limits: { memoryBytes: 100e6 } }))).toBe(20);
  });
});

describe('a cancelled run', () => {
  test.each([
    ['waits for a tool', 'await files.read()'],
    ['waits for a timer', 'files.read(); await sleep(60_000)'],
    ['computes', 'files.read(); for (;;);'],
    ['is in one native operation', 'files.read(); Array(1e9).join()'],
  ])('that %s ends at once, its calls too', async (_, script) => {
    const stop = new AbortController();
    let called: AbortSignal | undefined;
    const call: typeof never = (server, tool, args, signal) => {
      called = signal;
      return never(server, tool, args, signal);
    };
    const outcome = run(script, { signal: stop.signal, call });
    // Not before it has begun.
    await vi.waitFor(() => expect(called).toBeDefined(), { interval: 5, timeout: 20_000 });
    stop.abort();
    const began = performance.now();
    expect(errorOf(await outcome).name).toBe('CancelledError');
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(called?.aborted).toBe(true);
    expect(resultOf(await run('2 + 2'))).toBe(4);
  });
  test('that was cancelled before it began never begins', async () => {
    const call = vi.fn(async () => 1);
    const outcome = await run('await files.read()', { signal: AbortSignal.abort(), call });
    expect(errorOf(outcome).name).toBe('CancelledError');
    expect(call).not.toHaveBeenCalled();
  });
});

test('R035, R037: each limit has its own error, which says what rules it and what it is', async () => {
  const big = 'const all = []; for (;;) all.push(new Uint8Array(400000))';
  const cases: readonly (readonly [script: string, limits: Partial<RunLimits>, name: string, says: string[]])[] = [
    ['for (;;);', { timeoutMs: 500 }, 'TimeoutError', ['0.5 s', 'execute.timeoutSeconds', 'timeout_seconds']],
    ['Array(1e9).join()', { timeoutMs: 400 }, 'TimeoutError', ['0.4 s', 'execute.timeoutSeconds']],
    ['await sleep(60_000)', { totalMs: 300 }, 'TimeoutError', ['0.3 s in all', 'execute.totalSeconds']],
    [big, { memoryBytes: 48 * 1024 * 1024 }, 'MemoryError', ['48 MiB', 'execute.memoryMiB']],
    ['(function f() { f() })()', {}, 'StackOverflowError', ['execute.stackKiB']],
    ['for (;;) await files.read()', { maxCalls: 3 }, 'LimitError', ['the 3 tool calls', 'execute.maxCalls']],
  ];
  for (const [script, limits, name, says] of cases) {
    const error = errorOf(await run(script, { limits: { timeoutMs: 20_000, ...limits } }));
    expect(error.name, script).toBe(name);
    for (const text of says) expect(error.message).toContain(text);
  }
});

test('the limit for all of a run counts waiting too', async () => {
  const error = errorOf(await run('const a = 1;\nawait files.read()', { call: never, limits: { totalMs: 400 } }));
  expect(error).toMatchObject({ name: 'TimeoutError' });
  expect(error.message).toContain('0.4 s in all');
});

test('console output beyond the limit is left out, with a note', async () => {
  const outcome = await run('for (let i = 0; i < 1e5; i++) console.log("line " + i); 1', {
    limits: { maxLogCharacters: 100 },
  });
  expect(outcome.ok).toBe(true);
  expect(outcome.logs.join('\n').length).toBeLessThan(220);
  expect(outcome.logs.at(-1)).toBe(
    'metad: console output beyond 100 characters is left out (execute.maxLogCharacters in config.json)',
  );
});
