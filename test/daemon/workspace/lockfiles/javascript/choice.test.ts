// Which lockfile counts, and what is looked at to find out.
import { expect, test } from 'vitest';
import { given, read } from './given.ts';

const NPM = '{"lockfileVersion":3,"packages":{"":{},"node_modules/next":{"version":"14.0.0"}}}';
const PNPM =
  "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      next:\n        specifier: ^15\n        version: 15.1.0\n";
const manifest = (more: object = {}) => JSON.stringify({ dependencies: { next: '^15' }, ...more });

test('packageManager decides between two lockfiles', () => {
  const files = { 'package-lock.json': NPM, 'pnpm-lock.yaml': PNPM };
  const named = (packageManager: string) => read(given({ ...files, 'package.json': manifest({ packageManager }) }));
  expect(named('npm@11.0.0')).toEqual({ npm: ['> npm:next 14.0.0'] });
  expect(named('pnpm@9.1.0+sha512.abc')).toEqual({ pnpm: ['> npm:next 15.1.0'] });
  const devEngines = { packageManager: { name: 'npm', onFail: 'error' } };
  expect(read(given({ ...files, 'package.json': manifest({ devEngines }) }))).toEqual({ npm: ['> npm:next 14.0.0'] });
});

test('where nothing is named, or its lockfile is not there, a package-lock.json comes last', () => {
  const files = { 'package-lock.json': NPM, 'pnpm-lock.yaml': PNPM };
  expect(read(given({ ...files, 'package.json': manifest() }))).toEqual({ pnpm: ['> npm:next 15.1.0'] });
  const yarn = read(given({ ...files, 'package.json': manifest({ packageManager: 'yarn@4.0.0' }) }));
  expect(yarn).toEqual({ pnpm: ['> npm:next 15.1.0'] });
});

test('npm-shrinkwrap.json comes before package-lock.json', () => {
  const shrunk = NPM.replace('14.0.0', '13.0.0');
  const files = given({ 'package-lock.json': NPM, 'npm-shrinkwrap.json': shrunk, 'package.json': manifest() });
  expect(read(files)).toEqual({ npm: ['> npm:next 13.0.0'] });
});

test('a broken package.json leaves each manager with what it had', () => {
  const broken = { 'package.json': '{"dependencies": ', 'package-lock.json': NPM };
  expect(() => read(given(broken))).toThrow('package.json is broken at line 1');
  expect(() => read(given({ 'package.json': '{"dependencies": ' }))).toThrow('package.json is broken at line 1');
});

test('a lockfile without package.json is read by its own copy', () => {
  expect(read(given({ 'pnpm-lock.yaml': PNPM }))).toEqual({ pnpm: ['> npm:next 15.1.0'] });
});

test('a root without any of these files is nobody’s', () => {
  expect(read(given({ 'Cargo.lock': 'version = 4\n' }))).toEqual({});
});

test('without a lockfile direct dependencies of root and members have no version, and peers are none', () => {
  const files = given({
    'package.json': JSON.stringify({
      workspaces: ['packages/*'],
      dependencies: { next: '^15' },
      peerDependencies: { react: '*' },
    }),
    'packages/a/package.json': JSON.stringify({
      devDependencies: { vite: '^6' },
      optionalDependencies: { fsevents: '*' },
    }),
    'packages/readme.md': '',
    'pnpm-workspace.yaml': 'packages:\n  - apps/**\n  - "!apps/old"\n',
    'apps/x/y/package.json': '{"dependencies":{"old":"npm:ms@1"}}',
    'apps/old/package.json': '{"dependencies":{"gone":"1"}}',
    'bun.lockb': '\u0000binary',
  });
  expect(read(files)).toEqual({
    'package-json': ['> npm:next ?', 'apps/x/y> npm:ms ?', 'packages/a> npm:fsevents ?', 'packages/a> npm:vite ?'],
  });
  expect([...files.asked]).not.toContain('bun.lockb');
});

test('members that a lockfile keeps are not looked for on the disk', () => {
  const files = given({
    'package.json': '{"workspaces":["packages/*"],"packageManager":"npm@11.0.0"}',
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { workspaces: ['packages/*'] },
        'packages/a': { name: 'a', dependencies: { next: '^15' } },
        'node_modules/a': { resolved: 'packages/a', link: true },
        'node_modules/next': { version: '14.0.0' },
        'packages/a/node_modules/next': { version: '15.0.0' },
        '../beside': { dependencies: { far: '1' } },
      },
    }),
  });
  expect(read(files)).toEqual({ npm: ['packages/a> npm:next 15.0.0', '+ npm:next 14.0.0'] });
  expect([...files.asked].some((path) => path.startsWith('packages') || path.startsWith('..'))).toBe(false);
});
