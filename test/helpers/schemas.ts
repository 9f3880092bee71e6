// Random JSON Schemas, sensible and not, for what must hold of any.
import type { Json, JsonObject } from '../../schema/tool.ts';
import type { Random } from './random.ts';

const NAMES = [
  'a',
  'b',
  'id',
  'type',
  '$ref',
  'items',
  'x-y',
  'required',
  '',
  '1',
  'ünï',
  '🚀',
  '*/',
  '"',
  'a b',
  'constructor',
  'toString',
  '\u2028',
  '\u202e',
];
const TEXTS = [
  '',
  'Plain.',
  '*/ leak(); /*',
  'two\r\nlines\u2028more',
  '`$` {x}',
  '/* open',
  '\u200bhidden\u{e0041}',
  '\ud83d',
];
const VALUES: readonly Json[] = [null, true, 0, -1.5, 1e21, 'a', '"', '*/', '\n', [], [1, 'a'], {}, { k: { l: 1 } }];
const TYPES: readonly Json[] = [
  'string',
  'number',
  'integer',
  'boolean',
  'null',
  'object',
  'array',
  ['string', 'null'],
  ['object', 'array'],
  [],
  'wat',
  7,
  'INT',
];

/** A schema of at most `depth` levels; one in eight parts is nothing a schema should be. */
export const randomSchema = (random: Random, depth: number): Json => {
  if (random.chance(0.03)) return random.pick<Json>([true, false, null, 'string', 3, [], {}]);
  const schema: { [key: string]: Json } = {};
  const child = (): Json =>
    depth > 0 ? randomSchema(random, depth - 1) : random.pick<Json>([{}, { type: 'string' }, true]);
  const map = (): JsonObject =>
    Object.fromEntries(Array.from({ length: random.below(4) }, () => [random.pick(NAMES), child()]));
  const list = (): Json => Array.from({ length: random.below(4) }, child);
  const parts: Record<string, () => Json> = {
    type: () => random.pick(TYPES),
    properties: map,
    required: () => random.pick<Json>([['a'], ['a', 'id', 'zz'], [], true, 'a', [1]]),
    additionalProperties: () => random.pick<Json>([true, false, child(), null]),
    patternProperties: map,
    propertyNames: () => random.pick<Json>([{ enum: ['p', 'q', '*/'] }, { pattern: '^a' }]),
    items: () => random.pick<Json>([child(), list(), false]),
    prefixItems: list,
    minItems: () => random.below(4),
    maxItems: () => random.below(4),
    enum: () => random.pick<Json>([[random.pick(VALUES), random.pick(VALUES), 'a'], [], 'x']),
    const: () => random.pick(VALUES),
    anyOf: list,
    oneOf: list,
    allOf: list,
    $ref: () =>
      random.pick(['#', '#/$defs/A', '#/$defs/B', '#/properties/a', '#/nowhere', 'http://x.example/#', '#anchor', '%']),
    $defs: () => ({ A: child(), B: child() }),
    nullable: () => random.chance(0.7),
    description: () => random.pick(TEXTS),
    title: () => random.pick([...TEXTS, '200', 'Promise', 'Record', 'any']),
    default: () => random.pick(VALUES),
    examples: () => [random.pick(VALUES)],
    pattern: () => random.pick(['x/*/y', '^a$', '*/']),
    minimum: () => random.below(9),
    exclusiveMinimum: () => random.pick<Json>([true, 3]),
    $id: () => random.pick(['http://x.example/a', 'b', '#anchor']),
    not: () => random.pick<Json>([{}, child()]),
    ...Object.fromEntries(['if', 'then', 'else'].map((word) => [word, child])),
    dependentSchemas: map,
    dependencies: map,
    additionalItems: () => random.pick<Json>([false, child()]),
    unevaluatedItems: () => random.pick<Json>([false, child()]),
    unevaluatedProperties: () => random.pick<Json>([false, child()]),
    $anchor: () => 'anchor',
    $dynamicRef: () => '#anchor',
  };
  for (const [word, make] of Object.entries(parts)) {
    const likely = word === 'type' ? 0.6 : word === 'properties' ? 0.35 : 0.1;
    if (random.chance(likely)) schema[word] = random.chance(0.02) ? random.pick(VALUES) : make();
  }
  return schema;
};

/** One that can stand as an inputSchema or nearly so. */
export const randomToolSchema = (random: Random): Json => {
  const schema = randomSchema(random, 3);
  if (random.chance(0.1) || typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  return {
    ...(schema as JsonObject),
    type: 'object',
    $defs: { A: randomSchema(random, 2), B: randomSchema(random, 2) },
  };
};
