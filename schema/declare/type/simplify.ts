// The same meaning as a shorter type, and one object for each type, so that equal types are `===`.
import {
  BOOLEAN,
  type Definition,
  intersection,
  NEVER,
  noted,
  type ObjectType,
  type Type,
  UNDEFINED,
  UNKNOWN,
  union,
  unnoted,
} from './ast.ts';
import { meet } from './meet.ts';

const INDEX_MEMBERS = 4;

/** Definitions that a type names without an object, array or tuple between: TypeScript refuses a circle of these. */
const direct = (type: Type): Definition[] => {
  if (type.kind === 'named') return [type.definition];
  if (type.kind === 'noted') return direct(type.type);
  return type.kind === 'union' || type.kind === 'intersection' ? type.members.flatMap(direct) : [];
};

const leadsTo = (from: Definition, goal: Definition, seen = new Set<Definition>()): boolean =>
  direct(from.type).some((next) => {
    if (next === goal) return true;
    if (seen.has(next)) return false;
    seen.add(next);
    return leadsTo(next, goal, seen);
  });

/** Takes out of a definition what it would have to be before it is: `A = A | string` is `A = string`. */
const uncircled = (definition: Definition): Type => {
  const cut = (type: Type, inUnion: boolean): Type => {
    if (type.kind === 'named') {
      if (type.definition === definition) return inUnion ? NEVER : UNKNOWN;
      return leadsTo(type.definition, definition) ? UNKNOWN : type;
    }
    if (type.kind === 'noted') return noted(type.note, cut(type.type, inUnion));
    if (type.kind === 'union')
      return union(
        type.members.map((member) => cut(member, true)),
        type.hint,
      );
    if (type.kind === 'intersection')
      return intersection(
        type.members.map((member) => cut(member, false)),
        type.hint,
      );
    return type;
  };
  return leadsTo(definition, definition) ? cut(definition.type, false) : definition.type;
};

export interface Simplifier {
  readonly simplify: (type: Type) => Type;
}

/** One simplifier serves one namespace: types of different tools that are equal come out as one object. */
export const createSimplifier = (): Simplifier => {
  const ids = new Map<Type, number>();
  const byKey = new Map<string, Type>();
  const done = new Map<Type, Type>();
  const definitions = new Map<string, Definition>();

  const idOf = (type: Type | undefined): number => (type === undefined ? -1 : (ids.get(type) ?? -2));

  const keyOf = (type: Type): string => {
    switch (type.kind) {
      case 'literal':
        return `l${JSON.stringify(type.value)}`;
      case 'array':
        return `a${idOf(type.items)}`;
      case 'tuple':
        return `t${type.items.map((item) => `${idOf(item.type)}${item.optional ? '?' : ''}`)}|${idOf(type.rest)}`;
      case 'object': {
        const properties = type.properties.map(
          (each) => `${JSON.stringify(each.name)}${each.optional ? '?' : ''}:${idOf(each.type)}`,
        );
        return `o${properties}|${idOf(type.index)}${type.closed && type.properties.length === 0 ? 'c' : ''}`;
      }
      case 'union':
      case 'intersection':
        return `${type.kind}${type.members.map(idOf)}`;
      case 'named':
        return `n${type.definition.key}`;
      case 'noted':
        return `d${idOf(type.type)}${type.note}`;
      default:
        return type.kind;
    }
  };

  const canonical = (type: Type): Type => {
    const key = keyOf(type);
    const known = byKey.get(key);
    if (known !== undefined) return known;
    byKey.set(key, type);
    ids.set(type, ids.size);
    done.set(type, type);
    return type;
  };

  const simplify = (type: Type): Type => {
    const known = done.get(type);
    if (known !== undefined) return known;
    const simple = rebuild(type);
    done.set(type, simple);
    return simple;
  };

  const rebuild = (type: Type): Type => {
    switch (type.kind) {
      case 'array':
        return canonical({ kind: 'array', items: simplify(type.items) });
      case 'tuple': {
        const items = type.items.map((item) => ({ type: simplify(item.type), optional: item.optional }));
        return canonical({ kind: 'tuple', items, rest: type.rest === undefined ? undefined : simplify(type.rest) });
      }
      case 'object':
        return rebuildObject(type);
      case 'union':
        return rebuildUnion(type.members.map(simplify), type.hint);
      case 'intersection':
        return rebuildIntersection(type.members.map(simplify), type.hint);
      case 'noted': {
        const { type: inner, note } = unnoted(type);
        const simple = unnoted(simplify(inner));
        return canonical({
          kind: 'noted',
          note: note.includes(simple.note) ? note : `${note}\n${simple.note}`,
          type: simple.type,
        });
      }
      case 'named': {
        const { definition } = type;
        const known = definitions.get(definition.key);
        if (known !== undefined) return canonical({ kind: 'named', definition: known });
        const own: Definition = { ...definition, type: UNKNOWN };
        definitions.set(definition.key, own);
        own.type = simplify(uncircled(definition));
        // Nothing is left of a circle that held nothing but itself.
        if (!['object', 'array', 'tuple', 'union', 'intersection', 'noted'].includes(own.type.kind)) return own.type;
        return canonical({ kind: 'named', definition: own });
      }
      default:
        return canonical(type);
    }
  };

  /** TypeScript wants every named property to fit the index signature. */
  const widened = (index: Type, { properties }: ObjectType): Type => {
    if (properties.length === 0 || index.kind === 'unknown') return index;
    const types = [index, ...properties.map((each) => each.type)].map((each) => unnoted(each).type);
    const members = new Set(types.flatMap((each) => (each.kind === 'union' ? each.members : [each])));
    if (members.size > INDEX_MEMBERS || members.has(UNKNOWN)) return UNKNOWN;
    return union([...members, ...(properties.some((each) => each.optional) ? [UNDEFINED] : [])]);
  };

  const rebuildObject = (type: ObjectType): Type => {
    const properties = type.properties.map((each) => ({ ...each, type: simplify(each.type) }));
    const bare = { ...type, properties };
    const index = type.index === undefined ? undefined : simplify(widened(simplify(type.index), bare));
    return canonical({ ...bare, index });
  };

  const rebuildUnion = (types: readonly Type[], hint: string | undefined): Type => {
    const joined = union([...new Set(types)], hint);
    if (joined.kind !== 'union') return simplify(joined);
    const flat = [...new Set(joined.members)];
    const bare = flat.map((member) => unnoted(member).type);
    const everything = bare.find((member) => member.kind === 'unknown' || member.kind === 'any');
    if (everything !== undefined) {
      const notes = flat.map((member) => unnoted(member).note).filter((note) => note !== '');
      return notes.length === 0 ? simplify(everything) : canonical(noted(notes.join('\n'), simplify(everything)));
    }
    const kinds = new Set(bare.map((member) => member.kind));
    const isImplied = (member: Type): boolean =>
      member.kind === 'literal' && kinds.has(typeof member.value as 'string' | 'number' | 'boolean');
    let kept = flat.filter((member) => !isImplied(member));
    const truths = kept.filter((member) => member.kind === 'literal' && typeof member.value === 'boolean');
    if (truths.length === 2) kept = [...kept.filter((member) => !truths.includes(member)), simplify(BOOLEAN)];
    const nulls = kept.filter((member) => member.kind === 'null' || member.kind === 'undefined');
    const ordered = [...kept.filter((member) => !nulls.includes(member)), ...nulls];
    const result = union(ordered, hint);
    return result.kind === 'union' ? canonical(result) : simplify(result);
  };

  const rebuildIntersection = (types: readonly Type[], hint: string | undefined): Type => {
    const kept: Type[] = [];
    for (const type of types) {
      let merged: Type = type;
      // What merges with an earlier member is compared again with those that did not.
      for (let at = 0; at < kept.length; ) {
        const both = meet(kept[at] as Type, merged);
        if (both === undefined) at += 1;
        else {
          kept.splice(at, 1);
          merged = simplify(both);
          at = 0;
        }
      }
      kept.push(merged);
    }
    const result = intersection(kept, hint);
    return result.kind === 'intersection' ? canonical(result) : simplify(result);
  };

  return { simplify };
};
