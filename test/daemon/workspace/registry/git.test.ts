// Fetching from real repositories, also from such as mean harm.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { fetchCommit } from '../../../../daemon/workspace/registry/git.ts';
import { type TestFolder, testFolder } from '../../../helpers/folder.ts';
import { processesOf } from '../../../helpers/processes.ts';
import { createRepository } from '../../../helpers/repository.ts';

const fetched = (
  folder: TestFolder,
  url: string,
  more: {
    readonly ref?: string;
    readonly path?: string;
    readonly limitMs?: number;
    readonly signal?: AbortSignal;
  } = {},
) =>
  fetchCommit({
    ...{ url, ref: more.ref, into: folder.at('cache/new') },
    environment: { PATH: more.path ?? process.env['PATH'] ?? '', HOME: folder.path, GIT_DIR: '/nowhere' },
    signal: more.signal ?? new AbortController().signal,
    ...(more.limitMs === undefined ? {} : { limitMs: more.limitMs }),
  });

test('fetchCommit() gives the files of the newest commit, or of a branch, without their history', async () => {
  await using folder = testFolder();
  const repository = createRepository(folder.at('plugins'));
  repository.commit({ 'a.toml': 'one' });
  repository.git('branch', 'stable');
  const newest = repository.commit({ 'a.toml': 'two', 'deep/b.toml': 'b' });
  expect(await fetched(folder, repository.url)).toBe(newest);
  expect(readFileSync(folder.at('cache/new/a.toml'), 'utf8')).toBe('two');
  expect(readdirSync(folder.at('cache/new')).sort()).toEqual(['a.toml', 'deep']);
  const stable = folder.at('cache/stable');
  await fetchCommit({
    ...{ url: repository.url, ref: 'stable', into: stable, environment: { PATH: process.env['PATH'] ?? '' } },
    signal: new AbortController().signal,
  });
  expect(readFileSync(join(stable, 'a.toml'), 'utf8')).toBe('one');
});

test('fetchCommit() runs no hook and no filter, follows no link and takes no submodule', async () => {
  await using folder = testFolder();
  const marker = folder.at('marker');
  const inner = createRepository(folder.at('inner'));
  inner.commit({ 'inner.toml': 'x' });
  const repository = createRepository(folder.at('plugins'));
  for (const hook of ['post-checkout', 'post-merge', 'reference-transaction']) {
    writeFileSync(join(repository.path, '.git/hooks', hook), `#!/bin/sh\necho ${hook} >> ${marker}\n`);
    chmodSync(join(repository.path, '.git/hooks', hook), 0o755);
  }
  // A filter that the person's own config knows, as that of Git LFS.
  writeFileSync(folder.at('.gitconfig'), `[filter "evil"]\n  smudge = echo filter >> ${marker}\n  required = true\n`);
  symlinkSync('/etc/passwd', join(repository.path, 'link.toml'));
  repository.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.url, 'sub');
  writeFileSync(marker, '');
  repository.commit({ '.gitattributes': '*.toml filter=evil\n', 'a.toml': 'one' });
  writeFileSync(marker, '');
  await fetched(folder, repository.url);
  expect(readFileSync(marker, 'utf8')).toBe('');
  expect(readFileSync(folder.at('cache/new/a.toml'), 'utf8')).toBe('one');
  expect(lstatSync(folder.at('cache/new/link.toml')).isSymbolicLink()).toBe(false);
  expect(existsSync(folder.at('cache/new/sub/inner.toml'))).toBe(false);
});

test.each([
  ['ext::sh -c id', 'is no address that metad fetches from'],
  ['--upload-pack=id', 'is no address that metad fetches from'],
  ['http://x.example/y', 'is no address that metad fetches from'],
  ['file:///nowhere/at/all', 'could not be fetched: fatal:'],
])('fetchCommit() refuses %s and leaves nothing', async (url, said) => {
  await using folder = testFolder();
  await expect(fetched(folder, url)).rejects.toThrow(said);
  expect(existsSync(folder.at('cache/new'))).toBe(false);
});

test('fetchCommit() says so where a branch is missing, or git is', async () => {
  await using folder = testFolder();
  const repository = createRepository(folder.at('plugins'));
  repository.commit({});
  await expect(fetched(folder, repository.url, { ref: 'nothing' })).rejects.toThrow("couldn't find remote ref nothing");
  await expect(fetched(folder, repository.url, { ref: '--help' })).rejects.toThrow('is no branch and no tag');
  await expect(fetched(folder, repository.url, { path: folder.at('empty') })).rejects.toThrow('there is no git');
});

test('fetchCommit() ends a git that hangs, with all that it started', async () => {
  await using folder = testFolder();
  mkdirSync(folder.at('bin'));
  writeFileSync(folder.at('bin/git'), `#!/bin/sh\nsleep 61.5 &\nsleep 61.5\n`);
  chmodSync(folder.at('bin/git'), 0o755);
  const path = `${folder.at('bin')}:${process.env['PATH']}`;
  await expect(fetched(folder, 'file:///x', { path, limitMs: 300 })).rejects.toThrow('it took more than 0.3 s');
  const scope = new AbortController();
  const going = fetched(folder, 'file:///x', { path, signal: scope.signal });
  scope.abort();
  await expect(going).rejects.toThrow('metad is stopping');
  await vi.waitFor(() => expect(processesOf(folder.at('cache'))).toEqual([]), 5000);
});
