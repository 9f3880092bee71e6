// What is read of a workspace's own files: plain files of the root, and nothing else.
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { FILE_KINDS } from '../../../../daemon/workspace/files/kinds.ts';
import { FILE_LIMIT, readWithin, readWorkspaceFiles } from '../../../../daemon/workspace/files/read.ts';
import { testFolder } from '../../../helpers/folder.ts';

const setUp = async () => {
  const folder = testFolder();
  await mkdir(folder.at('root/.cursor'), { recursive: true });
  await mkdir(folder.at('root/.vscode'));
  return { folder, root: realpathSync(folder.at('root')) };
};

/** By path: the text, or what is said instead. */
const foundIn = async (root: string) =>
  Object.fromEntries(
    (await readWorkspaceFiles(root)).map(({ kind, found }) => [
      kind.path,
      found instanceof Uint8Array ? new TextDecoder().decode(found) : found.message,
    ]),
  );

test('readWorkspaceFiles() gives the bytes of those that are there, in the order in which they count', async () => {
  const { folder, root } = await setUp();
  using _ = folder;
  expect(await readWorkspaceFiles(root)).toEqual([]);
  await writeFile(folder.at('root/.vscode/mcp.json'), 'v');
  await writeFile(folder.at('root/.mcp.json'), 'm');
  await writeFile(folder.at('root/.cursor/mcp.json'), '');
  const found = await readWorkspaceFiles(root);
  expect(found.map(({ kind }) => kind.path)).toEqual(['.mcp.json', '.cursor/mcp.json', '.vscode/mcp.json']);
  expect(found[0]?.file).toBe(`${root}/.mcp.json`);
  expect(await foundIn(root)).toEqual({ '.mcp.json': 'm', '.cursor/mcp.json': '', '.vscode/mcp.json': 'v' });
  expect(FILE_KINDS.map(({ path }) => path)[0]).toBe('.metad/config.json');
});

test('readWorkspaceFiles() follows links within the root, and none out of it', async () => {
  const { folder, root } = await setUp();
  using _ = folder;
  await mkdir(folder.at('root-beside'));
  await writeFile(folder.at('root-beside/mcp.json'), 'secret');
  await writeFile(folder.at('root/real.json'), 'inside');
  await symlink('real.json', folder.at('root/.mcp.json'));
  await symlink('../../root-beside/mcp.json', folder.at('root/.cursor/mcp.json'));
  await symlink('nowhere.json', folder.at('root/.vscode/mcp.json'));
  await symlink('../root-beside', folder.at('root/.metad'));
  await writeFile(folder.at('root-beside/config.json'), 'secret');
  expect(await foundIn(root)).toEqual({
    '.mcp.json': 'inside',
    '.cursor/mcp.json': expect.stringContaining('it leads out of'),
    '.vscode/mcp.json': expect.stringContaining('a link that leads nowhere'),
    '.metad/config.json': expect.stringContaining('it leads out of'),
  });
});

test('readWorkspaceFiles() waits for no pipe, and reads no folder and nothing too large', async () => {
  const { folder, root } = await setUp();
  using _ = folder;
  execFileSync('mkfifo', [folder.at('root/.mcp.json')]);
  await mkdir(folder.at('root/.cursor/mcp.json'));
  await writeFile(folder.at('root/.vscode/mcp.json'), 'x'.repeat(FILE_LIMIT + 1));
  expect(await foundIn(root)).toEqual({
    '.mcp.json': expect.stringContaining('no plain file'),
    '.cursor/mcp.json': expect.stringContaining('no plain file'),
    '.vscode/mcp.json': expect.stringContaining(`has ${FILE_LIMIT + 1} bytes`),
  });
});

test('readWithin() has the same care, and is silent about what is not there', async () => {
  const { folder, root } = await setUp();
  using _ = folder;
  const read = readWithin(root);
  await writeFile(folder.at('outside.toml'), 'x');
  await writeFile(folder.at('root/a.toml'), 'a');
  expect([await read(`${root}/a.toml`), await read(`${root}/none.toml`), await read(`${root}/a.toml/b`)]).toEqual([
    ...['a', undefined, undefined],
  ]);
  await expect(read(`${root}/../outside.toml`)).rejects.toThrow('it leads out of');
});
