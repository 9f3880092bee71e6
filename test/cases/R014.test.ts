// A home too deep for a socket: a short private place instead, the same for all who ask.
import { lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathsOf, SOCKET_PATH_LIMIT } from '../../schema/paths.ts';
import { askSocket } from '../helpers/ask.ts';
import { startChild } from '../helpers/child.ts';
import { testFolder } from '../helpers/folder.ts';

const OWNER = new URL('../daemon/life/programs/owner.ts', import.meta.url);

test('R014: daemons of two homes 120 bytes deep answer each at a short private socket of its own', async () => {
  using folder = testFolder();
  const homes = ['a', 'b'].map((name) => join(folder.path, name.repeat(120)));
  const uid = process.getuid?.() ?? -1;
  // Derived here from what a shim knows, and in the other process from what a daemon knows.
  const paths = homes.map((override) => pathsOf({ home: '/elsewhere', uid, override }));
  for (const home of homes) mkdirSync(home);
  const daemons = homes.map((home) => startChild(OWNER, [home]));
  try {
    await Promise.all(daemons.map((daemon) => daemon.said('prepared')));
    for (const daemon of daemons) daemon.tell('go');
    await Promise.all(daemons.map((daemon) => daemon.said('bound')));
    for (const [at, { socket, socketFolder }] of paths.entries()) {
      expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(SOCKET_PATH_LIMIT);
      expect(await askSocket(socket)).toBe(String(daemons[at]?.process.pid));
      expect(lstatSync(socketFolder).mode & 0o777).toBe(0o700);
      expect(lstatSync(socket).mode & 0o777).toBe(0o600);
    }
    for (const daemon of daemons) daemon.process.kill('SIGTERM');
    expect(await Promise.all(daemons.map((daemon) => daemon.ended))).toEqual([0, 0]);
    for (const { socket } of paths) expect(() => lstatSync(socket)).toThrow('ENOENT');
  } finally {
    await Promise.all(daemons.map((daemon) => daemon[Symbol.asyncDispose]()));
    try {
      rmdirSync(paths[0]?.socketFolder ?? '');
    } catch {
      // Somebody else's sockets are in it.
    }
  }
});
