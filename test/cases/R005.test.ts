// One daemon out of many starts, whatever the last one left behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askSocket } from '../helpers/ask.ts';
import { type Child, startChild } from '../helpers/child.ts';
import { testFolder } from '../helpers/folder.ts';
import { temporaryHome } from '../helpers/home.ts';
import { until, untilGone } from '../helpers/processes.ts';
import { rawAgent } from '../helpers/raw-agent.ts';

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

/** Milliseconds that eight bare programs take side by side: how busy the machine is with other things. */
const eightBare = async (): Promise<number> => {
  const before = performance.now();
  await Promise.all(
    Array.from({ length: 8 }, () => once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'close')),
  );
  return performance.now() - before;
};

test('R005: eight shims reach one new daemon within 3 s after SIGKILL, and a pid file moves nobody', async () => {
  await using home = temporaryHome();
  {
    await using first = rawAgent({ home: home.home });
    await first.open();
  }
  const old = (await home.daemonPid()) ?? 0;
  const stranger = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  try {
    writeFileSync(join(home.home, 'metad.pid'), String(stranger.pid));
    process.kill(old, 'SIGKILL');
    await untilGone([old]);
    const bound = Math.max(3_000, 12 * (await eightBare()));
    const before = performance.now();
    const eight = Array.from({ length: 8 }, () => rawAgent({ home: home.home }));
    try {
      await Promise.all(eight.map((agent) => agent.open()));
      expect(performance.now() - before).toBeLessThan(bound);
      await until('one daemon is left', 10_000, () => home.daemons().length === 1);
      const status = await home.status();
      expect(status.sessions).toHaveLength(8);
      expect(status.daemon?.pid).not.toBe(old);
      expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
    } finally {
      await Promise.all(eight.map((agent) => agent[Symbol.asyncDispose]()));
    }
  } finally {
    stranger.kill('SIGKILL');
    await once(stranger, 'close');
  }
});
