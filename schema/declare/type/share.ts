// Which types of one namespace get a name: those that contain themselves, and those that are shorter told once.
import type { Definition, Type } from './ast.ts';

/** What the printer looks names up in. */
export interface Shared {
  readonly names: ReadonlyMap<Type, string>;
  readonly definitionNames: ReadonlyMap<Definition, string>;
  /** Every named type with the type it stands for, by name. */
  readonly types: readonly { readonly name: string; readonly type: Type }[];
}

// What must be saved, in characters, before a name is worth looking up: more for what a reader wants to see in place.
const SHORTEST = 36;
const GAIN = 40;
const GAIN_OF_ARGUMENTS = 300;
const GAIN_OF_TEXT = 160;
const NAME_LENGTH = 12;
const TAKEN = ['Promise', 'Record'];

const childrenOf = (type: Type): readonly Type[] => {
  switch (type.kind) {
    case 'array':
      return [type.items];
    case 'tuple':
      return [...type.items.map((item) => item.type), ...(type.rest === undefined ? [] : [type.rest])];
    case 'object':
      return [...type.properties.map((each) => each.type), ...(type.index === undefined ? [] : [type.index])];
    case 'union':
    case 'intersection':
      return type.members;
    case 'noted':
      return [type.type];
    default:
      return [];
  }
};

/** Characters that a type takes beside its children. */
const ownLength = (type: Type): number => {
  switch (type.kind) {
    case 'literal':
      return String(type.value).length + 2;
    case 'object':
      return type.properties.reduce((sum, each) => sum + each.name.length + 5, 4) + (type.index === undefined ? 0 : 17);
    case 'union':
    case 'intersection':
    case 'tuple':
      return childrenOf(type).length * 3;
    case 'noted':
      return type.note.length + 8;
    default:
      return 7;
  }
};

const capitalised = (hint: string): string => {
  const words = hint
    .slice(0, 100)
    .normalize('NFKC')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{ID_Continue}]+|_+/u)
    .filter((word) => word !== '');
  const name = words
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .slice(0, 40)
    .replace(/[\ud800-\udbff]$/, '');
  return /^\p{ID_Start}/u.test(name) ? name : `T${name}`;
};

/** A text around something short. */
const isLeaf = (type: Type): boolean => type.kind === 'noted' && childrenOf(type.type).length === 0;

const isNameable = (type: Type): boolean =>
  type.kind === 'object' ||
  type.kind === 'union' ||
  type.kind === 'intersection' ||
  type.kind === 'tuple' ||
  type.kind === 'noted';

/** `roots` are canonical types (see simplify.ts) in printing order, each with what it could be called. */
export const share = (
  roots: readonly { readonly type: Type; readonly hint: string; readonly owner: string }[],
): Shared => {
  const uses = new Map<Type, number>();
  const hints = new Map<Type, { readonly hint: string; readonly owner: string }>();
  const definitions = new Map<Definition, string>();
  const order: Type[] = [];

  const visit = (type: Type, hint: string, owner: string): void => {
    uses.set(type, (uses.get(type) ?? 0) + 1);
    if (uses.get(type) !== 1) return;
    hints.set(type, { hint: 'hint' in type && type.hint !== undefined ? type.hint : hint, owner });
    if (type.kind === 'named') {
      const { definition } = type;
      if (!definitions.has(definition)) {
        definitions.set(definition, owner);
        visit(definition.type, definition.hint, owner);
      }
    } else if (type.kind === 'object') {
      for (const property of type.properties) visit(property.type, property.name, owner);
      if (type.index !== undefined) visit(type.index, hint, owner);
    } else for (const child of childrenOf(type)) visit(child, hint, owner);
    order.push(type);
  };
  for (const { type, hint, owner } of roots) visit(type, hint, owner);
  const isRoot = new Set(roots.map((root) => root.type));

  const lengths = new Map<Type, number>();
  const chosen: Type[] = [];
  for (const type of order) {
    const length = childrenOf(type).reduce((sum, child) => sum + (lengths.get(child) ?? NAME_LENGTH), ownLength(type));
    const count = uses.get(type) ?? 1;
    const gain = (count - 1) * (length - NAME_LENGTH) - 2 * NAME_LENGTH;
    const least = isRoot.has(type) ? GAIN_OF_ARGUMENTS : isLeaf(type) ? GAIN_OF_TEXT : GAIN;
    const isChosen = count > 1 && isNameable(type) && length >= SHORTEST && gain >= least;
    if (isChosen) chosen.push(type);
    lengths.set(type, isChosen ? NAME_LENGTH : length);
  }

  const taken = new Set(TAKEN);
  const nameFor = ({ hint, owner }: { hint: string; owner: string }): string => {
    const short = capitalised(hint);
    const wanted = taken.has(short) ? capitalised(`${owner} ${hint}`) : short;
    let name = wanted;
    for (let count = 2; taken.has(name); count += 1) name = `${wanted}${count}`;
    taken.add(name);
    return name;
  };
  const definitionNames = new Map(
    [...definitions].map(([definition, owner]) => [definition, nameFor({ hint: definition.hint, owner })]),
  );
  const bodies = new Set([...definitions.keys()].map((definition) => definition.type));
  const names = new Map<Type, string>();
  for (const type of chosen)
    if (!bodies.has(type)) names.set(type, nameFor(hints.get(type) ?? { hint: 'Type', owner: '' }));
  const types = [
    ...[...definitionNames].map(([{ type }, name]) => ({ name, type })),
    ...[...names].map(([type, name]) => ({ name, type })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { names, definitionNames, types };
};
