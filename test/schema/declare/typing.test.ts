// The count of parameters without a type finds those that there are.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../schema/tool.ts';
import { named } from '../../helpers/corpus.ts';
import { causesOf, typingOf } from '../../helpers/typing.ts';

const typingFor = (properties: JsonObject, rest: JsonObject = {}) =>
  typingOf({ tools: named([{ name: 'f', inputSchema: { type: 'object', properties, ...rest } }]) });

const placesOf = (list: readonly { parameter: string; cause: string }[]) =>
  Object.fromEntries(list.map(({ parameter, cause }) => [parameter, cause]));

test('typingOf() finds what is lost, at any depth, with its cause', () => {
  let deep: JsonObject = { type: 'string' };
  for (let at = 0; at < 250; at += 1) deep = { type: 'array', items: deep };
  const { stated, lost, silent } = typingFor({
    fine: { type: 'object', properties: { inner: { enum: ['a'] } } },
    gone: { $ref: '#/$defs/missing' },
    list: { type: 'array', items: { type: 'object', properties: { odd: { type: 'jsonish' } } } },
    map: { type: 'object', additionalProperties: { $ref: 'https://example.org/schema' } },
    deep,
  });
  expect(stated).toBe(7);
  expect(silent).toEqual([]);
  const cause = 'the schema is too deep or too big';
  expect(Object.values(placesOf(lost)).filter((each) => each === cause)).toHaveLength(1);
  expect(placesOf(lost.filter((each) => each.cause !== cause))).toEqual({
    gone: 'a reference leads nowhere',
    'list[].odd': 'the type is none of JSON Schema',
    'map{}': 'a reference leads nowhere',
  });
});

test('typingOf() counts apart what states no type, and nothing twice', () => {
  const typing = typingFor(
    {
      free: { description: 'anything' },
      choice: { anyOf: [{ type: 'string' }, {}] },
      list: { type: 'array' },
      tree: { $ref: '#/$defs/tree' },
      again: { $ref: '#/$defs/tree' },
      text: { type: 'string', items: { enum: ['a'] } },
    },
    { $defs: { tree: { type: 'object', properties: { child: { $ref: '#/$defs/tree' }, any: true } } } },
  );
  expect(typing.stated).toBe(5);
  expect(typing.lost).toEqual([]);
  expect(typing.silent.map(({ parameter }) => parameter).sort()).toEqual(['choice', 'free', 'tree.any']);
  expect(causesOf(typing)).toBe('its schema states no type: 3');
});

test('typingOf() counts the parameters of a tool that cannot be called as lost', () => {
  const typing = typingFor({ a: { type: 'string' } }, { type: 'string' });
  expect(placesOf(typing.lost)).toEqual({ a: 'the tool cannot be called' });
});
