// What a model wrote in another form than the schema wants, put into that form where the schema leaves no choice.
import { get } from '../../schema/declare/json/deref.ts';
import { isObject, type Json, type JsonObject } from '../../schema/tool.ts';
import type { Meter } from './meter.ts';

type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';
type Kinds = ReadonlySet<Kind>;

const ALL: Kinds = new Set<Kind>(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']);
/** Longer texts are left as they are. */
const LONGEST_TEXT = 1_000_000;
/** Characters that count as one part of a schema. */
const PER_WEIGHT = 16;
/** Choices and references in each other, at one value. */
const STEPS = 16;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

const kindsOf = (value: Json): readonly Kind[] => {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['number', 'integer'] : ['number'];
  return [typeof value as Kind];
};
const membersOf = (node: JsonObject, word: string): readonly Json[] => {
  const members = get(node, word);
  return Array.isArray(members) ? (members as Json[]) : [];
};
const both = (one: Kinds, other: Kinds): Kinds => new Set([...one].filter((kind) => other.has(kind)));

export type Convert = (args: JsonObject) => JsonObject;

/**
 * - A text where the schema takes no string: a number, `true`, `false` or `null` that it is exactly, and that is taken
 *   there; else, where it is JSON of an array or object that is taken there, that.
 * - `null` for a property that need not be given and takes no null: left out.
 *
 * Never where a string is taken. The arguments are not changed.
 * @param root a schema that `writeSchema` made
 * @param meter begun by whoever converts
 * @throws TooCostly
 */
export const createConversion = (root: JsonObject, meter: Meter): Convert => {
  const definitions = get(root, '$defs');
  const known = new WeakMap<object, Kinds>();

  const referred = (node: JsonObject): Json | undefined => {
    const reference = get(node, '$ref');
    if (typeof reference !== 'string' || !isObject(definitions)) return undefined;
    return get(definitions, reference.slice('#/$defs/'.length));
  };

  /** The kinds of value that a schema takes. */
  const takes = (schema: Json | undefined): Kinds => {
    if (!isObject(schema)) return ALL;
    const done = known.get(schema);
    if (done !== undefined) return done;
    let kinds = ALL;
    // Where it contains itself nothing is known of it: then nothing is converted.
    known.set(schema, kinds);
    const type = get(schema, 'type');
    if (type !== undefined) {
      const named = new Set((Array.isArray(type) ? type : [type]) as Kind[]);
      if (named.has('number')) named.add('integer');
      kinds = named;
    }
    const values = get(schema, 'enum');
    if (Array.isArray(values)) kinds = both(kinds, new Set((values as Json[]).flatMap(kindsOf)));
    const target = referred(schema);
    for (const member of [...(target === undefined ? [] : [target]), ...membersOf(schema, 'allOf')])
      kinds = both(kinds, takes(member));
    const choice = membersOf(schema, 'anyOf');
    if (choice.length > 0) kinds = both(kinds, new Set(choice.flatMap((member) => [...takes(member)])));
    known.set(schema, kinds);
    return kinds;
  };

  const fromText = (text: string, kinds: Kinds): Json => {
    if (kinds.has('string') || text.length > LONGEST_TEXT) return text;
    meter.add(text.length / PER_WEIGHT);
    if (NUMBER.test(text) && (kinds.has('number') || kinds.has('integer'))) {
      const value = Number(text);
      // A longer number would come out as another one.
      const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
      return isExact && (kinds.has('number') || Number.isInteger(value)) ? value : text;
    }
    if (kinds.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
    if (kinds.has('null') && text === 'null') return null;
    const plain = text.trim();
    const wanted = plain[0] === '[' ? 'array' : plain[0] === '{' ? 'object' : undefined;
    if (wanted === undefined || !kinds.has(wanted)) return text;
    try {
      return JSON.parse(plain) as Json;
    } catch {
      return text;
    }
  };

  const convert = (value: Json, schema: Json | undefined, steps = STEPS): Json => {
    if (!isObject(schema) || steps === 0) return value;
    meter.add(1);
    let out = typeof value === 'string' ? fromText(value, takes(schema)) : value;
    if (typeof out !== 'object' || out === null) return out;
    out = Array.isArray(out) ? items(out as readonly Json[], schema) : properties(out as JsonObject, schema);
    const target = referred(schema);
    if (target !== undefined) out = convert(out, target, steps - 1);
    for (const member of membersOf(schema, 'allOf')) out = convert(out, member, steps - 1);
    // Of several forms that could be meant none is taken for sure.
    const kind = Array.isArray(out) ? 'array' : 'object';
    const choice = membersOf(schema, 'anyOf');
    meter.add(choice.length);
    const forms = choice.filter((member) => takes(member).has(kind));
    return forms.length === 1 ? convert(out, forms[0], steps - 1) : out;
  };

  const items = (list: readonly Json[], schema: JsonObject): Json => {
    const each = get(schema, 'items');
    if (each === undefined) return list;
    const rest = get(schema, 'additionalItems');
    const converted = list.map((item, at) =>
      convert(item, Array.isArray(each) ? ((each as Json[])[at] ?? rest) : each),
    );
    return converted.some((item, at) => item !== list[at]) ? converted : list;
  };

  const properties = (object: JsonObject, schema: JsonObject): JsonObject => {
    const declared = get(schema, 'properties');
    const more = get(schema, 'additionalProperties');
    if (!isObject(declared) && !isObject(more)) return object;
    const required = membersOf(schema, 'required');
    let isChanged = false;
    const entries = Object.entries(object).flatMap(([name, value]): [string, Json][] => {
      const own = isObject(declared) ? get(declared, name) : undefined;
      // Some models write null for what they leave out.
      if (value === null) meter.add(required.length / PER_WEIGHT);
      if (value === null && own !== undefined && !required.includes(name) && !takes(own).has('null')) {
        isChanged = true;
        return [];
      }
      const converted = convert(value, own ?? more);
      if (converted !== value) isChanged = true;
      return [[name, converted]];
    });
    return isChanged ? Object.fromEntries(entries) : object;
  };

  return (args) => convert(args, root) as JsonObject;
};
