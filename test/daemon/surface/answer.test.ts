import { expect, test } from 'vitest';
import { answer, failure, readable, ToolFailure, unwrap } from '../../../daemon/surface/answer.ts';
import type { ToolResult } from '../../../schema/tool.ts';

const text = (...texts: string[]): ToolResult => ({ content: texts.map((one) => ({ type: 'text', text: one })) });

test('unwrap() gives structuredContent, else text (parsed where it is an object or array), else the content', () => {
  expect(unwrap({ ...text('other'), structuredContent: { a: 1 } })).toEqual({ a: 1 });
  expect(unwrap({ ...text('other'), structuredContent: null } as never)).toBeNull();
  expect(unwrap(text(' {"a":1} '))).toEqual({ a: 1 });
  expect(unwrap(text('[1,2]'))).toEqual([1, 2]);
  for (const plain of ['7', 'true', '"x"', 'null', '{no json', '[draft] a note', ''])
    expect(unwrap(text(plain))).toBe(plain);
  // Several parts stay apart.
  expect(unwrap(text('{"a":1}', 'two'))).toEqual(text('{"a":1}', 'two'));
  expect(unwrap({ content: [] })).toBe('');
  expect(unwrap({} as never)).toBe('');
  const mixed = {
    content: [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'x' },
    ],
  };
  expect(unwrap(mixed)).toEqual(mixed);
});

test('unwrap() throws the server’s own text where the result is an error', () => {
  expect(() => unwrap({ ...text('no boat', 'today'), structuredContent: { a: 1 }, isError: true })).toThrow(
    new ToolFailure('no boat\ntoday', text('no boat', 'today').content),
  );
  expect(() => unwrap({ content: [], isError: true })).toThrow(/failed and gave no text/);
});

test('readable() gives a string as it is, undefined by name, the rest as JSON', () => {
  expect(['x', undefined, null, 0, { a: [1] }].map(readable)).toEqual(['x', 'undefined', 'null', '0', '{"a":[1]}']);
});

test('answer() and failure() make text parts and leave out what is undefined', () => {
  expect(answer('a', undefined, 'b')).toEqual(text('a', 'b'));
  expect(failure('a', undefined)).toEqual({ ...text('a'), isError: true });
});
