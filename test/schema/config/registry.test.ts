import { expect, test } from 'vitest';
import { problemText } from '../../../schema/config/problem.ts';
import { readConfig } from '../../../schema/config/read.ts';

const read = (...registries: readonly unknown[]) => readConfig(JSON.stringify({ registries }), '/config.json');
const said = (entry: unknown): string => read(entry).problems.map(problemText).join('\n');

test.each([
  { name: 'a', git: 'https://git.example/team/plugins.git' },
  { name: 'a.b-c', git: 'ssh://git@git.example:2222/plugins', ref: 'v1.2', folder: 'plugins' },
  { name: 'a', git: 'git@git.example:team/plugins.git' },
  { name: 'a', git: 'file:///srv/plugins' },
  { name: 'a', path: '~/plugins' },
  { name: 'a', path: '/srv/plugins' },
])('%j is a registry', (entry) => {
  const { config, problems } = read(entry);
  expect([config?.registries, problems]).toEqual([[entry], []]);
});

test.each([
  [{ name: 'a' }, 'is missing'],
  [{ git: 'https://x.example/y' }, 'name'],
  [{ name: '../a', path: '/x' }, 'letters, digits'],
  [{ name: 'a', git: 'http://x.example/y' }, 'must be https'],
  [{ name: 'a', git: 'https://me:secret@x.example/y' }, 'credential helper'],
  [{ name: 'a', git: '--upload-pack=id' }, 'must begin with https://'],
  [{ name: 'a', git: 'ext::sh -c id' }, 'must begin with https://'],
  [{ name: 'a', git: 'ssh://-oProxyCommand=id/x' }, 'must begin with https://'],
  [{ name: 'a', git: 'https://x.example/y', ref: '--all' }, 'branch or tag'],
  [{ name: 'a', git: 'https://x.example/y', folder: '../z' }, 'inside of the repository'],
  [{ name: 'a', git: 'https://x.example/y', path: '/z' }, 'does not go with "git"'],
  [{ name: 'a', path: 'plugins' }, 'absolute path'],
  [{ name: 'a', path: '/x', ref: 'main' }, 'belongs to a "git" address'],
])('%j is none, and why is said', (entry, why) => {
  expect(said(entry)).toContain(why);
  expect(read(entry).config).toBeUndefined();
});

test('what other programs call its keys is named', () => {
  expect(said({ name: 'a', git: 'https://x.example/y', 'auto-update': true })).toContain('`metad sync`');
  expect(said({ name: 'a', git: 'https://x.example/y', branch: 'b' })).toContain('metad has "ref".');
  expect(read({ name: 'a', path: '/x' }, { name: 'a', path: '/y' }).problems.map(problemText).join()).toContain(
    'two registries have it',
  );
});
