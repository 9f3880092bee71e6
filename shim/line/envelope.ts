// What one line of JSON-RPC says of itself at its top level: id, method, result or error. Reads bytes, builds no values.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** A message's head. `start` and `end` of an id are byte offsets of its token in the line. */
export interface Envelope {
  readonly kind: 'request' | 'notification' | 'answer';
  readonly method: string;
  /** The id in one spelling (`1.0` and `1` are the same id, `"a"` and `"\u0061"` too); empty for a notification. */
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** True for an answer with an `error`. */
  readonly failed: boolean;
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const skipSpace = (line: Buffer, from: number): number => {
  let at = from;
  while (isSpace(line[at])) at += 1;
  return at;
};

/** The offset behind the string whose opening quote is at `from`; past the line's end where it never closes. */
const skipString = (line: Buffer, from: number): number => {
  const { length } = line;
  let at = from + 1;
  while (at < length) {
    const byte = line[at];
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return length + 1;
};

/** The offset behind the value that begins at `from`. Brackets inside strings do not count. */
const skipValue = (line: Buffer, from: number): number => {
  const { length } = line;
  let depth = 0;
  let at = from;
  while (at < length) {
    const byte = line[at];
    if (byte === QUOTE) {
      at = skipString(line, at);
      if (depth === 0) return at;
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === COMMA || isSpace(byte))) return at;
    at += 1;
  }
  return length;
};

const textOf = (line: Buffer, start: number, end: number): unknown => {
  try {
    return JSON.parse(line.toString('utf8', start, end));
  } catch {
    return undefined;
  }
};

/** A name between quotes, cheaply: escapes are rare and go through the parser. */
const nameOf = (line: Buffer, start: number, end: number): string => {
  const raw = line.toString('latin1', start + 1, end - 1);
  if (!raw.includes('\\')) return raw;
  const parsed = textOf(line, start, end);
  return typeof parsed === 'string' ? parsed : raw;
};

/**
 * Reads the head of one message, whatever the order of its keys; nested keys of the same names are no concern.
 * Undefined for what is no single JSON-RPC message (noise, a batch, half a line). Stops as soon as it knows enough, so
 * a large result behind its id costs nothing, and one before it a single pass.
 */
export const envelopeOf = (line: Buffer): Envelope | undefined => {
  let at = skipSpace(line, 0);
  if (line[at] !== OPEN_BRACE) return undefined;
  at = skipSpace(line, at + 1);
  let method: string | undefined;
  let id: string | undefined;
  let start = 0;
  let end = 0;
  let answers = false;
  let failed = false;
  while (line[at] === QUOTE) {
    const keyEnd = skipString(line, at);
    const key = nameOf(line, at, keyEnd);
    at = skipSpace(line, keyEnd);
    if (line[at] !== COLON) return undefined;
    const from = skipSpace(line, at + 1);
    if (key === 'result') answers = true;
    else if (key === 'error') answers = failed = true;
    if (answers && id !== undefined) return { kind: 'answer', method: '', id, start, end, failed };
    const to = skipValue(line, from);
    if (key === 'id') {
      const value = textOf(line, from, to);
      if (typeof value === 'string' || typeof value === 'number') {
        id = JSON.stringify(value);
        start = from;
        end = to;
      }
    } else if (key === 'method' && line[from] === QUOTE) method = nameOf(line, from, to);
    if (method !== undefined && id !== undefined) return { kind: 'request', method, id, start, end, failed };
    if (answers && id !== undefined) return { kind: 'answer', method: '', id, start, end, failed };
    at = skipSpace(line, to);
    if (line[at] === CLOSE_BRACE) {
      if (method !== undefined) return { kind: 'notification', method, id: '', start, end, failed };
      return undefined;
    }
    if (line[at] !== COMMA) return undefined;
    at = skipSpace(line, at + 1);
  }
  return undefined;
};

/** The same message under another id: `token` (JSON text) in the place of the id's bytes, all else untouched. */
export const withId = (line: Buffer, { start, end }: Envelope, token: string): Buffer =>
  Buffer.concat([line.subarray(0, start), Buffer.from(token), line.subarray(end)]);
