// The many ways to write one schema, made one. Each rule has a name and a golden case, changes one node only (never its
// children) and never its input.
import { isObject, type Json, type JsonObject } from '../../tool.ts';
import { get } from './deref.ts';

export interface Rule {
  readonly name: string;
  readonly apply: (schema: JsonObject) => JsonObject;
}

const without = (schema: JsonObject, ...keys: string[]): JsonObject =>
  !has(schema, ...keys) ? schema : Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));

const has = (schema: JsonObject, ...keys: string[]): boolean => keys.some((key) => Object.hasOwn(schema, key));

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);

const typesOf = (schema: JsonObject): readonly Json[] => {
  const type = get(schema, 'type');
  return type === undefined ? [] : Array.isArray(type) ? (type as Json[]) : [type];
};

const STANDARD = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
// What other type systems call the same; draft 3's `any` and unknown names say nothing.
const ALIASES = new Map<string, string>(
  Object.entries({
    str: 'string',
    text: 'string',
    char: 'string',
    date: 'string',
    datetime: 'string',
    uuid: 'string',
    uri: 'string',
    url: 'string',
    int: 'integer',
    int32: 'integer',
    int64: 'integer',
    long: 'integer',
    short: 'integer',
    uint: 'integer',
    float: 'number',
    float32: 'number',
    float64: 'number',
    double: 'number',
    decimal: 'number',
    bool: 'boolean',
    dict: 'object',
    map: 'object',
    struct: 'object',
    record: 'object',
    list: 'array',
    tuple: 'array',
    set: 'array',
    none: 'null',
    nil: 'null',
    undefined: 'null',
  }),
);

/** Whether a text names a type, in the standard's spelling or another one. */
export const isTypeName = (text: string): boolean => STANDARD.has(String(standardType(text)));

const standardType = (type: Json): Json => {
  if (typeof type !== 'string' || STANDARD.has(type)) return type;
  const lower = type.trim().toLowerCase();
  return STANDARD.has(lower) ? lower : (ALIASES.get(lower) ?? type);
};

const OBJECT_WORDS = [
  'properties',
  'additionalProperties',
  'patternProperties',
  'required',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'unevaluatedProperties',
];
const ARRAY_WORDS = [
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'uniqueItems',
  'contains',
  'additionalItems',
  'unevaluatedItems',
];
const STRING_WORDS = ['pattern', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType'];
const NUMBER_WORDS = ['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum'];

/** In this order; later rules rely on earlier ones. */
export const RULES: readonly Rule[] = [
  {
    name: 'Take draft-04 and draft-2019 words for references and schema lists',
    apply: (schema) => {
      const reference = get(schema, '$ref') ?? get(schema, '$dynamicRef') ?? get(schema, '$recursiveRef');
      const named = typeof reference === 'string' ? { $ref: reference } : {};
      const { extends: parents, ...rest } = schema as JsonObject & { extends?: Json };
      if (!isObject(parents) && !Array.isArray(parents))
        return { ...without(schema, '$dynamicRef', '$recursiveRef'), ...named };
      return {
        ...without(rest, '$dynamicRef', '$recursiveRef'),
        ...named,
        allOf: [...listOf(get(rest, 'allOf')), ...(Array.isArray(parents) ? (parents as Json[]) : [parents])],
      };
    },
  },
  {
    name: 'Spell types as the standard does',
    apply: (schema) => {
      const types = typesOf(schema);
      if (types.length === 0) return without(schema, 'type');
      // Draft 3 allowed schemas among the types.
      const inline = types.filter(isObject);
      const names = [...new Set(types.map(standardType))].filter((type): type is string => typeof type === 'string');
      const known = names.filter((type) => STANDARD.has(type));
      const rest = without(schema, 'type');
      if (inline.length > 0) return { ...rest, anyOf: [...inline, ...known.map((type) => ({ type }))] };
      // An unknown name may stand for anything, so nothing is said.
      if (known.length === 0 || known.length < names.length) return rest;
      return { ...schema, type: known.length === 1 ? (known[0] as string) : known };
    },
  },
  {
    name: 'Read boolean exclusive bounds of draft 04',
    apply: (schema) => {
      let out = schema;
      for (const [exclusive, bound] of [
        ['exclusiveMinimum', 'minimum'],
        ['exclusiveMaximum', 'maximum'],
      ] as const) {
        const value = get(out, exclusive);
        if (typeof value !== 'boolean') continue;
        const limit = get(out, bound);
        out = value && limit !== undefined ? { ...without(out, bound), [exclusive]: limit } : without(out, exclusive);
      }
      return out;
    },
  },
  {
    name: 'Make const an enum of one',
    apply: (schema) => {
      const value = get(schema, 'const');
      return value === undefined ? schema : { ...without(schema, 'const'), enum: [value] };
    },
  },
  {
    // An empty one comes of a list that was not filled yet; taken at its word, nobody could ever call.
    name: 'Drop an enum that is no list or empty, and its doubles',
    apply: (schema) => {
      const values = get(schema, 'enum');
      if (values === undefined) return schema;
      if (!Array.isArray(values) || values.length === 0) return without(schema, 'enum');
      const once = new Map((values as Json[]).map((value) => [JSON.stringify(value), value]));
      return { ...schema, enum: [...once.values()] };
    },
  },
  {
    name: 'Turn a list of items into prefixItems',
    apply: (schema) => {
      const items = get(schema, 'items');
      if (!Array.isArray(items)) return schema;
      const more = get(schema, 'additionalItems');
      const rest = without(schema, 'items', 'additionalItems');
      return { ...rest, prefixItems: items as Json[], ...(more === undefined ? {} : { items: more }) };
    },
  },
  {
    name: 'Read unevaluatedItems as the items that no other word tells of',
    apply: (schema) => {
      const more = get(schema, 'unevaluatedItems');
      if (more === undefined) return schema;
      const rest = without(schema, 'unevaluatedItems');
      return has(rest, 'items', 'contains', '$ref', 'anyOf', 'oneOf', 'allOf') ? rest : { ...rest, items: more };
    },
  },
  {
    name: 'Collect required from where drafts and habits put it',
    apply: (schema) => {
      const properties = get(schema, 'properties');
      const listed = get(schema, 'required');
      const names = Array.isArray(listed) ? (listed as Json[]).filter((name) => typeof name === 'string') : [];
      const marked = isObject(properties)
        ? Object.entries(properties).filter(([, child]) => isObject(child) && get(child, 'required') === true)
        : [];
      const all = [...new Set([...names, ...marked.map(([name]) => name)])];
      return all.length > 0 ? { ...schema, required: all } : without(schema, 'required');
    },
  },
  {
    name: 'Infer the type from the words that only one type has',
    apply: (schema) => {
      if (has(schema, 'type', 'enum')) return schema;
      const kinds = [
        ...(has(schema, ...OBJECT_WORDS) ? ['object'] : []),
        ...(has(schema, ...ARRAY_WORDS) ? ['array'] : []),
        ...(has(schema, ...STRING_WORDS) ? ['string'] : []),
        ...(has(schema, ...NUMBER_WORDS) ? ['number'] : []),
      ];
      // Beside a reference or a choice such words only narrow it; several kinds of words narrow each kind.
      if (kinds.length !== 1 || (has(schema, '$ref', 'anyOf', 'oneOf') && kinds[0] !== 'object')) return schema;
      return { ...schema, type: kinds[0] as string };
    },
  },
  {
    name: 'Say nullable as null',
    apply: (schema) => {
      const rest = without(schema, 'nullable', 'x-nullable');
      if (get(schema, 'nullable') !== true && get(schema, 'x-nullable') !== true) return rest;
      const values = get(rest, 'enum');
      const types = typesOf(rest);
      const widened = {
        ...rest,
        ...(types.length > 0 ? { type: [...new Set([...types, 'null'])] } : {}),
        ...(Array.isArray(values) ? { enum: [...new Set([...(values as Json[]), null])] } : {}),
      };
      const choice = (['anyOf', 'oneOf'] as const).find((word) => Array.isArray(get(rest, word)));
      if (choice !== undefined) return { ...widened, [choice]: [...(get(rest, choice) as Json[]), { type: 'null' }] };
      if (!has(rest, '$ref', 'allOf')) return widened;
      const words = ['title', 'description', 'default', 'example', 'examples'].filter((word) => has(rest, word));
      const said = Object.fromEntries(words.map((word) => [word, get(rest, word) ?? null]));
      return { ...said, anyOf: [without(rest, ...words), { type: 'null' }] };
    },
  },
];

/** One schema node in the one spelling that parse reads; its children are as they were. */
export const normalize = (schema: JsonObject): JsonObject => RULES.reduce((node, { apply }) => apply(node), schema);
