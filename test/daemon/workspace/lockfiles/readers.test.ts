import { describe, expect, test } from 'vitest';
import { ECOSYSTEMS } from '../../../../daemon/workspace/dependency.ts';
import { READERS } from '../../../../daemon/workspace/lockfiles/readers.ts';
import { textFiles } from '../../../helpers/workspace-files.ts';

test('readers have ids of their own, known ecosystems, and say of each file what they read', () => {
  expect(new Set(READERS.map(({ id }) => id)).size).toBe(READERS.length);
  for (const { ecosystems, files } of READERS) {
    expect(ECOSYSTEMS).toEqual(expect.arrayContaining([...ecosystems]));
    for (const { file, reads } of files)
      expect([file, reads]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)]);
  }
});

/** Of each that a reader looks for, with names where the table has patterns. */
const NAMES = READERS.flatMap(({ files }) => files.flatMap(({ file }) => file.split(', '))).map((name) =>
  name.replace('*', 'a'),
);

const repeat = (text: string, size = 50_000) => text.repeat(Math.ceil(size / text.length));

/** What an expression that looks back too often needs minutes for. */
const HOSTILE: Readonly<Record<string, string>> = {
  spaces: repeat(' '),
  lines: repeat('\n'),
  'spaces and the end of a line elsewhere': `#${repeat(' ')}\u2028x`,
  'operators of versions': `a${repeat('=')}(`,
  'versions without end': `a ${repeat('>=1,')}(`,
  brackets: repeat('['),
  braces: repeat('{:a, '),
  quotes: repeat('"'),
  'quoted packages': repeat('.package(url: "'),
  names: repeat('a'),
  deps: `def ${repeat('deps')}`,
  'configurations of Gradle': repeat('implementation '),
  'configurations in one word': repeat('implementation'),
  includes: `include ${repeat('"a" ')}`,
  'quotes with spaces behind': `include ${repeat('"a"  ')}x`,
  elements: repeat('<a>'),
  hashes: repeat(' #'),
  options: `a ${repeat(' --hash')}`,
  properties: repeat('${'),
  'tables of TOML': repeat('[a.b]\n'),
  'keys of TOML': repeat('a.'),
  'anchors of YAML': `a: &a [x]\n${Array.from({ length: 1_000 }, (_, at) => `b${at}: [*a, *a, *a]\n`).join('')}`,
  'sections of a Gemfile.lock': `${repeat('    a (1)\n      b\n')}DEPENDENCIES\n  b\n`,
  'modules of Go': `module a\n${Array.from({ length: 2_000 }, (_, at) => `require m${at} v1.0.${at}\ntool m${at}/x\n`).join('')}`,
};

describe('readers are done soon, whatever a file of a repository holds', () => {
  test.each(Object.entries(HOSTILE))('%s', (_, text) => {
    const slow = [...new Set(NAMES)].flatMap((name) => {
      const files = textFiles({ 'package.json': '{"dependencies":{"a":"1"}}', [name]: text });
      const start = process.cpuUsage();
      for (const reader of READERS) {
        try {
          reader.read(files);
        } catch (error) {
          // Broken: it says which file, and never what a bug would say.
          expect(String(error)).toContain(`Error: ${name}`);
        }
      }
      const { user, system } = process.cpuUsage(start);
      return user + system > 1_000_000 ? [name] : [];
    });
    expect(slow).toEqual([]);
  });
});
