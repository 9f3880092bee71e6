// The shape of JSON values: which kinds they have and under which names, never what they are.
//
// A shape is a set of kinds, so a union needs no list of members and two objects are one object with optional fields.
// All bounds are such that what crosses one stays over it whatever is merged later; that keeps merging free of order.

/** In this order wherever they are listed. */
export const SCALARS = ['string', 'number', 'boolean', 'null'] as const;
export type Scalar = (typeof SCALARS)[number];

export interface Field {
  readonly name: string;
  readonly shape: Shape;
  /** Some object that was not empty did not have it. */
  readonly optional: boolean;
}

/** An object with names of its own. */
export interface Fields {
  readonly kind: 'fields';
  /** In order of name. */
  readonly fields: readonly Field[];
  /** Some such object was empty. Kept apart: `{}` is how many servers say "nothing found". */
  readonly empty: boolean;
}

/** A map: its keys are data, and nothing of them is kept. */
export interface Mapping {
  readonly kind: 'record';
  readonly values: Shape;
}

/** No kind at all is the shape of nothing: the items of an array that was always empty. */
export interface Shape {
  readonly scalars: readonly Scalar[];
  /** There were arrays with such items. */
  readonly items?: Shape;
  readonly object?: Fields | Mapping;
  /** Anything: too deep or too mixed to say more. The other members say nothing then. */
  readonly anything?: true;
}

export const NOTHING: Shape = Object.freeze({ scalars: [] });
export const ANYTHING: Shape = Object.freeze({ scalars: [], anything: true as const });

/** Levels of arrays and objects that are looked into; below, a shape is `ANYTHING`. */
export const DEPTH = 6;
/** Names of one object; one with more is a map. */
export const NAMES = 128;
/** Names of one object that are not in all samples; one with more is a map. */
export const OPTIONAL_NAMES = 32;
/** Names of an object of which none is in all samples; one with so many is a map. */
export const UNSHARED_NAMES = 6;
/** Kinds beside null; more of them are `ANYTHING`. */
export const KINDS = 4;

const kindsOf = ({ scalars, items, object }: Shape): number =>
  scalars.filter((scalar) => scalar !== 'null').length + (items === undefined ? 0 : 1) + (object === undefined ? 0 : 1);

/** `shape`, unless it has too many kinds. */
export const withinKinds = (shape: Shape): Shape => (shape.anything || kindsOf(shape) > KINDS ? ANYTHING : shape);

/** Whether these fields, merged from all samples so far, are keys of a map rather than names. Never turns false again. */
export const areKeys = (fields: readonly Field[]): boolean => {
  const optional = fields.filter((field) => field.optional).length;
  return (
    fields.length > NAMES ||
    optional > OPTIONAL_NAMES ||
    (fields.length >= UNSHARED_NAMES && optional === fields.length)
  );
};
