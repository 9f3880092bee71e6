// Names under which servers and their tools are written in scripts: one rule, one-to-one, from the raw names alone.

// What a function or namespace in TypeScript's strict mode cannot be called.
const KEYWORDS =
  'abstract any arguments as asserts async await boolean break case catch class const continue debugger declare default delete do else enum eval export extends false finally for from function get if implements import in infer instanceof interface is keyof let module namespace never new null number object of package private protected public readonly require return set static string super switch symbol this throw true try type typeof undefined unique unknown using var void while with yield NaN Infinity globalThis';
// Contextual words that are fine as names; they stay, since real tools are called so.
const ALLOWED = new Set(
  'abstract any as asserts async boolean declare from get infer is keyof module namespace never number object of readonly require set string symbol type unique unknown using'.split(
    ' ',
  ),
);
// What awaiting, printing or listing the server object looks up on it.
const OBJECT_WORDS =
  'then catch finally constructor prototype __proto__ toString toLocaleString valueOf toJSON hasOwnProperty isPrototypeOf propertyIsEnumerable __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ inspect';
// Globals of ECMAScript, of the sandbox, of metad, and those that a script's author may expect.
const GLOBAL_WORDS =
  'Object Function Array Number parseFloat parseInt Boolean String Symbol Date Promise RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError InternalError SuppressedError JSON Math Intl ArrayBuffer SharedArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float16Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array BigInt DataView Map Set WeakMap WeakSet WeakRef FinalizationRegistry Iterator AsyncIterator Generator DisposableStack AsyncDisposableStack Proxy Reflect WebAssembly escape unescape decodeURI decodeURIComponent encodeURI encodeURIComponent isFinite isNaN eval ' +
  'console sleep setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate queueMicrotask structuredClone performance navigator TextEncoder TextDecoder URL URLSearchParams atob btoa crypto AbortController AbortSignal Event EventTarget Blob File FormData Headers Request Response ReadableStream WebSocket fetch Buffer process require module exports global globalThis self window document __dirname __filename ' +
  'store metad tools emit list_tools search_tools call_tool execute';

const words = (...lists: string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(' ')));
const RESERVED_TOOL: ReadonlySet<string> = new Set(
  [...words(KEYWORDS, OBJECT_WORDS)].filter((word) => !ALLOWED.has(word)),
);
/** Names that no namespace takes. */
export const RESERVED_GLOBALS: ReadonlySet<string> = words(KEYWORDS, OBJECT_WORDS, GLOBAL_WORDS);

const LONGEST = 96;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Whether `name` can stand as it is: an identifier in composed form, so that what a model types is the same string. */
const isPlain = (name: string): boolean =>
  name.length <= LONGEST && IDENTIFIER.test(name) && name === name.normalize('NFKC') && !/\p{Cf}/u.test(name);

/** FNV-1a, 64 bits, as 13 letters and digits. Only keeps names apart. */
const hash = (text: string): string => {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text))
    value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
  return value.toString(36).padStart(13, '0').split('').reverse().join('');
};

/** An identifier that resembles `raw`; `🚀`, which resembles none, becomes the numbers of its characters. */
const resembling = (raw: string, reserved: ReadonlySet<string>): string => {
  if (raw === '__proto__') return 'proto_';
  const spelled = raw
    .slice(0, 4 * LONGEST)
    .normalize('NFKC')
    .replace(/[^\p{ID_Continue}$]+|\p{Cf}/gu, '_')
    .replace(/^_+|_+$/g, (edge, at: number) => (raw.startsWith('_') && at === 0 ? edge : ''))
    .slice(0, LONGEST)
    .replace(/[\ud800-\udbff]$/, '');
  if (!/[\p{ID_Continue}$]/u.test(spelled.replaceAll('_', ''))) {
    const points = [...raw].slice(0, 6).map((character) => (character.codePointAt(0) ?? 0).toString(16));
    return `u${points.join('_')}`;
  }
  const begun = IDENTIFIER.test(spelled) ? spelled : `_${spelled}`;
  return reserved.has(begun) ? `${begun}_` : begun;
};

const namesOf = (rawNames: readonly string[], reserved: ReadonlySet<string>): ReadonlyMap<string, string> => {
  const raws = [...new Set(rawNames)].sort();
  const kept = new Set(raws.filter((raw) => isPlain(raw) && !reserved.has(raw)));
  const wanted = new Map<string, string[]>();
  for (const raw of raws) {
    if (kept.has(raw)) continue;
    const name = resembling(raw, reserved);
    wanted.set(name, [...(wanted.get(name) ?? []), raw]);
  }
  const given = new Map<string, string>([...kept].map((raw) => [raw, raw]));
  const taken = new Set(kept);
  // Names that nobody else wants go first, so that a suffix made below can never push one of them aside.
  for (const [name, [raw, ...others]] of wanted) {
    if (raw === undefined || others.length > 0 || taken.has(name)) continue;
    given.set(raw, name);
    taken.add(name);
  }
  for (const [name, rivals] of wanted) {
    for (const raw of rivals) {
      if (given.has(raw)) continue;
      const digest = hash(raw);
      let length = 4;
      while (taken.has(`${name}_${digest.slice(0, length)}`) && length < digest.length) length += 1;
      let unique = `${name}_${digest.slice(0, length)}`;
      while (taken.has(unique)) unique += '_';
      given.set(raw, unique);
      taken.add(unique);
    }
  }
  return new Map([...new Set(rawNames)].map((raw) => [raw, given.get(raw) ?? raw]));
};

/**
 * Raw tool names of one server → names in scripts. One-to-one; depends on the set of raw names, never on their order.
 * An identifier keeps its name unless it is reserved (`delete` → `delete_`); others are spelled with `_`
 * (`get-row` → `get_row`); where several would get one name, each but an identical one gets a hash of its raw name.
 */
export const scriptNames = (rawNames: readonly string[]): ReadonlyMap<string, string> =>
  namesOf(rawNames, RESERVED_TOOL);

/** Names of servers → their globals in scripts, by the same rule; none takes a built-in's or metad's own name. */
export const namespaceNames = (serverNames: readonly string[]): ReadonlyMap<string, string> =>
  namesOf(serverNames, RESERVED_GLOBALS);
