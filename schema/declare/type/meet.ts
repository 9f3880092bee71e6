// What two types have in common, where one type can say it.
import { intersection, NEVER, noted, type ObjectType, type Property, type Type, union, unnoted } from './ast.ts';

/** Choices whose members make more pairs stay an intersection; values alone are cheap and never grow. */
const PAIRS_LIMIT = 64;
const VALUE_PAIRS_LIMIT = 20_000;

/** True for an object of which its schema says nothing: beside another object it adds nothing. */
export const isOpenObject = (type: Type): boolean =>
  type.kind === 'object' && type.properties.length === 0 && !type.closed && type.index === undefined;

const isObjectLike = (type: Type): boolean => {
  const bare = unnoted(type).type;
  return bare.kind === 'object' || (isChoice(bare) && bare.members.every(isObjectLike));
};

const isChoice = (type: Type): type is Type & { kind: 'union' | 'intersection' } =>
  type.kind === 'union' || type.kind === 'intersection';

const mergeObjects = (one: ObjectType, other: ObjectType): Type => {
  if (isOpenObject(one)) return other;
  if (isOpenObject(other)) return one;
  const properties = new Map<string, Property>(one.properties.map((property) => [property.name, property]));
  for (const property of other.properties) {
    const { name, type, optional } = property;
    const same = properties.get(name);
    if (same === undefined) properties.set(name, property);
    else
      properties.set(name, {
        name,
        type: meet(same.type, type) ?? intersection([same.type, type]),
        optional: same.optional && optional,
      });
  }
  const index =
    one.index === undefined || other.index === undefined
      ? one.closed || other.closed
        ? undefined
        : (one.index ?? other.index)
      : (meet(one.index, other.index) ?? intersection([one.index, other.index]));
  const hint = one.hint ?? other.hint;
  const closed = one.closed || other.closed;
  return {
    kind: 'object',
    properties: [...properties.values()],
    index,
    closed,
    ...(hint === undefined ? {} : { hint }),
  };
};

const isValue = (type: Type): boolean => type.kind === 'literal' || type.kind === 'null';

const plainKind = (type: Type): string =>
  type.kind === 'literal' ? typeof type.value : type.kind === 'tuple' ? 'array' : type.kind;

/**
 * The type of the values that are both, or undefined where only an intersection says it. A choice between objects is kept
 * apart from what they share: `{ id } & ({ a } | { b })` is shorter than writing `id` twice.
 */
export const meet = (one: Type, other: Type): Type | undefined => {
  if (one === other) return one;
  if (one.kind === 'noted' || other.kind === 'noted') {
    const [a, b] = [unnoted(one), unnoted(other)];
    const both = meet(a.type, b.type);
    const notes = [a.note, b.note].filter((note, at, all) => note !== '' && all.indexOf(note) === at);
    return both === undefined ? undefined : noted(notes.join('\n'), both);
  }
  if (one.kind === 'unknown' || one.kind === 'any') return other;
  if (other.kind === 'unknown' || other.kind === 'any') return one;
  if (one.kind === 'never' || other.kind === 'never') return NEVER;
  if (one.kind === 'named' || other.kind === 'named') return undefined;
  if (isChoice(one) || isChoice(other)) {
    if (isOpenObject(one) && isObjectLike(other)) return other;
    if (isOpenObject(other) && isObjectLike(one)) return one;
    const [choice, rest] = one.kind === 'union' ? [one, other] : [other, one];
    const pairs = isChoice(choice) && choice.members.every(isValue) ? VALUE_PAIRS_LIMIT : PAIRS_LIMIT;
    if (
      choice.kind !== 'union' ||
      (isObjectLike(choice) && isObjectLike(rest)) ||
      choice.members.length * (rest.kind === 'union' ? rest.members.length : 1) > pairs
    )
      return undefined;
    const members = choice.members.map((member) => meet(member, rest));
    return members.includes(undefined)
      ? undefined
      : union(
          members.filter((member) => member !== undefined),
          choice.hint,
        );
  }
  if (plainKind(one) !== plainKind(other)) return NEVER;
  if (one.kind === 'object' && other.kind === 'object') return mergeObjects(one, other);
  if (one.kind === 'literal' && other.kind === 'literal') return one.value === other.value ? one : NEVER;
  if (one.kind === 'literal') return one;
  if (other.kind === 'literal') return other;
  if (one.kind === 'array' && other.kind === 'array') {
    return { kind: 'array', items: meet(one.items, other.items) ?? intersection([one.items, other.items]) };
  }
  if (one.kind === 'tuple' || other.kind === 'tuple') return undefined;
  return one;
};
