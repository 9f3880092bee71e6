import { expect, test } from 'vitest';
import { below, expand, matches } from '../../../../../daemon/workspace/lockfiles/parts/paths.ts';
import { textFiles } from '../../../../helpers/workspace-files.ts';

test.each([
  ['', 'a/b', 'a/b'],
  ['', '.', ''],
  ['', './a/', 'a'],
  ['a/b', '../c', 'a/c'],
  ['a', '..', ''],
  ['a', '../..', undefined],
  ['', '../a', undefined],
  ['', '..a', '..a'],
  ['', '/etc', undefined],
  ['', 'src\\A\\A.csproj', 'src/A/A.csproj'],
  ['', 'a\0b', undefined],
])('below(%j, %j) is %j', (base, path, expected) => {
  expect(below(base, path)).toBe(expected);
});

test.each([
  ['*', 'abc', true],
  ['a*c', 'abbc', true],
  ['a*c', 'abbd', false],
  ['*-*', 'a-b', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['abc', 'abc', true],
  ['abc', 'abcd', false],
  ['', '', true],
])('matches(%j, %j) is %j', (pattern, name, expected) => {
  expect(matches(pattern, name)).toBe(expected);
});

const FILES = textFiles({
  'crates/a/x': '',
  'crates/b/x': '',
  'crates/b/deep/x': '',
  'crates/.hidden/x': '',
  'crates/node_modules/x': '',
  'packages/build/x': '',
  'crates/file': '',
  'tools/one/x': '',
});

test.each([
  [['crates/*'], [], ['crates/a', 'crates/b']],
  [['packages/*'], [], ['packages/build']],
  [['packages/**'], [], ['packages']],
  [['crates/**'], [], ['crates', 'crates/a', 'crates/b', 'crates/b/deep']],
  [['crates/*', 'crates/a'], ['crates/b'], ['crates/a']],
  [['*/*'], ['crates/*', 'packages'], ['tools/one']],
  [['crates/**'], ['crates/b'], ['crates', 'crates/a']],
  [['tools/one', 'tools/none', '../up', './'], [], ['', 'tools/none', 'tools/one']],
  [['crates/.hidden'], [], ['crates/.hidden']],
])('expand(%j) without %j is %j', (patterns, exclude, expected) => {
  expect(expand(FILES, patterns, { exclude })).toEqual(expected);
});

test('expand() stops in a tree without end', () => {
  let asked = 0;
  const files = {
    text: () => undefined,
    names: () => {
      asked += 1;
      return ['a', 'b', 'c', 'd', 'e', 'f'];
    },
    isFolder: () => true,
  };
  expect(expand(files, ['**', '*/**']).length).toBeGreaterThan(0);
  expect(asked).toBeLessThanOrEqual(1_000);
});
