// Types as TypeScript text, in one fixed order and form.
import { commentText, quote } from '../../text.ts';
import { type Property, type Type, unnoted } from './ast.ts';
import type { Shared } from './share.ts';

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** In `signatures` a longer list of values is cut, with its count. */
export const ENUM_LIMIT = 12;
const ENUM_SHOWN = 8;

export interface Printing {
  readonly shared: Shared;
  /** True: long enums are cut. */
  readonly isShort: boolean;
}

/** A block comment of cleaned text. */
export const comment = (text: string): string => {
  const safe = commentText(text.trim());
  return safe === '' ? '' : `/** ${safe} */`;
};

const propertyName = (name: string): string => (IDENTIFIER.test(name) && !/\p{Cf}/u.test(name) ? name : quote(name));

const hasNotes = (type: Type, { names }: Shared): boolean => {
  if (names.has(type)) return false;
  return bodyHasNotes(type, { names } as Shared);
};

const bodyHasNotes = (type: Type, shared: Shared): boolean => {
  switch (type.kind) {
    case 'noted':
      return true;
    case 'array':
      return hasNotes(type.items, shared);
    case 'object':
      return (
        type.properties.some((each) => hasNotes(each.type, shared)) ||
        (type.index !== undefined && hasNotes(type.index, shared))
      );
    case 'union':
    case 'intersection':
      return type.members.some((member) => hasNotes(member, shared));
    case 'tuple':
      return (
        type.items.some((item) => hasNotes(item.type, shared)) ||
        (type.rest !== undefined && hasNotes(type.rest, shared))
      );
    default:
      return false;
  }
};

/** A type, by its name where it has one. */
export const printType = (type: Type, printing: Printing, indent = ''): string =>
  printing.shared.names.get(type) ?? printBody(type, printing, indent);

/** What a name stands for. */
export const printBody = (type: Type, printing: Printing, indent = ''): string => {
  const print = (child: Type): string => printType(child, printing, indent);
  switch (type.kind) {
    case 'literal':
      return typeof type.value === 'string' ? quote(type.value) : String(type.value);
    case 'named':
      return printing.shared.definitionNames.get(type.definition) ?? 'unknown';
    case 'noted':
      return `${comment(type.note)} ${print(type.type)}`;
    case 'array': {
      const items = print(type.items);
      const isOne =
        printing.shared.names.has(type.items) || !['union', 'intersection', 'noted'].includes(type.items.kind);
      return isOne ? `${items}[]` : `(${items})[]`;
    }
    case 'tuple': {
      const items = type.items.map((item) => {
        const text = print(item.type);
        if (!item.optional) return text;
        return printing.shared.names.has(item.type) || !['union', 'intersection', 'noted'].includes(item.type.kind)
          ? `${text}?`
          : `(${text})?`;
      });
      const rest =
        type.rest === undefined ? [] : [`...${printType({ kind: 'array', items: type.rest }, printing, indent)}`];
      return `[${[...items, ...rest].join(', ')}]`;
    }
    case 'union':
      return printUnion(type.members, printing, print);
    case 'intersection':
      return type.members
        .map((member) =>
          !printing.shared.names.has(member) && unnoted(member).type.kind === 'union'
            ? `(${print(member)})`
            : print(member),
        )
        .join(' & ');
    case 'object':
      return printObject(type.properties, type.index, type.closed, printing, indent);
    default:
      return type.kind;
  }
};

const printUnion = (members: readonly Type[], { isShort }: Printing, print: (type: Type) => string): string => {
  const values = members.filter((member) => member.kind === 'literal');
  if (!isShort || values.length <= ENUM_LIMIT) return members.map(print).join(' | ');
  const kinds = new Set(values.map((member) => typeof member.value));
  const rest = members.filter((member) => member.kind !== 'literal');
  return [
    ...values.slice(0, ENUM_SHOWN).map(print),
    `${[...kinds].join(' | ')} /* ${values.length} values */`,
    ...rest.map(print),
  ].join(' | ');
};

const printObject = (
  properties: readonly Property[],
  index: Type | undefined,
  closed: boolean,
  printing: Printing,
  indent: string,
): string => {
  const { shared } = printing;
  if (properties.length === 0) {
    if (index === undefined) return `Record<string, ${closed ? 'never' : 'unknown'}>`;
    // An index signature may name the type it stands in; Record may not.
    const value = printType(index, printing, indent);
    return containsName(index, shared) ? `{ [key: string]: ${value} }` : `Record<string, ${value}>`;
  }
  const isTall = [...properties.map((each) => each.type), ...(index === undefined ? [] : [index])].some((type) =>
    hasNotes(type, shared),
  );
  const inner = isTall ? `${indent} ` : indent;
  const lines = properties.map(({ name, type, optional }) => {
    const key = `${propertyName(name)}${optional ? '?' : ''}`;
    if (type.kind === 'noted' && !shared.names.has(type)) {
      return `${comment(type.note)} ${key}: ${printType(type.type, printing, inner)}`;
    }
    return `${key}: ${printType(type, printing, inner)}`;
  });
  if (index !== undefined) lines.push(`[key: string]: ${printType(index, printing, inner)}`);
  return isTall ? `{\n${lines.map((line) => `${inner}${line};`).join('\n')}\n${indent}}` : `{ ${lines.join('; ')} }`;
};

const containsName = (type: Type, shared: Shared): boolean => {
  if (type.kind === 'named' || shared.names.has(type)) return true;
  if (type.kind === 'array') return containsName(type.items, shared);
  if (type.kind === 'noted') return containsName(type.type, shared);
  if (type.kind === 'union' || type.kind === 'intersection')
    return type.members.some((member) => containsName(member, shared));
  if (type.kind === 'tuple')
    return (
      type.items.some((item) => containsName(item.type, shared)) ||
      (type.rest !== undefined && containsName(type.rest, shared))
    );
  if (type.kind !== 'object') return false;
  return (
    type.properties.some((each) => containsName(each.type, shared)) ||
    (type.index !== undefined && containsName(type.index, shared))
  );
};
