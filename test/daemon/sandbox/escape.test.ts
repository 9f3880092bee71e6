import { runInThisContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { errorOf, resultOf, suite } from '../../helpers/sandbox.ts';

const { run } = suite();

// What a host object would give away. Looked for by each walk below.
const FINDER = `
const seen = new Set();
const found = [];
const HOST = ['process', 'require', 'module', 'Buffer', 'fetch', 'WebAssembly', 'setImmediate', 'std', 'os', 'scriptArgs', 'Deno', 'Bun', 'navigator', 'print', 'gc', 'parentPort', 'workerData', '__filename'];
const look = (value, path) => {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value) || path.length > 12) return;
  seen.add(value);
  let made;
  try { made = value.constructor?.constructor; } catch {}
  if (typeof made === 'function') {
    let global;
    try { global = made('return globalThis')(); } catch {}
    if (global !== undefined && global !== globalThis) found.push(path.join('.') + ' has another global');
    let kinds = [];
    try { kinds = made('return [' + HOST.map((name) => 'typeof ' + name) + ']')(); } catch {}
    HOST.forEach((name, at) => { if (kinds[at] !== 'undefined' && kinds[at] !== undefined) found.push(path.join('.') + ' reaches ' + name); });
  }
  let keys = [];
  try { keys = Reflect.ownKeys(value); } catch {}
  for (const key of keys) {
    let inner;
    try { inner = Reflect.getOwnPropertyDescriptor(value, key); } catch {}
    for (const one of [inner?.value, inner?.get, inner?.set]) look(one, [...path, String(key)]);
  }
  try { look(Object.getPrototypeOf(value), [...path, '__proto__']); } catch {}
};
`;

describe('R049: no host object is reachable from', () => {
  test.each([
    ['any global', 'look(globalThis, ["globalThis"])'],
    ['a namespace and its tools', 'look(files, ["files"]); look(files.read, ["read"]); look(tools, ["tools"])'],
    ['the result of a call', 'look(await files.read({ a: { b: [1] } }), ["result"]); look(files.read(), ["promise"])'],
    ['an error of the host', 'try { await files.read({ fail: true }) } catch (e) { look(e, ["error"]) }'],
    ['an error of the engine', 'try { null.x } catch (e) { look(e, ["error"]) }'],
    ['the console', 'look(console, ["console"]); look(console.log, ["log"])'],
    ['timers', 'look([setTimeout, clearTimeout, sleep, queueMicrotask], ["timers"])'],
    ['a proxy trap', 'look(Object.getOwnPropertyDescriptor(files, "read"), ["descriptor"])'],
    [
      'the arguments of a caller',
      'const o = {}; const f = function () { look(f.caller ?? {}, ["caller"]); look(arguments.callee ?? {}, ["callee"]) }; f.call(o)',
    ],
    [
      'a prepared stack',
      'Error.prepareStackTrace = (e, frames) => { look(frames, ["frames"]); return "" }; new Error().stack',
    ],
    [
      'a promise subclass',
      'class P extends Promise { constructor(f) { super((a, b) => { look([a, b], ["settle"]); f(a, b) }) } }; globalThis.Promise = P; await files.read()',
    ],
    [
      'replaced built-ins',
      'const parse = JSON.parse; JSON.parse = (...a) => { look(a, ["parse"]); return parse(...a) }; Array.prototype.push = function (x) { look([this, x], ["push"]) }; await files.read({ a: 1 })',
    ],
    [
      'accessors that built-ins would find',
      'Object.defineProperty(Object.prototype, "code", { get() { look(this, ["code"]); return 1 }, set() {}, configurable: true }); try { await files.read({ fail: true }) } catch (e) { look(e, ["e"]) } delete Object.prototype.code',
    ],
    ['Symbol hooks', 'look(await ({ then(r) { look([this, r], ["then"]); r(1) } }), ["x"])'],
  ])('%s', async (_, script) => {
    const call = async (_server: string, _tool: string, args: { readonly [key: string]: unknown }) => {
      if (args['fail'] === true) throw new Error('refused');
      return { some: [{ thing: 1 }] };
    };
    expect(resultOf(await run(`${FINDER}\n${script};\nfound`, { call, limits: { timeoutMs: 30_000 } }))).toEqual([]);
  });
  test('while the walk does find one where there is one', () => {
    const walk = `(() => { ${FINDER}; look(globalThis, ['globalThis']); return found })()`;
    expect(runInThisContext(walk)).toContain('globalThis reaches process');
  });
});

describe('R049: a plain error comes of', () => {
  test.each([
    ['await import("fs")', "could not load module 'fs'"],
    ['await import("node:fs")', "could not load module 'node:fs'"],
    ['await import("/etc/passwd")', "could not load module '/etc/passwd'"],
    ['await import("std")', "could not load module 'std'"],
    ['await eval(`import("os")`)', "could not load module 'os'"],
    ['import fs from "fs"', 'A script cannot import: the tools are globals and nothing else can be loaded'],
    ['import.meta.url', 'import.meta only valid in module code'],
    ['require("fs")', "'require' is not defined"],
    ['process.exit(1)', "'process' is not defined"],
    ['fetch("http://localhost")', "'fetch' is not defined"],
    ['new XMLHttpRequest()', "'XMLHttpRequest' is not defined"],
    ['new Worker("x")', "'Worker' is not defined"],
    ['WebAssembly.compile', "'WebAssembly' is not defined"],
    ['std.loadFile("/etc/passwd")', "'std' is not defined"],
    ['os.exec(["id"])', "'os' is not defined"],
    ['setInterval(() => {}, 1)', "'setInterval' is not defined"],
    ['setTimeout("process.exit()", 1)', 'setTimeout takes a function'],
    ['globalThis.constructor.constructor("return process")()', "'process' is not defined"],
    ['Function("return process.env")()', "'process' is not defined"],
    ['(async () => {}).constructor("return require(`fs`)")()', "'require' is not defined"],
    ['(function* () {}).constructor("yield process")().next()', "'process' is not defined"],
    ['files.read.constructor("return process")()', "'process' is not defined"],
    ['console.log.constructor("return process")()', "'process' is not defined"],
    ['files.read.call.constructor("return host")()', "'host' is not defined"],
    ['Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0)', "'Atomics' is not defined"],
  ])('%s', async (script, message) => {
    expect(errorOf(await run(script)).message.split('; ')[0]).toBe(message);
  });
});

describe('R049: edits of one run are invisible to the next:', () => {
  test.each([
    ['Object.prototype.leak = 1', '({}).leak'],
    ['Array.prototype.map = () => "leak"', '[1].map((x) => x)[0] === "leak" ? "leak" : undefined'],
    ['Promise.prototype.then = () => {}; 1', 'await Promise.resolve(undefined)'],
    ['JSON.parse = JSON.stringify = () => "leak"; 1', 'JSON.parse("null") === null ? undefined : "leak"'],
    ['globalThis.leak = 1', 'typeof leak === "undefined" ? undefined : leak'],
    ['leak = 1', 'globalThis.leak'],
    ['console.log = undefined', 'console.log("still there")'],
    ['Object.freeze(globalThis); Object.freeze(Object.prototype)', 'globalThis.leak = 1; undefined'],
    [
      'Object.defineProperty(globalThis, "files", { value: "leak" }); 1',
      'typeof files === "object" ? undefined : "leak"',
    ],
    [
      'delete globalThis.files; delete globalThis.Promise',
      'typeof files === "object" && typeof Promise === "function" ? undefined : "leak"',
    ],
  ])('%s', async (edit, check) => {
    await run(edit, { limits: { totalMs: 2_000 } });
    for (let at = 0; at < 3; at++) expect(resultOf(await run(check))).toBeUndefined();
  });
});

describe('R049: a script that replaces what metad uses hurts only itself:', () => {
  test.each([
    'Promise.prototype.then = () => {}; await files.read()',
    'globalThis.Promise = undefined; await files.read()',
    'Object.prototype.then = (r) => r(5); await files.read()',
    'Object.prototype.get = () => { throw 1 }; files.read',
    'Array.prototype[Symbol.iterator] = () => { throw 1 }; Object.keys(files)',
    'String.prototype.indexOf = () => -1; String.prototype.slice = () => "9"; await files.read()',
    'Object.defineProperty(Object.prototype, "name", { set() { throw 1 }, get() { throw 2 } }); throw new Error("x")',
    'Error.prototype.toString = () => { for (;;); }; throw new Error("x")',
    'Object.prototype.toJSON = () => { throw 1 }; ({ a: 1 })',
    'Function.prototype.call = Function.prototype.apply = () => { throw 1 }; [new Date(0), new Map([[1, 2]])]',
  ])('%s', async (script) => {
    const outcome = await run(script, { limits: { timeoutMs: 500, totalMs: 2_000 } });
    expect(typeof outcome.ok).toBe('boolean');
    expect(resultOf(await run('await files.read({ a: 1 })'))).toEqual({
      server: 'file-server',
      tool: 'read',
      args: { a: 1 },
    });
  });
});
