import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type Database, loadDriver } from '../../../daemon/sqlite.ts';
import { openStore, type StoreOptions } from '../../../daemon/store/open.ts';
import type { Store } from '../../../daemon/store/store.ts';
import type { CallStatus } from '../../../schema/wire.ts';
import { type TestFolder, testFolder } from '../../helpers/folder.ts';
import { testListing } from '../../helpers/listing.ts';

const driver = loadDriver();
const DAY = 86_400_000;

const open = (folder: TestFolder, options: Partial<StoreOptions> = {}) =>
  openStore({ path: join(folder.path, 'metad.db'), log: () => {}, driver, ...options });

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

const call = (at: number): CallStatus => ({
  at,
  session: 's',
  server: 'x',
  tool: 't',
  milliseconds: 1.5,
  outcome: 'ok',
});

/** A driver that notes every statement that writes. */
const counting = () => {
  const writes: string[] = [];
  const note = (sql: string) => {
    if (/^\s*(INSERT|UPDATE|DELETE)/i.test(sql)) writes.push(sql.trim().split(/\s+/).slice(0, 3).join(' '));
  };
  const wrap = (db: Database): Database => ({
    ...db,
    prepare(sql) {
      note(sql);
      return db.prepare(sql);
    },
  });
  return { writes, driver: { name: 'counting', open: (path: string, ms: number) => wrap(driver.open(path, ms)) } };
};

test('openStore() gives listings back after a restart, as cached, in the order they came', () => {
  using folder = testFolder();
  const listed = [testListing('b'), testListing('a', { freshness: 'stale', warnings: ['page 2 failed'] })];
  {
    using store = open(folder);
    expect(store.health).toBe('disk');
    expect(store.listings()).toEqual([]);
    for (const one of listed) store.saveListing(one);
    expect(store.listings()).toEqual(listed);
  }
  using store = open(folder);
  expect(store.listings()).toEqual([{ ...listed[0], freshness: 'cached' }, listed[1]]);
});

test('openStore() makes folder and files for this user only', () => {
  using folder = testFolder();
  const path = join(folder.path, 'a', 'b', 'metad.db');
  using store = openStore({ path, log: () => {}, driver });
  expect(store.health).toBe('disk');
  expect(statSync(join(folder.path, 'a', 'b')).mode & 0o777).toBe(0o700);
  for (const suffix of ['', '-wal', '-shm']) expect(statSync(path + suffix).mode & 0o777).toBe(0o600);
});

test('saveListing() writes after the turn, in one batch, and nothing where only time or freshness differ', async () => {
  using folder = testFolder();
  const { writes, driver: counted } = counting();
  using store = open(folder, { driver: counted });
  const listing = testListing('a');
  store.saveListing(testListing('a', { instructions: 'older' }));
  store.saveListing(listing);
  expect(writes).toEqual([]);
  await turn();
  expect(writes).toEqual(['INSERT INTO listings', 'INSERT INTO seen', 'DELETE FROM calls']);
  writes.length = 0;
  store.saveListing({ ...listing, listedAt: listing.listedAt + 5, freshness: 'stale' });
  store.saveListing(testListing('a', { listedAt: 7 }));
  await turn();
  expect(writes).toEqual([]);
  store.saveListing({ ...listing, tools: [] });
  await turn();
  expect(writes).toContain('INSERT INTO listings');
});

test('saveListing() after a restart still knows what is saved', async () => {
  using folder = testFolder();
  {
    using store = open(folder);
    store.saveListing(testListing('a'));
  }
  const { writes, driver: counted } = counting();
  using store = open(folder, { driver: counted });
  store.saveListing(testListing('a'));
  await turn();
  expect(writes).toEqual([]);
});

test('one listing that JSON cannot tell costs no other', async () => {
  using folder = testFolder();
  const log = vi.fn();
  {
    using store = open(folder, { log });
    store.saveListing(testListing('odd', { instructions: 1n as unknown as string }));
    store.saveListing(testListing('good'));
    store.recordCall({ ...call(1), session: undefined as unknown as string });
    store.recordCall(call(2));
    await turn();
    expect(store.health).toBe('disk');
  }
  expect(log.mock.calls.map(([event]) => event)).toEqual([
    'store-migrated',
    'store-listing-unwritable',
    'store-call-unwritable',
  ]);
  using store = open(folder);
  expect(store.listings().map(({ key }) => key)).toEqual(['good']);
  expect(store.recentCalls(5)).toEqual([call(2)]);
});

test('a row that is no listing is left out and told', () => {
  using folder = testFolder();
  {
    using store = open(folder);
    store.saveListing(testListing('a'));
    store.saveListing(testListing('b'));
  }
  {
    using db = driver.open(join(folder.path, 'metad.db'), 0);
    db.exec(`UPDATE listings SET body = '{"tools": 7}' WHERE key = 'a'`);
  }
  const log = vi.fn();
  using store = open(folder, { log });
  expect(store.listings().map(({ key }) => key)).toEqual(['b']);
  expect(log).toHaveBeenCalledWith('store-rows-unreadable', { keys: ['a'] });
});

test('pruneListings() forgets what was neither listed nor used for 30 days, and only that', () => {
  using folder = testFolder();
  let time = 100 * DAY;
  const now = () => time;
  const keysIn = (store: Store) => store.listings().map(({ key }) => key);
  {
    using store = open(folder, { now });
    for (const key of ['used', 'unused', 'new']) store.saveListing(testListing(key, { listedAt: time }));
  }
  {
    time += 20 * DAY;
    using store = open(folder, { now });
    store.pruneListings();
    store.useListings(['used', 'never listed']);
    store.saveListing(testListing('new', { listedAt: time, tools: [] }));
  }
  {
    time += 11 * DAY;
    using store = open(folder, { now });
    expect(keysIn(store)).toEqual(['used', 'unused', 'new']);
    store.pruneListings();
    expect(keysIn(store)).toEqual(['used', 'new']);
  }
  {
    time += 20 * DAY;
    using store = open(folder, { now });
    // Before anything was read.
    store.pruneListings();
    expect(keysIn(store)).toEqual([]);
  }
  using store = open(folder, { now });
  expect(keysIn(store)).toEqual([]);
});

test('listings() alone reads them: what was learned, called and pruned before is as if they were there', () => {
  using folder = testFolder();
  {
    using store = open(folder);
    store.saveListing(testListing('a'));
    store.saveListing(testListing('b'));
  }
  {
    using store = open(folder);
    store.recordCall(call(1));
    store.saveListing(testListing('b', { instructions: 'be quick' }));
  }
  using store = open(folder);
  expect(store.recentCalls(1)).toEqual([call(1)]);
  expect(store.listings().map(({ key, instructions }) => [key, instructions])).toEqual([
    ['a', 'be kind'],
    ['b', 'be quick'],
  ]);
});

test('recentCalls() gives the newest first, over restarts, and keeps a bounded number', async () => {
  using folder = testFolder();
  {
    using store = open(folder, { maxCalls: 10 });
    for (let at = 0; at < 25; at += 1) store.recordCall(call(at));
    await turn();
    for (let at = 25; at < 30; at += 1) store.recordCall({ ...call(at), milliseconds: null, outcome: 'timeout' });
    expect(store.recentCalls(3).map(({ at }) => at)).toEqual([29, 28, 27]);
  }
  using store = open(folder, { maxCalls: 10 });
  expect(store.recentCalls(100).map(({ at }) => at)).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20]);
  expect(store.recentCalls(1)).toEqual([{ ...call(29), milliseconds: null, outcome: 'timeout' }]);
});

test('a store that was disposed takes what comes late without harm', async () => {
  using folder = testFolder();
  const store = open(folder);
  store.saveListing(testListing('a'));
  store[Symbol.dispose]();
  store[Symbol.dispose]();
  store.saveListing(testListing('b'));
  store.recordCall(call(1));
  store.pruneListings();
  await turn();
  expect(store.recentCalls(5)).toEqual([call(1)]);
  using again = open(folder);
  expect(again.listings().map(({ key }) => key)).toEqual(['a']);
});

const shape = (key: string, tool: string, body = '{}') => ({ key, tool, hash: `hash of ${tool}`, body });

test('saveShape() keeps one row a tool over a restart, and a listing that is pruned takes its rows along', () => {
  using folder = testFolder();
  {
    using store = open(folder, { now: () => 1000 });
    store.saveListing(testListing('k', { listedAt: 1000 }));
    store.saveShape(shape('k', 'a', 'old'));
    store.saveShape(shape('k', 'a', 'new'));
    store.saveShape(shape('k', 'b'));
    store.saveShape(shape('other', 'a'));
    expect(store.shapes('k')).toEqual([shape('k', 'a', 'new'), shape('k', 'b')]);
  }
  {
    using store = open(folder, { now: () => 1000 });
    expect(store.shapes('k')).toEqual([shape('k', 'a', 'new'), shape('k', 'b')]);
    store.removeShape('k', 'b');
    expect(store.shapes('k')).toEqual([shape('k', 'a', 'new')]);
  }
  using store = open(folder, { now: () => 1000 + 40 * DAY });
  expect(store.shapes('k')).toEqual([shape('k', 'a', 'new')]);
  store.pruneListings();
  expect(store.shapes('k')).toEqual([]);
  expect(store.shapes('other')).toEqual([shape('other', 'a')]);
});

test('saveShape() works from memory while the file is off', () => {
  using folder = testFolder();
  using store = openStore({ path: folder.path, log: () => {}, driver });
  expect(store.health).not.toBe('disk');
  store.saveShape(shape('k', 'a'));
  expect(store.shapes('k')).toEqual([shape('k', 'a')]);
});
