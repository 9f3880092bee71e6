// The types that stand between a JSON Schema and TypeScript text.

/** A type that needs a name because it contains itself. `type` is filled in when its schema has been read to the end. */
export interface Definition {
  /** What the schema would like it to be called; any text. */
  readonly hint: string;
  /** Equal for equal definitions of different tools. */
  readonly key: string;
  type: Type;
}

export interface Property {
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
}

export interface ObjectType {
  readonly kind: 'object';
  readonly properties: readonly Property[];
  /** Type of the properties that are not named; undefined: nothing is said of them. */
  readonly index: Type | undefined;
  /** True where the schema refuses properties that are not named. */
  readonly closed: boolean;
  readonly hint?: string;
}

export type Primitive = 'any' | 'unknown' | 'never' | 'null' | 'undefined' | 'string' | 'number' | 'boolean';

export type Type =
  | { readonly kind: Primitive }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'array'; readonly items: Type }
  | {
      readonly kind: 'tuple';
      readonly items: readonly { readonly type: Type; readonly optional: boolean }[];
      readonly rest: Type | undefined;
    }
  | ObjectType
  | { readonly kind: 'union'; readonly members: readonly Type[]; readonly hint?: string }
  | { readonly kind: 'intersection'; readonly members: readonly Type[]; readonly hint?: string }
  | { readonly kind: 'named'; readonly definition: Definition }
  /** A type with the text that its schema says about it; dropped where no text is wanted. */
  | { readonly kind: 'noted'; readonly note: string; readonly type: Type };

const constant = <K extends Primitive>(kind: K): { readonly kind: K } => Object.freeze({ kind });
export const ANY = constant('any');
export const UNKNOWN = constant('unknown');
export const NEVER = constant('never');
export const NULL = constant('null');
export const UNDEFINED = constant('undefined');
export const STRING = constant('string');
export const NUMBER = constant('number');
export const BOOLEAN = constant('boolean');

/** An object of which nothing is said: any properties. One that says it is open has the index `unknown` instead. */
export const OPEN_OBJECT: ObjectType = Object.freeze({
  kind: 'object',
  properties: [],
  index: undefined,
  closed: false,
});

export const noted = (note: string, type: Type): Type => (note === '' ? type : { kind: 'noted', note, type });

/** The type without the text around it, and that text. */
export const unnoted = (type: Type): { type: Type; note: string } => {
  if (type.kind !== 'noted') return { type, note: '' };
  const inner = unnoted(type.type);
  return {
    type: inner.type,
    note: [type.note, inner.note].filter((note, at, all) => note !== '' && all.indexOf(note) === at).join('\n'),
  };
};

/** A union without unions inside, `never` or doubles; `unknown` swallows the rest. */
export const union = (types: readonly Type[], hint?: string): Type => {
  const flat = types.flatMap((type) => (type.kind === 'union' ? type.members : [type]));
  const members = flat.filter((type) => type.kind !== 'never');
  if (members.length === 0) return NEVER;
  const [only] = members;
  if (members.length === 1 && only !== undefined) return only;
  return hint === undefined ? { kind: 'union', members } : { kind: 'union', members, hint };
};

/** An intersection without intersections inside or `unknown`. */
export const intersection = (types: readonly Type[], hint?: string): Type => {
  const flat = types.flatMap((type) => (type.kind === 'intersection' ? type.members : [type]));
  const members = flat.filter((type) => type.kind !== 'unknown' && type.kind !== 'any');
  if (members.some((type) => type.kind === 'never')) return NEVER;
  if (members.length === 0) return UNKNOWN;
  const [only] = members;
  if (members.length === 1 && only !== undefined) return only;
  return hint === undefined ? { kind: 'intersection', members } : { kind: 'intersection', members, hint };
};
