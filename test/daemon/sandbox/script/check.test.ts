import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../../daemon/sandbox/script/check.ts';
import { knownOf } from '../../../../daemon/sandbox/script/known.ts';
import { prepare } from '../../../../daemon/sandbox/script/prepare.ts';
import { withoutTypes } from '../../../../daemon/sandbox/script/types.ts';
import { createViews } from '../../../../daemon/sandbox/views.ts';

const known = knownOf(
  createViews()([
    {
      server: 'file-server',
      global: 'files',
      tools: [
        { script: 'read', raw: 'read' },
        { script: 'delete_all', raw: 'delete-all' },
      ],
      removed: ['append'],
    },
    { server: 'later', global: 'later', tools: [], open: true },
    { server: 'json-server', global: 'JSON', tools: [{ script: 'read', raw: 'read' }] },
  ]),
);
const refusal = (script: string) => refusalOf(prepare(script, withoutTypes), known);

describe('refusalOf() refuses before the first call', () => {
  const cases: [script: string, message: string, line: number, column: number][] = [
    ['await files.raed({})', 'raed is not a tool of files; near: read', 1, 13],
    ['files["raed"]({})', 'raed is not a tool of files; near: read', 1, 7],
    ['files[`raed`]({})', 'raed is not a tool of files; near: read', 1, 7],
    ['const out = files.nope', 'nope is not a tool of files; Object.keys(files) lists them', 1, 19],
    ['tools.files.raed()', 'raed is not a tool of files; near: read', 1, 13],
    ['tools["files"]["raed"]()', 'raed is not a tool of files; near: read', 1, 16],
    ['tools["file-server"].raed()', 'raed is not a tool of files; near: read', 1, 22],
    ['tools.file_sever', 'file_sever is not a server of tools; near: file-server', 1, 7],
    ['const { read, raed } = files', 'raed is not a tool of files; near: read', 1, 15],
    [
      'await files.append({})',
      'append was removed by its server and is no longer a tool of files; Object.keys(files) lists them',
      1,
      13,
    ],
    ['let a = 1;\n  fils.read()', "'fils' is not defined; near: files", 2, 3],
    ['await raed({})', "'raed' is not defined", 1, 7],
    ['const results = [];\nresutls.push(1)', "'resutls' is not defined; near: results", 2, 1],
    ['new Mapp()', "'Mapp' is not defined; near: Map", 1, 5],
    ['require("fs")', "'require' is not defined; nothing can be loaded: the tools are globals", 1, 1],
    ['process.env.HOME', "'process' is not defined; a script has no process, environment or arguments", 1, 1],
    ['setInterval(() => {}, 10)', "'setInterval' is not defined; use a loop with `await sleep(ms)`", 1, 1],
    ['for (const a of [1]) {}\na.b', "'a' is not defined here; it is declared in another scope", 2, 1],
    [
      'const f = (files) => files.nope; files.nope()',
      'nope is not a tool of files; Object.keys(files) lists them',
      1,
      40,
    ],
    ['```ts\nconst a: number = 1;\nfils.read()\n```', "'fils' is not defined; near: files", 3, 1],
    ['const a = <T,>(x: T): T => files.raed(x)', 'raed is not a tool of files; near: read', 1, 34],
    ['{ a: files.raed({}) }', 'raed is not a tool of files; near: read', 1, 12],
    ['try { files.raed() } finally { 1 }', 'raed is not a tool of files; near: read', 1, 13],
    ['try { 1 } catch { files.raed() }', 'raed is not a tool of files; near: read', 1, 25],
    ['export default async () => files.raed({})', 'raed is not a tool of files; near: read', 1, 34],
    ['class A extends Bse {}', "'Bse' is not defined", 1, 17],
    ['JSON.pasre("1"); fils.x', "'fils' is not defined; near: files", 1, 18],
  ];
  test.each(cases)('%j', (script, message, line, column) => {
    const name = message.startsWith("'") ? 'ReferenceError' : 'TypeError';
    expect(refusal(script)).toEqual({ name, message, line, column });
  });

  test('all places at once, at most five', () => {
    expect(refusal('fils.read();\nfiles.raed();')).toEqual({
      name: 'ReferenceError',
      message: [
        '2 names in the script are unknown; no tool was called',
        "'fils' is not defined; near: files (line 1, column 1)",
        'raed is not a tool of files; near: read (line 2, column 7)',
      ].join('\n'),
    });
    const many = Array.from({ length: 9 }, (_, at) => `files.no${at}()`).join('\n');
    expect(refusal(many)?.message.split('\n')).toHaveLength(7);
    expect(refusal(many)?.message).toMatch(/and 4 more$/);
  });
});

describe('refusalOf() refuses nothing that may run:', () => {
  test.each([
    'await files.read({ path: "a" })',
    'await files["delete-all"]({}); await tools["file-server"]["delete-all"]({}); await tools.files.read()',
    'await later.anything({}); tools.later["any-thing"]()',
    'files.then; files.toString; files.constructor; files.length; await files',
    'const name = "nope"; if (name in files) await files[name]({})',
    'if ("nope" in files) await files.nope({})',
    'if (Object.keys(files).includes("nope")) await files.nope({})',
    'if (Object.hasOwn(files, `nope`)) await files.nope({})',
    'typeof files.nope === "function" && files.nope()',
    'files.nope?.({}); files?.nope; tools.slack?.post({})',
    'try { files.nope() } catch (e) { e.message }',
    'try { nope.x() } catch {}',
    'typeof slack === "undefined" ? null : slack.post({})',
    'if (typeof process !== "undefined") process.exit()',
    'x = { a: 1 }; x.a',
    '[a, { b, ...c }] = [{}, { b: {} }]; a.x; b.x; c.x',
    'for (k in { a: 1 }) k.length; for (v of [1]) v.toFixed()',
    'this.g = { a: 1 }; g.a',
    '(function () { this.h = { a: 1 } })(); h.a',
    'globalThis.q = { a: 1 }; q.a',
    'Object.assign(globalThis, { q: {} }); q.a',
    'eval("var q = {}"); q.a; files.nope',
    'Function("q = {}")(); q.a',
    '({}).constructor.constructor("q = {}")(); q.a',
    'with ({ q: {} }) { q.a; files.nope }',
    'const files = { nope: () => 5 }; files.nope()',
    '{ const files = {}; files.nope }',
    'const f = ({ files }) => files.nope; f({ files: {} })',
    'const f = (files = {}) => files.nope; f()',
    'function f(files) { return files.nope } f({})',
    '[1].map((files) => files.nope)',
    'try { throw {} } catch (files) { files.nope }',
    'try { throw {} } catch ({ files }) { files.nope }',
    'for (const files of [{}]) files.nope',
    'for (let files = {}; false; ) files.nope',
    'class files { static nope() {} } files.nope()',
    'const c = class files { static x() { return files.nope } }; c.x()',
    'const g = function files() { return files.nope }; g()',
    'switch (1) { case 1: const files = {}; files.nope }',
    'function files() {} files.nope',
    'var f = () => files.nope; var files = {}',
    'late(); function late() { return hoisted.x } var hoisted = {}',
    'if (true) { function inner() {} } inner()',
    '{ var out = {} } out.x',
    'label: for (;;) { break label }',
    'outer: for (const a of [[1]]) { for (const b of a) { b.x; continue outer } }',
    'function f() { return arguments.length } f()',
    'class A { static { var s = {}; s.x } static b = A.name; #p = {}; m() { return this.#p.x } get [Symbol.toStringTag]() { return "A" } } new A().m()',
    'const { a: { b }, ...rest } = { a: { b: {} } }; b.x; rest.y',
    'const { nope = 1 } = files',
    'const { [key()]: k } = {}; function key() { return "a" } k?.x',
    'import.meta; 1'.slice(13),
    'const o = { files: 1, nope() { return super.toString() }, get fils() { return new.target } }; o.files',
    'await Promise.all([1].map(async (x) => x.y)); new Intl2.X; var Intl2 = { X: class {} }',
    'tagged`a${1}`; function tagged(s) { return s.raw }',
    'console.log(Math.max(1), JSON.stringify({}), new URL("a:b").href, crypto.randomUUID(), structuredClone({}))',
    'undefined?.x; NaN.toFixed(); Infinity.toFixed()',
    'const { read } = files; await read({})',
    'const api = tools; api.nope',
    'let f = files; f.nope',
    'enum Level { Low = 3 }\nLevel.Low',
    'const r = (await files.read({})) as { text: string }; r.text',
    'export const n = { a: 1 }; export function f() { return n.a } export default f()',
    'async function* g() { yield* [1] } for await (const x of g()) x.y',
    'a ??= {}; a.x; b ||= {}; b.x',
    'i++; i.x',
    '(files, later).nope',
  ])('%s', (script) => {
    expect(refusal(script)).toBeUndefined();
  });
  test('programs made of declarations and uses, in every kind of scope', () => {
    const declare = [
      (n: string, b: string) => `const ${n} = {}; ${b}`,
      (n: string, b: string) => `let ${n} = {}; ${b}`,
      (n: string, b: string) => `${b}; var ${n} = {};`,
      (n: string, b: string) => `${b}; function ${n}() {}`,
      (n: string, b: string) => `class ${n} {} ${b}`,
      (n: string, b: string) => `((${n}) => { ${b} })({});`,
      (n: string, b: string) => `(function ({ a: [${n}] }) { ${b} });`,
      (n: string, b: string) => `(async (...${n}) => { ${b} });`,
      (n: string, b: string) => `for (const ${n} of []) { ${b} }`,
      (n: string, b: string) => `for (let ${n} in {}) { ${b} }`,
      (n: string, b: string) => `try {} catch (${n}) { ${b} }`,
      (n: string, b: string) => `if (typeof ${n} === 'object') { ${b} }`,
      (n: string, b: string) => `{ { ${b} } } var { ${n} } = {};`,
      (n: string, b: string) => `${n} = {}; ${b}`,
    ];
    const use = ['N.x', 'N()', 'new N', 'N.x.y()', 'N[0]', 'N`t`', 'const { q } = N', 'class Q extends N {}'];
    let seed = 7;
    const next = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    for (let round = 0; round < 600; round += 1) {
      const depth = 1 + next(4);
      const names = Array.from({ length: depth }, (_, at) => (at === 0 && next(2) === 0 ? 'files' : `n${at}`));
      const uses = names.map((name) => `{ ${(use[next(use.length)] ?? '').replace('N', name)} }`).join(' ');
      const script = names.reduce((body, name) => declare[next(declare.length)]?.(name, `{ ${body} }`) ?? '', uses);
      expect(refusal(script), script).toBeUndefined();
    }
  });
});

test('refusalOf() takes less than a millisecond for a usual script', () => {
  const script = Array.from(
    { length: 20 },
    (_, at) =>
      `const rows${at} = await files.read({ path: 'a${at}' });\nrows${at}.filter((row) => row.size > ${at}).map(({ name }) => name);`,
  ).join('\n');
  const prepared = prepare(script);
  const times = Array.from({ length: 50 }, () => {
    const before = performance.now();
    expect(refusalOf(prepared, known)).toBeUndefined();
    return performance.now() - before;
  });
  expect(Math.min(...times)).toBeLessThan(1);
});
