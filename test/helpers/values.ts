// Values that a JSON Schema accepts, and values that it refuses by little. Knows nothing of schema/declare.
import { isObject, type Json, type JsonObject } from '../../schema/tool.ts';
import type { Random } from './random.ts';

const follow = (root: Json, reference: string): Json | undefined => {
  let node: Json | undefined = root;
  for (const step of decodeURIComponent(reference).split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    node = Array.isArray(node) ? (node as Json[])[Number(key)] : isObject(node) ? node[key] : undefined;
  }
  return node;
};

const word = (schema: JsonObject, random: Random): string => {
  const least = typeof schema['minLength'] === 'number' ? schema['minLength'] : 0;
  const most = typeof schema['maxLength'] === 'number' ? schema['maxLength'] : Math.max(8, least);
  return 'abcdefghij'.repeat(1 + Math.ceil(least / 10)).slice(0, Math.max(least, Math.min(most, 3 + random.below(5))));
};

const amount = (schema: JsonObject): number => {
  const [least, most] = [schema['minimum'], schema['maximum']];
  const over = schema['exclusiveMinimum'];
  if (typeof over === 'number') return Math.floor(over) + 1;
  if (typeof least === 'number' && least > 1) return Math.ceil(least);
  return typeof most === 'number' && most < 1 ? Math.floor(most) : 1;
};

/** A value for `schema`, a part of `root`. May be one that the schema refuses (patterns, `not`): ask a validator. */
export const sampleOf = (schema: Json | undefined, root: Json, random: Random, depth = 6): Json => {
  if (!isObject(schema)) return random.pick<Json>(['any', 1, null]);
  if (typeof schema['$ref'] === 'string') return sampleOf(follow(root, schema['$ref']), root, random, depth - 1);
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum']) && schema['enum'].length > 0) return random.pick(schema['enum'] as Json[]);
  for (const choice of ['anyOf', 'oneOf']) {
    const members = schema[choice];
    if (!Array.isArray(members) || members.length === 0) continue;
    const picked = sampleOf(
      depth > 0 ? random.pick(members as Json[]) : (members.at(-1) as Json),
      root,
      random,
      depth - 1,
    );
    const { [choice]: _, ...rest } = schema;
    return isObject(picked) && isObject(rest['properties'])
      ? { ...(sampleOf(rest, root, random, depth) as JsonObject), ...picked }
      : picked;
  }
  if (Array.isArray(schema['allOf'])) {
    const { allOf, ...rest } = schema;
    const parts = [...(allOf as Json[]), ...(rest['properties'] === undefined ? [] : [rest])].map((part) =>
      sampleOf(part, root, random, depth - 1),
    );
    return parts.every(isObject) ? Object.assign({}, ...parts) : (parts[0] ?? null);
  }
  const types = Array.isArray(schema['type'])
    ? (schema['type'] as Json[])
    : [schema['type'] ?? (schema['properties'] === undefined ? 'string' : 'object')];
  switch (random.pick(types)) {
    case 'string':
      return word(schema, random);
    case 'number':
      return random.chance(0.3) && schema['maximum'] === undefined ? amount(schema) + 0.5 : amount(schema);
    case 'integer':
      return amount(schema);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'array': {
      if (Array.isArray(schema['prefixItems']))
        return (schema['prefixItems'] as Json[]).map((item) => sampleOf(item, root, random, depth - 1));
      const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0;
      const length = depth <= 0 ? least : Math.max(least, random.below(3));
      return Array.from({ length }, () => sampleOf(schema['items'], root, random, depth - 1));
    }
    default: {
      const properties = isObject(schema['properties']) ? schema['properties'] : {};
      const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []);
      const entries = Object.entries(properties)
        .filter(([name]) => required.has(name) || (depth > 0 && random.chance(0.5)))
        .map(([name, child]): [string, Json] => [name, sampleOf(child, root, random, depth - 1)]);
      const more = schema['additionalProperties'];
      for (const name of required)
        if (!(name in properties)) entries.push([name, sampleOf(isObject(more) ? more : {}, root, random, depth - 1)]);
      const names = isObject(schema['propertyNames']) ? schema['propertyNames']['enum'] : undefined;
      if (more === true || (isObject(more) && random.chance(0.7))) {
        entries.push([
          Array.isArray(names) ? String(names[0]) : 'extra_key',
          sampleOf(more === true ? {} : more, root, random, depth - 1),
        ]);
      }
      return Object.fromEntries(entries);
    }
  }
};

const PLAIN = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array']);

/**
 * Near-misses of a `value` of an object schema, each wrong in one way that a type can express: a required property gone, a
 * property of a stated type with a value of another type, an enum without the value, a property where none may be.
 */
export const nearMisses = (schema: Json, value: JsonObject): { readonly how: string; readonly value: JsonObject }[] => {
  if (!isObject(schema) || ['anyOf', 'oneOf', 'allOf', '$ref'].some((each) => each in schema)) return [];
  const misses: { how: string; value: JsonObject }[] = [];
  for (const name of Array.isArray(schema['required']) ? (schema['required'] as string[]) : []) {
    misses.push({
      how: `without ${name}`,
      value: Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)),
    });
    break;
  }
  for (const [name, child] of Object.entries(isObject(schema['properties']) ? schema['properties'] : {})) {
    if (!isObject(child)) continue;
    if (Array.isArray(child['enum']))
      misses.push({ how: `${name} out of its enum`, value: { ...value, [name]: 'not one of these' } });
    else if (typeof child['type'] === 'string' && PLAIN.has(child['type'])) {
      misses.push({
        how: `${name} of another type`,
        value: { ...value, [name]: child['type'] === 'boolean' ? 'true' : true },
      });
    }
    const inner = value[name];
    if (isObject(inner)) {
      for (const miss of nearMisses(child, inner))
        misses.push({ how: `${name}: ${miss.how}`, value: { ...value, [name]: miss.value } });
    }
  }
  if (schema['additionalProperties'] === false && schema['patternProperties'] === undefined) {
    misses.push({ how: 'with a property too many', value: { ...value, not_foreseen: 1 } });
  }
  return misses;
};
