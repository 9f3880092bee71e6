import { expect, test } from 'vitest';
import { readArguments } from '../../../daemon/surface/arguments.ts';

const read = (args: object) => readArguments('list_tools', args as never, ['a', 'b']);

test('readArguments() gives undefined for what is missing or null', () => {
  const { string, strings, number, object, oneOf } = read({ a: null });
  for (const one of [string, strings, number, object]) expect([one('a'), one('b')]).toEqual([undefined, undefined]);
  expect(oneOf('a', ['x'])).toBeUndefined();
});

test('readArguments() takes one string for a list of one', () => {
  expect(read({ a: 'x' }).strings('a')).toEqual(['x']);
  expect(read({ a: ['x', 'y'] }).strings('a')).toEqual(['x', 'y']);
});

test('readArguments() names field, wish and what came instead', () => {
  expect(() => read({ a: [1] }).strings('a')).toThrow('`a` must be a list of strings, not array.');
  expect(() => read({ a: 7 }).string('a')).toThrow('`a` must be a string, not number.');
  expect(() => read({ a: '7' }).number('a')).toThrow('`a` must be a number, not string.');
  expect(() => read({ a: [] }).object('a')).toThrow('`a` must be an object, not array.');
  expect(() => read({ a: 'z' }).oneOf('a', ['x', 'y'])).toThrow('`a` must be one of x, y.');
  expect(() => read({ c: 1 })).toThrow('list_tools has no parameter `c`. It takes: a, b.');
});
