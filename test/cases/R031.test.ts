// Both spellings of null, a schema that refers to itself, an old draft, and properties that are called like keywords.
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { declareServer } from '../../schema/declare/declare.ts';
import type { Tool } from '../../schema/tool.ts';
import { connectAgent } from '../helpers/agent.ts';
import { named } from '../helpers/corpus.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';
import { compile } from '../helpers/typescript.ts';

const KEYWORDS = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    description: { type: 'number' },
    $ref: { type: 'string' },
    items: { type: 'array', items: { type: 'number' } },
    required: { type: 'boolean' },
  },
  required: ['type', 'items'],
};
const VALUE = {
  oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'array', items: { $ref: '#' } }],
  nullable: true,
};
const NULLS = {
  type: 'object',
  properties: { value: VALUE, other: { type: ['string', 'null'] } },
  required: ['value', 'other'],
};
const TOOLS: readonly Tool[] = [
  { name: 'nulls', inputSchema: NULLS },
  {
    name: 'old',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'http://example.com/old',
      type: 'object',
      properties: { n: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false } },
    },
  },
  { name: 'words', inputSchema: KEYWORDS, outputSchema: KEYWORDS },
];

/** What each tool takes, and what it does not. */
const CALLS = {
  nulls: {
    right: [
      { value: null, other: null },
      { value: 'x', other: 'y' },
      { value: [{ value: [], other: null }], other: null },
    ],
    wrong: [{ value: true, other: null }, { value: 1, other: 1 }, { value: [{ value: 1 }], other: null }, { value: 1 }],
  },
  old: { right: [{ n: 5 }, {}], wrong: [{ n: '5' }] },
  words: {
    right: [
      { type: 'x', items: [1] },
      { type: 'x', items: [], description: 1, $ref: '#/nowhere', required: true },
    ],
    wrong: [
      { type: 'x' },
      { type: 1, items: [] },
      { type: 'x', items: ['1'] },
      { type: 'x', items: [], required: ['type'] },
    ],
  },
} as const;

test('R031: null in both spellings, the self-reference, the old draft and keyword names are typed, and take what they should', () => {
  const { text, warnings, unusable } = declareServer({ namespace: 'fx', tools: named(TOOLS), detail: 'signatures' });
  const [, own] = /^function nulls\(params: (\w+)\)/m.exec(text) ?? [];
  expect(text).toContain(`type ${own} = { value: string | number | ${own}[] | null; other: string | null };`);
  expect(text).toContain('function old(params?: { n?: number }): Promise<any>;');
  const words = '{ type: string; description?: number; $ref?: string; items: number[]; required?: boolean }';
  expect(text).toContain(`function words(params: ${words}): Promise<${words}>;`);
  expect([warnings, unusable]).toEqual([[], []]);

  const full = declareServer({ namespace: 'fx', tools: named(TOOLS), detail: 'full' }).text;
  expect(full).toContain('/** ≤ 9, > 0 */ n?: number');
  const calls = Object.entries(CALLS).flatMap(([tool, { right, wrong }]) => [
    ...right.map((value) => `fx.${tool}(${JSON.stringify(value)});`),
    ...wrong.map((value) => `// @ts-expect-error\nfx.${tool}(${JSON.stringify(value)});`),
  ]);
  for (const declarations of [text, full]) {
    const files = { 'fx.d.ts': declarations, 'calls.ts': `${calls.join('\n')}\nexport {};\n` };
    expect(compile(new Map(Object.entries(files)))).toEqual([]);
  }
});

test('R031: the validator says the same of those values', () => {
  // ajv wants the null of OpenAPI written out where no type stands beside it.
  const value = { anyOf: [...VALUE.oneOf, { type: 'null' }] };
  const nulls = { ...NULLS, properties: { ...NULLS.properties, value } };
  for (const [schema, { right, wrong }] of [
    [nulls, CALLS.nulls],
    [KEYWORDS, CALLS.words],
  ] as const) {
    const accepts = new Ajv({ strict: false }).compile(schema);
    expect(right.map((each) => accepts(each))).toEqual(right.map(() => true));
    expect(wrong.map((each) => accepts(each))).toEqual(wrong.map(() => false));
  }
});

test('R031: through the program, all of them are listed and reached', async () => {
  await using home = temporaryHome({ mcpServers: { fx: fixtureServer('names.mjs', 'fx', JSON.stringify(TOOLS)) } });
  await using agent = await connectAgent({ home: home.home });
  const { text } = declareServer({ namespace: 'fx', tools: named(TOOLS), detail: 'signatures' });
  expect(await agent.text('list_tools', {})).toBe(text.trimEnd());
  expect(await agent.text('execute', { script: 'return fx.nulls({ value: null, other: null })' })).toBe('fx nulls');
  expect(await agent.text('execute', { script: 'return fx.old({ n: 5 })' })).toBe('fx old');
});
