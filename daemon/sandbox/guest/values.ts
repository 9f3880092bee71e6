// How values of a script leave it: as JSON where they are JSON, else in a readable form. Runs inside the guest.
import type { GuestParts } from './parts.ts';

export interface GuestValues {
  /**
   * JSON text of any value; undefined for `undefined`. Never throws for what the value does.
   * Content parts in it go to the agent and leave their labels.
   */
  encode(value: unknown): string | undefined;
  /** `emit`: a part, several, or the text of any other value, handed to the agent now. */
  emit(value: unknown): void;
  /** One argument of `console.log`; content parts in it leave their labels and go nowhere. */
  show(value: unknown): string;
  /** JSON of `{name, message, stack}` for anything thrown. */
  describe(thrown: unknown): string;
}

/**
 * The readable forms, beside plain JSON:
 * BigInt `"12n"`; NaN and infinities by name, -0 as 0; undefined in an array null; Date as ISO text; Map as pairs, Set as
 * array; Error as `{name, message, …}`; RegExp as text; typed arrays as numbers, up to 10,000; functions, symbols,
 * promises, buffers and what has no content of its own as a text in brackets; a cycle, a value below 200 levels and one
 * that throws when read as a text in brackets, for that value only. `toJSON` is honoured. A content part is its label.
 *
 * Self-contained: its text is evaluated in the guest. What the script may have replaced is taken at the start.
 */
export const guestValues = (parts: GuestParts): GuestValues => {
  const { stringify } = JSON;
  const { keys, getPrototypeOf } = Object;
  const { isArray } = Array;
  const { isFinite: finite } = Number;
  const text = String;
  const { isView } = ArrayBuffer;
  const classes = {
    Date,
    Map,
    Set,
    Error,
    RegExp,
    Promise,
    WeakMap,
    WeakSet,
    WeakRef,
    ArrayBuffer,
    SharedArrayBuffer,
    DataView,
  };
  const { InternalError } = globalThis as { InternalError?: ErrorConstructor };
  const boxes = [Number, text, Boolean, BigInt, Symbol];
  const timeOf = Date.prototype.getTime;
  const isoOf = Date.prototype.toISOString;
  const eachOfMap = Map.prototype.forEach;
  const eachOfSet = Set.prototype.forEach;
  const objectPrototype = Object.prototype;
  const arrayPrototype = Array.prototype;
  const deepest = 200;
  /** What becomes of a content part: its label, or undefined where it is none. */
  let partText: (value: object) => string | undefined = parts.label;

  const quote = (value: string): string => stringify(value);
  /** A note in the place of a value that throws; but the engine's own limits are no matter of one value. */
  const attempt = <T extends string | undefined>(what: () => T): T | string => {
    try {
      return what();
    } catch (error) {
      if (InternalError !== undefined && error instanceof InternalError) throw error;
      return quote(`[Threw ${messageOf(error)}]`);
    }
  };
  const messageOf = (error: unknown): string => {
    try {
      const { name, message } = error as Error;
      return typeof message === 'string' ? `${typeof name === 'string' ? name : 'Error'}: ${message}` : text(error);
    } catch {
      return 'something that cannot be read';
    }
  };

  const opaque = (value: object): string | undefined => {
    if (value instanceof classes.Promise) return '[Promise: it was not awaited]';
    if (value instanceof classes.WeakMap) return '[WeakMap]';
    if (value instanceof classes.WeakSet) return '[WeakSet]';
    if (value instanceof classes.WeakRef) return '[WeakRef]';
    if (value instanceof classes.ArrayBuffer) return `[ArrayBuffer of ${value.byteLength} bytes]`;
    if (value instanceof classes.SharedArrayBuffer) return `[SharedArrayBuffer of ${value.byteLength} bytes]`;
    if (value instanceof classes.DataView) return `[DataView of ${value.byteLength} bytes]`;
    return undefined;
  };

  const list = (items: ArrayLike<unknown>, above: readonly object[]): string => {
    let out = '[';
    for (let at = 0; at < items.length; at++) {
      out += at === 0 ? '' : ',';
      out += attempt(() => inner(items[at], above) ?? 'null');
    }
    return `${out}]`;
  };
  const fields = (names: readonly string[], value: object, above: readonly object[]): string => {
    let out = '';
    for (const name of names) {
      const field = attempt(() => inner((value as Record<string, unknown>)[name], above));
      if (field !== undefined) out += `${out === '' ? '' : ','}${quote(name)}:${field}`;
    }
    return `{${out}}`;
  };

  const object = (value: object, parents: readonly object[]): string => {
    for (const parent of parents) if (parent === value) return '"[Circular]"';
    if (parents.length >= deepest) return '"[Too deep]"';
    const label = parts.kindOf(value) === undefined ? undefined : partText(value);
    if (label !== undefined) return quote(label);
    const above = [...parents, value];
    const prototype = getPrototypeOf(value);
    if (isArray(value)) return list(value, above);
    if (value instanceof classes.Date) {
      return quote(finite(timeOf.call(value)) ? isoOf.call(value) : 'Invalid Date');
    }
    if (prototype !== null) {
      const { toJSON } = value as { toJSON?: unknown };
      if (typeof toJSON === 'function') return inner(toJSON.call(value, ''), above) ?? 'null';
      if (value instanceof classes.Map) {
        const pairs: unknown[] = [];
        eachOfMap.call(value, (item, key) => {
          pairs[pairs.length] = [key, item];
        });
        return list(pairs, above);
      }
      if (value instanceof classes.Set) {
        const items: unknown[] = [];
        eachOfSet.call(value, (item) => {
          items[items.length] = item;
        });
        return list(items, above);
      }
      if (value instanceof classes.Error) {
        const own = keys(value).filter((name) => name !== 'name' && name !== 'message' && name !== 'stack');
        const cause = 'cause' in value && !own.includes('cause') ? ['cause'] : [];
        return fields(['name', 'message', ...own, ...cause], value, above);
      }
      if (value instanceof classes.RegExp) return quote(text(value));
      if (isView(value) && !(value instanceof classes.DataView)) {
        const { length } = value as unknown as ArrayLike<unknown>;
        const kind = (prototype as object).constructor?.name ?? 'TypedArray';
        return length > 10_000 ? quote(`[${kind} of ${length}]`) : list(value as unknown as ArrayLike<unknown>, above);
      }
      const note = opaque(value);
      if (note !== undefined) return quote(note);
      for (const box of boxes) {
        if (value instanceof (box as unknown as ObjectConstructor)) return inner(value.valueOf(), above) ?? 'null';
      }
    }
    return fields(keys(value), value, above);
  };

  /** May throw; callers put the note in the place of that one value. */
  const inner = (value: unknown, above: readonly object[]): string | undefined => {
    switch (typeof value) {
      case 'undefined':
        return undefined;
      case 'string':
        return quote(value);
      case 'number':
        return finite(value) ? stringify(value) : quote(text(value));
      case 'boolean':
        return value ? 'true' : 'false';
      case 'bigint':
        return quote(`${value}n`);
      case 'symbol':
        return quote(text(value));
      case 'function':
        return attempt(() =>
          quote(`[Function ${typeof value.name === 'string' && value.name !== '' ? value.name : 'without a name'}]`),
        );
      default:
        return value === null ? 'null' : object(value as object, above);
    }
  };

  /** JSON already, and so what `JSON.stringify` does many times faster than `inner`? Cycles are not: they are too deep. */
  const plain = (value: unknown, depth: number): boolean => {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return true;
      case 'number':
        return finite(value);
      case 'object': {
        if (value === null) return true;
        if (depth >= deepest) return false;
        if (isArray(value)) {
          for (let at = 0; at < value.length; at++) if (!plain(value[at], depth + 1)) return false;
          return true;
        }
        const prototype = getPrototypeOf(value);
        if (prototype !== objectPrototype && prototype !== null) return false;
        if (parts.kindOf(value) !== undefined) return false;
        for (const key of keys(value)) {
          const field = (value as Record<string, unknown>)[key];
          if (field !== undefined && !plain(field, depth + 1)) return false;
        }
        return true;
      }
      default:
        return false;
    }
  };
  const untouched = (): boolean => !('toJSON' in objectPrototype) && !('toJSON' in arrayPrototype);
  const isPlain = (value: unknown): boolean => {
    try {
      return untouched() && plain(value, 0);
    } catch {
      return false;
    }
  };

  const write = (value: unknown, part: (value: object) => string | undefined): string | undefined => {
    if (value === undefined) return undefined;
    if (isPlain(value)) return stringify(value);
    partText = part;
    return attempt(() => inner(value, []) ?? 'null');
  };
  return {
    encode: (value) => write(value, parts.hold),
    emit: (value) =>
      parts.emit(value, (one) => (typeof one === 'string' ? one : (write(one, parts.hold) ?? 'undefined'))),
    show: (value) => {
      if (typeof value === 'string') return value;
      if (typeof value === 'bigint') return `${value}n`;
      try {
        if (value instanceof classes.Error) return messageOf(value);
        if (value !== null && typeof value === 'object' && parts.kindOf(value) !== undefined) return parts.label(value);
      } catch {}
      return write(value, parts.label) ?? 'undefined';
    },
    describe: (thrown) => {
      let name = 'Error';
      let message: string | undefined;
      let stack = '';
      try {
        if (thrown !== null && typeof thrown === 'object') {
          const error = thrown as { name?: unknown; message?: unknown; stack?: unknown };
          if (typeof error.message === 'string') message = error.message;
          if (typeof error.name === 'string' && message !== undefined) name = error.name;
          if (typeof error.stack === 'string') stack = error.stack;
        }
      } catch {}
      message ??= typeof thrown === 'string' ? thrown : (write(thrown, parts.label) ?? 'undefined');
      return stringify({ name: name.slice(0, 200), message: message.slice(0, 20_000), stack: stack.slice(0, 8_000) });
    },
  };
};
