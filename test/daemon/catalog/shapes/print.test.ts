import { expect, test } from 'vitest';
import { printShape } from '../../../../daemon/catalog/shapes/print.ts';
import { shapeOf } from '../../../../daemon/catalog/shapes/sample.ts';
import type { Shape } from '../../../../daemon/catalog/shapes/shape.ts';
import { compile, parseTypeScript } from '../../../helpers/typescript.ts';

const HOSTILE = [
  '*/',
  '"; evil(); "',
  'a\nb',
  'a\u2028b',
  'a\u202eb',
  'a`${b}`',
  '__proto__',
  'constructor',
  '',
  '}',
  '// x',
  'class',
];

const objectWith = (names: readonly string[], optional = false): Shape => ({
  scalars: [],
  object: {
    kind: 'fields',
    empty: false,
    fields: names.map((name) => ({ name, shape: { scalars: ['string', 'null'] }, optional })),
  },
});

test('printShape() writes any key so that it stays a key, under strict TypeScript', async () => {
  const types = [objectWith(HOSTILE), objectWith(HOSTILE, true)].map((shape) => printShape(shape));
  for (const text of types) {
    await parseTypeScript(`type T = ${text};`);
    expect(text).not.toMatch(/[\n\u2028\u202e]/);
  }
  const keys = `type Keys<T> = { [K in keyof T]: T[K] };\nconst keys: Record<keyof T, 1> = ${JSON.stringify(
    Object.fromEntries(HOSTILE.filter((key) => key !== '__proto__').map((key) => [key, 1])),
  ).replace('{', '{["__proto__"]:1,')};\nexport { keys, type Keys };`;
  expect(compile(new Map([['keys.ts', `type T = ${types[0]};\n${keys}`]]))).toEqual([]);
});

test('printShape() shows the levels that fit its limit, and the same text each time', () => {
  const shape = shapeOf({ page: { next: 'x', items: [{ id: 1, owner: { login: 'x' } }] }, total: 3 });
  const whole = printShape(shape);
  expect(whole).toBe('{ page: { items: { id: number; owner: { login: string } }[]; next: string }; total: number }');
  expect(printShape(shape, whole.length - 1)).toBe(
    '{ page: { items: { id: number; owner: unknown }[]; next: string }; total: number }',
  );
  expect(printShape(shape, 50)).toBe('{ page: unknown; total: number }');
  expect(printShape(shape, 10)).toBe('unknown');
  expect(printShape(shape, whole.length)).toBe(whole);
});

test('printShape() says where an object has more names than it shows', () => {
  const names = Array.from(
    { length: 60 },
    (_, at) => `n${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}`,
  );
  const text = printShape(objectWith(names.sort()));
  expect(text.match(/string \| null/g)).toHaveLength(40);
  expect(text).toContain('[key: string]: unknown }');
});
