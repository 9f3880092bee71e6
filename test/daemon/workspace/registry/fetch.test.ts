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
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  FETCH_LIMITS,
  type FetchLimits,
  fetchNewest,
  type GitSource,
} from '../../../../daemon/workspace/registry/fetch.ts';
import { type TestFolder, testFolder } from '../../../helpers/folder.ts';
import { isAlive, until } from '../../../helpers/processes.ts';
import { createRepository } from '../../../helpers/repository.ts';

const PATH = process.env['PATH'] ?? '/usr/bin:/bin';

const fetchInto = (
  folder: TestFolder,
  source: GitSource,
  {
    env = {},
    limits = {},
    signal = new AbortController().signal,
  }: {
    env?: Readonly<Record<string, string>>;
    limits?: Partial<FetchLimits>;
    signal?: AbortSignal;
  } = {},
) =>
  fetchNewest(source, {
    cache: folder.at('cache'),
    environment: { PATH, HOME: folder.at('nobody'), ...env },
    limits: { ...FETCH_LIMITS, ...limits },
    signal,
  });

/** A program named git that comes before the real one. */
const standIn = (folder: TestFolder, script: string): Readonly<Record<string, string>> => {
  mkdirSync(folder.at('bin'), { recursive: true });
  writeFileSync(folder.at('bin', 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(folder.at('bin', 'git'), 0o755);
  return { PATH: `${folder.at('bin')}${delimiter}${PATH}` };
};

const leftInCache = (folder: TestFolder) => readdirSync(folder.at('cache')).filter((name) => name.startsWith('.work'));

test('fetchNewest() gives a branch, an annotated tag or the default branch as a folder of plain files', async () => {
  await using folder = testFolder();
  const repository = createRepository(folder.at('source'));
  const first = repository.commit({ 'a.toml': 'one', 'bin/run.sh': '#!/bin/sh\n' });
  chmodSync(join(repository.path, 'bin/run.sh'), 0o755);
  repository.commit({});
  repository.git('tag', '--annotate', '--message', 'v1', 'v1', first);
  const newest = repository.commit({ 'a.toml': 'two' });
  repository.git('checkout', '--quiet', '-b', 'next');
  const next = repository.commit({ 'a.toml': 'three' });
  repository.git('checkout', '--quiet', 'main');

  for (const [ref, commit, text] of [
    ['HEAD', newest, 'two'],
    ['v1', first, 'one'],
    ['next', next, 'three'],
  ] as const) {
    const fetched = await fetchInto(folder, { git: repository.url, ref });
    expect([fetched.commit, fetched.problems]).toEqual([commit, []]);
    expect(readFileSync(join(fetched.folder, 'a.toml'), 'utf8')).toBe(text);
    expect(existsSync(join(fetched.folder, '.git'))).toBe(false);
    if (ref === 'HEAD') expect(lstatSync(join(fetched.folder, 'bin/run.sh')).mode & 0o111).not.toBe(0);
  }
  expect(leftInCache(folder)).toEqual([]);
  await expect(fetchInto(folder, { git: repository.url, ref: 'nowhere' })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('nowhere'),
  });
});

test('fetchNewest() leaves a folder that is there untouched', async () => {
  await using folder = testFolder();
  const repository = createRepository(folder.at('source'));
  repository.commit({ 'a.toml': 'one' });
  const { folder: place } = await fetchInto(folder, { git: repository.url, ref: 'HEAD' });
  const before = lstatSync(join(place, 'a.toml'));
  const again = await fetchInto(folder, { git: repository.url, ref: 'HEAD' });
  expect(again.folder).toBe(place);
  expect(lstatSync(join(place, 'a.toml')).ino).toBe(before.ino);
});

test('fetchNewest() runs nothing of a repository, follows no link out of it and fetches no submodule', async () => {
  await using folder = testFolder();
  const mark = folder.at('ran');
  const inner = createRepository(folder.at('inner'));
  inner.commit({ 'inner.toml': 'x' });
  const repository = createRepository(folder.at('source'));
  writeFileSync(folder.at('secret.toml'), 'name = "secret"');
  mkdirSync(repository.path, { recursive: true });
  symlinkSync('../secret.toml', join(repository.path, 'stolen.toml'));
  symlinkSync('/', join(repository.path, 'all'));
  repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.url, 'module');
  repository.commit({ '.gitattributes': '* filter=evil\n', 'a.toml': 'plain\n' });
  // Hooks and filters of the person's own machine, which a file of the repository asks for.
  const home = folder.at('home');
  mkdirSync(join(home, 'hooks'), { recursive: true });
  for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction', 'post-merge']) {
    writeFileSync(join(home, 'hooks', hook), `#!/bin/sh\necho ${hook} >> ${mark}\n`);
    chmodSync(join(home, 'hooks', hook), 0o755);
  }
  const smudge = `sh -c 'echo filter >> ${mark}; cat'`;
  writeFileSync(
    join(home, '.gitconfig'),
    `[core]\nhooksPath = ${join(home, 'hooks')}\n[filter "evil"]\nsmudge = ${JSON.stringify(smudge)}\nrequired = true\n[init]\ntemplateDir = ${home}\n`,
  );
  const fetched = await fetchInto(
    folder,
    { git: repository.url, ref: 'HEAD' },
    {
      env: {
        HOME: home,
        // As a hook of git's or a person's shell may have left them.
        ...{ GIT_DIR: inner.path, GIT_WORK_TREE: inner.path, GIT_INDEX_FILE: folder.at('index') },
        ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.hooksPath', GIT_CONFIG_VALUE_0: join(home, 'hooks') },
      },
    },
  );
  expect(existsSync(mark)).toBe(false);
  expect(existsSync(folder.at('index'))).toBe(false);
  expect(readFileSync(join(fetched.folder, 'a.toml'), 'utf8')).toBe('plain\n');
  expect(lstatSync(join(fetched.folder, 'stolen.toml')).isSymbolicLink()).toBe(false);
  expect(readFileSync(join(fetched.folder, 'stolen.toml'), 'utf8')).toBe('../secret.toml');
  expect(lstatSync(join(fetched.folder, 'all')).isFile()).toBe(true);
  expect(existsSync(join(fetched.folder, 'module', 'inner.toml'))).toBe(false);
  expect(fetched.problems).toEqual([
    'Links of a registry are not followed: "all", "stolen.toml".',
    'Submodules of a registry are not fetched: "module".',
  ]);
});

test('fetchNewest() ends a git that hangs, with all that it started, at the limit and when it is given up', async () => {
  await using folder = testFolder();
  const env = standIn(folder, `sleep 600 & echo $! > ${folder.at('pid')}; echo $$ > ${folder.at('own')}; wait`);
  const pids = () => ['pid', 'own'].map((name) => Number(readFileSync(folder.at(name), 'utf8')));
  const source = { git: 'file:///nowhere', ref: 'HEAD' };
  await expect(fetchInto(folder, source, { env, limits: { milliseconds: 300 } })).rejects.toMatchObject({
    code: 'timeout',
    message: 'git was not done within 0.3 s.',
  });
  await until('both are gone', 5000, () => pids().every((pid) => !isAlive(pid)));
  const scope = new AbortController();
  const fetching = fetchInto(folder, source, { env, signal: scope.signal });
  const [before] = pids();
  await until('it runs', 5000, () => pids()[0] !== before && pids().every(isAlive));
  scope.abort();
  await expect(fetching).rejects.toMatchObject({ code: 'cancelled' });
  await until('both are gone', 5000, () => pids().every((pid) => !isAlive(pid)));
  expect(leftInCache(folder)).toEqual([]);
});

test('fetchNewest() is asked for no password, and says what git said without secrets', async () => {
  await using folder = testFolder();
  const env = standIn(
    folder,
    `echo "$GIT_TERMINAL_PROMPT|$GIT_ASKPASS|$SSH_ASKPASS|$GIT_SSH_COMMAND|$GIT_ALLOW_PROTOCOL" > ${folder.at('seen')}
     echo "fatal: unable to access 'https://me:secret@x.example/y'" >&2; exit 128`,
  );
  const failing = fetchInto(
    folder,
    { git: 'https://x.example/y', ref: 'HEAD' },
    { env: { ...env, SSH_ASKPASS: 'ask' } },
  );
  await expect(failing).rejects.toThrow("fatal: unable to access 'https://x.example/y'");
  const [prompt, askpass, ssh, command] = readFileSync(folder.at('seen'), 'utf8').split('|');
  expect([prompt, askpass, ssh]).toEqual(['0', '', '']);
  expect(command).toContain('BatchMode=yes');
});

test('fetchNewest() says so where git is missing', async () => {
  await using folder = testFolder();
  mkdirSync(folder.at('empty'));
  const failing = fetchInto(folder, { git: 'file:///x', ref: 'HEAD' }, { env: { PATH: folder.at('empty') } });
  await expect(failing).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('Install it') });
});

test('fetchNewest() refuses what is too large, before any file of it is written', async () => {
  await using folder = testFolder();
  const repository = createRepository(folder.at('source'));
  repository.commit({ 'a.toml': 'x'.repeat(2000), 'b.toml': 'y', 'c.toml': 'z' });
  const source = { git: repository.url, ref: 'HEAD' };
  const code = { code: 'limit' };
  await expect(fetchInto(folder, source, { limits: { files: 2 } })).rejects.toMatchObject(code);
  await expect(fetchInto(folder, source, { limits: { bytes: 1500 } })).rejects.toMatchObject(code);
  expect(readdirSync(folder.at('cache'))).toEqual([]);
});

test('an address cannot be an option, a helper or another way than those allowed', async () => {
  await using folder = testFolder();
  const mark = folder.at('ran');
  for (const git of [
    `--upload-pack=touch ${mark}`,
    `ext::sh -c touch% ${mark}`,
    'git://127.0.0.1:1/x',
    'ftp://127.0.0.1:1/x',
  ])
    await expect(fetchInto(folder, { git, ref: 'HEAD' })).rejects.toMatchObject({ code: 'unavailable' });
  expect(existsSync(mark)).toBe(false);
});
