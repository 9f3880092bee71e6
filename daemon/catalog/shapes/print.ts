// A shape as a TypeScript type.
import { quote } from '../../../schema/text.ts';
import type { Field, Shape } from './shape.ts';

/** Names of one object that are shown; behind them stands that there are more. */
const NAMES_SHOWN = 40;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const keyOf = (name: string): string => (IDENTIFIER.test(name) ? name : quote(name));

const printFields = (fields: readonly Field[], empty: boolean, depth: number): string => {
  if (fields.length === 0) return 'Record<string, unknown>';
  const shown = fields.slice(0, NAMES_SHOWN).map(({ name, shape, optional }) => {
    return `${keyOf(name)}${optional || empty ? '?' : ''}: ${printAt(shape, depth - 1)}`;
  });
  const more = fields.length > NAMES_SHOWN ? ['[key: string]: unknown'] : [];
  return `{ ${[...shown, ...more].join('; ')} }`;
};

const isUnion = ({ scalars, items, object }: Shape): boolean =>
  scalars.length + (items === undefined ? 0 : 1) + (object === undefined ? 0 : 1) > 1;

const printAt = (shape: Shape, depth: number): string => {
  const { scalars, items, object, anything } = shape;
  if (anything) return 'unknown';
  if (depth === 0 && (items !== undefined || object !== undefined)) return 'unknown';
  const members: string[] = scalars.filter((scalar) => scalar !== 'null');
  if (items !== undefined) {
    const item = printAt(items, depth - 1);
    members.push(isUnion(items) && item !== 'unknown' ? `(${item})[]` : `${item}[]`);
  }
  if (object?.kind === 'fields') members.push(printFields(object.fields, object.empty, depth));
  if (object?.kind === 'record') members.push(`Record<string, ${printAt(object.values, depth - 1)}>`);
  if (scalars.includes('null')) members.push('null');
  return members.length === 0 ? 'unknown' : members.join(' | ');
};

/**
 * The type of all values of a shape. The same shape gives the same text. Where it would be longer than `limit` UTF-16
 * units, it is `unknown` below as many levels as fit; `unknown` alone where not even one does.
 */
export const printShape = (shape: Shape, limit = Number.POSITIVE_INFINITY): string => {
  for (let depth = 8; depth > 0; depth -= 1) {
    const text = printAt(shape, depth);
    if (text.length <= limit) return text;
  }
  return 'unknown';
};
