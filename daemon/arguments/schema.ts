// A tool's schema as ajv gets it: one draft, whole in itself, and nothing in it that could refuse what fits.
import { get, resolverOf } from '../../schema/declare/json/deref.ts';
import { normalize } from '../../schema/declare/json/normalize.ts';
import { isObject, type Json, type JsonObject } from '../../schema/tool.ts';
import { longestFor } from './pattern.ts';

/** Schema nodes that are checked. ajv takes about 0.1 ms for each, once, and that holds up the daemon. */
export const NODE_LIMIT = 400;
/** Names and values that count as one more node. Those of `dependencies` are written out, so each is one. */
const PER_NODE = 50;
/** Beside these many names and values a node has a weight of its own; fewer are counted with the node above. */
const LIGHT = 8;
/** Levels that are tried, one after the other, until so much of the schema is within the limit. */
const LEVELS = [200, 6, 5, 4, 3, 2, 1];
/** What a node counts when it is gone through, as `weight`; written where one node is gone through many times. */
export const WEIGHT = 'metadWeight';

export type Written = { readonly schema: JsonObject } | { readonly problem: string };

const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const KINDS = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
/** Beside these, `unevaluatedProperties` speaks of more than the properties of its own node. */
const APPLICATORS = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'patternProperties'];

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const texts = (value: Json | undefined): string[] =>
  listOf(value).filter((item): item is string => typeof item === 'string');

const kindOf = (value: Json): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value === 'number' ? 'number' : typeof value;

const isUsable = (pattern: string): boolean => {
  if (longestFor(pattern) === 0) return false;
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
};

class TooBig extends Error {}

/**
 * What is left out can only let more through, so that metad never refuses what the server might take: formats, `not`,
 * `if`, `contains`, `uniqueItems`; patterns that might run long; references that lead nowhere; words with values that make
 * no sense; the lower levels of a schema with many parts. `oneOf` is read as `anyOf`. A property with a default need not be given, although it is `required`: some
 * generators list those too. The spellings of older drafts and the usual slips are taken as the declarations take them.
 */
export const writeSchema = (root: JsonObject): Written => {
  for (const levels of LEVELS) {
    try {
      return { schema: writeLevels(root, levels) };
    } catch (error) {
      if (!(error instanceof TooBig)) throw error;
    }
  }
  return { problem: `its schema names more than ${NODE_LIMIT} fields or too many values at once` };
};

/** @throws TooBig */
const writeLevels = (root: JsonObject, levels: number): JsonObject => {
  const resolve = resolverOf(root);
  const known = { open: new Map<object, number>(), closed: new Map<object, number>() };
  const definitions: JsonObject[] = [];
  const todo: (() => void)[] = [];
  let nodes = 0;

  /** A node that is written once and referred to. `isOpen`: other members of an allOf may have further properties. */
  const definitionOf = (node: Json, isOpen: boolean, depth: number): string | undefined => {
    if (!isObject(node)) return undefined;
    const numbers = known[isOpen ? 'open' : 'closed'];
    const at = numbers.get(node) ?? definitions.length;
    if (at === definitions.length) {
      numbers.set(node, at);
      definitions.push({});
      todo.push(() => {
        definitions[at] = weighed(write(node, isOpen, depth));
      });
    }
    return `#/$defs/${at}`;
  };

  /** @throws TooBig */
  const count = (parts: number): void => {
    nodes += parts;
    if (nodes > NODE_LIMIT) throw new TooBig();
  };

  const weightOf = (node: JsonObject): number =>
    ['properties', 'enum', 'required'].reduce((sum, part) => sum + Object.keys(get(node, part) ?? {}).length, 1);

  /** For nodes that one value, or each of many, is held against. */
  const weighed = (node: JsonObject | boolean): JsonObject => {
    if (typeof node === 'boolean') return node ? { [WEIGHT]: 1 } : { [WEIGHT]: 1, not: {} };
    return { [WEIGHT]: weightOf(node), ...node } as JsonObject;
  };

  const write = (source: Json, isOpen: boolean, depth: number): JsonObject | boolean => {
    if (depth > levels) return true;
    count(1);
    if (source === false) return false;
    if (!isObject(source)) return true;
    const node = normalize(source);
    const out: Record<string, Json> = {};

    const reference = get(node, '$ref');
    if (typeof reference === 'string') {
      const target = resolve(reference, source);
      const name = 'node' in target ? definitionOf(target.node, isOpen, depth) : undefined;
      if (name !== undefined) out['$ref'] = name;
    }

    // A type that metad's reading of the schema only infers is not demanded.
    const stated = get(source, 'type') === undefined ? undefined : get(node, 'type');
    const types = (Array.isArray(stated) ? texts(stated) : typeof stated === 'string' ? [stated] : []).filter((type) =>
      KINDS.has(type),
    );
    const values = listOf(get(node, 'enum'));
    count(values.length / PER_NODE);
    const fits = values.filter(
      (value) =>
        types.length === 0 || types.includes(kindOf(value)) || (typeof value === 'number' && types.includes('integer')),
    );
    // An enum that contradicts its type says nothing that could be relied on.
    if (values.length === 0 || fits.length > 0) {
      if (types.length > 0) out['type'] = types.length === 1 ? (types[0] as string) : types;
      if (fits.length > 0) out['enum'] = fits;
    }

    for (const word of NUMBERS) {
      const value = get(node, word);
      if (typeof value === 'number') out[word] = value;
    }
    for (const word of COUNTS) {
      const value = get(node, word);
      if (Number.isInteger(value) && (value as number) >= 0) out[word] = value as number;
    }
    // Binary fractions have few exact multiples of decimal ones.
    const multiple = get(node, 'multipleOf');
    if (Number.isInteger(multiple) && (multiple as number) > 0) out['multipleOf'] = multiple as number;
    const pattern = get(node, 'pattern');
    if (typeof pattern === 'string' && isUsable(pattern)) out['pattern'] = pattern;

    writeItems(node, out, depth + 1);
    writeProperties(node, out, isOpen, depth + 1);

    const all = listOf(get(node, 'allOf'));
    const members = all.map((member) =>
      weighed(write(member, isOpen || all.length > 1 || has(node, 'properties'), depth + 1)),
    );
    const choices = [get(node, 'anyOf'), get(node, 'oneOf')]
      .map(listOf)
      .filter((choice) => choice.length > 0)
      .map((choice) => choice.map((member) => weighed(write(member, isOpen || has(node, 'properties'), depth + 1))));
    const [choice, ...others] = choices;
    if (choice !== undefined) out['anyOf'] = choice;
    members.push(...others.map((anyOf) => ({ anyOf })));
    if (members.length > 0) out['allOf'] = members;
    return out;
  };

  /** For nodes that are gone through with the one above. */
  const light = (node: JsonObject | boolean): JsonObject | boolean =>
    typeof node === 'boolean' || weightOf(node) <= LIGHT ? node : weighed(node);

  const has = (node: JsonObject, word: string): boolean => get(node, word) !== undefined;

  const writeItems = (node: JsonObject, out: Record<string, Json>, depth: number): void => {
    const prefix = listOf(get(node, 'prefixItems'));
    const items = get(node, 'items');
    if (prefix.length > 0) {
      out['items'] = prefix.map((item) => light(write(item, false, depth)));
      if (items !== undefined) out['additionalItems'] = items === false ? false : weighed(write(items, false, depth));
    } else if (items !== undefined) out['items'] = items === false ? false : weighed(write(items, false, depth));
  };

  const writeProperties = (node: JsonObject, out: Record<string, Json>, isOpen: boolean, depth: number): void => {
    const map = get(node, 'properties');
    const entries = isObject(map) ? Object.entries(map) : [];
    const properties = new Map(entries.map(([name, child]) => [name, light(write(child, false, depth))]));
    if (properties.size > 0) out['properties'] = Object.fromEntries(properties);
    const hasDefault = (name: string): boolean => {
      const child = isObject(map) ? get(map, name) : undefined;
      return isObject(child) && get(child, 'default') !== undefined;
    };
    const required = texts(get(node, 'required')).filter((name) => !hasDefault(name));
    count(required.length / PER_NODE);
    if (required.length > 0) out['required'] = [...new Set(required)];

    const patterns = get(node, 'patternProperties');
    const byPattern = isObject(patterns) ? Object.entries(patterns) : [];
    const areUsable = byPattern.every(([pattern]) => isUsable(pattern));
    if (byPattern.length > 0 && areUsable)
      out['patternProperties'] = Object.fromEntries(
        byPattern.map(([pattern, child]) => [pattern, weighed(write(child, false, depth))]),
      );
    const isOwn = !APPLICATORS.some((word) => has(node, word));
    // A closed object beside parts that have properties of their own: meant are those of all.
    const isMixed =
      has(node, '$ref') ||
      ['allOf', 'anyOf', 'oneOf']
        .flatMap((word) => listOf(get(node, word)))
        .some((member) => isObject(member) && (has(member, 'properties') || has(member, '$ref')));
    const more = get(node, 'additionalProperties') ?? (isOwn ? get(node, 'unevaluatedProperties') : undefined);
    if (areUsable && isObject(more)) out['additionalProperties'] = weighed(write(more, false, depth));
    if (areUsable && more === false && !isOpen && !isMixed) out['additionalProperties'] = false;
    const names = get(node, 'propertyNames');
    if (isObject(names)) out['propertyNames'] = weighed(write(names, false, depth));
    const dependent = get(node, 'dependentRequired') ?? get(node, 'dependencies');
    const dependencies = (isObject(dependent) ? Object.entries(dependent) : []).flatMap(([name, needs]) =>
      Array.isArray(needs) ? [[name, texts(needs as Json[])] as const] : [],
    );
    count(dependencies.reduce((sum, [, needs]) => sum + 1 + needs.length, 0));
    if (dependencies.length > 0) out['dependencies'] = Object.fromEntries(dependencies);
  };

  const written = write(root, false, 0);
  for (let next = todo.shift(); next !== undefined; next = todo.shift()) next();
  if (typeof written === 'boolean') return {};
  if (definitions.length === 0) return written;
  return { ...written, $defs: Object.fromEntries(definitions.map((one, at) => [String(at), one])) };
};
