import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMemory } from '../../../daemon/api/memory.ts';
import { eventually } from '../../helpers/eventually.ts';

// A wrapper that stays, a child, and a grandchild whose parent has died.
const FAMILY = `
const { spawn } = require('node:child_process');
const idle = ['-e', 'setInterval(() => {}, 1000)'];
spawn(process.execPath, idle, { stdio: 'inherit' });
spawn(process.execPath, ['-e', "require('node:child_process').spawn(process.execPath, " + JSON.stringify(idle) + ", { stdio: 'ignore' }).unref()"]);
setInterval(() => {}, 1000);
`;

const family = () => {
  const child = spawn(process.execPath, ['-e', FAMILY], { detached: true, stdio: 'ignore' });
  const pid = child.pid ?? 0;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL');
    await gone;
  };
  return { pid, [Symbol.asyncDispose]: end };
};

const MEGABYTE = 1024 * 1024;

test.each(['/proc', '/no-such-proc'])(
  'createMemory() counts a process alone and with its group, by %s',
  async (proc) => {
    await using group = family();
    const memory = createMemory({ proc, maxAgeMs: 0 });
    await eventually(async () => {
      const [alone, together] = await Promise.all([memory.ofProcess(group.pid), memory.ofTree(group.pid)]);
      expect(alone).toBeGreaterThan(5 * MEGABYTE);
      // Three processes: shared pages are divided (PSS), so less than thrice one.
      expect(together?.processes).toBe(3);
      expect(together?.bytes).toBeGreaterThan((alone ?? 0) + 10 * MEGABYTE);
    });
  },
);

test.runIf(existsSync('/proc/self/smaps_rollup'))('createMemory() prefers PSS, which is less than RSS', async () => {
  const bytes = await createMemory().ofProcess(process.pid);
  expect(bytes).toBeGreaterThan(10 * MEGABYTE);
  expect(bytes).toBeLessThan(process.memoryUsage().rss * 1.2);
});

test('createMemory() gives null for a process that is not there', async () => {
  const group = family();
  await group[Symbol.asyncDispose]();
  const memory = createMemory({ maxAgeMs: 0 });
  expect(await memory.ofProcess(group.pid)).toBeNull();
  expect(await memory.ofProcess(2 ** 30)).toBeNull();
});

test('createMemory() looks once within its time', async () => {
  let now = 0;
  const memory = createMemory({ now: () => now, maxAgeMs: 1000 });
  const first = memory.ofTree(process.pid);
  now = 999;
  expect(memory.ofTree(process.pid)).toBe(first);
  now = 1000;
  expect(memory.ofTree(process.pid)).not.toBe(first);
  await first;
});
