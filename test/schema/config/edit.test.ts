// Edits of config files, byte for byte.
import { parse as parseJsonc } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { withoutServer, withServer } from '../../../schema/config/edit.ts';
import { randomOf } from '../../helpers/random.ts';

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
    ['a trailing comma below its line', '{\n  "mcpServers": {\n    "a": {} // one\n    ,\n  }\n}\n'],
    ['line ends of old', '{\r  "mcpServers": {\r    "a": {} // one\r  }\r}\r'],
    ['names of prototypes', '{ "mcpServers": { "__proto__": {}, "constructor": {} } }'],
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
    // a comma below its line
    ['{ "mcpServers": {\n  "a": 1\n  , "b": 2\n} }', 'b', '{ "mcpServers": {\n  "a": 1\n  \n} }'],
    ['{ "mcpServers": {\n  "a": 1 // one\n  , "b": 2\n} }', 'a', '{ "mcpServers": {\n   "b": 2\n} }'],
    ['{ "mcpServers": {\n  "a": 1\n  // two\n  ,\n} }', 'a', '{ "mcpServers": {\n  // two\n  \n} }'],
    // a neighbour on the line, and a comment that would swallow it
    ['{ "mcpServers": { // all\n  "a": 1, "b": 2\n} }', 'a', '{ "mcpServers": { // all\n  "b": 2\n} }'],
    // doubled: none is left to come to count
    ['{ "mcpServers": { "a": 1, "b": 2, "a": 3 } }', 'a', '{ "mcpServers": { "b": 2 } }'],
    ['{"mcpServers":{\r"a":1, // one\r"b":2\r}}', 'b', '{"mcpServers":{\r"a":1 // one\r}}'],
  ])('of %j without %s is left %j', (text, name, left) => {
    expect(withoutServer(text, FILE, name)).toBe(left);
  });

  test.each([
    [
      '{\n  "mcpServers": {\n    "new": {}, // mine\n    "b": {}\n  }\n}',
      '"new": {\n      "command": "x"\n    }, // mine',
    ],
    ['{"mcpServers":{"new":{"url":"y"},"b":{}}}', '{"mcpServers":{"new":{"command":"x"},"b":{}}}'],
    ['{"mcpServers":{}}', '"new": {\n'],
  ])('of %j replaces what has the name, where that is meant', (text, part) => {
    expect(withServer(text, FILE, 'new', { command: 'x' }, true)).toContain(part);
  });

  test('of any file changes just what it is asked to, and leaves one that can be read', () => {
    const { pick, chance, below } = randomOf(7);
    const gap = (eol: string) => pick(['', '', ' ', eol, `${eol}  `, ` // c${eol}`, ' /* x */ ', '/*,}*/']);
    const object = (eol: string, depth: number, names: readonly string[]): string => {
      const parts = names.map((name, at) => {
        const value = pick([
          '1',
          '"a,}\\"/*"',
          `[${gap(eol)}1]`,
          depth < 2 ? object(eol, depth + 1, ['k', 'l']) : '{}',
        ]);
        const comma = at < names.length - 1 || chance(0.3) ? `,${gap(eol)}` : '';
        return `"${name}"${gap(eol)}:${gap(eol)}${value}${gap(eol)}${comma}`;
      });
      return `{${gap(eol)}${parts.join('')}${gap(eol)}}`;
    };
    for (let round = 0; round < 150; round += 1) {
      const eol = pick(['\n', '\r\n', '\r']);
      const names = ['a', 'b', 'c'].slice(0, below(4));
      const text = `${gap(eol)}{${gap(eol)}"mcpServers":${gap(eol)}${object(eol, 0, names)}${gap(eol)}}${gap(eol)}`;
      const { mcpServers } = parse(text);
      const added = put(text);
      expect(parse(added).mcpServers, added).toEqual({ ...mcpServers, new: ENTRY });
      expect(parse(withoutServer(added, FILE, 'new') ?? '').mcpServers, added).toEqual(mcpServers);
      const { a: _, ...others } = mcpServers;
      if (names.length > 0) expect(parse(withoutServer(text, FILE, 'a') ?? '').mcpServers, text).toEqual(others);
    }
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
