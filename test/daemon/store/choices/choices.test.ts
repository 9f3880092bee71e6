import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Database, loadDriver } from '../../../../daemon/sqlite.ts';
import { CHOICE_LIMITS, openChoices } from '../../../../daemon/store/choices/choices.ts';
import { MetadError } from '../../../../schema/errors.ts';
import { type TestFolder, testFolder } from '../../../helpers/folder.ts';

const driver = loadDriver();
const fileOf = (folder: TestFolder) => join(folder.path, 'data', 'choices.db');
const open = (folder: TestFolder, use = driver) => openChoices({ path: fileOf(folder), driver: use, busyMs: 0 });
const errorOf = (work: () => unknown): MetadError => {
  try {
    work();
  } catch (error) {
    if (error instanceof MetadError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

/** A driver whose writes fail as those on a full disk do, while `isFull`. */
const filling = () => {
  const state = { isFull: false };
  const wrap = (db: Database): Database => ({
    ...db,
    prepare: (sql) => {
      if (state.isFull && sql.trimStart().startsWith('INSERT'))
        throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
      return db.prepare(sql);
    },
  });
  return { state, driver: { name: 'filling', open: (path: string, ms: number) => wrap(driver.open(path, ms)) } };
};

test('openChoices() touches nothing before its first use, and makes its file for this user only', () => {
  using folder = testFolder();
  using choices = open(folder);
  expect(readdirSync(folder.path)).toEqual([]);
  expect(choices.get('', 'a')).toBeUndefined();
  expect(statSync(join(folder.path, 'data')).mode & 0o777).toBe(0o700);
  for (const suffix of ['', '-wal', '-shm']) expect(statSync(fileOf(folder) + suffix).mode & 0o777).toBe(0o600);
});

test('values belong to their workspace, are on disk when set() returns, and last', () => {
  using folder = testFolder();
  {
    using one = open(folder);
    one.set('/a', 'plan', '[1]');
    one.set('/b', 'plan', '[2]');
    one.set('', 'plan', '[3]');
    // As another process would find it while this one lives, or after it was killed.
    using other = open(folder);
    expect(['/a', '/b', '', '/c'].map((workspace) => other.get(workspace, 'plan'))).toEqual([
      '[1]',
      '[2]',
      '[3]',
      undefined,
    ]);
  }
  using choices = open(folder);
  choices.set('/a', 'plan', '"new"');
  expect(choices.get('/a', 'plan')).toBe('"new"');
  expect([choices.delete('/a', 'plan'), choices.delete('/a', 'plan')]).toEqual([true, false]);
  expect(choices.get('/a', 'plan')).toBeUndefined();
  expect(choices.get('/b', 'plan')).toBe('[2]');
});

test('keys() are sorted and may be asked for by prefix, whatever is in them', () => {
  using folder = testFolder();
  using choices = open(folder);
  for (const key of ['b', 'a%', 'a_', 'A', 'ä', '🚀', "a'", 'a\u0000z']) choices.set('/a', key, '1');
  choices.set('/b', 'other', '1');
  expect(choices.keys('/a', '')).toEqual(['A', "a'", 'a%', 'a_', 'a\u0000z', 'b', 'ä', '🚀'].sort());
  expect(choices.keys('/a', 'a')).toEqual(["a'", 'a%', 'a_', 'a\u0000z'].sort());
  expect(choices.keys('/a', '%')).toEqual([]);
  expect(choices.get('/a', 'a\u0000z')).toBe('1');
});

describe('set() names the limit and the way out', () => {
  test('of a key and of a value', () => {
    using folder = testFolder();
    using choices = open(folder);
    expect(errorOf(() => choices.set('', 'k'.repeat(257), '1'))).toMatchObject({
      code: 'limit',
      message: expect.stringContaining('256 characters; this one has 257'),
    });
    expect(errorOf(() => choices.get('', ''))).toMatchObject({ code: 'bad-request' });
    const large = errorOf(() => choices.set('', 'k', JSON.stringify('é'.repeat(CHOICE_LIMITS.value / 2))));
    expect(large).toMatchObject({
      code: 'limit',
      message: expect.stringMatching(/1 MiB as JSON; "k" has 1 MiB\. Keep it in parts/),
    });
    choices.set('', 'k'.repeat(256), JSON.stringify('x'.repeat(CHOICE_LIMITS.value - 2)));
  });
  test('of all values of a workspace', () => {
    using folder = testFolder();
    using choices = open(folder);
    const value = JSON.stringify('x'.repeat(CHOICE_LIMITS.value - 2));
    for (let at = 0; at < 16; at += 1) choices.set('/a', `k${at}`, value);
    expect(errorOf(() => choices.set('/a', 'more', '1')).message).toMatch(/16 MiB in all.*store\.delete\(key\)/);
    choices.set('/a', 'k3', value);
    choices.set('/b', 'more', '1');
    choices.delete('/a', 'k3');
    choices.set('/a', 'more', '1');
  });
  test('of keys', () => {
    using folder = testFolder();
    using choices = open(folder);
    for (let at = 0; at < CHOICE_LIMITS.keys; at += 1) choices.set('/a', `k${at}`, '1');
    expect(errorOf(() => choices.set('/a', 'more', '1')).message).toMatch(/1000 keys; delete some/);
    choices.set('/a', 'k7', '2');
    expect(choices.get('/a', 'k7')).toBe('2');
  });
});

test('R091: a file that is damaged, of another program or of a newer metad stays as it is, and says so each time', () => {
  for (const [make, message] of [
    [
      (path: string) => writeFileSync(path, 'no database at all, but quite long enough to be read as one'),
      /is damaged or not of metad. metad leaves it/,
    ],
    [
      (path: string) => {
        using db = driver.open(path, 0);
        db.exec('CREATE TABLE recipes (name TEXT)');
      },
      /belongs to another program; metad leaves it/,
    ],
    [
      (path: string) => {
        {
          using choices = openChoices({ path, driver });
          choices.set('', 'a', '1');
        }
        using db = driver.open(path, 0);
        db.exec('PRAGMA user_version = 9');
      },
      /newer metad \(schema 9\)/,
    ],
    [(path: string) => mkdirSync(path), /cannot be opened/],
  ] as const) {
    using folder = testFolder();
    mkdirSync(join(folder.path, 'data'));
    make(fileOf(folder));
    const isFile = statSync(fileOf(folder)).isFile();
    const before = isFile ? readFileSync(fileOf(folder)) : undefined;
    using choices = open(folder);
    for (const use of [() => choices.get('', 'a'), () => choices.set('', 'a', '2'), () => choices.keys('', '')])
      expect(errorOf(use)).toMatchObject({ code: 'unavailable', message: expect.stringMatching(message) });
    if (isFile) expect(readFileSync(fileOf(folder))).toEqual(before);
    expect(readdirSync(join(folder.path, 'data')).filter((name) => !/^choices\.db(-wal|-shm)?$/.test(name))).toEqual(
      [],
    );
  }
});

test('a locked file and a full disk are errors of that call alone', () => {
  using folder = testFolder();
  const { state, driver: filled } = filling();
  using choices = open(folder, filled);
  choices.set('', 'a', '1');
  {
    using other = driver.open(fileOf(folder), 0);
    other.exec('BEGIN IMMEDIATE');
    expect(errorOf(() => choices.set('', 'a', '2')).message).toMatch(/is locked by another process; try again/);
    expect(choices.get('', 'a')).toBe('1');
  }
  state.isFull = true;
  expect(errorOf(() => choices.set('', 'a', '2')).message).toMatch(/the disk is full/);
  expect(choices.get('', 'a')).toBe('1');
  state.isFull = false;
  choices.set('', 'a', '2');
  expect(choices.get('', 'a')).toBe('2');
});

test('a file that was moved away may come back', () => {
  using folder = testFolder();
  mkdirSync(join(folder.path, 'data'));
  mkdirSync(fileOf(folder));
  using choices = open(folder);
  expect(errorOf(() => choices.get('', 'a')).code).toBe('unavailable');
  // The folder in its place goes; nothing has to be started anew.
  rmdirSync(fileOf(folder));
  choices.set('', 'a', '1');
  expect(choices.get('', 'a')).toBe('1');
  choices[Symbol.dispose]();
  expect(errorOf(() => choices.get('', 'a')).message).toBe('metad is stopping.');
});

describe('what a person said yes to', () => {
  const server = (hash: string, at: number) => ({ file: '.mcp.json', server: 'a', hash, at });

  test('trusts are kept by root, survive reopening, and are forgotten together', () => {
    using folder = testFolder();
    {
      using choices = open(folder);
      choices.trusts.add('/w', [server('one', 1), { ...server('b', 2), server: 'b' }]);
      choices.trusts.add('/v', [server('one', 3)]);
      choices.trusts.add('/w', [server('one', 4)]);
    }
    using choices = open(folder);
    expect(choices.trusts.of('/w')).toEqual([{ ...server('b', 2), server: 'b' }, server('one', 4)]);
    expect(choices.trusts.revoke('/w')).toBe(2);
    expect([choices.trusts.of('/w'), choices.trusts.of('/v').length]).toEqual([[], 1]);
  });

  test('of one server the newest 20 contents are kept', () => {
    using folder = testFolder();
    using choices = open(folder);
    for (let at = 0; at < 25; at += 1) choices.trusts.add('/w', [server(`h${at}`, at)]);
    expect(choices.trusts.of('/w').map(({ hash }) => hash)).toEqual(
      Array.from({ length: 20 }, (_, at) => `h${at + 5}`),
    );
  });

  test('nothing of several is trusted where the disk is full', () => {
    using folder = testFolder();
    const { state, driver: full } = filling();
    using choices = open(folder, full);
    choices.trusts.add('/w', [server('one', 1)]);
    state.isFull = true;
    expect(errorOf(() => choices.trusts.add('/w', [server('two', 2), server('three', 3)])).code).toBe('unavailable');
    state.isFull = false;
    expect(choices.trusts.of('/w')).toEqual([server('one', 1)]);
  });

  test('pins are of one source, and those of registries that are named no more are forgotten', () => {
    using folder = testFolder();
    using choices = open(folder);
    choices.pins.set('team', 'https://x', 'c1', 1);
    choices.pins.set('other', 'https://y', 'c2', 1);
    choices.pins.set('team', 'https://x', 'c3', 2);
    expect([choices.pins.get('team', 'https://x'), choices.pins.get('team', 'https://z')]).toEqual(['c3', undefined]);
    choices.pins.keep(['team']);
    expect([choices.pins.get('team', 'https://x'), choices.pins.get('other', 'https://y')]).toEqual(['c3', undefined]);
  });
});
