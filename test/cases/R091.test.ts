// Many processes on one database, and one that will not let go of it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type Driver, loadDriver } from '../../daemon/sqlite.ts';
import { openStore } from '../../daemon/store/open.ts';
import { type Child, startChild } from '../helpers/child.ts';
import { testFolder } from '../helpers/folder.ts';

const OPENER = new URL('../daemon/store/programs/opener.ts', import.meta.url);

test('R091: ten processes open a database that is not there yet, and one sets it up', async () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.db');
  const ten = Array.from({ length: 10 }, () => startChild(OPENER, [path]));
  try {
    await Promise.all(ten.map((child) => child.said('prepared')));
    for (const child of ten) child.tell('go');
    await Promise.all(ten.map((child) => child.said('on')));
    for (const child of ten) child.tell('close');
    expect(await Promise.all(ten.map((child) => child.ended))).toEqual(ten.map(() => 0));
    const lines = ten.flatMap((child) => child.lines);
    expect(lines.filter((line) => line.includes('set-aside'))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('log store-migrated'))).toHaveLength(1);
    expect(rowsOf(path)).toBe(10);
  } finally {
    await Promise.all(ten.map((child) => child[Symbol.asyncDispose]()));
  }
});

test("R091: a schema that another process sets up between two reads is no stranger's", () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.db');
  const driver = loadDriver();
  const events: string[] = [];
  let isFirst = true;
  const open = (use: Driver) => openStore({ path, log: (event) => events.push(event), driver: use, busyMs: 0 });
  const interrupted: Driver = {
    name: 'interrupted',
    open(file, busyMs) {
      const db = driver.open(file, busyMs);
      return {
        ...db,
        pragma(text) {
          const value = db.pragma(text);
          if (text === 'application_id' && isFirst) {
            isFirst = false;
            open(driver)[Symbol.dispose]();
          }
          return value;
        },
      };
    },
  };
  using _store = open(interrupted);
  expect(isFirst).toBe(false);
  expect(events).not.toContain('store-set-aside');
  expect(readdirSync(folder.path).filter((name) => name.includes('damaged'))).toEqual([]);
});

const rowsOf = (path: string) => {
  using db = loadDriver().open(path, 0);
  return db.prepare('SELECT count(*) AS n FROM listings').get()?.['n'];
};

/** The longest time that the child's event loop stood still, in milliseconds. */
const blockedOf = async (child: Child) => {
  child.tell('blocked');
  return Number((await child.said('blocked')).split(' ')[1]);
};

const offLines = (child: Child) => child.lines.filter((line) => line.startsWith('log store-off'));

test('R091: a lock held while the store opens turns the cache off, fails nothing, and is waited out', async () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.db');
  await using holder = startChild(OPENER, [path]);
  await using child = startChild(OPENER, [path]);
  await Promise.all([holder.said('prepared'), child.said('prepared')]);
  holder.tell('hold');
  await holder.said('holding');
  child.tell('go');
  const opened = await child.said('opened');
  expect(opened).toMatch(/is locked by another process .*; metad works from memory\.$/);
  // Several tries, each of them short; a case of real waiting, so real time.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(offLines(child)).toHaveLength(1);
  expect(child.lines).not.toContain('on');
  holder.tell('release');
  await child.said('on');
  expect(await blockedOf(child)).toBeLessThan(1_000);
  child.tell('close');
  expect(await child.ended).toBe(0);
  expect(rowsOf(path)).toBe(1);
});

test('R091: a lock taken while the store is open costs no save: it waits in memory', async () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.db');
  await using holder = startChild(OPENER, [path]);
  await using child = startChild(OPENER, [path]);
  await Promise.all([holder.said('prepared'), child.said('prepared')]);
  child.tell('go');
  await child.said('on');
  await vi.waitFor(() => expect(rowsOf(path)).toBe(1));
  holder.tell('hold');
  await holder.said('holding');
  child.tell('save');
  await child.said('log store-off');
  holder.tell('release');
  await child.said('log store-on');
  expect(await blockedOf(child)).toBeLessThan(1_000);
  expect(offLines(child)).toHaveLength(1);
  child.tell('close');
  expect(await child.ended).toBe(0);
  expect(rowsOf(path)).toBe(2);
});
