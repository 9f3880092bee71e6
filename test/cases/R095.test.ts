// Whatever the data folder is like, the store opens, and says once what is wrong.
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Database, loadDriver } from '../../daemon/sqlite.ts';
import { openStore } from '../../daemon/store/open.ts';
import { connectAgent } from '../helpers/agent.ts';
import { startChild } from '../helpers/child.ts';
import { testClock } from '../helpers/clock.ts';
import { testFolder } from '../helpers/folder.ts';
import { temporaryHome } from '../helpers/home.ts';
import { testListing } from '../helpers/listing.ts';
import { fixtureServer, spawnMetad } from '../helpers/program.ts';

const OPENER = new URL('../daemon/store/programs/opener.ts', import.meta.url);
const driver = loadDriver();
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

const setUp = (path: string, use = driver) => {
  const events: string[] = [];
  const clock = testClock();
  const open = () => openStore({ path, log: (event) => events.push(event), driver: use, later: clock.later });
  return { events, clock, open };
};

const asideOf = (folder: string) =>
  readdirSync(folder).filter((name) => /^metad\.db\.damaged-\d{4}-\d\d-\d\dT/.test(name));

const fill = (path: string) => {
  using store = openStore({ path, log: () => {}, driver });
  for (let at = 0; at < 20; at += 1) store.saveListing(testListing(`key ${at}`, { instructions: 'x'.repeat(5_000) }));
};

test.each<[string, (path: string) => void]>([
  ['garbage', (path) => writeFileSync(path, 'no database '.repeat(500))],
  [
    'a truncated database',
    (path) => {
      fill(path);
      truncateSync(path, statSync(path).size - 40_000);
    },
  ],
  [
    'a database cut inside its first page',
    (path) => {
      fill(path);
      truncateSync(path, 1_000);
    },
  ],
  [
    'the database of another program',
    (path) => {
      using db = driver.open(path, 0);
      db.exec("CREATE TABLE recipes (name); INSERT INTO recipes VALUES ('soup')");
    },
  ],
  [
    'the database of another program that counts versions too',
    (path) => {
      using db = driver.open(path, 0);
      db.exec('CREATE TABLE recipes (name); PRAGMA user_version = 99');
    },
  ],
])('R095: %s is set aside whole, and a new one is built', async (_, make) => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.db');
  make(path);
  const before = readFileSync(path);
  const { events, open } = setUp(path);
  {
    using store = open();
    expect(store.health).toBe('disk');
    expect(store.listings()).toEqual([]);
    store.saveListing(testListing('a'));
  }
  expect(events).toEqual(['store-set-aside', 'store-migrated']);
  const [aside = ''] = asideOf(folder.path);
  expect(readFileSync(join(folder.path, aside)).equals(before)).toBe(true);
  using again = open();
  expect(again.listings()).toHaveLength(1);
});

test('R095: a second damaged file on the same day goes beside the first', () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.db');
  for (const text of ['one '.repeat(300), 'two '.repeat(300)]) {
    writeFileSync(path, text);
    using _store = openStore({ path, log: () => {}, driver, now: () => 0 });
  }
  expect(asideOf(folder.path).map((name) => readFileSync(join(folder.path, name), 'utf8').slice(0, 3))).toEqual([
    'one',
    'two',
  ]);
});

test('R095: damage found in use is set aside, and the new file is filled from memory', async () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.db');
  fill(path);
  const { events, clock, open } = setUp(path);
  {
    using store = open();
    expect(store.listings()).toHaveLength(20);
    // The daemon's own connection now reads these bytes where it has not read before.
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 100);
    writeFileSync(path, bytes);
    store.saveListing(testListing('new'));
    await turn();
    expect(store.health).toMatch(/is damaged .*; metad works from memory\.$/);
    expect(store.listings()).toHaveLength(21);
    clock.advance(0);
    expect(store.health).toBe('disk');
    await turn();
  }
  expect(events).toEqual(['store-off', 'store-set-aside', 'store-migrated', 'store-on']);
  expect(asideOf(folder.path).length).toBeGreaterThan(0);
  using again = open();
  expect(again.listings()).toHaveLength(21);
});

test('R095: damage found before anything was read is set aside too, and what comes then is kept', async () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.db');
  fill(path);
  const { events, clock, open } = setUp(path);
  {
    using store = open();
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 100);
    writeFileSync(path, bytes);
    expect(store.listings()).toEqual([]);
    store.saveListing(testListing('new'));
    clock.advance(0);
    expect(store.health).toBe('disk');
  }
  expect(events).toEqual(['store-off', 'store-set-aside', 'store-migrated', 'store-on']);
  using again = open();
  expect(again.listings().map(({ key }) => key)).toEqual(['new']);
});

test('R095: a database of a newer metad is not touched', () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.db');
  fill(path);
  {
    using db = driver.open(path, 0);
    db.pragma('user_version = 1000');
  }
  const before = readFileSync(path);
  const { events, clock, open } = setUp(path);
  {
    using store = open();
    expect(store.health).toMatch(/metad\.db was made by a newer metad \(schema 1000\); metad works from memory\.$/);
    store.saveListing(testListing('a'));
    expect(store.listings()).toHaveLength(1);
    expect(clock.waiting()).toBe(0);
  }
  expect(events).toEqual(['store-off']);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(folder.path)).toEqual(['metad.db']);
});

test('R095: where no folder can be made the store works from memory, with one warning however often it is tried', () => {
  using folder = testFolder();
  writeFileSync(join(folder.path, 'file'), '');
  const path = join(folder.path, 'file', 'data', 'metad.db');
  const { events, clock, open } = setUp(path);
  using store = open();
  expect(store.health).toMatch(/metad\.db cannot be .*; metad works from memory\.$/);
  store.saveListing(testListing('a'));
  store.recordCall({ at: 1, session: 's', server: 'x', tool: 't', milliseconds: null, outcome: 'ok' });
  clock.advance(600_000);
  expect(events).toEqual(['store-off']);
  expect(store.listings()).toHaveLength(1);
  expect(store.recentCalls(9)).toHaveLength(1);
  // And where it can be made again, all that waited is kept.
  rmSync(join(folder.path, 'file'));
  clock.advance(60_000);
  expect(store.health).toBe('disk');
  expect(events).toEqual(['store-off', 'store-migrated', 'store-on']);
  expect(store.recentCalls(9)).toHaveLength(1);
});

test('R095: a folder in the place of the file is left alone', () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.db');
  mkdirSync(path);
  const { events, open } = setUp(path);
  using store = open();
  expect(store.health).toMatch(/cannot be opened .*; metad works from memory\.$/);
  expect(events).toEqual(['store-off']);
  expect(readdirSync(folder.path)).toEqual(['metad.db']);
});

test('R095: a full disk means memory with one warning, and what waited is written once there is room', async () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.db');
  let isFull = false;
  // SQLite's own limit of pages gives the same SQLITE_FULL as a disk does.
  const narrow = {
    name: 'narrow',
    open(file: string, busyMs: number): Database {
      const db = driver.open(file, busyMs);
      if (isFull) db.pragma('max_page_count = 1');
      return db;
    },
  };
  fill(path);
  isFull = true;
  const { events, clock, open } = setUp(path, narrow);
  using store = open();
  expect(store.listings()).toHaveLength(20);
  const wide = { instructions: 'y'.repeat(50_000) };
  store.saveListing(testListing('a', wide));
  store.recordCall({ at: 1, session: 's', server: 'x', tool: 't', milliseconds: 2, outcome: 'ok' });
  await turn();
  expect(store.health).toMatch(/cannot grow: the disk is full .*; metad works from memory\.$/);
  clock.advance(300_000);
  store.saveListing(testListing('b', wide));
  await turn();
  expect(events).toEqual(['store-off']);
  expect(store.listings()).toHaveLength(22);
  isFull = false;
  clock.advance(60_000);
  expect(store.health).toBe('disk');
  expect(events).toEqual(['store-off', 'store-on']);
  using db = driver.open(path, 0);
  expect(db.prepare('SELECT count(*) AS n FROM listings').get()?.['n']).toBe(22);
});

test.each<[string, (folder: string, path: string) => void, RegExp]>([
  ['a read-only file', (_, path) => chmodSync(path, 0o444), /read-only/],
  [
    'a read-only folder',
    (folder, path) => {
      chmodSync(path, 0o444);
      chmodSync(folder, 0o555);
    },
    /read-only|cannot be opened/,
  ],
  ["another user's file", (_, path) => chmodSync(path, 0o000), /cannot be opened/],
])('R095: %s means working from memory', async (_, spoil, reason) => {
  using folder = testFolder();
  const data = join(folder.path, 'data');
  const path = join(data, 'metad.db');
  fill(path);
  chmodSync(folder.path, 0o755);
  chmodSync(data, 0o777);
  spoil(data, path);
  try {
    await using child = startChild(OPENER, [path]);
    await child.said('prepared');
    child.tell('drop');
    child.tell('go');
    const opened = await child.said('opened');
    expect(opened).toMatch(reason);
    expect(opened).toMatch(/metad works from memory\.$/);
    child.tell('close');
    expect(await child.ended).toBe(0);
    expect(child.lines.filter((line) => line.startsWith('log'))).toHaveLength(1);
  } finally {
    chmodSync(data, 0o700);
  }
  expect(readdirSync(data).filter((name) => name.includes('damaged'))).toEqual([]);
});

test.each<[string, (path: string) => void, RegExp]>([
  ['garbage in the place of the database', (path) => writeFileSync(path, 'no database '.repeat(500)), /^disk$/],
  [
    'a folder in the place of the database',
    (path) => mkdirSync(path),
    /metad\.db.*cannot be opened.*works from memory/,
  ],
])('R095: with %s the daemon serves, and status says how it stands', async (_, spoil, store) => {
  await using home = temporaryHome({ mcpServers: { echo: fixtureServer('echo.mjs') } });
  const path = join(home.home, 'metad.db');
  spoil(path);
  await using agent = await connectAgent({ home: home.home });
  expect(await agent.text('list_tools', {})).toContain('declare namespace echo');
  expect(await agent.text('execute', { script: 'return echo.echo({ text: "served" })' })).toBe('served');
  const { daemon } = await home.status();
  expect(daemon?.store).toMatch(store);
  // One warning, not one a try.
  expect(daemon?.warnings.filter((line) => line.includes('metad.db'))).toHaveLength(daemon?.store === 'disk' ? 0 : 1);
  if (daemon?.store === 'disk') {
    const [aside = ''] = asideOf(home.home);
    expect(readFileSync(join(home.home, aside), 'utf8')).toContain('no database no database');
  } else expect(statSync(path).isDirectory()).toBe(true);
});

// Rights mean nothing to root, and an account without an entry has its home from $HOME: so root can be somebody else here.
test.runIf(process.getuid?.() === 0)(
  'R095: with a read-only data folder the daemon serves and status says so',
  async () => {
    const uid = 65_533;
    using folder = testFolder();
    const data = folder.at('.local', 'share', 'metad');
    const config = folder.at('.config', 'metad');
    for (const place of [data, config]) mkdirSync(place, { recursive: true });
    writeFileSync(join(config, 'config.json'), JSON.stringify({ mcpServers: { echo: fixtureServer('echo.mjs') } }));
    mkdirSync(folder.at('.local', 'state'), { recursive: true });
    chmodSync(folder.path, 0o755);
    const { chownSync } = await import('node:fs');
    for (const place of [folder.path, folder.at('.local', 'state')]) chownSync(place, uid, uid);
    chmodSync(data, 0o555);
    const run = async (...args: string[]) => {
      const child = spawnMetad(args, { cwd: '/', env: { HOME: folder.path }, uid });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk) => (stdout += chunk));
      child.stderr.on('data', (chunk) => (stderr += chunk));
      child.stdin.end();
      const code = await new Promise((resolve) => child.once('close', resolve));
      return { code, stdout, stderr };
    };
    try {
      expect(await run('call', 'echo.echo', '{"text":"served"}')).toMatchObject({ code: 0, stdout: 'served\n' });
      const status = JSON.parse((await run('status', '--json')).stdout);
      expect(status.daemon.store).toMatch(/metad\.db.*works from memory/);
      expect(status.daemon.warnings.filter((line: string) => line.includes('metad.db'))).toHaveLength(1);
      expect(readdirSync(data)).toEqual([]);
    } finally {
      expect((await run('daemon', 'stop')).code).toBe(0);
    }
  },
);
