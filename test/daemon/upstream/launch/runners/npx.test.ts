import { describe, expect, test } from 'vitest';
import { folderOf, isOutdated, newestOf, npx } from '../../../../../daemon/upstream/launch/runners/npx.ts';

const UNDERSTOOD: readonly [args: readonly string[], spec: string, wanted: string, isExact: boolean][] = [
  [['-y', 'some-mcp'], 'some-mcp', '', false],
  [['some-mcp@1.2.3', '--port', '1'], 'some-mcp@1.2.3', '1.2.3', true],
  [['--yes', '@scope/mcp@latest'], '@scope/mcp@latest', 'latest', false],
  [['-y', '@scope/mcp@^1.2', '/a b'], '@scope/mcp@^1.2', '^1.2', false],
  [['-y', '@scope/mcp@2.x'], '@scope/mcp@2.x', '2.x', false],
  [['-y', 'mcp@1.0.0-beta.2'], 'mcp@1.0.0-beta.2', '1.0.0-beta.2', true],
  [['-y', '-p', 'some-mcp@1.2.3', 'program'], 'some-mcp@1.2.3', '1.2.3', true],
  [['--package=some-mcp', 'program'], 'some-mcp', '', false],
];

const LEFT_TO_NPX: readonly (readonly string[])[] = [
  [],
  ['-y'],
  ['-c', 'some-mcp'],
  ['--prefer-offline', 'some-mcp'],
  ['-p', 'a', '-p', 'b', 'program'],
  ['-y', 'some-mcp', '--', 'x'],
  ['-y', '--', 'some-mcp'],
  ['github:me/mcp'],
  ['me/mcp'],
  ['./mcp'],
  ['mcp@file:../mcp'],
  ['mcp@npm:other@1'],
  ['mcp@>=1 <2'],
  ['https://example.com/mcp.tgz'],
];

describe('npx.asked()', () => {
  test.each(UNDERSTOOD)('understands %j', (args, spec, wanted, isExact) => {
    expect(npx.asked('npx', args)).toMatchObject({ spec, wanted, isExact });
    expect(npx.asked('/usr/bin/npx', args)).toMatchObject({ spec });
    expect(npx.asked('npm', args)).toBeUndefined();
  });

  test.each(LEFT_TO_NPX.map((args) => [args]))('leaves %j to npx', (args) => {
    expect(npx.asked('npx', args)).toBeUndefined();
  });

  test('keeps what follows the package as the arguments of the program', () => {
    expect(npx.asked('npx', ['-y', '@s/mcp', '-y', 'x y', ''])?.rest).toEqual(['-y', 'x y', '']);
    expect(npx.asked('npx', ['-y', '@s/mcp@1'])).toMatchObject({ name: '@s/mcp', program: '@s/mcp@1' });
    expect(npx.asked('npx', ['-p', 'mcp@1', 'program', 'a'])).toMatchObject({
      name: 'mcp',
      program: 'program',
      rest: ['a'],
    });
  });
});

test('folderOf() is where npm 10 and 11 install what is asked for', () => {
  expect(folderOf('@modelcontextprotocol/server-everything')).toBe('_npx/5b2dd62b9d0bddd4');
});

test('npx.programsIn() finds the program in the command line of the process that npx started, and in no other', () => {
  const asked = npx.asked('npx', ['-y', 'mcp', 'a b', '--x']);
  if (asked === undefined) throw new Error('not understood');
  const bin = `/home/me/.npm/${folderOf('mcp')}/node_modules/.bin/mcp`;
  expect(npx.programsIn(`node ${bin} a b --x`, asked)).toEqual([bin]);
  expect(npx.programsIn(`${bin} a b --x`, asked)).toEqual([bin]);
  expect(npx.programsIn(`/usr/bin/env /home/my data${bin} a b --x`, asked)).toContain(`/home/my data${bin}`);
  for (const other of [
    `node ${bin} a b`,
    `node ${bin}/x a b --x`,
    `node ${bin} more a b --x`,
    `node /home/me/.npm/${folderOf('other')}/node_modules/.bin/mcp a b --x`,
    `sh -c 'mcp' "a b" "--x"`,
    'npm exec mcp a b --x',
  ])
    expect(npx.programsIn(other, asked)).toEqual([]);
});

test('newestOf() takes what npx would take', () => {
  const row = (version: string, latest = '2.0.0') => ({ version, 'dist-tags.latest': latest });
  expect(newestOf(JSON.stringify(row('1.2.3')))).toBe('1.2.3');
  expect(newestOf(JSON.stringify([row('1.0.0'), row('2.0.0'), row('2.1.0')]))).toBe('2.0.0');
  expect(newestOf(JSON.stringify([row('1.0.0'), row('1.1.0')]))).toBe('1.1.0');
  for (const none of ['', 'npm error', '{}', '[]', 'null', '"1.0.0"']) expect(newestOf(none)).toBeUndefined();
});

test('isOutdated() is true for news alone', () => {
  const known = { version: '1.0.0', newest: '' };
  expect(isOutdated(known, '1.0.0')).toBe(false);
  expect(isOutdated(known, '1.1.0')).toBe(true);
  // npx was run after that was published, and took the older one: it does not fit this machine, say.
  expect(isOutdated({ ...known, newest: '1.1.0' }, '1.1.0')).toBe(false);
});
