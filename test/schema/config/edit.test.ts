// Edits of config files, byte for byte.
import { parse as parseJsonc } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { withoutServer, withServer } from '../../../schema/config/edit.ts';

const FILE = '/home/u/config.json';
const ENTRY = { command: 'npx', args: ['-y', 'x'] };
const parse = (text: string) => parseJsonc(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
const put = (text: string, name = 'new') => withServer(text, FILE, name, ENTRY);

describe('withServer()', () => {
  test('makes a file where there is none', () => {
    expect(put('')).toBe(
      '{\n  "mcpServers": {\n    "new": {\n      "command": "npx",\n      "args": [\n        "-y",\n        "x"\n      ]\n    }\n  }\n}\n',
    );
  });

  test.each([
    ['comments', '{\n  // mine\n  "mcpServers": {\n    "a": { "url": "x" } // keep\n  },\n  "surface": "code"\n}\n'],
    ['four spaces', '{\n    "mcpServers": {\n        "a": { "url": "x" }\n    }\n}\n'],
    ['tabs', '{\n\t"mcpServers": {\n\t\t"a": { "url": "x" }\n\t}\n}\n'],
    ['line ends of Windows', '{\r\n  "mcpServers": {\r\n    "a": { "url": "x" }\r\n  }\r\n}\r\n'],
    ['a byte order mark', '\uFEFF{\n  "mcpServers": {\n    "a": { "url": "x" }\n  }\n}'],
    ['a trailing comma', '{\n  "mcpServers": {\n    "a": { "url": "x" },\n  },\n}\n'],
    ['no servers yet', '{\n  "surface": "code"\n}\n'],
    ['empty servers', '{ "mcpServers": {} }'],
    ['all in one line', '{"mcpServers":{"a":{"url":"x"}}}'],
    ['a comment in a block after the last', '{\n  "mcpServers": {\n    "a": {} /* one\n    two */\n  }\n}\n'],
    ['a comment alone', '{\n  "mcpServers": {\n    // none yet\n  }\n}\n'],
    ['blanks at the end of a line', '{\n  "mcpServers": {\n    "a": {}  \n  }\n}\n'],
    ['two servers in one line', '{ "mcpServers": { "a": {}, "b": {} } }'],
    ['a trailing comma in one line', '{ "mcpServers": { "a": {}, } }'],
  ])('keeps %s, and taking the server out again gives the very text back', (_, text) => {
    const after = put(text);
    expect(parse(after).mcpServers.new).toEqual(ENTRY);
    expect(Object.keys(parse(after).mcpServers)).toEqual([...Object.keys(parse(text).mcpServers ?? {}), 'new']);
    // Nothing but what was added is new: without it, what is left is the text.
    let at = 0;
    for (const character of after) if (character === text[at]) at += 1;
    expect(at).toBe(text.length);
    if (text.includes('mcpServers')) expect(withoutServer(after, FILE, 'new')).toBe(text);
    expect(text.includes('\r\n') && /(?<!\r)\n/.test(after)).toBe(false);
  });

  test.each([
    ['{"mcpServers":{"a":1,"b":2,"c":3}}', 'a', '{"mcpServers":{"b":2,"c":3}}'],
    ['{"mcpServers":{"a":1,"b":2,"c":3}}', 'b', '{"mcpServers":{"a":1,"c":3}}'],
    ['{"mcpServers":{"a":1,"b":2,"c":3}}', 'c', '{"mcpServers":{"a":1,"b":2}}'],
    ['{ "mcpServers": {\n  "a": 1, // one\n  // two\n  "b": 2\n} }', 'a', '{ "mcpServers": {\n  // two\n  "b": 2\n} }'],
    [
      '{ "mcpServers": {\n  "a": 1, // one\n  // two\n  "b": 2\n} }',
      'b',
      '{ "mcpServers": {\n  "a": 1 // one\n  // two\n} }',
    ],
    ['{ "mcpServers": {\n  "a": 1,\n  "b": 2,\n} }', 'b', '{ "mcpServers": {\n  "a": 1,\n} }'],
    ['{ "mcpServers": { "a": 1 } }', 'a', '{ "mcpServers": {} }'],
  ])('of %j without %s is left %j', (text, name, left) => {
    expect(withoutServer(text, FILE, name)).toBe(left);
  });

  test('refuses a name that is taken, with its place', () => {
    expect(() => put('{\n  "mcpServers": {\n    "new": {}\n  }\n}')).toThrow(
      `${FILE}:3:5 has a server named new already`,
    );
  });

  test.each([
    ['{ "mcpServers": { ', /config\.json:1:\d+/],
    ['{ "mcpServers": [] }', /must be an object/],
    ['[]', /must be an object/],
  ])('refuses %s, and treats nothing that it cannot read as empty', (text, said) => {
    expect(() => put(text)).toThrow(said);
    expect(() => withoutServer(text, FILE, 'a')).toThrow(said);
  });
});

test('withoutServer() is undefined where there is nothing to take out', () => {
  expect(withoutServer('', FILE, 'a')).toBeUndefined();
  expect(withoutServer('{ "mcpServers": { "b": {} } }', FILE, 'a')).toBeUndefined();
  expect(withoutServer('{}', FILE, 'a')).toBeUndefined();
});
