// How large a shape may get that is kept.
import { ANYTHING, DEPTH, type Shape } from './shape.ts';

/** Arrays, objects and fields of one shape. */
export const NODES = 1000;

const nodesOf = ({ items, object }: Shape): number => {
  let count = 1;
  if (items !== undefined) count += nodesOf(items);
  if (object?.kind === 'record') count += nodesOf(object.values);
  if (object?.kind === 'fields') for (const { shape } of object.fields) count += nodesOf(shape);
  return count;
};

const cut = (shape: Shape, depth: number): Shape => {
  const { scalars, items, object } = shape;
  if (shape.anything || (items === undefined && object === undefined)) return shape;
  if (depth === 0) return ANYTHING;
  const inner = (child: Shape): Shape => cut(child, depth - 1);
  return {
    scalars,
    ...(items !== undefined && { items: inner(items) }),
    ...(object?.kind === 'record' && { object: { kind: 'record', values: inner(object.values) } }),
    ...(object?.kind === 'fields' && {
      object: { ...object, fields: object.fields.map((field) => ({ ...field, shape: inner(field.shape) })) },
    }),
  };
};

/** `shape`, or as many levels of it as stay within `NODES`; what it accepted is accepted still. */
export const bounded = (shape: Shape): Shape => {
  let kept = shape;
  for (let depth = DEPTH; depth > 0 && nodesOf(kept) > NODES; depth -= 1) kept = cut(shape, depth);
  return kept;
};
