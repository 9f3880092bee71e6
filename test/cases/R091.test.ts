// Many processes on one database, and one that will not let go of it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type Driver, loadDriver } from '../../daemon/sqlite.ts';
import { openStore } from '../../daemon/store/open.ts';
import { connectAgent } from '../helpers/agent.ts';
import { type Child, startChild } from '../helpers/child.ts';
import { testFolder } from '../helpers/folder.ts';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

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

test('R091: daemons and commands at once on a fresh home, then a lock held for 8 s: nothing fails', async () => {
  await using home = temporaryHome({ mcpServers: { echo: fixtureServer('echo.mjs') } });
  const five = Array.from({ length: 5 });
  const [starts, calls] = await Promise.all([
    Promise.all(five.map(() => home.metad(['daemon', 'start']))),
    Promise.all(five.map((_, at) => home.metad(['call', 'echo.echo', `{"text":"${at}"}`]))),
  ]);
  for (const { code, stderr } of starts)
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(calls.map(({ stdout }) => stdout.trim())).toEqual(['0', '1', '2', '3', '4']);
  await until('one daemon is left', 10_000, () => home.daemons().length === 1);
  const path = join(home.home, 'metad.db');
  expect(readdirSync(home.home).filter((name) => name.includes('damaged'))).toEqual([]);

  await using agent = await connectAgent({ home: home.home });
  expect((await home.status()).daemon?.store).toBe('disk');
  {
    using holder = loadDriver().open(path, 5_000);
    holder.exec('BEGIN EXCLUSIVE');
    const end = performance.now() + 8_000; // the case's own number
    let slowest = 0;
    let isOff = false;
    for (let at = 0; performance.now() < end; at += 1) {
      const before = performance.now();
      expect(await agent.text('execute', { script: `return echo.echo({ text: 'held ${at}' })` })).toBe(`held ${at}`);
      slowest = Math.max(slowest, performance.now() - before);
      isOff ||= (await home.status()).daemon?.store !== 'disk';
    }
    expect(isOff).toBe(true);
    expect(slowest).toBeLessThan(4_000);
    holder.exec('ROLLBACK');
  }
  await until('the database is used again', 70_000, async () => (await home.status()).daemon?.store === 'disk');
}, 120_000);
