import { describe, expect, test } from 'vitest';
import { printShape } from '../../../../daemon/catalog/shapes/print.ts';
import { shapeOf } from '../../../../daemon/catalog/shapes/sample.ts';
import type { Json } from '../../../../schema/tool.ts';

const typeOf = (value: Json): string => printShape(shapeOf(value));
const filled = <T>(keys: readonly string[], value: T) => Object.fromEntries(keys.map((key) => [key, value]));

describe('shapeOf()', () => {
  test('gives keys and kinds, and never a value', () => {
    expect(typeOf({ id: 7, name: 'Ada', tags: ['x', 'y'], owner: { login: 'ada', admin: false }, gone: null })).toBe(
      '{ gone: null; id: number; name: string; owner: { admin: boolean; login: string }; tags: string[] }',
    );
    expect(typeOf([])).toBe('unknown[]');
    expect(typeOf([1, 'a', null])).toBe('(string | number | null)[]');
    expect(typeOf([{ id: 1 }, { id: 2, more: true }])).toBe('{ id: number; more?: boolean }[]');
    expect(typeOf({})).toBe('Record<string, unknown>');
  });

  test.each<[string, Json]>([
    ['one e-mail address as a key', { 'ada@example.com': { role: 'admin' } }],
    ['one id among names', { total: 1, U02ABC123: 2 }],
    ['dates', { '2024-01-31': 3, '2024-02-01': 4 }],
    ['three alike objects under first names', filled(['alice', 'bob', 'carol'], { age: 3, city: 'x' })],
    ['three alike lists of objects', filled(['alice', 'bob', 'carol'], [{ age: 3 }])],
    [
      'twelve strings',
      filled(
        [...'abcdefghijkl'].map((letter) => `key${letter}`),
        'x',
      ),
    ],
    [
      'more names than any struct has',
      Object.fromEntries(
        Array.from({ length: 130 }, (_, at) => [
          `n${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}`,
          at % 2 ? 'x' : 1,
        ]),
      ),
    ],
  ])('makes a map of %s', (_, value) => {
    expect(typeOf(value)).toMatch(/^Record<string, /);
    expect(JSON.stringify(shapeOf(value))).not.toMatch(/alice|@|U02|2024|keya|total/);
  });

  test.each<[string, Json]>([
    ['two alike objects', { before: { at: 1 }, after: { at: 2 } }],
    ['objects of different forms', { user: { login: 'x' }, repo: { stars: 1 }, page: { next: 'y' } }],
    ['eight numbers', filled(['min', 'max', 'mean', 'sum', 'count', 'p50', 'p95', 'p99'], 1)],
  ])('keeps the names of %s', (_, value) => {
    expect(Object.keys(Object(value)).every((name) => typeOf(value).includes(`${name}: `))).toBe(true);
  });

  test('looks six levels deep', () => {
    expect(typeOf([[[[[[[1]]]]]]])).toBe('unknown[][][][][][]');
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as Json;
    expect(typeOf(deep)).toBe('unknown[][][][][][]');
  });

  test('takes __proto__ for a key like any other', () => {
    expect(typeOf(JSON.parse('{"__proto__": {"polluted": 1}, "id": 2}') as Json)).toBe(
      '{ __proto__: { polluted: number }; id: number }',
    );
  });
});
