import { expect, test } from 'vitest';
import { parseArguments, readable, splitTarget } from '../../../tui/commands/call.ts';
import { UsageError } from '../../../tui/context.ts';

test.each([
  ['files.read', [], 'files', 'read'],
  ['files.admin.tools.list', [], 'files', 'admin.tools.list'],
  ['a.b.c', ['a', 'a.b'], 'a.b', 'c'],
  ['a.b.c', ['x'], 'a', 'b.c'],
])('splitTarget(%s) with servers %s', (target, servers, server, tool) => {
  expect(splitTarget(target, servers)).toEqual({ server, tool });
});

test.each(['', 'files', '.read', 'files.'])('splitTarget(%j) is misuse', (target) => {
  expect(() => splitTarget(target, [])).toThrow(UsageError);
});

test('parseArguments() takes one object only', () => {
  expect(parseArguments(' {"a": 1} ')).toEqual({ a: 1 });
  expect(parseArguments('')).toEqual({});
  for (const wrong of ['null', '[]', '"x"', '7', '{']) expect(() => parseArguments(wrong)).toThrow(UsageError);
});

test('readable() gives texts, names the rest, and falls back to structured content', () => {
  const content = [
    { type: 'text', text: 'one' },
    { type: 'image', mimeType: 'image/png', data: 'AAAA'.repeat(512) },
    { type: 'resource', resource: { uri: 'file:///a', text: 'two' } },
    { type: 'resource_link', uri: 'file:///b' },
  ];
  expect(readable({ content })).toEqual({
    texts: ['one', 'two'],
    others: ['image image/png, 1.5 KB', 'resource_link file:///b'],
  });
  expect(readable({ content: [], structuredContent: { a: 1 } })).toEqual({ texts: ['{\n  "a": 1\n}'], others: [] });
});
