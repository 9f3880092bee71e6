// Lines and columns of errors are those of the script as its author wrote it.
import { describe, expect, test } from 'vitest';
import { errorOf, resultOf, suite } from '../../helpers/sandbox.ts';

const { run } = suite();

/** `‸` stands before the place: the engine names the dot before a missing member, and the `(` of a call. */
const placed = (marked: string): { script: string; line: number; column: number } => {
  const before = marked.slice(0, marked.indexOf('‸'));
  const script = marked.replace('‸', '');
  return { script, line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
};

const WRITTEN: readonly (readonly [what: string, marked: string])[] = [
  ['a statement', 'const a = 1;\n  a.b‸.c'],
  ['the first line', 'null‸.x'],
  ['the last expression, behind the inserted return', '1;\nnull‸.x'],
  ['one line that is all', 'const a = {}; const f = () => a.b‸.c; f()'],
  ['an object literal', '{ a: 1,\n  b: null‸.x }'],
  ['an async arrow', 'async () => {\n  await null;\n  null‸.x }'],
  ['a last arrow behind others', 'const n = 1;\nasync () => n.x‸.y'],
  ['a lone function', 'async function main() {\n  null‸.x\n}'],
  ['export default', 'export default async () => null‸.x'],
  ['export default, with more before it', 'export const n = 1;\nexport default async () => {\n  return n.x‸.y }'],
  ['export default of a value', 'export default null‸.x'],
  ['an exported function', 'export async function f() { null‸.x }\nawait f()'],
  ['a fence', '```js\nconst a = 1;\n  null‸.x\n```'],
  ['a fence after a line', '\n```\nnull‸.x\n```\n'],
  ['a fence on the same line', '```js null‸.x```'],
  ['a fence with TypeScript', '```ts\ninterface A { x: number }\nconst a = null as unknown as A; a‸.x\n```'],
  ['TypeScript', 'type A = { x: number };\nconst b: string = (null as any)‸.foo as string;'],
  ['generics', 'const f = <T,>(x: T): T => (x as any)‸.y.z as T; f<null>(null)'],
  ['an enum before it', 'enum L { A = 1, B = 2 }\nconst n: number = L.A; (null as any)‸.x'],
  ['an enum on its line', 'enum L { A = 1, B = 2 } const n: number = L.A; (null as any)‸.x'],
  ['satisfies', 'const a = [1] satisfies number[]; (a as any).b‸.c'],
  ['a TypeScript object literal', '{ a: (5 as number),\n  b: (null as any)‸.x }'],
  [
    'a class with parameter properties',
    'class A { constructor(private x: any) {}\n  f(): void { this.x‸.y } }\nnew A(null).f()',
  ],
  ['depth', 'const f = (n) => {\n  if (n === 0) null‸.x;\n  return f(n - 1);\n};\nf(20)'],
  ['a callback of a built-in', '[3, 1].sort((a, b) => {\n  return a.b‸.c - b })'],
  ['an async callback', 'await Promise.all([1, 2].map(async (n) => {\n  await null;\n  n.x‸.y }))'],
  ['a getter of a class', 'class A {\n  get v() { return this.y‸.z } }\nnew A().v'],
  ['a generator', 'function* g() {\n  yield 1;\n  null‸.x }\n[...g()]'],
  ['for await', 'async function* g() { yield 1 }\nfor await (const n of g()) n.x‸.y'],
  ['a timer', 'setTimeout(() => {\n  null‸.x }, 1);\nawait sleep(10_000)'],
  ['an async timer', 'setTimeout(async () => {\n  await null;\n  null‸.x }, 1);\nawait sleep(10_000)'],
  ['a microtask', 'queueMicrotask(() => null‸.x); await sleep(10_000)'],
  ['CR LF', 'const a = 1;\r\n  null‸.x'],
  ['characters beyond the first plane', "'🚀🚀'; null‸.x"],
  ['other scripts', "'漢é'; null‸.x"],
  ['a line separator in a text', "'\u2028'; null‸.x"],
  ['a thrown error', 'const a = 1;\n  throw new RangeError‸("far")'],
  ['a rejected promise', '1;\nawait Promise.reject(new TypeError‸("no"))'],
  ['a tool that fails', 'const a = 1;\n  await files.read‸({ fail: true })'],
  ['a tool that fails in a callback', 'await Promise.all([1].map((n) =>\n  files.read‸({ fail: true, n })))'],
  ['a call of what is none', 'const o = { f: 1 };\n  o.f‸()'],
  ['a URL', 'const a = 1;\n  new URL‸("nope")'],
];

const fail = async (_server: string, _tool: string, args: { readonly [name: string]: unknown }) => {
  if (args['fail'] === true) throw new Error('refused');
  return 1;
};

describe('R046, R041: an error has its line and column in', () => {
  test.each(WRITTEN)('%s', async (_, marked) => {
    const { script, line, column } = placed(marked);
    const error = errorOf(await run(script, { call: fail }));
    expect({ line: error.line, column: error.column }, error.message).toEqual({ line, column });
  });
});

describe('R041: a syntax error has its line and column in', () => {
  test.each([
    ['JavaScript', 'const a = 1;\n  a +‸* 2'],
    ['TypeScript', 'const a: number = 1;\nconst b: string = ‸);'],
    ['a fence with TypeScript', '```ts\nconst a: number = 1;\n  const ‸a = 2;\n```'],
    ['the script of the case itself, cut', 'enum Level { Low = 3 }\nconst a: number = ‸]'],
    ['an export', 'export default async () => {\n  return ‸) }'],
    ['CR LF', 'const a = 1;\r\nconst b = ‸);'],
    ['a line separator in a text', "'\u2028'; const a = 1; const ‸a = 2"],
    ['a TypeScript object literal', '{ a: (5 as number),\n  b: ‸) }'],
    ['a namespace with values', 'type A = 1;\n‸namespace N { export const a = 1 }\nN.a'],
  ])('%s', async (_, marked) => {
    const { script, line, column } = placed(marked);
    expect(errorOf(await run(script))).toMatchObject({ name: 'SyntaxError', line, column });
  });
});

describe('R046: what nobody awaits is told with its place when it fails:', () => {
  test.each([
    ['a tool', '1;\n  files.read‸({ fail: true });\nawait sleep(50)'],
    ['a function', 'const main = async () => {\n  await null;\n  null‸.x };\nmain();\nawait sleep(50)'],
    ['a function at once', '(async () => {\n  null‸.x })();\nawait sleep(50)'],
    ['a chain', 'Promise.resolve().then(() => {\n  null‸.x });\nawait sleep(50)'],
    [
      'TypeScript',
      'const main = async (n: number): Promise<void> => {\n  (n as any).x‸.y };\nmain(1);\nawait sleep(50)',
    ],
  ])('%s', async (_, marked) => {
    const { script, line, column } = placed(marked);
    const outcome = await run(`${script}; 5`, { call: fail });
    expect(resultOf(outcome)).toBe(5);
    expect(outcome.logs).toHaveLength(1);
    expect(outcome.logs[0]).toMatch(/^metad: failed, and nothing awaited it: \w+Error: /);
    expect(outcome.logs[0]).toContain(`(line ${line}, column ${column})`);
  });
  test.each([
    'files.read({ fail: true }).catch(() => {}); await sleep(20)',
    'await files.read({ fail: true }).then(null, () => 1)',
    'const p = files.read({ fail: true }); try { await p } catch {}',
    'const main = async () => 1; main(); main()',
    'const main = () => 1; main(); [1].forEach((x) => x)',
  ])('and nothing of %s', async (script) => {
    expect((await run(script, { call: fail })).logs).toEqual([]);
  });
});
