// Slow is never taken for dead: who holds the lock is the daemon, however long it stays silent.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askSocket } from '../helpers/ask.ts';
import { startChild } from '../helpers/child.ts';
import { testFolder } from '../helpers/folder.ts';

const OWNER = new URL('../daemon/life/programs/owner.ts', import.meta.url);

test('R007: a daemon that is blocked for 3 s keeps lock and socket, and answers all who waited', async () => {
  using folder = testFolder();
  const socket = join(folder.path, 'metad.sock');
  const all = Array.from({ length: 6 }, () => startChild(OWNER, [folder.path]));
  try {
    await Promise.all(all.map((child) => child.said('prepared')));
    const [daemon, ...others] = all;
    if (daemon === undefined) throw new Error('no child');
    daemon.tell('go');
    await daemon.said('bound');
    const { ino } = lstatSync(socket);
    daemon.tell('block 3000');
    await daemon.said('blocking');

    const answers = Array.from({ length: 10 }, () => askSocket(socket));
    for (const child of others) child.tell('go');
    await Promise.all(others.map((child) => child.said('lost')));
    // They knew at once, not after the block.
    expect(daemon.lines).not.toContain('unblocked');
    expect(lstatSync(socket).ino).toBe(ino);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([String(daemon.process.pid)]));
  } finally {
    await Promise.all(all.map((child) => child[Symbol.asyncDispose]()));
  }
});
