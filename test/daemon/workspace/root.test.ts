import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { rootOfDeclared, workspaceOf, workspaceRoot } from '../../../daemon/workspace/root.ts';
import { type TestFolder, testFolder } from '../../helpers/folder.ts';

/** Makes files (and folders, where the path ends with `/`) below the folder. */
const make = async (folder: TestFolder, ...paths: string[]) => {
  for (const path of paths) {
    await mkdir(path.endsWith('/') ? folder.at(path) : dirname(folder.at(path)), { recursive: true });
    if (!path.endsWith('/')) await writeFile(folder.at(path), '');
  }
};
const hello = (
  folder: TestFolder,
  cwd: string,
  more: { workspace?: string; environment?: Record<string, string> } = {},
) => ({
  cwd: folder.at(cwd),
  environment: {},
  ...more,
});

test.each([
  ['.git/', 'p'],
  ['.git', 'p'],
  ['package-lock.json', 'p'],
  ['pnpm-workspace.yaml', 'p'],
  ['Cargo.lock', 'p'],
  ['uv.lock', 'p'],
  ['go.mod', 'p'],
  ['package.json', null],
  ['requirements.txt', null],
])('workspaceRoot() with %s above gives %s', async (marker, root) => {
  using folder = testFolder();
  await make(folder, 'home/', 'p/a/b/', `p/${marker}`);
  const options = { home: folder.at('home') };
  expect(await workspaceRoot(folder.at('p', 'a', 'b'), options)).toBe(root === null ? null : folder.at(root));
  expect(await workspaceRoot(folder.at('p'), options)).toBe(root === null ? null : folder.at(root));
});

test('workspaceRoot() takes the nearest: a submodule is its own root, a member is in its monorepo', async () => {
  using folder = testFolder();
  await make(folder, 'p/.git/', 'p/pnpm-lock.yaml', 'p/packages/a/package.json', 'p/sub/.git', 'p/sub/src/');
  const options = { home: folder.at('home') };
  expect(await workspaceRoot(folder.at('p/packages/a'), options)).toBe(folder.at('p'));
  expect(await workspaceRoot(folder.at('p/sub/src'), options)).toBe(folder.at('p/sub'));
});

test('workspaceRoot() takes a Go module for a member where a go.work is above it, up to .git', async () => {
  using folder = testFolder();
  await make(
    folder,
    'w/.git/',
    'w/go.work',
    'w/m/go.mod',
    'w/m/go.sum',
    'x/go.work',
    'x/y/.git/',
    'x/y/m/go.mod',
    'x/y/n/go.mod',
    'x/y/n/.git/',
  );
  const options = { home: folder.at('home') };
  expect(await workspaceRoot(folder.at('w/m'), options)).toBe(folder.at('w'));
  expect(await workspaceRoot(folder.at('x/y/m'), options)).toBe(folder.at('x/y/m'));
  expect(await workspaceRoot(folder.at('x/y/n'), options)).toBe(folder.at('x/y/n'));
});

test('workspaceRoot() never takes the home folder, what is above it, or /', async () => {
  using folder = testFolder();
  await make(folder, 'users/.git/', 'users/ada/.git/', 'users/ada/notes/', 'users/ada/p/.git/', 'users/adam/');
  await symlink(folder.at('users/ada'), folder.at('home-link'));
  for (const home of [folder.at('users/ada'), folder.at('home-link')]) {
    const options = { home };
    expect(await workspaceRoot(folder.at('users/ada'), options)).toBeNull();
    expect(await workspaceRoot(folder.at('users/ada/notes'), options)).toBeNull();
    expect(await workspaceRoot(folder.at('users'), options)).toBeNull();
    expect(await workspaceRoot(folder.at('users/ada/p'), options)).toBe(folder.at('users/ada/p'));
    expect(await workspaceRoot('/', options)).toBeNull();
  }
  expect(await workspaceRoot('/x', { home: '/home/ada', list: async () => ['.git'] })).toBeNull();
  expect(await workspaceRoot('/', { home: '/home/ada', list: async () => ['.git'] })).toBeNull();
});

test('workspaceRoot() resolves links, and gives null for a folder that is gone', async () => {
  using folder = testFolder();
  await make(folder, 'p/.git/', 'p/src/', 'elsewhere/');
  await symlink(folder.at('p/src'), folder.at('elsewhere/link'));
  const options = { home: folder.at('home') };
  expect(await workspaceRoot(folder.at('elsewhere/link'), options)).toBe(folder.at('p'));
  await rm(folder.at('p'), { recursive: true });
  expect(await workspaceRoot(folder.at('p/src'), options)).toBeNull();
});

test('workspaceRoot() lists each level once', async () => {
  using folder = testFolder();
  await make(folder, 'a/b/c/');
  const listed: string[] = [];
  await workspaceRoot(folder.at('a/b/c'), {
    home: folder.path,
    list: async (path) => {
      listed.push(path);
      return [];
    },
  });
  expect(listed).toEqual([folder.at('a/b/c'), folder.at('a/b'), folder.at('a')]);
});

test('workspaceOf() takes --workspace as given', async () => {
  using folder = testFolder();
  await make(folder, 'p/.git/', 'p/src/', 'home/', 'file');
  await symlink(folder.at('p/src'), folder.at('link'));
  const options = { home: folder.at('home') };
  const of = (workspace: string) => workspaceOf(hello(folder, 'p', { workspace }), options);
  expect(await of(folder.at('p/src'))).toBe(folder.at('p/src'));
  expect(await of('src')).toBe(folder.at('p/src'));
  expect(await of(folder.at('link'))).toBe(folder.at('p/src'));
  expect(await of(folder.at('home'))).toBe(folder.at('home'));
  await expect(of(folder.at('gone'))).rejects.toThrow(`--workspace ${folder.at('gone')}: there is no such folder.`);
  await expect(of(folder.at('file'))).rejects.toThrow(`--workspace ${folder.at('file')} is a file`);
});

test('workspaceOf() begins at what the agent set, then at the folder of the shim', async () => {
  using folder = testFolder();
  await make(folder, 'p/.git/', 'p/src/', 'q/.git/', 'q/src/', 'home/.git/', 'bare/');
  const options = { home: folder.at('home') };
  const claude = (path: string) => ({ workspace: path, environment: { CLAUDE_PROJECT_DIR: path } });
  expect(await workspaceOf(hello(folder, 'p/src'), options)).toBe(folder.at('p'));
  expect(await workspaceOf(hello(folder, 'p', claude(folder.at('q/src'))), options)).toBe(folder.at('q'));
  expect(await workspaceOf(hello(folder, 'p', { environment: { GOOSE_WORKING_DIR: folder.at('q') } }), options)).toBe(
    folder.at('q'),
  );
  expect(await workspaceOf(hello(folder, 'p', claude(folder.at('home'))), options)).toBeNull();
  expect(await workspaceOf(hello(folder, 'p', claude(folder.at('gone'))), options)).toBe(folder.at('p'));
  expect(await workspaceOf(hello(folder, 'bare'), options)).toBeNull();
  expect(await workspaceOf(hello(folder, 'gone'), options)).toBeNull();
});

test('rootOfDeclared() takes the first file root, never the home folder', async () => {
  using folder = testFolder();
  await make(folder, 'p/.git/', 'p/my src/', 'home/', 'bare/');
  const options = { home: folder.at('home') };
  const uri = (path: string) => pathToFileURL(folder.at(path)).href;
  expect(await rootOfDeclared(['https://x', uri('p/my src'), uri('bare')], options)).toBe(folder.at('p'));
  expect(await rootOfDeclared([uri('bare')], options)).toBe(folder.at('bare'));
  for (const uris of [
    [],
    ['https://x'],
    [uri('home')],
    ['file:///'],
    [uri('gone')],
    ['file://other-host/x'],
    ['file:%'],
  ])
    expect(await rootOfDeclared(uris, options)).toBeNull();
});
