// Two shapes as one that accepts all that either does.
import { areKeys, type Field, type Fields, type Mapping, NOTHING, SCALARS, type Shape, withinKinds } from './shape.ts';

/** The shape of a map with these keys, or of an object with these names. */
export const objectOf = (fields: readonly Field[], empty: boolean): Fields | Mapping =>
  areKeys(fields) ? { kind: 'record', values: valuesOf(fields) } : { kind: 'fields', fields, empty };

export const valuesOf = (fields: readonly Field[]): Shape => mergeAll(fields.map(({ shape }) => shape));

export const mergeAll = (shapes: readonly Shape[]): Shape => shapes.reduce(merge, NOTHING);

const isEmpty = ({ fields }: Fields): boolean => fields.length === 0;

const mergeFields = (a: Fields, b: Fields): Fields | Mapping => {
  const empty = a.empty || b.empty;
  // Nothing but empty objects on one side: they make no name optional by themselves.
  if (isEmpty(a) || isEmpty(b)) return objectOf(isEmpty(a) ? b.fields : a.fields, empty);
  const others = new Map(b.fields.map((field) => [field.name, field]));
  const own = new Set(a.fields.map(({ name }) => name));
  const fields = a.fields.map((field): Field => {
    const other = others.get(field.name);
    if (other === undefined) return { ...field, optional: true };
    return { name: field.name, shape: merge(field.shape, other.shape), optional: field.optional || other.optional };
  });
  const added = b.fields.filter(({ name }) => !own.has(name)).map((field) => ({ ...field, optional: true }));
  return objectOf([...fields, ...added].sort(byName), empty);
};

export const byName = (a: Field, b: Field): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

const mergeObjects = (a: Shape['object'], b: Shape['object']): Shape['object'] => {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.kind === 'fields' && b.kind === 'fields') return mergeFields(a, b);
  const values = [a, b].map((each) => (each.kind === 'record' ? each.values : valuesOf(each.fields)));
  return { kind: 'record', values: mergeAll(values) };
};

/**
 * Idempotent, commutative and associative, so it does not matter which result came first or twice. Objects become one
 * object (a field that one lacks is optional) or, over the bounds of shape.ts, a map; arrays merge their items.
 */
export const merge = (a: Shape, b: Shape): Shape => {
  const scalars = SCALARS.filter((scalar) => a.scalars.includes(scalar) || b.scalars.includes(scalar));
  const items = a.items === undefined || b.items === undefined ? (a.items ?? b.items) : merge(a.items, b.items);
  const object = mergeObjects(a.object, b.object);
  return withinKinds({
    scalars,
    ...(items !== undefined && { items }),
    ...(object !== undefined && { object }),
    ...((a.anything || b.anything) && { anything: true as const }),
  });
};

/** Whether two shapes are the same. */
export const isSame = (a: Shape, b: Shape): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
