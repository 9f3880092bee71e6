// Bytes of a JSONC file to a tree with positions, or the first thing that is wrong with them.
import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { Problem } from './problem.ts';

export interface Jsonc {
  readonly root: Node;
  /** Line and column, both from 1, of an offset or a node's start. */
  at(place: number | Node): { line: number; column: number };
}

export type Parsed = { readonly ok: true; readonly jsonc: Jsonc } | { readonly ok: false; readonly problem: Problem };

// ParseErrorCode and SyntaxKind of jsonc-parser: `const enum`s there, which a bundler that sees one file cannot read.
const EXPECTED: Readonly<Record<number, string>> = {
  1: 'expected a value, found a word without quotes: text goes in double quotes',
  2: 'this number is malformed',
  3: 'expected a key in double quotes',
  4: 'expected a value',
  5: 'expected ":" after the key',
  6: 'expected "," before this',
  7: 'expected "}" or ","',
  8: 'expected "]" or ","',
  9: 'expected nothing more after the last "}"',
  10: 'this comment is malformed',
  11: 'this comment is never closed: expected "*/"',
  12: 'this text is never closed: expected another double quote on the same line',
  13: 'this number is malformed',
  14: 'expected four hexadecimal digits after "\\u"',
  15: 'a "\\" in text must be followed by one of " \\ / b f n r t u: a backslash itself is written "\\\\"',
  16: 'this text holds a control character: a line break is written "\\n", a tab "\\t"',
};
const CLOSERS = [3, 4, 7, 8];
const OPEN_BRACE = 1;
const CLOSE_BRACE = 2;
const OPEN_BRACKET = 3;
const CLOSE_BRACKET = 4;
const END = 17;

const linesOf = (text: string): Jsonc['at'] => {
  let starts: number[] | undefined;
  return (place) => {
    const offset = typeof place === 'number' ? place : place.offset;
    starts ??= [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), (match) => match.index + match[0].length)];
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
};

/** The offset of the innermost brace or bracket that the text opens and never closes. */
const unclosed = (text: string): number | undefined => {
  const scanner = createScanner(text, true);
  const open: number[] = [];
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    if (kind === OPEN_BRACE || kind === OPEN_BRACKET) open.push(scanner.getTokenOffset());
    if (kind === CLOSE_BRACE || kind === CLOSE_BRACKET) open.pop();
  }
  return open.at(-1);
};

const sentence = ({ error, offset }: ParseError, text: string, at: Jsonc['at']): string => {
  const start = CLOSERS.includes(error) && text.slice(offset).trim() === '' ? unclosed(text) : undefined;
  if (start !== undefined) {
    const opener = text[start] ?? '{';
    const { line, column } = at(start);
    return `the file ends too early: the "${opener}" of line ${line}, column ${column} is never closed.`;
  }
  if (text[offset] === "'") return 'text and keys go in double quotes, not in single ones.';
  if (error === 1 && /^[\w$-]+\s*:/.test(text.slice(offset, offset + 200))) return 'keys go in double quotes.';
  return `${EXPECTED[error] ?? 'this is not JSON'}.`;
};

/** UTF-8 with or without a byte order mark to text; other encodings are refused by name. */
const decode = (bytes: Uint8Array): { text: string } | { message: string } => {
  const [a, b] = bytes;
  const wide = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (bytes.length > 1 && (a === 0 || b === 0));
  if (wide) return { message: 'The file is encoded as UTF-16 or UTF-32: save it as UTF-8.' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { message: 'The file is not valid UTF-8: save it as UTF-8.' };
  }
};

/**
 * Parses JSON with comments and trailing commas. Pure; never throws for what the file holds.
 * @param source bytes of the file (best: the encoding is checked), or its text.
 */
export const parseJsonc = (source: Uint8Array | string, file: string): Parsed => {
  const whole = (message: string): Parsed => ({
    ok: false,
    problem: { severity: 'error', file, line: 0, column: 0, path: '', message },
  });
  const decoded = typeof source === 'string' ? { text: source } : decode(source);
  if ('message' in decoded) return whole(decoded.message);
  const text = decoded.text.replace(/^\uFEFF/, '');
  const at = linesOf(text);
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true });
  } catch (error) {
    if (error instanceof RangeError) return whole('The file is nested too deeply.');
    throw error;
  }
  const [first] = errors;
  if (first !== undefined)
    return {
      ok: false,
      problem: { severity: 'error', file, ...at(first.offset), path: '', message: capital(sentence(first, text, at)) },
    };
  if (root === undefined) return whole('The file is empty: expected an object, at least {}.');
  return { ok: true, jsonc: { root, at } };
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Name, key node and value node of each property, in the order of the file, doubled names included. */
export const propertiesOf = (node: Node | undefined): { name: string; key: Node; value: Node }[] =>
  (node?.type === 'object' ? (node.children ?? []) : []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    return key === undefined || value === undefined ? [] : [{ name: String(key.value), key, value }];
  });

/** The plain value of a node. Of a doubled key the first counts; objects have no prototype, so `__proto__` is a key. `without` is left out at the top. */
export const plainValue = (node: Node, without?: string): unknown => {
  if (node.type === 'array') return (node.children ?? []).map((child) => plainValue(child));
  if (node.type !== 'object') return node.value;
  const value: Record<string, unknown> = Object.create(null);
  for (const { name, value: child } of propertiesOf(node))
    if (name !== without && !(name in value)) value[name] = plainValue(child);
  return value;
};

/** The value under a key of an object; of a doubled key the first. */
export const childOf = (node: Node, name: PropertyKey): Node | undefined =>
  node.type === 'object'
    ? node.children?.find(({ children }) => children?.[0]?.value === name)?.children?.[1]
    : undefined;

/** The node at a path, or the nearest one above it that exists. */
export const nodeAt = (root: Node, path: readonly PropertyKey[]): Node => {
  let node = root;
  for (const part of path) {
    const child = node.type === 'array' ? node.children?.[Number(part)] : childOf(node, part);
    if (child === undefined) return node;
    node = child;
  }
  return node;
};
