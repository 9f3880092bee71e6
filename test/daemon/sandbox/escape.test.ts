import { runInThisContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { errorOf, resultOf, suite } from '../../helpers/sandbox.ts';

const { run } = suite();

// What a host object would give away. Looked for by each walk below.
const FINDER = `
const seen = new Set();
const found = [];
const HOST = ['host', 'evaluate', 'process', 'require', 'module', 'Buffer', 'fetch', 'WebAssembly', 'setImmediate', 'std', 'os', 'scriptArgs', 'Deno', 'Bun', 'navigator', 'print', 'gc', 'parentPort', 'workerData', '__filename'];
const look = (value, path) => {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value) || path.length > 12) return;
  seen.add(value);
  let made;
  try { made = value.constructor?.constructor; } catch {}
  if (typeof made === 'function') {
    let global;
    try { global = made('return globalThis')(); } catch {}
    // What generators are made by makes generators.
    if (global?.[Symbol.toStringTag] === 'Generator') global = made('yield globalThis')().next().value;
    if (global?.[Symbol.toStringTag] === 'AsyncGenerator') global = undefined;
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
    [
      'globals that are made at first use',
      'look([structuredClone, TextEncoder, TextDecoder, URL, URLSearchParams, atob, btoa, crypto], ["lazy"])',
    ],
    [
      'what those give',
      'const u = new URL("http://a.b/?c=d"); look([u, u.searchParams, u.searchParams.entries(), new TextEncoder().encode("a"), new TextDecoder(), structuredClone(new Map([[1, new Error("x")]])), crypto.getRandomValues(new Uint8Array(2))], ["made"])',
    ],
    [
      'the errors of those',
      'for (const f of [() => new URL("x"), () => atob("*"), () => btoa("漢"), () => structuredClone(f), () => new TextDecoder("x"), () => crypto.getRandomValues(1), () => new URL(Symbol()), () => URL.prototype.href, () => new URLSearchParams([[1]])]) try { f() } catch (e) { look(e, ["error"]) }',
    ],
    [
      'getters and toJSON of arguments',
      'await files.read({ get a() { look(this, ["this"]); return 1 }, b: { toJSON(...a) { look(a, ["toJSON"]); return 2 } } })',
    ],
    [
      'a __proto__ in arguments and in a result',
      'const r = await files.read(JSON.parse(\'{"__proto__": {"x": 1}}\')); look(r, ["result"]); look(Object.getPrototypeOf(r), ["prototype"])',
    ],
    [
      'prototypes of generators, async generators and iterators',
      'look([async function* () {}, (async function* () {})(), function* () {}, [][Symbol.iterator](), Iterator.prototype, new Map().entries(), "".matchAll(/a/g)], ["made"])',
    ],
    [
      'a species that arrays and promises are made by',
      'const made = []; class A extends Array { static get [Symbol.species]() { return function (...a) { made.push(this, a); return [] } } } new A(1, 2, 3).map((x) => x); class P extends Promise { static get [Symbol.species]() { return function (f) { made.push(f); return new Promise(f) } } } await P.resolve(1).then(() => 1); await files.read(); look(made, ["species"])',
    ],
    [
      'Proxy and Reflect around tools',
      'const given = []; const p = new Proxy(files.read, { apply(...a) { given.push(a); return Reflect.apply(...a) }, get(...a) { given.push(a); return Reflect.get(...a) } }); await p({ a: 1 }); await Reflect.apply(files.read, p, [{}]); try { Reflect.construct(files.read, []) } catch (e) { given.push(e) } look([...given], ["traps"])',
    ],
    [
      'a proxy as an argument',
      'const given = []; await files.read(new Proxy({ a: 1 }, { get(...a) { given.push(a); return Reflect.get(...a) }, ownKeys(...a) { given.push(a); return Reflect.ownKeys(...a) } })); look([...given], ["traps"])',
    ],
    [
      'a stack overflow inside a call of the host',
      'let deepest; const f = () => { try { f() } catch (e) { deepest ??= e; try { files.read({ a: 1 }) } catch (x) { look(x, ["inner"]) } } }; f(); look(deepest, ["overflow"]); const g = (n) => { try { return n > 0 ? g(n - 1) : files.read({}) } catch (e) { look(e, ["call"]) } }; g(5000)',
    ],
    [
      'an error without memory',
      'let e1; try { "x".repeat(2 ** 29).repeat(8) } catch (e) { e1 = e } look(e1, ["memory"])',
    ],
    [
      'weak references and finalizers',
      'const w = new WeakRef({}); look([w, w.deref(), new FinalizationRegistry((h) => look(h, ["held"]))], ["weak"])',
    ],
    [
      'thenables that the host would await',
      'look(await { then(a, b) { look([a, b], ["settle"]); a({ then(c) { look(c, ["again"]); c(1) } }) } }, ["x"]); setTimeout(() => ({ then(r) { look(r, ["timer"]) } }), 1); await sleep(5)',
    ],
    [
      'eval and Function, direct and not',
      'look([eval("this"), (0, eval)("this"), Function("return this")(), new (async () => {}).constructor("return this")(), Reflect.construct(Function, ["return arguments"])()], ["made"])',
    ],
    [
      'async errors of tools that were never awaited',
      'files.read({ fail: true }).then(0, (e) => look(e, ["reason"])); await sleep(20)',
    ],
    [
      'the frames of a script',
      'look([new Error().stack, (() => { try { null.x } catch (e) { return e.stack } })()], ["stack"])',
    ],
    ['private names of metad', 'look([typeof $metadUnawaited === "function" ? $metadUnawaited : 0], ["unawaited"])'],
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
    ['try { await import("fs") } catch (e) { throw e }', "could not load module 'fs'"],
    ['try { await import("node:fs") } catch (e) { throw e }', "could not load module 'node:fs'"],
    ['try { await import("/etc/passwd") } catch (e) { throw e }', "could not load module '/etc/passwd'"],
    ['try { await import("std") } catch (e) { throw e }', "could not load module 'std'"],
    ['await eval(`import("os")`)', "could not load module 'os'"],
    ['import fs from "fs"', 'A script cannot import: the tools are globals and nothing else can be loaded'],
    ['import.meta.url', 'import.meta only valid in module code'],
    [
      'try { await import("data:text/javascript,1") } catch (e) { throw e }',
      "could not load module 'data:text/javascript,1'",
    ],
    ['try { await import("file:///etc/passwd") } catch (e) { throw e }', "could not load module 'file:///etc/passwd'"],
    ['try { await import("quickjs:os") } catch (e) { throw e }', "could not load module 'quickjs:os'"],
    ['try { await import({ toString: () => "os" }) } catch (e) { throw e }', "could not load module 'os'"],
    ['await (0, eval)(`import("bjson")`)', 'no function filename for import()'],
    ['export * from "os"', 'A script cannot import: the tools are globals and nothing else can be loaded'],
    ['bjson.read(new ArrayBuffer(8), 0, 8)', "'bjson' is not defined"],
    ['globalThis.bjson.read', "cannot read property 'read' of undefined"],
    ['print("x")', "'print' is not defined"],
    ['scriptArgs[0]', "'scriptArgs' is not defined"],
    ['gc()', "'gc' is not defined"],
    ['__filename.length', "'__filename' is not defined"],
    ['navigator.userAgent', "'navigator' is not defined"],
    ['new SharedWorker("x")', "'SharedWorker' is not defined"],
    ['postMessage(1)', "'postMessage' is not defined"],
    ['parentPort.postMessage({ kind: "done", ok: true })', "'parentPort' is not defined"],
    ['workerData.shared', "'workerData' is not defined"],
    ['new MessageChannel()', "'MessageChannel' is not defined"],
    ['new BroadcastChannel("x")', "'BroadcastChannel' is not defined"],
    ['process.binding("spawn_sync")', "'process' is not defined"],
    ['process.mainModule.require("child_process")', "'process' is not defined"],
    ['Buffer.from("x")', "'Buffer' is not defined"],
    ['new AbortController()', "'AbortController' is not defined"],
    ['Atomics.notify(new Int32Array(4), 0)', "'Atomics' is not defined"],
    ['(async () => {}).constructor("return import(`fs`)")()', "could not load module 'fs'"],
    ['(async function* () {}).constructor("yield process")().next()', "'process' is not defined"],
    ['Reflect.construct(Function, ["return process"])()', "'process' is not defined"],
    ['(0, eval)("process")', "'process' is not defined"],
    ['URL.constructor("return process")()', "'process' is not defined"],
    ['crypto.randomUUID.constructor("return host.web")()', "'host' is not defined"],
    ['structuredClone.constructor("return web")()', "'web' is not defined"],
    ['new URL("a:b").searchParams.constructor.constructor("return process")()', "'process' is not defined"],
    ['try { atob("*") } catch (e) { e.constructor.constructor("return process")() }', "'process' is not defined"],
    [
      'try { await files.read(1) } catch (e) { e.constructor.constructor("return process")() }',
      "'process' is not defined",
    ],
    ['files.constructor.constructor("return process")()', "cannot read property 'constructor' of undefined"],
    ['files.read.caller', 'invalid property access'],
    ['$metadUnawaited.constructor("return host")()', "'host' is not defined"],
    ['new files.read()', 'read is not a constructor'],
    [
      'files.read.call = 1; "use strict"; Object.defineProperty(files.read, "x", { value: 1 })',
      'object is not extensible',
    ],
    ['Object.setPrototypeOf(files, {})', 'files is read-only'],
    ['files.__proto__.x', "cannot read property 'x' of undefined"],
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
    [
      'URL = TextEncoder = atob = () => "leak"',
      '[new URL("a:b").href, new TextEncoder().encode("a")[0], atob("aQ==")].join() === "a:b,97,i" ? undefined : "leak"',
    ],
    [
      'URL.prototype.toString = URLSearchParams.prototype.get = () => "leak"',
      'String(new URL("a:b")) === "a:b" ? undefined : "leak"',
    ],
    ['crypto.randomUUID = () => "leak"', 'crypto.randomUUID() === "leak" ? "leak" : undefined'],
    ['Object.getPrototypeOf(async function* () {}).leak = 1', 'Object.getPrototypeOf(async function* () {}).leak'],
    [
      'Error.prepareStackTrace = () => "leak"; Error.stackTraceLimit = 0',
      'new Error().stack === "leak" ? "leak" : undefined',
    ],
    [
      'Symbol.prototype.leak = 1; RegExp.prototype.exec = () => null',
      '/a/.exec("a") === null || Symbol().leak'.replace('||', '? "leak" :'),
    ],
    ['new FinalizationRegistry(() => { globalThis.leak = 1 }).register({}, 1)', 'globalThis.leak'],
    ['setTimeout(() => { globalThis.leak = 1 }, 20); 1', 'await sleep(50); globalThis.leak'],
    ['files.read({}).then(() => { globalThis.leak = 1 }); 1', 'await sleep(20); globalThis.leak'],
    ['(async () => { for (;;) { await sleep(1); globalThis.leak = 1 } })(); 1', 'await sleep(20); globalThis.leak'],
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
    'JSON.stringify = () => \'["query", 5]\'; new URL("a:b")',
    'JSON.stringify = () => "not JSON"; btoa("a")',
    'JSON.parse = () => ({ href: { toString() { throw 1 } } }); String(new URL("a:b"))',
    'globalThis.eval = () => { throw 1 }; new URL("a:b").href',
    'String.prototype.toWellFormed = () => 5; String(new URL("a:b"))',
    'WeakMap.prototype.get = () => [[{}, {}]]; String(new URLSearchParams("a=1"))',
    'Map.prototype.get = Map.prototype.set = () => { throw 1 }; structuredClone({ a: [1] })',
    'Object.prototype.transfer = [1]; structuredClone(1, {})',
    'Promise.prototype.then = undefined; (async () => { throw 1 })(); 5',
    'Object.prototype[Symbol.toPrimitive] = () => { throw 1 }; console.log({}); new URL({})',
    'files.read("x".repeat(20_000_000))',
    'files.read({ a: "x".repeat(20_000_000) })',
    'files["x".repeat(2_000_000)]',
    '"x".repeat(5_000_000) in files',
    'btoa("x".repeat(20_000_000)).length',
    'new URL("http://a.b/?" + "é".repeat(2_000_000)).href.length',
    'console.log("x".repeat(20_000_000))',
    'const f = () => { try { f() } finally { btoa("a") } }; f()',
    'const f = () => { try { f() } catch { console.log("a"); files.read(); new URL("a:b"); f() } }; f()',
    'await Promise.all(Array.from({ length: 2_000 }, () => files.read({})))',
    'const run = async () => { await 0; const a = []; for (;;) a.push({ k: "v" }) }; run(); await sleep(10_000)',
    'const run = async () => { await 0; const f = () => f() + 1; f() }; await run()',
    'new Proxy({}, { get() { throw new Proxy(class {}, {}) } }).x',
    'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 }, ownKeys() { throw 3 } })',
    'throw Object.defineProperty(new Error(), "stack", { get() { for (;;); } })',
    'const e = new Error("x"); e.name = Symbol(); throw e',
    'new Array(1_000_000_000) + ""',
    'Error.prepareStackTrace = () => { throw 1 }; null.x',
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
