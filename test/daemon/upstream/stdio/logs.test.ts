import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createServerLogs, logName } from '../../../../daemon/upstream/stdio/logs.ts';
import { createTail } from '../../../../daemon/upstream/stdio/tail.ts';

const folder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'metad-logs-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
};

test('R017: the log of a server stays within twice its limit', async () => {
  await using dir = await folder();
  const logs = createServerLogs(join(dir.path, 'servers'), 10_000);
  for (let round = 0; round < 50; round += 1) {
    for (let line = 0; line < 20; line += 1) logs.of('x').line('stderr', `${round} ${'z'.repeat(50)}`);
    await logs.flush();
  }
  const names = await readdir(join(dir.path, 'servers'));
  expect(names.sort()).toEqual(['x.log', 'x.log.1']);
  for (const name of names) expect((await stat(join(dir.path, 'servers', name))).size).toBeLessThanOrEqual(10_000);
  expect(await readFile(join(dir.path, 'servers', 'x.log'), 'utf8')).toContain('stderr 49 zzz');
});

test('R019: a flood that the disk cannot follow loses lines, and says how many', async () => {
  await using dir = await folder();
  const logs = createServerLogs(dir.path);
  for (let line = 0; line < 20_000; line += 1) logs.of('x').line('stderr', 'y'.repeat(100));
  await logs.flush();
  expect(await readFile(join(dir.path, 'x.log'), 'utf8')).toMatch(/… \d+ lines dropped/);
});

test('a folder that cannot be made is no error', async () => {
  await using dir = await folder();
  await writeFile(join(dir.path, 'file'), '');
  const logs = createServerLogs(join(dir.path, 'file', 'servers'));
  logs.of('x').line('stderr', 'lost');
  await logs.flush();
});

test.each(['../../etc/passwd', '/abs', '.hidden', 'a b', 'ü', 'x'.repeat(300)])(
  'logName() of %s is a plain file name',
  (name) => {
    expect(logName(name)).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,100}\.log$/);
    expect(logName(name)).not.toBe(logName(`${name}?`));
  },
);

test('quote() gives the last lines without what a terminal would hide', () => {
  const tail = createTail();
  tail.push(Buffer.from('x'.repeat(100_000)));
  tail.push(Buffer.from('\n\u001b[31mred\u001b[0m\u202e\u0007 alert\n\nlast\n'));
  expect(tail.quote()).toMatch(/⏎ red {2,3}alert ⏎ last$/);
  expect(tail.quote().length).toBeLessThanOrEqual(601);
});
