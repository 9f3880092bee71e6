// Lockfiles as the managers wrote them, each read to the same end.
import { expect, test } from 'vitest';
import { golden, read } from './given.ts';

const SHOP = [
  '> npm:debug 4.3.7',
  '> npm:fsevents 2.3.3',
  '> npm:is-number 7.0.0',
  '> npm:local ?',
  '> npm:ms 1.0.0', // by the alias `old-ms`
  '> npm:ms 2.0.0',
  'packages/ui> npm:@types/react 18.2.0',
  'packages/ui> npm:react 18.2.0', // a peer
  'packages/web> npm:is-number 6.0.0',
  'packages/web> npm:react-dom 18.2.0',
  'packages/web> npm:react 18.2.0',
  'packages/web> npm:ui ?',
  '+ npm:@types/prop-types 15.7.15',
  '+ npm:@types/scheduler 0.28.0',
  '+ npm:csstype 3.2.4',
  '+ npm:js-tokens 4.0.0',
  '+ npm:loose-envify 1.4.0',
  '+ npm:ms 2.1.3',
  '+ npm:scheduler 0.23.2',
];

test.each([
  ['npm-1', 'npm'],
  ['npm-2', 'npm'],
  ['npm-3', 'npm'],
  ['pnpm-8', 'pnpm'],
  ['pnpm-9', 'pnpm'],
  ['pnpm-12', 'pnpm'],
  ['yarn-1', 'yarn'],
  ['bun', 'bun'],
])('a lockfile of %s gives direct dependencies with versions, then the others', (folder, id) => {
  expect(read(golden(`shop/${folder}`))).toEqual({ [id]: SHOP });
});

test('a lockfile of pnpm 7, which installs no peers, names none', () => {
  expect(read(golden('shop/pnpm-7'))).toEqual({
    pnpm: SHOP.filter((line) => line !== 'packages/ui> npm:react 18.2.0'),
  });
});

test.each(['yarn-3', 'yarn-4'])(
  'a lockfile of %s gives the same, beside what the package for another system needs',
  (folder) => {
    const { yarn = [], ...others } = read(golden(`shop/${folder}`));
    expect(others).toEqual({});
    expect(yarn.filter((line) => !line.startsWith('+'))).toEqual(SHOP.filter((line) => !line.startsWith('+')));
    expect(yarn).toEqual(expect.arrayContaining(SHOP));
    expect(yarn).toContain('+ npm:node-gyp 13.1.0');
  },
);

test('a project of Deno has what deno.jsonc, package.json and a member ask for', () => {
  expect(read(golden('shop/deno'))).toEqual({
    deno: [
      '> npm:chalk 5.3.0',
      '> npm:debug 4.3.7',
      '> npm:fsevents ?', // for another system
      '> npm:is-number 7.0.0',
      '> npm:ms 1.0.0',
      '> npm:ms 2.0.0',
      '> npm:ms 2.1.3',
      'packages/api> npm:react-dom 18.2.0',
      'packages/api> npm:react 18.2.0',
      '+ npm:js-tokens 4.0.0',
      '+ npm:loose-envify 1.4.0',
      '+ npm:scheduler 0.23.2',
    ],
  });
});

test.each([
  ['npm', 'npm', 'ms 2.1.2'],
  ['pnpm', 'pnpm', 'ms 2.1.2'],
  ['bun', 'bun', 'ms ?'], // Bun does not keep the version of an archive
  ['yarn-1', 'yarn', 'archived 2.1.2'], // nor Yarn its name
  ['yarn-4', 'yarn', 'archived 2.1.2'],
])('catalogs, archives, tags and forced versions are read from %s', (folder, id, archive) => {
  const lines = read(golden(`odd/${folder}`))[id] ?? [];
  expect([...lines].sort()).toEqual(
    [
      `> npm:${archive}`,
      '> npm:debug 4.4.3',
      '> npm:is-number 7.0.0',
      'apps/site> npm:@types/ms 2.1.0',
      'apps/site> npm:is-number 7.0.0',
      '+ npm:ms 2.1.1',
    ].sort(),
  );
});
