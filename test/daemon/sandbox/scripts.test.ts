import { describe, expect, test } from 'vitest';
import { errorOf, resultOf, suite } from '../../helpers/sandbox.ts';

const { run } = suite();

describe('R043: run() gives 5 for', () => {
  const scripts = [
    'const n = 40; n / 8',
    'return 5',
    'await Promise.resolve(5)',
    'async () => 5',
    '```js\nconst n = 40; n / 8\n```',
    '5 // done',
    'export default async () => 5',
  ];
  test.each(scripts)('%j', async (script) => {
    expect(resultOf(await run(script))).toBe(script.includes('40') || script.includes('5') ? 5 : undefined);
  });
  test('an object literal as itself', async () => {
    expect(resultOf(await run('{ five: 5 }'))).toEqual({ five: 5 });
  });
  test('nothing as undefined, which is no error', async () => {
    expect(await run('undefined')).toEqual({ ok: true, value: undefined, parts: [], emitted: [], logs: [], calls: 0 });
  });
});

describe('R041: TypeScript', () => {
  test('with generics, function types, enums and satisfies runs', async () => {
    const script =
      "type Row<T> = { cell: (at: [T, () => Promise<T[]>]) => void }; const keep = <T,>(rows: Array<Row<T>>, tag: keyof Row<T> = 'cell') => (tag as string); enum Level { Low = 3 } return [keep([]), Level.Low] satisfies unknown[]";
    expect(resultOf(await run(script))).toEqual(['cell', 3]);
  });
  test('fails at the place that was written', async () => {
    const script = 'interface A { x: number }\nconst a: A = { x: 5 };\nconst b: string = (null as any).foo as string;';
    expect(errorOf(await run(script))).toMatchObject({ name: 'TypeError', line: 3, column: 32 });
  });
  test('with a real mistake in it names line and column', async () => {
    const outcome = await run('const a: number = 1;\nconst b: number = );');
    expect(errorOf(outcome)).toMatchObject({ name: 'SyntaxError', line: 2, column: 19 });
  });
});

describe('R046: run() fails with name, message and line', () => {
  test('for a syntax error', async () => {
    const error = errorOf(await run('const a = 1;\n  a +* 2'));
    expect(error).toEqual({ name: 'SyntaxError', message: 'Unexpected token *', line: 2, column: 6 });
  });
  test('for a thrown error', async () => {
    const error = errorOf(await run('const a = 1;\nthrow new RangeError("too far")'));
    expect(error).toMatchObject({ name: 'RangeError', message: 'too far', line: 2 });
  });
  test('for what only looks like a function', async () => {
    expect(errorOf(await run('const o = { f: 1 };\no.f()'))).toMatchObject({
      message: 'o.f is not a function',
      line: 2,
    });
  });
  test('for a time-out', async () => {
    const script = 'let n = 0;\nfor (;;) {\n  n += Math.sqrt(n);\n}';
    const error = errorOf(await run(script, { limits: { timeoutMs: 1_000 } }));
    expect(error.name).toBe('TimeoutError');
    expect(error.message).toContain('1 s');
    // The engine notes its place at calls alone: in a loop it may name the last one before.
    expect([1, 2, 3]).toContain(error.line);
  });
  test.each([
    ['throw "no"', 'no'],
    ['throw { code: 5 }', '{"code":5}'],
    ['throw undefined', 'undefined'],
    ['throw null', 'null'],
    ['throw { get message() { throw 1 } }', '{"message":"[Threw 1]"}'],
  ])('for %j, which is no error', async (script, message) => {
    expect(errorOf(await run(script))).toEqual({ name: 'Error', message });
  });
  test('but not for a text that reads like one', async () => {
    expect(resultOf(await run('"Error: fine"'))).toBe('Error: fine');
  });
  test('and keeps the console output', async () => {
    const outcome = await run('console.log("at", { n: 1 }, [2]); console.warn(new TypeError("w")); nope');
    expect(outcome.logs).toEqual(['at {"n":1} [2]', 'warn: TypeError: w']);
    expect(errorOf(outcome).name).toBe('ReferenceError');
  });
});

test('a script that waits for nothing at all is told so', async () => {
  expect(errorOf(await run('await new Promise(() => {})')).name).toBe('DeadlockError');
});

describe('timers', () => {
  test('sleep() and setTimeout() wait, clearTimeout() forgets', async () => {
    const script = `const seen = [];
      const gone = setTimeout(() => seen.push('gone'), 5);
      setTimeout((x) => seen.push(x), 10, 'first');
      clearTimeout(gone);
      await sleep(30);
      seen`;
    expect(resultOf(await run(script))).toEqual(['first']);
  });
  test('what a timer throws fails the run', async () => {
    const script = 'setTimeout(() => { throw new Error("late") }, 1); await sleep(10_000)';
    expect(errorOf(await run(script))).toMatchObject({ name: 'Error', message: 'late', line: 1 });
  });
});

describe('R044: run() gives', () => {
  const cases: [string, unknown][] = [
    ['12n', '12n'],
    ['new Map([[1, { d: new Date(0) }]])', [[1, { d: '1970-01-01T00:00:00.000Z' }]]],
    ['new Set(["a", 1n])', ['a', '1n']],
    ['[NaN, -0, Infinity, undefined]', ['NaN', 0, 'Infinity', null]],
    [
      '({ e: Object.assign(new TypeError("bad"), { code: 5 }) })',
      { e: { name: 'TypeError', message: 'bad', code: 5 } },
    ],
    ['[function named() {}, () => 1]', ['[Function named]', '[Function without a name]']],
    ['new Uint8Array([1, 2])', [1, 2]],
    ['new Float64Array(20000)', '[Float64Array of 20000]'],
    [
      '[new ArrayBuffer(8), Symbol("s"), /a/g, new Date(NaN)]',
      ['[ArrayBuffer of 8 bytes]', 'Symbol(s)', '/a/g', 'Invalid Date'],
    ],
    ['[Promise.resolve(1)]', ['[Promise: it was not awaited]']],
    ['({ ok: 1, bad: new Proxy({}, { ownKeys() { throw new Error("no") } }) })', { ok: 1, bad: '[Threw Error: no]' }],
    ['({ ok: 1, get bad() { throw new Error("no") } })', { ok: 1, bad: '[Threw Error: no]' }],
    ['({ ok: 1, bad: { toJSON() { throw 1 } } })', { ok: 1, bad: '[Threw 1]' }],
    ['const a = { n: 1 }; a.self = a; a', { n: 1, self: '[Circular]' }],
    ['({ o: { toJSON: () => ({ n: 1n }) } })', { o: { n: '1n' } }],
    ['[new String("s"), new Number(5), Object(1n)]', ['s', 5, '1n']],
    ['"\\u0000\\ud83d\\ude80\\u2028"', '\u0000🚀\u2028'],
    ['({ a: undefined, b: null })', { b: null }],
  ];
  test.each(cases)('%s', async (script, expected) => {
    expect(resultOf(await run(script))).toEqual(expected);
  });
  test('a text of 10 MB', async () => {
    expect(resultOf(await run('"x".repeat(10_000_000)'))).toHaveLength(10_000_000);
  });
  test('what is too deep with a note there', async () => {
    const value = resultOf(await run('let o = {}; for (let i = 0; i < 5000; i++) o = [o]; ({ o, rest: 1 })'));
    expect(value).toMatchObject({ rest: 1 });
    expect(JSON.stringify(value)).toContain('[Too deep]');
  });
});
