import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Database, loadDriver } from '../../../daemon/sqlite.ts';
import { MIGRATIONS } from '../../../daemon/store/migrations.ts';
import { openStore, type StoreOptions } from '../../../daemon/store/open.ts';
import { createResults } from '../../../daemon/store/results.ts';
import { type TestFolder, testFolder } from '../../helpers/folder.ts';

const driver = loadDriver();
const open = (folder: TestFolder, options: Partial<StoreOptions> = {}) =>
  openStore({ path: join(folder.path, 'metad.db'), log: () => {}, driver, ...options });

/** Results over a database in memory, with small limits. */
const bounded = (limits = { entry: 10, all: 25, count: 4 }) => {
  const db = driver.open(':memory:', 0);
  for (const step of MIGRATIONS) db.exec(step);
  let on = true;
  const connection = {
    write: (work: (db: Database) => void) => {
      if (on) work(db);
      return on;
    },
    read: <T>(work: (db: Database) => T) => (on ? work(db) : undefined),
  };
  const results = createResults(connection, () => 1, limits);
  const there = () => [1, 2, 3, 4, 5, 6, 7].filter((run) => results.read(`r${run}`, '') !== undefined);
  return { results, there, turn: (value: boolean) => (on = value), db };
};

test('keepResult() gives JSON back to its own workspace alone, also after a restart', () => {
  using folder = testFolder();
  {
    using store = open(folder);
    expect(store.nextRun()).toBe(1);
    expect(store.keepResult('r1', '/a', '"é"')).toBe(true);
    expect([
      store.result('r1', '/a'),
      store.result('r1', '/b'),
      store.result('r1', ''),
      store.result('r2', '/a'),
    ]).toEqual(['"é"', undefined, undefined, undefined]);
  }
  using store = open(folder);
  expect(store.result('r1', '/a')).toBe('"é"');
  expect(store.nextRun()).toBe(2);
  expect(store.nextRun()).toBe(3);
});

test('keepResult() and result() take no odd names', () => {
  using folder = testFolder();
  using store = open(folder);
  for (const name of ['12', 'r0', 'r012', 'R12', 'r12 ', '', 'x'.repeat(500)])
    expect([store.keepResult(name, '', '1'), store.result(name, '')]).toEqual([false, undefined]);
});

test('keepResult() is on disk when it returns', () => {
  using folder = testFolder();
  using store = open(folder);
  store.keepResult('r1', '', '[1]');
  using db = driver.open(join(folder.path, 'metad.db'), 0);
  expect(db.prepare('SELECT body FROM results').all()).toEqual([{ body: '[1]' }]);
});

test('createResults() refuses one that is too large, in bytes', () => {
  const { results } = bounded();
  expect([results.keep('r1', '', 'x'.repeat(10)), results.keep('r2', '', 'é'.repeat(6))]).toEqual([true, false]);
  expect(results.read('r2', '')).toBeUndefined();
});

test('createResults() lets the oldest go, by number and by bytes', () => {
  const small = bounded();
  for (let run = 1; run <= 6; run += 1) small.results.keep(`r${run}`, '', 'x');
  expect(small.there()).toEqual([3, 4, 5, 6]);
  small.results.keep('r7', '', 'x'.repeat(9));
  expect(small.there()).toEqual([4, 5, 6, 7]);
  const large = bounded();
  for (let run = 1; run <= 4; run += 1) large.results.keep(`r${run}`, '', 'x'.repeat(9));
  expect(large.there()).toEqual([3, 4]);
});

test('createResults() holds what it has while the database is off, and writes it when it is back', () => {
  const { results, there, turn, db } = bounded();
  turn(false);
  for (let run = 1; run <= 6; run += 1) results.keep(`r${run}`, '', 'x');
  expect(there()).toEqual([3, 4, 5, 6]);
  expect(results.isWaiting()).toBe(true);
  turn(true);
  results.write(db);
  results.written();
  expect(there()).toEqual([3, 4, 5, 6]);
});
