// The shape of one value.
import type { Json, JsonObject } from '../../../schema/tool.ts';
import { byName, merge, objectOf, valuesOf } from './merge.ts';
import { isName } from './names.ts';
import { ANYTHING, DEPTH, type Field, type Fields, type Mapping, NAMES, NOTHING, type Shape } from './shape.ts';

/** So many objects of one form side by side are entries of a map: `{ alice: {…}, bob: {…}, carol: {…} }`. */
const ALIKE_OBJECTS = 3;
/** The same for values of one kind without names: structs have fewer of them. */
const ALIKE_VALUES = 12;

/** Objects that share at least half of all their names. */
const areAlike = (objects: readonly Fields[]): boolean => {
  const counts = new Map<string, number>();
  for (const { fields } of objects) for (const { name } of fields) counts.set(name, (counts.get(name) ?? 0) + 1);
  const shared = [...counts.values()].filter((count) => count === objects.length).length;
  return shared > 0 && shared * 2 >= counts.size;
};

/** What is compared of a value without names of its own. */
const kindOf = ({ shape }: Field): string =>
  shape.items === undefined ? shape.scalars.join() : `[${shape.items.scalars.join()}]`;

/** Whether the names of one object are the keys of a map, by what stands under them. */
const isMap = (fields: readonly Field[]): boolean => {
  const content = fields.flatMap(({ shape }) => {
    const object = shape.object ?? shape.items?.object;
    return object?.kind === 'fields' ? [object] : [];
  });
  if (content.length === fields.length) return fields.length >= ALIKE_OBJECTS && areAlike(content);
  if (fields.length < ALIKE_VALUES || content.length > 0) return false;
  return new Set(fields.map(kindOf)).size === 1;
};

const fieldNamed = (fields: readonly Field[], name: string): Field | undefined => {
  let low = 0;
  for (let high = fields.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((fields[middle]?.name ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return fields[low]?.name === name ? fields[low] : undefined;
};

/** As `isHeld`, of an object that may be one with these names; false also where it takes a closer look to tell. */
const isHeldIn = ({ fields, empty }: Fields, value: JsonObject, depth: number): boolean => {
  let count = 0;
  let required = 0;
  let isPlain = false;
  let kind: string | undefined;
  let isMixed = false;
  for (const name of Object.keys(value)) {
    const inner = value[name] ?? null;
    const field = fieldNamed(fields, name);
    if (field === undefined || !isHeldAt(field.shape, inner, depth - 1)) return false;
    count += 1;
    if (!field.optional) required += 1;
    if (typeof inner === 'object' && inner !== null) continue;
    const own = inner === null ? 'null' : typeof inner;
    isPlain = true;
    isMixed ||= kind !== undefined && kind !== own;
    kind = own;
  }
  if (count === 0) return empty;
  const mayBeMap = (count >= ALIKE_OBJECTS && !isPlain) || (count >= ALIKE_VALUES && !isMixed);
  return !mayBeMap && required === fields.reduce((sum, { optional }) => sum + (optional ? 0 : 1), 0);
};

const isHeldAt = (shape: Shape, value: Json, depth: number): boolean => {
  if (shape.anything) return true;
  if (typeof value !== 'object' || value === null)
    return shape.scalars.includes(value === null ? 'null' : (typeof value as 'string' | 'number' | 'boolean'));
  if (depth === 0) return false;
  const { items, object } = shape;
  if (Array.isArray(value)) return items !== undefined && value.every((item) => isHeldAt(items, item, depth - 1));
  if (object?.kind !== 'record') return object !== undefined && isHeldIn(object, value as JsonObject, depth);
  return Object.values(value).every((inner) => isHeldAt(object.values, inner, depth - 1));
};

/**
 * Whether a value has nothing to add to a shape: `merge(shape, shapeOf(value))` is `shape`. Cheap, makes nothing; may be
 * false where it is so all the same.
 */
export const isHeld = (shape: Shape, value: Json): boolean => isHeldAt(shape, value, DEPTH);

/** The merged shape of many values; most rows of a list are like those before them. */
const shapeOfAll = (values: readonly Json[], depth: number): Shape =>
  values.reduce<Shape>(
    (shape, value) => (isHeldAt(shape, value, depth) ? shape : merge(shape, shapeAt(value, depth))),
    NOTHING,
  );

const objectShape = (value: JsonObject, depth: number): Fields | Mapping => {
  const names = Object.keys(value);
  if (names.length > NAMES || !names.every(isName))
    return { kind: 'record', values: shapeOfAll(Object.values(value), depth - 1) };
  const fields = names
    .map((name): Field => ({ name, shape: shapeAt(value[name] ?? null, depth - 1), optional: false }))
    .sort(byName);
  return isMap(fields) ? { kind: 'record', values: valuesOf(fields) } : objectOf(fields, fields.length === 0);
};

const shapeAt = (value: Json, depth: number): Shape => {
  if (value === null) return { scalars: ['null'] };
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { scalars: [typeof value as 'string' | 'number' | 'boolean'] };
  if (typeof value !== 'object') return NOTHING;
  if (depth === 0) return ANYTHING;
  if (Array.isArray(value)) return { scalars: [], items: shapeOfAll(value, depth - 1) };
  return { scalars: [], object: objectShape(value as JsonObject, depth) };
};

/**
 * Keys and kinds of a value, to a depth of 6; never a value. The keys of an object are kept only where they are names.
 * They are data, and the object a map of which no key is kept, where any one of these holds:
 * - a key does not look like a name (names.ts): an e-mail address, id, date, hash, path, anything with a space;
 * - three or more values, all of them, are objects (or arrays of objects) that share at least half of their names;
 * - twelve or more values, all of them, are of one and the same kind, such as strings;
 * - there are more than 128;
 * - merged over results (shape.ts): six or more of which none is in every result, or more than 32 that some result lacks.
 *
 * What that leaves: fewer than three keys that read like words (`{ alice: …, bob: … }`) stay, for they cannot be told
 * from `{ before: …, after: … }`.
 */
export const shapeOf = (value: Json): Shape => shapeAt(value, DEPTH);
