// Which folders are members by a pattern.
import { expect, test } from 'vitest';
import { foldersOf } from '../../../../../daemon/workspace/lockfiles/javascript/parts/pattern.ts';
import { given } from './given.ts';

const files = given(
  Object.fromEntries(
    [
      'package.json',
      'packages/a/package.json',
      'packages/b/package.json',
      'packages/b/test/x/package.json',
      'packages/node_modules/n/package.json',
      'packages/empty/readme.md',
      'packages/.hidden/package.json',
      'apps/web/package.json',
      'web-ui/package.json',
      'web-api/package.json',
    ].map((path) => [path, '']),
  ),
);
const folders = (...patterns: readonly string[]) => foldersOf(files, patterns, ['package.json']);

test.each([
  [['packages/*'], ['packages/a', 'packages/b']],
  [['./packages/*/'], ['packages/a', 'packages/b']],
  [['packages/a', 'packages/none'], ['packages/a']],
  [['packages/**'], ['packages/a', 'packages/b', 'packages/b/test/x']],
  [['**'], ['apps/web', 'packages/a', 'packages/b', 'packages/b/test/x', 'web-api', 'web-ui']],
  [['{packages,apps}/*'], ['apps/web', 'packages/a', 'packages/b']],
  [['web-*'], ['web-api', 'web-ui']],
  [['w*-*i'], ['web-api', 'web-ui']],
  [['*/{a,web}'], ['apps/web', 'packages/a']],
  [
    ['packages/**', '!**/test/**'],
    ['packages/a', 'packages/b'],
  ],
  [['packages/*', '!packages/b'], ['packages/a']],
  [['packages/.hidden'], ['packages/.hidden']],
  [['.', '', '../*', 'packages/../../x', 'packages/node_modules/*', '/etc'], []],
])('foldersOf(%j) are %j', (patterns, expected) => {
  expect(folders(...patterns)).toEqual(expected);
});

test('foldersOf() ends in a tree without end, and on a pattern made to run away', () => {
  let looked = 0;
  const endless = {
    text: () => undefined,
    names: () => Array.from({ length: 50 }, (_, at) => `d${at}`),
    isFolder: () => ++looked > 0,
  };
  expect(foldersOf(endless, ['**'], ['package.json'])).toEqual([]);
  expect(looked).toBeLessThanOrEqual(5000);
  expect(folders(`${'*a'.repeat(200)}b`, `${'**/'.repeat(40)}x`, `${'{a,b}'.repeat(20)}`)).toEqual([
    'packages/b/test/x',
  ]);
});
