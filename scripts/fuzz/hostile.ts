// Scripts that mean harm: endless work, all the memory, floods of calls, lines and timers, ways out of the sandbox.
import type { Random } from '../../test/helpers/random.ts';
import type { FuzzScript } from './script.ts';

const ESCAPE = 'return process'; // what each way out tries to run in the host

/** By name; `N` stands for a number drawn anew. The dear ones end at a limit and are drawn more seldom. */
const CHEAP: Readonly<Record<string, string>> = {
  'constructor walk': `return [globalThis, console, lab, lab.echo, await lab.echo({ text: 'x' }), new Error()].map((o) => { try { return typeof o.constructor.constructor('${ESCAPE}')() } catch (e) { return e.name } })`,
  'error of a call': `try { await lab.die2() } catch (e) { return e.constructor.constructor('${ESCAPE}')() }`,
  import: `return await import('node:fs')`,
  require: `return require('child_process').execSync('id').toString()`,
  'prototype edits': `Object.prototype.then = (f) => f(666); Array.prototype[Symbol.iterator] = function* () { yield 'mine' }; Promise.prototype.then = null; JSON.stringify = () => '{}'; Object.prototype.toJSON = () => 'mine'; return [N]`,
  'global edits': `for (const key of Reflect.ownKeys(globalThis)) { try { globalThis[key] = null } catch {} try { delete globalThis[key] } catch {} } return N`,
  'thrown oddities': `throw [null, undefined, N, { toString() { throw 1 } }, new Proxy({}, { get() { throw 2 } }), Object.create(null), Symbol('x'), 12n][N % 8]`,
  'throwing proxy': `return new Proxy([N], { get() { throw new Error('got') }, ownKeys() { throw new Error('keys') } })`,
  'hostile getters': `return { get a() { throw new Error('no') }, get b() { return this }, toJSON() { return { get c() { throw 1 } } } }`,
  cycle: `const a = { n: N }; a.a = a; a.m = new Map([[a, a]]); return [a, new Set([a])]`,
  'deep value': `let a = N; for (let i = 0; i < 100000; i++) a = [a]; return a`,
  'deep JSON': `return JSON.parse('['.repeat(100000) + ']'.repeat(100000))`,
  'wide value': `return Object.fromEntries(Array.from({ length: 20000 }, (_, i) => ['k' + i, N]))`,
  'large text': `return 'x'.repeat(5e6 + N)`,
  'large arguments': `return (await lab.echo({ text: 'é'.repeat(2e5 + N) })).length`,
  'console flood': `for (let i = 0; i < 20000; i++) console.log('line', i, { i }); return N`,
  'timer flood': `for (let i = 0; i < 20000; i++) setTimeout(() => {}, 1e9); return N`,
  'call flood': `const all = []; for (let i = 0; i < 1500; i++) all.push(lab.echo({ text: 'x' + i }).catch((e) => e.name)); return (await Promise.all(all)).filter((x) => x === 'LimitError').length`,
  'calls left behind': `for (let i = 0; i < 20; i++) lab.slow({ text: 'x', ms: 60000 }); return N`,
  'odd arguments': `const odd = [null, N, 'x', [1], new Map(), () => {}, { toJSON() { return 3 } }, { get a() { throw 1 } }, { __proto__: null, constructor: 1 }, JSON.parse('{"__proto__":{"x":1}}')]; return (await Promise.allSettled(odd.map((o) => lab.echo(o)))).length`,
  'never settled': `await new Promise(() => {})`,
  recursion: `const f = () => f() + 1; return f()`,
  'recursion by JSON': `const o = { toJSON() { return JSON.stringify(o) } }; return JSON.stringify(o)`,
  'recursion by sort': `const f = (a, b) => [3, 2, 1].sort(f).length; return [3, 2, 1].sort(f)`,
  'caught recursion': `let n = 0; const f = () => { try { f() } finally { n++; if (n < 50) f() } }; try { f() } catch {} return n`,
  'async recursion': `const f = async (n) => n > 3000 ? n : f(n + 1); return f(N % 10)`,
  'nested source': `return eval('('.repeat(3000 + N) + '1' + ')'.repeat(3000 + N))`,
  'many nested brackets': `return ${'['.repeat(2000)}N${']'.repeat(2000)}`,
  'odd names': `return lab['__proto__'], lab['constructor'], tools['then'], await tools`,
  'weak things': `new FinalizationRegistry(() => {}).register({}, 1); return new WeakRef({ n: N }).deref()`,
  'shared memory': `return typeof SharedArrayBuffer === 'undefined' ? N : Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)`,
  'stack games': `Error.prepareStackTrace = (e, frames) => { throw frames }; Error.stackTraceLimit = Infinity; return new Error('x').stack`,
  'species games': `class P extends Promise { static get [Symbol.species]() { throw new Error('species') } } globalThis.Promise = P; return [await lab.echo({ text: 'x' }), N]`,
  'a server that dies': `return await mortal.die({}).catch((e) => e.name)`,
};

/** Each takes its whole script time, or a worker. */
const DEAR: Readonly<Record<string, string>> = {
  'endless loop': `for (;;) {}`,
  'caught endless loop': `(async () => { for (;;) { try { await null; for (;;); } catch {} } })()`,
  'endless microtasks': `const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})`,
  'endless generator': `const g = (function* () { for (;;) yield N })(); return [...g]`,
  'native for ever': `return Array(1e9).join('x').length + N`,
  backtracking: `return /^(a+)+$/.test('a'.repeat(40) + 'b')`,
  'all the memory': `const kept = []; for (;;) kept.push(new Uint8Array(400000))`,
  'doubling text': `let s = 'x'; for (;;) s += s`,
  'growing list': `const kept = []; for (;;) kept.push({ n: N })`,
  'endless calls': `for (;;) await lab.echo({ text: 'x' }).catch(() => {})`,
  'endless sort': `return Array.from({ length: 3e6 }, (_, i) => (i * 7919) % 1e6).sort((a, b) => a - b).length`,
  'endless logs': `for (;;) console.log('x'.repeat(1000))`,
};

/** How many of the hostile ones are dear: each costs a third of a second of a core or more. */
const DEAR_SHARE = 0.06;

export const hostileScript = (random: Random): FuzzScript => {
  const isDear = random.chance(DEAR_SHARE);
  const [name, text] = random.pick(Object.entries(isDear ? DEAR : CHEAP));
  const filled = text.replaceAll(/\bN\b/g, () => String(random.below(1000)));
  return { kind: 'hostile', name, text: filled, timeoutSeconds: isDear ? 0.2 : 2 };
};
