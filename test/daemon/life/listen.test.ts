import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { privateFolder } from '../../../daemon/life/folder.ts';
import { bindSocket } from '../../../daemon/life/listen.ts';
import { askSocket } from '../../helpers/ask.ts';
import { startChild } from '../../helpers/child.ts';
import { testFolder } from '../../helpers/folder.ts';

const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'refused', message: expect.stringMatching(message) });
const at = (socketFolder: string, name = 'metad.sock') => ({ socket: join(socketFolder, name), socketFolder });

const testServer = (answer: string) => {
  const server = createHttpServer((_, response) => response.end(answer));
  return Object.assign(server, { [Symbol.dispose]: () => void server.close() });
};

test('bindSocket() answers at the path, for this user only, and leaves no draft', async () => {
  using folder = testFolder();
  const paths = at(join(folder.path, 'new'));
  using server = testServer('here');
  const socket = await bindSocket(server, paths);
  expect(await askSocket(paths.socket)).toBe('here');
  expect(statSync(paths.socket).mode & 0o777).toBe(0o600);
  expect(statSync(paths.socketFolder).mode & 0o777).toBe(0o700);
  expect(readdirSync(paths.socketFolder)).toEqual(['metad.sock']);
  socket.close();
  expect(existsSync(paths.socket)).toBe(false);
  socket.close();
});

test('R014: bindSocket() needs no more than the 103 bytes of the final path', async () => {
  using folder = testFolder();
  const room = 103 - Buffer.byteLength(join(folder.path, 'x', 'metad.sock')) + 1;
  const paths = at(join(folder.path, 'x'.repeat(room)));
  expect(Buffer.byteLength(paths.socket)).toBe(103);
  using server = testServer('long');
  await bindSocket(server, paths);
  expect(await askSocket(paths.socket)).toBe('long');

  using other = testServer('too long');
  await expect(bindSocket(other, at(join(folder.path, 'x'.repeat(room + 1))))).rejects.toThrow(
    refused(/over 103 bytes/),
  );
});

test('bindSocket() replaces a stale socket and clears drafts of dead daemons, but nothing else', async () => {
  using folder = testFolder();
  await using child = startChild(new URL('./programs/owner.ts', import.meta.url), [folder.path]);
  await child.said('prepared');
  child.tell('go');
  await child.said('bound');
  child.process.kill('SIGKILL');
  await child.ended;
  const paths = at(folder.path);
  const left = createServer();
  const draft = join(folder.path, 'meta~00abc');
  await new Promise<void>((resolve) => left.listen(draft, resolve));
  writeFileSync(join(folder.path, 'meta~notes'), 'a file of that name');
  using server = testServer('new');
  await bindSocket(server, paths);
  expect(await askSocket(paths.socket)).toBe('new');
  expect(existsSync(draft)).toBe(false);
  expect(existsSync(join(folder.path, 'meta~notes'))).toBe(true);
  left.close();
});

test('bindSocket() leaves alone a socket that another daemon has put there since', async () => {
  using folder = testFolder();
  const paths = at(folder.path);
  using first = testServer('first');
  const lost = await bindSocket(first, paths);
  using second = testServer('second');
  await bindSocket(second, paths);
  lost.close();
  // Node removes the name that it bound, which was the draft's.
  await new Promise((resolve) => first.close(resolve));
  expect(await askSocket(paths.socket)).toBe('second');
});

test('R005: bindSocket() deletes no file, folder or link at the path, and does not keep the server open', async () => {
  using folder = testFolder();
  writeFileSync(join(folder.path, 'file.sock'), '');
  mkdirSync(join(folder.path, 'folder.sock'));
  symlinkSync('nowhere', join(folder.path, 'link.sock'));
  for (const [name, kind] of [
    ['file.sock', 'a file'],
    ['folder.sock', 'a folder'],
    ['link.sock', 'a symbolic link'],
  ] as const) {
    using server = testServer('');
    await expect(bindSocket(server, at(folder.path, name))).rejects.toThrow(
      refused(new RegExp(`${name}, where ${kind} is`)),
    );
    expect(server.listening).toBe(false);
  }
  expect(readdirSync(folder.path).sort()).toEqual(['file.sock', 'folder.sock', 'link.sock']);
});

test('bindSocket() reports a server that cannot listen', async () => {
  using folder = testFolder();
  using server = testServer('');
  await bindSocket(server, at(folder.path, 'one.sock'));
  await expect(bindSocket(server, at(folder.path, 'two.sock'))).rejects.toThrow(
    expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('two.sock') }),
  );
});

test('privateFolder() tightens an open folder of ours', () => {
  using folder = testFolder();
  chmodSync(folder.path, 0o755);
  privateFolder(folder.path);
  expect(statSync(folder.path).mode & 0o777).toBe(0o700);
});

test('privateFolder() refuses what is not ours alone', () => {
  using folder = testFolder();
  const target = join(folder.path, 'target');
  mkdirSync(target);
  symlinkSync(target, join(folder.path, 'link'));
  writeFileSync(join(folder.path, 'file'), '');
  expect(() => privateFolder(join(folder.path, 'link'))).toThrow(refused(/link is a symbolic link/));
  expect(() => privateFolder(join(folder.path, 'file'))).toThrow(refused(/file is not a folder/));
  expect(() => privateFolder(target, statSync(target).uid + 1)).toThrow(
    refused(/target belongs to user \d+ and metad runs as/),
  );
  chmodSync(target, 0o1777);
  expect(() => privateFolder(target)).toThrow(refused(/that all users share/));
  expect(statSync(target).mode & 0o7777).toBe(0o1777);
  rmSync(target, { recursive: true });
});
