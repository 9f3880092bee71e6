// One property put into, or taken out of, the text of an object in JSONC: every other byte stays as it is. Pure.
import { createScanner, type Node } from 'jsonc-parser';

/** One replacement in a text. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

// SyntaxKind of jsonc-parser: a `const enum`, which a bundler that sees one file cannot read.
const COMMA = 5;
const COMMENTS = [12, 13];
const LINE_BREAK = 14;
const BLANKS = 15;

const spliced = (text: string, splices: readonly Splice[]): string =>
  [...splices]
    .sort((one, other) => other.from - one.from)
    .reduce((now, { from, to, text: by }) => now.slice(0, from) + by + now.slice(to), text);

const isBreak = (text: string, at: number): boolean => text[at] === '\n' || text[at] === '\r';

const lineStart = (text: string, offset: number): number => {
  let at = offset;
  while (at > 0 && !isBreak(text, at - 1)) at -= 1;
  return at;
};

/** The blanks that the line of an offset begins with. */
const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';

const lineEndOf = (text: string): string => /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';

/** One level of the file, as its first indented line has it. */
const unitOf = (text: string): string => /[\n\r]([ \t]+)\S/.exec(text)?.[1] ?? '  ';

const endOf = ({ offset, length }: Node): number => offset + length;

interface After {
  /** Where its comma is, if it has one; perhaps lines below. */
  readonly comma: number | undefined;
  /** Whether that comma stands before `end`. */
  readonly isNear: boolean;
  /** Where its own line ends, the comma and comments on it included. */
  readonly end: number;
}

/** What follows a property. */
const after = (text: string, from: number): After => {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let end = from;
  let isLine = true;
  let comma: number | undefined;
  let isNear = false;
  for (;;) {
    const kind: number = scanner.scan();
    const at = scanner.getTokenOffset();
    if (kind === LINE_BREAK) isLine = false;
    else if (kind === COMMA && comma === undefined) [comma, isNear] = [at, isLine];
    else if (kind !== BLANKS && !COMMENTS.includes(kind)) return { comma, isNear, end };
    // Blanks at the end of a line are left behind the new one.
    if (isLine && kind !== BLANKS) end = at + scanner.getTokenLength();
  }
};

const isBroken = (text: string, { offset, length }: Node): boolean =>
  /[\n\r]/.test(text.slice(offset, offset + length));

/** `"name": value`, its lines indented as they will stand. */
const written = (text: string, name: string, value: unknown, indent: string, isOneLine: boolean): string =>
  `${JSON.stringify(name)}: ${valueText(text, value, indent, isOneLine)}`;

const valueText = (text: string, value: unknown, indent: string, isOneLine: boolean): string =>
  isOneLine
    ? JSON.stringify(value)
    : JSON.stringify(value, null, unitOf(text))
        .split('\n')
        .join(`${lineEndOf(text)}${indent}`);

/** Gives a property another value. @param property a child of `object` */
export const withValue = (text: string, object: Node, property: Node, value: unknown): string => {
  const [, old] = property.children ?? [];
  if (old === undefined) return text;
  const by = valueText(text, value, indentAt(text, property.offset), !isBroken(text, object));
  return spliced(text, [{ from: old.offset, to: endOf(old), text: by }]);
};

/**
 * Adds a property at the end of an object.
 * @param object a node of the text's own tree, without a property of that name
 */
export const withProperty = (text: string, object: Node, name: string, value: unknown): string => {
  const [first] = object.children ?? [];
  const last = object.children?.at(-1);
  const eol = lineEndOf(text);
  if (first === undefined || last === undefined) {
    const outer = indentAt(text, object.offset);
    const indent = outer + unitOf(text);
    const inner = text.slice(object.offset + 1, endOf(object) - 1);
    const property = `${eol}${indent}${written(text, name, value, indent, false)}`;
    const isBlank = inner.trim() === '';
    return spliced(text, [
      {
        from: object.offset + 1,
        to: isBlank ? endOf(object) - 1 : object.offset + 1,
        text: isBlank ? `${property}${eol}${outer}` : property, // what stands there is a comment
      },
    ]);
  }
  const { comma, isNear, end: lineEnd } = after(text, endOf(last));
  const end = comma === undefined || isNear ? lineEnd : comma + 1;
  if (!isBroken(text, object)) {
    const property = written(text, name, value, '', true);
    return spliced(text, [{ from: end, to: end, text: comma === undefined ? `, ${property}` : ` ${property},` }]);
  }
  const indent = indentAt(text, first.offset);
  const property = `${eol}${indent}${written(text, name, value, indent, false)}`;
  return comma === undefined
    ? spliced(text, [
        { from: endOf(last), to: endOf(last), text: end === endOf(last) ? `,${property}` : ',' },
        ...(end === endOf(last) ? [] : [{ from: end, to: end, text: property }]),
      ])
    : spliced(text, [{ from: end, to: end, text: `${property},` }]);
};

/** Takes one property out, with its line where it has one of its own. @param property a child of `object` */
export const withoutProperty = (text: string, object: Node, property: Node): string => {
  const all = object.children ?? [];
  const at = all.indexOf(property);
  const before = all[at - 1];
  const own = after(text, endOf(property));
  const isLast = at === all.length - 1;
  if (all.length === 1) {
    const inner = text.slice(object.offset + 1, property.offset) + text.slice(own.end, endOf(object) - 1);
    if (inner.trim() === '') return spliced(text, [{ from: object.offset + 1, to: endOf(object) - 1, text: '' }]);
  }
  const start = lineStart(text, property.offset);
  const hasLine =
    start > object.offset &&
    text.slice(start, property.offset).trim() === '' &&
    /^[ \t]*([\n\r]|$)/.test(text.slice(own.end));
  const splices: Splice[] = [];
  if (hasLine) splices.push({ from: start - (text.slice(start - 2, start) === '\r\n' ? 2 : 1), to: own.end, text: '' });
  else {
    // With the blanks that part it from its neighbour.
    const left = isLast ? (/[ \t]*$/.exec(text.slice(object.offset + 1, property.offset))?.[0].length ?? 0) : 0;
    const right = isLast ? 0 : (/^[ \t]*/.exec(text.slice(own.end))?.[0].length ?? 0);
    splices.push({ from: property.offset - (before === undefined ? 0 : left), to: own.end + right, text: '' });
  }
  if (own.comma !== undefined && !own.isNear) splices.push({ from: own.comma, to: own.comma + 1, text: '' });
  // The comma of the one before it would be left over, unless this one had one there too.
  const over = before !== undefined && own.comma === undefined ? after(text, endOf(before)).comma : undefined;
  if (over !== undefined) splices.push({ from: over, to: over + 1, text: '' });
  return spliced(text, splices);
};
