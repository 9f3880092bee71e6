// Types of values that a schema writes out.
import { isObject, type Json } from '../../tool.ts';
import { NULL, STRING, type Type, UNKNOWN, union } from '../type/ast.ts';

/** A longer text among the values is any text. */
const TEXT_LIMIT = 200;
const DEPTH = 4;

const valueType = (value: Json, depth: number): Type => {
  if (value === null) return NULL;
  if (typeof value === 'string' && value.length > TEXT_LIMIT) return STRING;
  if (typeof value !== 'object') return { kind: 'literal', value };
  if (depth > DEPTH) return UNKNOWN;
  if (!isObject(value)) {
    const items = value.map((item) => ({ type: valueType(item, depth + 1), optional: false }));
    return { kind: 'tuple', items, rest: undefined };
  }
  const properties = Object.entries(value).map(([name, child]) => ({
    name,
    type: valueType(child, depth + 1),
    optional: false,
  }));
  return { kind: 'object', properties, index: undefined, closed: true };
};

const kindOf = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** The union of the values of an `enum` that its `type` allows; a list that contradicts its type was meant all the same. */
export const enumType = (values: readonly Json[], type: Json | undefined, hint: string): Type => {
  const allowed = new Set(Array.isArray(type) ? (type as Json[]) : type === undefined ? [] : [type]);
  const fits = values.filter(
    (value) => allowed.has(kindOf(value)) || (typeof value === 'number' && allowed.has('integer')),
  );
  return union(
    (fits.length > 0 ? fits : values).map((value) => valueType(value, 0)),
    hint,
  );
};
