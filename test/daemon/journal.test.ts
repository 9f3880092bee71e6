import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { openJournal } from '../../daemon/journal.ts';
import { testFolder } from '../helpers/folder.ts';

const stderrOf = () => {
  const stream = new PassThrough({ encoding: 'utf8' });
  let text = '';
  stream.on('data', (part: string) => {
    text += part;
  });
  return { stream, lines: () => text.split('\n').filter((line) => line !== '') };
};

const events = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { event: string; [field: string]: unknown });

test('openJournal() writes one JSON object a line, in order, and close() waits for all of them', async () => {
  using folder = testFolder();
  const { stream, lines } = stderrOf();
  const journal = openJournal({ folder: join(folder.path, 'logs'), stderr: stream, pid: 7, now: () => 1_000 });
  journal.log('started', { version: '1', event: 'mine', error: new Error('a\nb') });
  for (let count = 0; count < 500; count += 1) journal.log('line', { count });
  await journal.close();
  const written = events(readFileSync(journal.file, 'utf8'));
  expect(written).toHaveLength(501);
  expect(written[0]).toMatchObject({ time: '1970-01-01T00:00:01.000Z', pid: 7, event: 'started', version: '1' });
  expect(written[0]?.['error']).toMatchObject({ message: 'a\nb', stack: expect.stringContaining('journal.test') });
  expect(written.slice(1).map(({ count }) => count)).toEqual(Array.from({ length: 500 }, (_, at) => at));
  expect(statSync(journal.file).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder.path, 'logs')).mode & 0o777).toBe(0o700);
  expect(lines()).toEqual([]);
});

test('openJournal() goes on in the file that the last daemon left', async () => {
  using folder = testFolder();
  for (const event of ['one', 'two']) {
    const journal = openJournal({ folder: folder.path, stderr: stderrOf().stream, pid: 1 });
    journal.log(event);
    await journal.close();
  }
  expect(events(readFileSync(join(folder.path, 'daemon.log'), 'utf8')).map(({ event }) => event)).toEqual([
    'one',
    'two',
  ]);
});

test('openJournal() keeps a bounded number of bounded files', async () => {
  using folder = testFolder();
  for (let round = 0; round < 8; round += 1) {
    const stderr = stderrOf().stream;
    const journal = openJournal({ folder: folder.path, stderr, pid: 1, maxBytes: 10_000, files: 3 });
    for (let count = 0; count < 60; count += 1) journal.log('filler', { round, text: 'x'.repeat(100) });
    await journal.close();
  }
  const names = readdirSync(folder.path).sort();
  expect(names).toEqual(['daemon.log', 'daemon.log.1', 'daemon.log.2']);
  for (const name of names) expect(statSync(join(folder.path, name)).size).toBeLessThan(30_000);
  const newest = events(names.map((name) => readFileSync(join(folder.path, name), 'utf8')).join(''));
  expect(newest.some(({ round }) => round === 7)).toBe(true);
  expect(newest.some(({ round }) => round === 0)).toBe(false);
});

test('openJournal() uses stderr with one warning where no file can be written, and the file once it can', async () => {
  using folder = testFolder();
  const { stream, lines } = stderrOf();
  const blocked = join(folder.path, 'logs');
  writeFileSync(blocked, 'a file in its place');
  let time = 0;
  const journal = openJournal({ folder: blocked, stderr: stream, pid: 1, now: () => time });
  journal.log('one');
  await vi.waitFor(() => expect(lines()).toHaveLength(2));
  journal.log('two');
  expect(lines().map((line) => JSON.parse(line).event)).toEqual(['log-file-unusable', 'one', 'two']);
  expect(lines()[0]).toContain(journal.file);
  time = 60_000;
  journal.log('three');
  await vi.waitFor(() => expect(lines()).toHaveLength(4));
  rmSync(blocked);
  time = 120_000;
  journal.log('four');
  await journal.close();
  expect(events(readFileSync(journal.file, 'utf8')).map(({ event }) => event)).toEqual(['four']);
  expect(lines().map((line) => JSON.parse(line).event)).toEqual(['log-file-unusable', 'one', 'two', 'three']);
});

test('openJournal() survives a stderr that went away', async () => {
  using folder = testFolder();
  const { stream } = stderrOf();
  writeFileSync(join(folder.path, 'logs'), '');
  const journal = openJournal({ folder: join(folder.path, 'logs'), stderr: stream, pid: 1 });
  stream.destroy(new Error('EPIPE'));
  journal.log('one');
  await journal.close();
  journal.log('two');
  await new Promise((resolve) => setImmediate(resolve));
});

test('flushSync() brings the last lines into the file without waiting', () => {
  using folder = testFolder();
  mkdirSync(join(folder.path, 'logs'));
  const journal = openJournal({ folder: join(folder.path, 'logs'), stderr: stderrOf().stream, pid: 1 });
  journal.log('last');
  journal.flushSync();
  expect(events(readFileSync(journal.file, 'utf8')).map(({ event }) => event)).toEqual(['last']);
});

test('log() tells whatever the fields hold, applies redact, and bounds a line', async () => {
  using folder = testFolder();
  const { stream } = stderrOf();
  const journal = openJournal({
    folder: folder.path,
    stderr: stream,
    pid: 1,
    redact: (line) => line.replaceAll('hunter2', '[secret]'),
  });
  const ring: { self?: unknown } = {};
  ring.self = ring;
  const cause = new Error('inner', { cause: ring });
  journal.log('odd', { big: 1n, ring, error: new Error('outer', { cause }), twice: [ring, ring], key: 'hunter2' });
  journal.log('huge', { text: 'é'.repeat(1_000_000) });
  journal.log('hostile', {
    get worse() {
      throw new Error('no');
    },
  });
  await journal.close();
  const [odd, huge, hostile] = events(readFileSync(journal.file, 'utf8'));
  expect(odd).toMatchObject({
    big: '1',
    ring: { self: '[circular]' },
    twice: [{ self: '[circular]' }, { self: '[circular]' }],
    error: { message: 'outer', cause: { message: 'inner', cause: { self: '[circular]' } } },
    key: '[secret]',
  });
  expect(JSON.stringify(huge).length).toBeLessThan(40_000);
  expect(hostile).toMatchObject({ event: 'hostile', unprintable: 'Error: no' });
});

test('log() holds a bounded amount in memory and says how many lines that cost', async () => {
  using folder = testFolder();
  const journal = openJournal({ folder: folder.path, stderr: stderrOf().stream, pid: 1 });
  for (let count = 0; count < 2_000; count += 1) journal.log('flood', { text: 'x'.repeat(1_000) });
  await journal.close();
  const written = events(readFileSync(journal.file, 'utf8'));
  const dropped = written.filter(({ event }) => event === 'log-lines-dropped');
  expect(dropped).toHaveLength(1);
  expect(written.length - 1 + Number(dropped[0]?.['count'])).toBe(2_000);
  expect(statSync(journal.file).size).toBeLessThan(1.1 * 2 ** 20);
});
