// The names of a script's world beside the namespaces, and what to do without the ones that other worlds have.

/** All own names of `globalThis` in a fresh context; a test compares. */
export const GUEST_GLOBALS: ReadonlySet<string> = new Set(
  `Object Function Error EvalError RangeError ReferenceError SyntaxError TypeError URIError InternalError AggregateError
  Array Iterator parseInt parseFloat isNaN isFinite decodeURI decodeURIComponent encodeURI encodeURIComponent escape
  unescape Infinity NaN undefined eval Number Boolean String Math Reflect Symbol globalThis BigInt Date RegExp JSON Proxy
  Map Set WeakMap WeakSet ArrayBuffer SharedArrayBuffer Uint8ClampedArray Int8Array Uint8Array Int16Array Uint16Array
  Int32Array Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array Float64Array DataView Promise WeakRef
  FinalizationRegistry console setTimeout clearTimeout sleep queueMicrotask emit store metad structuredClone TextEncoder TextDecoder URL
  URLSearchParams atob btoa crypto`.split(/\s+/),
);

const LOADING = 'nothing can be loaded: the tools are globals';
const NETWORK = 'a script has no network: use the tools';
const TIMES = 'use a loop with `await sleep(ms)`';
const WINDOW = 'the global object is globalThis';

/** What scripts written for elsewhere expect, and what there is instead. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['require', LOADING],
  ['module', LOADING],
  ['exports', LOADING],
  ['process', 'a script has no process, environment or arguments'],
  ['fetch', NETWORK],
  ['XMLHttpRequest', NETWORK],
  ['WebSocket', NETWORK],
  ['Buffer', 'use Uint8Array, TextEncoder, TextDecoder, atob and btoa'],
  ['setInterval', TIMES],
  ['clearInterval', TIMES],
  ['setImmediate', 'use setTimeout or queueMicrotask'],
  ['performance', 'use Date.now()'],
  ['window', WINDOW],
  ['global', WINDOW],
  ['self', WINDOW],
  ['fs', 'a script has no files of its own: use the tools'],
]);

/** Behind `'NAME' is not defined`: what to use instead, or the names that are near. */
export const insteadOf = (name: string, near: (name: string) => readonly string[]): string => {
  const instead = INSTEAD.get(name);
  if (instead !== undefined) return `; ${instead}`;
  const like = near(name);
  return like.length === 0 ? '' : `; near: ${like.join(', ')}`;
};
