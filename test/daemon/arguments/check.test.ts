import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createChecker } from '../../../daemon/arguments/check.ts';
import { createConversion } from '../../../daemon/arguments/convert.ts';
import { createMeter } from '../../../daemon/arguments/meter.ts';
import { writeSchema } from '../../../daemon/arguments/schema.ts';
import type { Json, JsonObject } from '../../../schema/tool.ts';
import { checking, toolOf } from './checking.ts';

const golden = JSON.parse(readFileSync(join(import.meta.dirname, '../../golden/arguments/convert.json'), 'utf8')) as {
  name: string;
  schema: JsonObject;
  given: JsonObject;
  becomes: JsonObject;
}[];

describe('createConversion()', () => {
  test.each(golden)('$name', ({ schema, given, becomes }) => {
    const written = writeSchema(schema);
    if ('problem' in written) throw new Error(written.problem);
    const before = JSON.stringify(given);
    expect(createConversion(written.schema, createMeter())(given)).toEqual(becomes);
    expect(JSON.stringify(given)).toBe(before);
  });

  test('gives the same object where nothing is to be changed', () => {
    const written = writeSchema({ properties: { a: { type: 'array', items: { type: 'number' } } } });
    if ('problem' in written) throw new Error(written.problem);
    const given = { a: [1, 2], b: null };
    expect(createConversion(written.schema, createMeter())(given)).toBe(given);
  });
});

const ROWS = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 2 },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    state: { type: 'string', enum: ['open', 'closed'] },
    sort: { type: 'object', properties: { by: { type: 'string' } }, required: ['by'] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    'x-y': { type: 'boolean' },
  },
  required: ['path'],
  additionalProperties: false,
};

describe('args()', () => {
  test.each<[string, JsonObject, string[]]>([
    ['a missing field', {}, ['path: is missing']],
    ['a wrong name', { path: 'ab', limt: 3 }, ['limt: is not a parameter; near: limit']],
    ['a bound', { path: 'ab', limit: 500 }, ['limit: must be ≤ 100 (was 500)']],
    ['a type', { path: 4 }, ['path: must be string (was the number 4)']],
    ['an enum', { path: 'ab', state: 'opn' }, ['state: must be one of "open", "closed" (was "opn")']],
    ['a part of an object', { path: 'ab', sort: {} }, ['sort.by: is missing']],
    ['an item', { path: 'ab', tags: ['a', 1] }, ['tags[1]: must be string (was the number 1)']],
    ['too many', { path: 'ab', tags: ['a', 'b', 'c'] }, ['tags: must have at most 2 items (has 3)']],
    ['too short', { path: 'a' }, ['path: must have at least 2 characters (has 1)']],
    ['a name with signs', { path: 'ab', 'x-y': 'on' }, ['x-y: must be boolean (was the string "on")']],
  ])('R056: refuses %s, with the field and the reason', (_, args, lines) =>
    expect(checking(ROWS).check(args)).toEqual(lines),
  );

  test('the refusal names the tool and shows its declaration, and at most five fields', () => {
    const tool = toolOf(ROWS, { description: 'Lists rows.' });
    const checker = createChecker({ unchecked: () => {} });
    const args = { limit: 0, state: 1, sort: 1, tags: 1, 'x-y': 1, other: 1 };
    let message = '';
    try {
      checker.args('fx', tool, args);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^`fx\.list_rows` was not called; its arguments do not fit:\n/);
    expect(message.match(/^ {2}\S+: /gm)).toHaveLength(5);
    expect(message).toContain('and 2 more');
    expect(message).toMatch(/declare namespace fx \{[\s\S]*function list_rows\(params: \{[\s\S]*path: string/);
    expect(message.length).toBeLessThan(2500);
  });

  test('a choice is told by the form that comes nearest', () => {
    const at = (schema: Json, value: Json) =>
      checking({ type: 'object', properties: { it: schema } }).check({ it: value });
    expect(at({ anyOf: [{ type: 'number' }, { type: 'array' }] }, 'x')).toEqual([
      'it: must be number or array (was the string "x")',
    ]);
    const forms = {
      anyOf: ['card', 'list'].map((type) => ({
        type: 'object',
        properties: { type: { const: type }, [type]: { type: 'string' } },
        required: ['type', type],
      })),
    };
    expect(at(forms, { type: 'list', list: 4 })).toEqual(['it.list: must be string (was the number 4)']);
    expect(at({ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'c')).toEqual(['it: must be one of "a", "b" (was "c")']);
  });

  test('a name that every object has is no parameter', () => {
    const { check } = checking({
      type: 'object',
      properties: { constructor: { type: 'string' }, toString: { type: 'number' } },
      required: ['constructor'],
    });
    expect(check({})).toEqual(['constructor: is missing']);
    expect(check({ constructor: 'x' })).toEqual({ constructor: 'x' });
  });

  test.each<[string, Json, JsonObject]>([
    [
      'a boolean bound of draft 04',
      { properties: { a: { type: 'number', minimum: 1, exclusiveMinimum: false } } },
      { a: 1 },
    ],
    ['nullable', { properties: { a: { type: 'string', nullable: true } }, required: ['a'] }, { a: null }],
    ['a type by another name', { properties: { a: { type: 'int' } } }, { a: 1 }],
    ['an unknown type', { properties: { a: { type: 'file' } } }, { a: 1 }],
    ['a default that stands in', { properties: { a: { type: 'number', default: 1 } }, required: ['a'] }, {}],
    ['a format', { properties: { a: { type: 'string', format: 'email' } } }, { a: 'x' }],
    ['two forms of a oneOf', { properties: { a: { oneOf: [{ type: 'number' }, { type: 'integer' }] } } }, { a: 1 }],
    ['an enum that contradicts its type', { properties: { a: { type: 'array', enum: ['x'] } } }, { a: ['x'] }],
    ['a reference that leads out', { properties: { a: { $ref: 'https://x.example/s.json' } } }, { a: 1 }],
    [
      'a reference to itself',
      { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { $ref: '#/$defs/A' } } },
      { a: 1 },
    ],
    [
      'parts with properties of their own',
      {
        additionalProperties: false,
        allOf: [{ properties: { a: {} }, additionalProperties: false }, { properties: { b: {} } }],
      },
      { a: 1, b: 2 },
    ],
    ['no schema', null, { a: 1 }],
    ['a schema of something else', { type: 'string' }, { a: 1 }],
    [
      'words without sense',
      { properties: { a: { type: 'string', minLength: -1, maximum: 'x', pattern: '(' } }, required: 'a' },
      { a: '' },
    ],
  ])('never refuses for %s', (_, schema, args) => expect(checking(schema).check(args)).toEqual(args));

  test('a type that refers to itself is checked at every level', () => {
    const { check } = checking({
      properties: { root: { $ref: '#/$defs/Node' } },
      $defs: { Node: { type: 'object', properties: { n: { type: 'number' }, next: { $ref: '#/$defs/Node' } } } },
    });
    expect(check({ root: { n: 1, next: { n: '2' } } })).toEqual({ root: { n: 1, next: { n: 2 } } });
    expect(check({ root: { next: { next: { n: 'x' } } } })).toEqual([
      'root.next.next.n: must be number (was the string "x")',
    ]);
  });

  test('of a schema with very many parts the upper levels are checked', () => {
    const wide = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`f${at}`, { type: 'number' }]));
    const { check, unchecked } = checking({
      properties: Object.fromEntries(
        Array.from({ length: 90 }, (_, at) => [`g${at}`, { type: 'object', properties: wide }]),
      ),
    });
    expect(check({ g1: 1 })).toEqual(['g1: must be object (was the number 1)']);
    expect(check({ g1: { f1: 'x' } })).toEqual({ g1: { f1: 'x' } });
    const all = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`f${at}`, { type: 'number' }]));
    const big = checking({ properties: all });
    expect(big.check({ f1: 'x' })).toEqual({ f1: 'x' });
    expect(big.unchecked).toEqual([expect.stringMatching(/^list-rows: .*more than/)]);
    expect(unchecked).toEqual([]);
  });
});

test('result() says what does not fit an outputSchema, and nothing of what fits', () => {
  const { result } = checking(
    {},
    { outputSchema: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] } },
  );
  expect(result({ id: 1 })).toEqual([]);
  expect(result({ id: 'x' })).toEqual(['id: must be number (was the string "x")']);
});
