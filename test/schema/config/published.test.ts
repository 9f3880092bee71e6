import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as jsonc from 'jsonc-parser';
import { expect, test } from 'vitest';
import { jsonSchema } from '../../../schema/config/published.ts';
import { readConfig } from '../../../schema/config/read.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
  readonly anyOf?: readonly Schema[];
}

const keysOf = (schema: Schema, path = ''): { path: string; name: string; schema: Schema }[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) => [
    { path: `${path}.${name}`, name, schema: child },
    ...keysOf(child, `${path}.${name}`),
  ]),
  ...(schema.anyOf ?? []).flatMap((child) => keysOf(child, path)),
  ...(typeof schema.additionalProperties === 'object' ? keysOf(schema.additionalProperties, `${path}.*`) : []),
];

const documentation = await readFile(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
const examples = [...documentation.matchAll(/```jsonc\n(.*?)```/gs)].map((match) => match[1] ?? '');

test('jsonSchema() describes every key', () => {
  const keys = keysOf(jsonSchema() as Schema);
  expect(keys.length).toBeGreaterThan(50);
  expect(keys.filter(({ schema }) => (schema.description ?? '') === '').map(({ path }) => path)).toEqual([]);
});

test('docs/configuration.md has every key in a table', () => {
  const missing = keysOf(jsonSchema() as Schema).filter(({ name }) => !documentation.includes(`| \`${name}\` `));
  expect(missing.map(({ path }) => path)).toEqual([]);
});

test('docs/configuration.md shows examples that are read without a word and pass the schema', () => {
  const validate = new Ajv2020({ strict: false }).compile(jsonSchema());
  expect(examples.length).toBeGreaterThan(2);
  for (const example of examples) {
    expect(readConfig(example, 'example').problems).toEqual([]);
    expect([validate(jsonc.parse(example)), validate.errors]).toEqual([true, null]);
  }
});

test('jsonSchema() refuses what readConfig() refuses', () => {
  const validate = new Ajv2020({ strict: false }).compile(jsonSchema());
  for (const bad of [
    { surface: 'x' },
    { mcpServers: { a: {} } },
    { execute: { memoryMiB: 1 } },
    { http: { port: 0 } },
  ]) {
    expect(validate(bad)).toBe(false);
    expect(readConfig(JSON.stringify(bad), 'c').problems.some(({ severity }) => severity === 'error')).toBe(true);
  }
});
