// One daemon out of many starts, whatever the last one left behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askSocket } from '../helpers/ask.ts';
import { type Child, startChild } from '../helpers/child.ts';
import { testFolder } from '../helpers/folder.ts';

const OWNER = new URL('../daemon/life/programs/owner.ts', import.meta.url);

const prepared = async (home: string, count: number, stack: AsyncDisposable[]): Promise<readonly Child[]> => {
  const children = Array.from({ length: count }, () => startChild(OWNER, [home]));
  stack.push(...children);
  await Promise.all(children.map((child) => child.said('prepared')));
  return children;
};

const outcomeOf = (child: Child) => child.said('bound', 'lost', 'failed');

test('R005: after SIGKILL eight starters make exactly one daemon, and no stranger is signalled', async () => {
  using folder = testFolder();
  const opened: AsyncDisposable[] = [];
  const stranger = spawn(process.execPath, [
    '-e',
    'process.stdin.resume(); process.on("SIGTERM", () => process.exit(9))',
  ]);
  try {
    const [first] = await prepared(folder.path, 1, opened);
    first?.tell('go');
    await first?.said('bound');
    // A pid file that names somebody else: metad neither writes nor reads one.
    writeFileSync(join(folder.path, 'metad.pid'), String(stranger.pid));
    const eight = await prepared(folder.path, 8, opened);
    first?.process.kill('SIGKILL');
    await first?.ended;
    expect(existsSync(join(folder.path, 'metad.sock'))).toBe(true);

    for (const child of eight) child.tell('go');
    const outcomes = await Promise.all(eight.map(outcomeOf));
    expect(outcomes.filter((line) => line.startsWith('bound'))).toHaveLength(1);
    expect(outcomes.filter((line) => line === 'lost')).toHaveLength(7);
    const daemon = eight.find((child) => child.lines.some((line) => line.startsWith('bound')));
    const answers = await Promise.all(eight.map(() => askSocket(join(folder.path, 'metad.sock'))));
    expect(new Set(answers)).toEqual(new Set([String(daemon?.process.pid)]));
    expect(readdirSync(folder.path).filter((name) => name.includes('~'))).toEqual([]);
    expect(stranger.exitCode).toBeNull();
    expect(stranger.signalCode).toBeNull();

    daemon?.process.kill('SIGTERM');
    expect(await daemon?.ended).toBe(0);
    expect(existsSync(join(folder.path, 'metad.sock'))).toBe(false);
  } finally {
    stranger.kill('SIGKILL');
    await once(stranger, 'close');
    await Promise.all(opened.map((child) => child[Symbol.asyncDispose]()));
  }
});

test.each([
  [
    'a file',
    (path: string) => writeFileSync(path, 'keep me'),
    (path: string) => readFileSync(path, 'utf8') === 'keep me',
  ],
  ['a folder', (path: string) => mkdirSync(path), (path: string) => existsSync(path)],
])('R005: %s at the socket path is a clear error and stays', async (what, make, isKept) => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.sock');
  make(path);
  await using child = startChild(OWNER, [folder.path]);
  await child.said('prepared');
  child.tell('go');
  expect(await outcomeOf(child)).toBe(`failed metad's socket belongs at ${path}, where ${what} is. Move it away.`);
  expect(await child.ended).toBe(1);
  expect(isKept(path)).toBe(true);
});
