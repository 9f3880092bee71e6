import { runInThisContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { GUEST_GLOBALS } from '../../../daemon/sandbox/guest/globals.ts';
import { prepare } from '../../../daemon/sandbox/script/prepare.ts';
import { errorOf, resultOf, suite } from '../../helpers/sandbox.ts';

const { run } = suite();

test('R049: nothing is ambient but the globals that are listed, and the namespaces', async () => {
  const names = resultOf(await run('Object.getOwnPropertyNames(globalThis)')) as string[];
  expect(new Set(names)).toEqual(new Set([...GUEST_GLOBALS, 'files', 'tools']));
  const shown = resultOf(await run('Object.keys(globalThis)'));
  expect(shown).toEqual(['files', 'tools']);
});

test('a namespace is there under all its names, for Object.keys and in', async () => {
  const script = `[
    Object.keys(tools), Object.keys(files), 'delete_all' in files, 'delete-all' in files, 'nope' in files,
    'file-server' in tools, tools['file-server'] === files, tools.files === files, files['delete-all'] === files.delete_all,
    typeof files.read, files.read.name, Object.entries(files).length, Reflect.has(files, 'nope'),
  ]`;
  expect(resultOf(await run(script))).toEqual([
    ['file-server'],
    ['read', 'delete_all', 'then_'],
    true,
    true,
    false,
    true,
    true,
    true,
    true,
    'function',
    'read',
    3,
    false,
  ]);
});

/** Each gives JSON, and the same here as in Node. */
const SAME = {
  structuredClone: [
    'structuredClone({ a: [1, , "x"], n: null, u: undefined, b: 12n.toString() })',
    '[...structuredClone(new Map([[{ k: 1 }, new Set([1, "2"])]]))].map(([k, v]) => [k, [...v]])',
    'const a = { n: 1 }; a.self = a; const b = structuredClone(a); [b.self === b, b !== a, b.n]',
    'const x = {}; const [p, q] = structuredClone([x, x]); p === q',
    'const d = structuredClone(new Date(5)); [d instanceof Date, d.getTime()]',
    'const r = structuredClone(/a\\/b/gi); [r instanceof RegExp, r.source, r.flags, r.lastIndex]',
    'const u = structuredClone(new Uint16Array([1, 500])); [u instanceof Uint16Array, ...u]',
    'const b = new ArrayBuffer(4); const u = structuredClone([new Uint8Array(b, 1, 2), new DataView(b)]); [u[0].buffer === u[1].buffer, u[0].byteOffset, u[0].length]',
    'const e = structuredClone(new RangeError("far", { cause: [1] })); [e instanceof RangeError, e.name, e.message, e.cause]',
    'const e = Object.assign(new Error("m"), { name: "Mine", extra: 1 }); const c = structuredClone(e); [c.name, c.message, c.extra === undefined]',
    'class A { constructor() { this.x = 1 } get y() { return 2 } } const c = structuredClone(new A()); [Object.getPrototypeOf(c) === Object.prototype, c]',
    'structuredClone(Object.create({ inherited: 1 }, { hidden: { value: 1 }, shown: { value: 2, enumerable: true } }))',
    '[typeof structuredClone(Object(1)), structuredClone(Object("s")).length, structuredClone(Object(false)).valueOf()]',
    '["() => 1", "Symbol()", "{ f() {} }", "new WeakMap()", "Promise.resolve()", "[Symbol()]", "new Map([[1, () => 1]])", "[].values()", "(function* () {})()"].map((v) => { try { structuredClone(eval("(" + v + ")")); return "cloned" } catch (e) { return [e.name, e.code] } })',
    'const b = new ArrayBuffer(2); const c = structuredClone(b, { transfer: [b] }); [b.byteLength, c.byteLength]',
    'try { structuredClone() } catch (e) { e.name }',
    'structuredClone(JSON.parse(\'{"__proto__": 1, "constructor": 2}\'))',
  ],
  'TextEncoder and TextDecoder': [
    '[...new TextEncoder().encode("aé漢🚀\\ud800x\\udc00")]',
    '[new TextEncoder().encoding, [...new TextEncoder().encode()]]',
    'const into = new Uint8Array(5); [new TextEncoder().encodeInto("a漢é", into), [...into]]',
    'new TextDecoder().decode(new TextEncoder().encode("aé漢🚀"))',
    '[[0xff], [0xc0, 0x80], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xf0, 0x9f, 0x9a], [0xe2, 0x82, 0x41], [0xc3], [0x80, 0x41], [0xf5, 0x80]].map((b) => new TextDecoder().decode(new Uint8Array(b)))',
    '[[0xff], [0xc3], [0x41]].map((b) => { try { return new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(b)) } catch (e) { return e.name } })',
    '[false, true].map((ignoreBOM) => new TextDecoder("utf8", { ignoreBOM }).decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x41])).length)',
    'const d = new TextDecoder(); [d.decode(new Uint8Array([0xf0, 0x9f]), { stream: true }), d.decode(new Uint8Array([0x9a, 0x80]), { stream: true }), d.decode(), d.decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x42]))]',
    'const d = new TextDecoder(); [d.decode(new Uint8Array([0xe2, 0x82]), { stream: true }), d.decode()]',
    'const b = new Uint8Array([65, 66, 67, 68]); [new TextDecoder().decode(b.subarray(1, 3)), new TextDecoder().decode(b.buffer), new TextDecoder().decode(new DataView(b.buffer, 2))]',
    'const d = new TextDecoder(" UTF-8 ", { fatal: 1 }); [d.encoding, d.fatal, d.ignoreBOM]',
    '["nope", "utf-32"].map((label) => { try { return new TextDecoder(label).encoding } catch (e) { return e.name } })',
    'try { new TextDecoder().decode("a") } catch (e) { e.name }',
    'new TextDecoder().decode(new TextEncoder().encode("x漢".repeat(20_000))) === "x漢".repeat(20_000)',
  ],
  'URL and URLSearchParams': [
    '["https://u:p@ex.com:8080/a/b?x=1#h", "HTTP://EXAMPLE.com:80/../a b", "file:///C:/x", "mailto:a@b.c", "https://日本.jp/ü"].map((u) => { const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = new URL(u); return [href, origin, protocol, username, password, host, hostname, port, pathname, search, hash] })',
    '[new URL("../x?y", "https://ex.com/a/b/c").href, new URL("//other", "http://ex.com").href, URL.canParse("a"), URL.canParse("a", "b:c/d"), URL.parse("nope") ?? null]',
    'try { new URL("nope") } catch (e) { [e.name, e.code] }',
    'const u = new URL("http://a.b/c"); u.protocol = "https"; u.host = "x.y:99"; u.pathname = "p q"; u.search = "a=1&b"; u.hash = "z"; u.username = "me"; u.password = "s:x"; [u.href, String(u), JSON.stringify({ u }), u.searchParams.get("a"), u.searchParams.get("b")]',
    'const u = new URL("http://a.b/?x=1"); u.port = "bad"; u.host = ""; u.hostname = "c"; u.port = "8080"; u.href',
    'const u = new URL("http://a.b/?x=1"); u.searchParams.append("y", "é & +"); u.searchParams.delete("x"); [u.search, u.href, u.searchParams === u.searchParams]',
    'const u = new URL("http://a.b/?x=1"); const p = u.searchParams; u.href = "http://c.d/?z=2"; try { u.href = "nope" } catch (e) { [e.name, [...p], u.href] }',
    'const u = new URL("http://a.b/?x=1"); u.searchParams.delete("x"); u.href',
    '["?a=1&a=2&b=%zz&c=+%20&&d", "", "=1"].map((s) => [...new URLSearchParams(s)])',
    '[{ a: 1, b: "x y" }, [["a", "1"], ["a", "2"]], new Map([["k", "v"]]), new URLSearchParams("q=1")].map((init) => new URLSearchParams(init).toString())',
    'const p = new URLSearchParams("b=2&a=1&b=3"); p.set("b", "9"); p.append("c", "ü"); p.sort(); [String(p), p.size, p.has("b"), p.has("b", "2"), p.get("x"), p.getAll("a"), [...p.keys()], [...p.values()], [...p.entries()]]',
    'const seen = []; new URLSearchParams("a=1&b=2").forEach((v, k) => seen.push(k + v)); seen',
    'const p = new URLSearchParams("a=1&a=2&b=3"); p.delete("a", "1"); String(p)',
    '[["a"], 5].map((init) => { try { return String(new URLSearchParams(init)) } catch (e) { return e.name } })',
    'String(new URLSearchParams({ a: "\\ud800", b: "a*b~c\'(d)" }))',
    '[URL, URLSearchParams].map((made) => [made.name, Object.prototype.toString.call(new made("a:b"))])',
    'const u = new URL("http://a.b/"); try { u.origin = "x" } catch {} u.origin',
    'try { URL("a:b") } catch (e) { e.name }',
    'try { new URL(Symbol()) } catch (e) { e.name }',
  ],
  'atob and btoa': [
    '[btoa("hé\\0"), btoa(""), btoa(5), atob("aGk="), atob(" a G k "), atob("aGk")]',
    '[() => btoa("漢"), () => atob("*"), () => atob("a"), () => btoa("\\ud800")].map((f) => { try { return f() } catch (e) { return e.name } })',
    '[() => btoa(), () => atob()].map((f) => { try { return f() } catch (e) { return e.name } })',
    'btoa(String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i)))',
  ],
  crypto: [
    'const a = crypto.randomUUID(); [/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(a), a !== crypto.randomUUID()]',
    'const a = new Uint32Array(64); [crypto.getRandomValues(a) === a, a.some((n) => n > 65_536)]',
    '[() => crypto.getRandomValues(new Float64Array(1)), () => crypto.getRandomValues(new Uint8Array(65_537))].map((f) => { try { f(); return 1 } catch (e) { return e.name } })',
  ],
};

for (const [what, scripts] of Object.entries(SAME)) {
  describe(`${what} as in Node:`, () => {
    test.each(scripts)('%s', async (script) => {
      const here: unknown = await runInThisContext(prepare(script).source)();
      expect(resultOf(await run(script))).toEqual(JSON.parse(JSON.stringify(here)));
    });
  });
}

describe('globals that are made at their first use', () => {
  test('may be replaced, shadowed and deleted as others', async () => {
    expect(resultOf(await run('URL = 5; URL'))).toBe(5);
    expect(resultOf(await run('const URL = 5; URL'))).toBe(5);
    expect(resultOf(await run('delete globalThis.URL; typeof URL'))).toBe('undefined');
    expect(resultOf(await run('[typeof URL, typeof crypto, typeof atob, URL === URL]'))).toEqual([
      'function',
      'object',
      'function',
      true,
    ]);
    expect(resultOf(await run('Object.freeze(globalThis); [new URL("a:b").href, URL === URL]'))).toEqual(['a:b', true]);
  });
  test('fail where the script called them', async () => {
    expect(errorOf(await run('const a = 1;\nnew URL("nope")'))).toMatchObject({ name: 'TypeError', line: 2 });
    expect(errorOf(await run('1;\n 2;\n  structuredClone(() => 1)'))).toMatchObject({
      name: 'DataCloneError',
      line: 3,
    });
  });
  test('hold no more than memory', async () => {
    const script = 'let s = "a"; for (;;) { s += s; btoa(s) }';
    expect(errorOf(await run(script, { limits: { timeoutMs: 25_000 } })).name).toBe('MemoryError');
    expect(resultOf(await run('new URL("a:b").href'))).toBe('a:b');
  });
});

describe('queueMicrotask() and timers', () => {
  test('fail the run by what they throw, at once or later', async () => {
    for (const script of [
      'queueMicrotask(() => {\n  null.x }); await sleep(10_000)',
      'setTimeout(() => {\n  null.x }, 1); await sleep(10_000)',
      'setTimeout(async () => {\n  await null; null.x }, 1); await sleep(10_000)',
    ]) {
      expect(errorOf(await run(script))).toMatchObject({ name: 'TypeError', line: 2 });
    }
  });
  test.each(['setTimeout', 'queueMicrotask'])('%s() takes a function', async (name) => {
    expect(errorOf(await run(`${name}("code")`)).message).toBe(`${name} takes a function`);
  });
});
