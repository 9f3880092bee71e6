// Shapes as text, to keep; and back, however the text may have been changed since.
import { type Field, type Fields, type Mapping, SCALARS, type Shape } from './shape.ts';

export const encode = (shape: Shape): string => JSON.stringify(shape);

class Unreadable extends Error {}

type Raw = Readonly<Record<string, unknown>>;

const raw = (value: unknown): Raw => {
  if (typeof value !== 'object' || value === null) throw new Unreadable();
  return value as Raw;
};

const list = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw new Unreadable();
  return value;
};

const toField = (value: unknown): Field => {
  const { name, shape, optional } = raw(value);
  if (typeof name !== 'string') throw new Unreadable();
  return { name, shape: toShape(shape), optional: optional === true };
};

const toObject = (value: unknown): Fields | Mapping => {
  const { kind, values, fields, empty } = raw(value);
  if (kind === 'record') return { kind, values: toShape(values) };
  return { kind: 'fields', fields: list(fields).map(toField), empty: empty === true };
};

const toShape = (value: unknown): Shape => {
  const { scalars, items, object, anything } = raw(value);
  const known = list(scalars);
  return {
    scalars: SCALARS.filter((scalar) => known.includes(scalar)),
    ...(items !== undefined && { items: toShape(items) }),
    ...(object !== undefined && { object: toObject(object) }),
    ...(anything === true && { anything }),
  };
};

/** Undefined for what is no shape. */
export const decode = (text: string): Shape | undefined => {
  try {
    return toShape(JSON.parse(text));
  } catch {
    return undefined;
  }
};
