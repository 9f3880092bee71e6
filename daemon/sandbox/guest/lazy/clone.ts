// `structuredClone`. Runs inside the guest, made at its first use.

/** Self-contained: its text is evaluated in the guest. */
export const guestClone = () => {
  const { isArray } = Array;
  const { keys, defineProperty, hasOwn } = Object;
  const { isView } = ArrayBuffer;
  const text = String;
  const ERRORS: Record<string, ErrorConstructor> = {
    Error,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
  };
  const REFUSED = [WeakMap, WeakSet, WeakRef, Promise, FinalizationRegistry, SharedArrayBuffer];
  const BOXES = [Number, text, Boolean, BigInt];
  const iterators = [[].values(), new Map().values(), new Set().values(), ''[Symbol.iterator](), (function* () {})()];

  const refuse = (what: string): never => {
    const error = new Error(`${what} could not be cloned`);
    defineProperty(error, 'name', { value: 'DataCloneError', configurable: true, writable: true });
    defineProperty(error, 'code', { value: 25, configurable: true, writable: true });
    throw error;
  };
  const is = (value: object, made: unknown): boolean => value instanceof (made as ObjectConstructor);
  const prototypes = new Set<unknown>(iterators.map((one) => Object.getPrototypeOf(one)));
  prototypes.delete(Object.prototype);
  const generator = Object.getPrototypeOf(Object.getPrototypeOf((function* () {})()));
  const asyncGenerator = Object.getPrototypeOf(Object.getPrototypeOf((async function* () {})()));
  const isIterator = (value: object): boolean =>
    prototypes.has(Object.getPrototypeOf(value)) ||
    Object.prototype.isPrototypeOf.call(generator, value) ||
    Object.prototype.isPrototypeOf.call(asyncGenerator, value);

  const errorOf = (value: Error, copied: Map<object, unknown>): Error => {
    const { name, message, stack } = value;
    const Made = (typeof name === 'string' && hasOwn(ERRORS, name) && ERRORS[name]) || Error;
    const copy = new Made();
    copied.set(value, copy);
    const own = (key: string, given: unknown): void => {
      defineProperty(copy, key, { value: given, configurable: true, writable: true });
    };
    if (message !== undefined) own('message', text(message));
    if (typeof stack === 'string') own('stack', stack);
    if ('cause' in value) own('cause', clone(value.cause, copied));
    return copy;
  };

  const viewOf = (value: ArrayBufferView, copied: Map<object, unknown>): object => {
    const buffer = clone(value.buffer, copied) as ArrayBuffer;
    if (value instanceof DataView) return new DataView(buffer, value.byteOffset, value.byteLength);
    const { length, byteOffset } = value as Uint8Array;
    // The getter of all typed arrays tells which kind it is, whatever its class was made to be.
    const kinds = Object.getPrototypeOf(Uint8Array.prototype) as object;
    const tag = Object.getOwnPropertyDescriptor(kinds, Symbol.toStringTag)?.get?.call(value) as string;
    const Made = (globalThis as unknown as Record<string, Uint8ArrayConstructor>)[tag];
    return Made === undefined ? refuse('a view') : new Made(buffer, byteOffset, length);
  };

  const fields = (from: object, to: object, copied: Map<object, unknown>): void => {
    for (const key of keys(from)) {
      const value = clone((from as Record<string, unknown>)[key], copied);
      defineProperty(to, key, { value, writable: true, enumerable: true, configurable: true });
    }
  };

  const clone = (value: unknown, copied: Map<object, unknown>): unknown => {
    if (typeof value === 'function') return refuse(value.name === '' ? 'a function' : `the function ${value.name}`);
    if (typeof value === 'symbol') return refuse(text(value));
    if (value === null || typeof value !== 'object') return value;
    const known = copied.get(value);
    if (known !== undefined) return known;
    const keep = <T extends object>(copy: T): T => {
      copied.set(value, copy);
      return copy;
    };
    if (isArray(value)) {
      const copy = keep<unknown[]>([]);
      copy.length = value.length;
      fields(value, copy, copied);
      return copy;
    }
    if (value instanceof Date) return keep(new Date(value.getTime()));
    if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
    if (value instanceof ArrayBuffer) return keep(value.slice(0));
    if (isView(value)) return keep(viewOf(value, copied));
    if (value instanceof Map) {
      const copy = keep(new Map());
      for (const [key, item] of [...value]) copy.set(clone(key, copied), clone(item, copied));
      return copy;
    }
    if (value instanceof Set) {
      const copy = keep(new Set());
      for (const item of [...value]) copy.add(clone(item, copied));
      return copy;
    }
    if (value instanceof Error) return errorOf(value, copied);
    for (const box of BOXES) if (is(value, box)) return keep(Object((value as { valueOf(): unknown }).valueOf()));
    for (const one of REFUSED) if (is(value, one)) return refuse(`a ${one.name}`);
    if (isIterator(value)) return refuse('an iterator');
    const copy = keep({});
    fields(value, copy, copied);
    return copy;
  };

  const structuredClone = (...given: [value?: unknown, options?: { transfer?: Iterable<unknown> }]): unknown => {
    if (given.length === 0) throw new TypeError('structuredClone takes the value to copy');
    const copied = new Map<object, unknown>();
    const transfer = [...(given[1]?.transfer ?? [])];
    for (const one of transfer)
      if (!(one instanceof ArrayBuffer)) refuse('what is no ArrayBuffer is not transferred: it');
    const copy = clone(given[0], copied);
    for (const one of transfer) (one as { transfer?: () => void }).transfer?.();
    return copy;
  };
  return { structuredClone };
};
