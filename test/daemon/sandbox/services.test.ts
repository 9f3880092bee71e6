import { describe, expect, test } from 'vitest';
import { MetadError } from '../../../schema/errors.ts';
import { errorOf, resultOf, suite } from '../../helpers/sandbox.ts';

const { run } = suite();

/** A service that keeps values in memory and notes what it was asked. */
const memory = () => {
  const asked: string[] = [];
  const values = new Map<string, string>();
  const service = async (name: string, [key = '', json = '']: readonly string[]) => {
    asked.push(`${name} ${key}`);
    if (name === 'store.get') return values.get(key);
    if (name === 'store.set') return void values.set(key, json);
    if (name === 'store.delete') return JSON.stringify(values.delete(key));
    if (name === 'store.keys') return JSON.stringify([...values.keys()].filter((one) => one.startsWith(key)));
    throw new MetadError('not-found', `nothing of ${key}`);
  };
  return { asked, values, service };
};

test('store keeps JSON, and its questions are no calls', async () => {
  const { asked, service } = memory();
  const outcome = await run(
    `await store.set('a', { n: [1, null, 'x', undefined && 0].slice(0, 3), gone: undefined, at: new Date(0) });
     await store.set('b', 'text'); await store.set('c', 1); await store.set('c', undefined);
     return [await store.get('a'), await store.get('none'), await store.keys(), await store.keys('b'), await store.delete('b'), await store.delete('b')]`,
    { service, limits: { maxCalls: 0 } },
  );
  expect(resultOf(outcome)).toEqual([
    { n: [1, null, 'x'], at: '1970-01-01T00:00:00.000Z' },
    null,
    ['a', 'b'],
    ['b'],
    true,
    false,
  ]);
  expect(outcome.calls).toBe(0);
  expect(asked).toContain('store.delete c');
});

describe('store.set() refuses', () => {
  test.each([
    ['{ a: [1, { run() {} }] }', 'value.a[1].run is a function'],
    ['{ "a b": 1n }', 'value["a b"] is a BigInt'],
    ['[NaN]', 'value[0] is NaN'],
    ['[1, undefined]', 'value[1] is undefined'],
    ['{ s: Symbol("x") }', 'value.s is a symbol'],
    ['{ m: new Map() }', 'value.m is a Map'],
    ['(() => { const a = { b: [] }; a.b.push(a); return a })()', 'value.b[0] contains itself'],
    ['() => 1', 'value is a function'],
  ])('%s with its place', async (value, place) => {
    const { asked, service } = memory();
    const error = errorOf(await run(`await store.set('k', ${value})`, { service }));
    expect(error).toEqual({
      name: 'TypeError',
      message: `store.set("k") keeps JSON alone, and ${place}`,
      line: 1,
      column: expect.any(Number),
    });
    expect(asked).toEqual([]);
  });
  test('a key that is no text', async () => {
    expect(errorOf(await run('await store.get(7)')).message).toBe(
      'store.get takes a key as a string; it was given number',
    );
    expect(errorOf(await run('await metad.result(12)')).message).toContain('such as "r12"');
  });
});

test('what metad refuses is an Error with its sentence, place and code', async () => {
  const { service } = memory();
  const error = errorOf(await run('const a = 1;\nawait metad.result("r9")', { service }));
  expect(error).toMatchObject({ name: 'Error', message: 'nothing of r9', line: 2 });
  expect(
    resultOf(await run('try { await metad.result("r9") } catch (e) { [e.code, Object.keys(e)] }', { service })),
  ).toEqual(['not-found', []]);
  expect(errorOf(await run('await store.get("a")')).message).toBe('metad cannot do this here.');
});

test('a kept result larger than the script’s memory is an error that names it', async () => {
  const service = async () => JSON.stringify('x'.repeat(13 * 1024 * 1024));
  const error = errorOf(await run('await metad.result("r1")', { service }));
  expect(error.message).toMatch(/^The result has 13,631,495 characters, .*\(execute\.memoryMiB: 48\)$/);
});

test('neither a loop of questions nor one that nobody answers outlives its run', async () => {
  const { service } = memory();
  const loop = await run(
    'for (let at = 0; at < 10_001; at++) store.get("a").catch((e) => { throw e }); await store.get("a")',
    { service, limits: { timeoutMs: 50_000, totalMs: 55_000 } },
  );
  expect(errorOf(loop)).toMatchObject({ name: 'LimitError', message: expect.stringContaining('as often as it may') });
  const signals: AbortSignal[] = [];
  const never = await run('store.get("a"); return 1', {
    service: (_, __, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    },
  });
  expect(resultOf(never)).toBe(1);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('no namespace and no edit takes the place of store, metad and emit', async () => {
  const names = ['store', 'metad', 'emit'].map((global) => ({
    server: `${global}-server`,
    global,
    tools: [{ script: 'get', raw: 'get' }],
  }));
  const { service } = memory();
  const script = `try { store.get = 1 } catch {} await store.set('a', 1);
    return [await store.get('a'), typeof metad.result, typeof emit, (await tools['store-server'].get({})).server]`;
  expect(resultOf(await run(script, { namespaces: names, service }))).toEqual([
    1,
    'function',
    'function',
    'store-server',
  ]);
});
