import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DriverLoader, LOADERS, loadDriver, sqlFaultOf } from '../../daemon/sqlite.ts';
import { testFolder } from '../helpers/folder.ts';

const isLoadable = (loader: DriverLoader): boolean => {
  try {
    loader.load();
    return true;
  } catch {
    return false;
  }
};

const broken = (name: string, message: string): DriverLoader => ({
  name,
  load() {
    throw new Error(message);
  },
});

const faultOf = (work: () => unknown) => {
  try {
    work();
    return 'none';
  } catch (error) {
    return sqlFaultOf(error);
  }
};

test('loadDriver() finds a driver on every Node that metad supports', () => {
  expect(LOADERS.filter(isLoadable).length).toBeGreaterThan(0);
});

// One contract; each driver is held to it wherever it loads.
describe.each(LOADERS.filter(isLoadable))('loadDriver() with $name', (loader) => {
  const driver = loadDriver([loader]);

  test('opens, writes and reads rows by position', () => {
    using db = driver.open(':memory:', 0);
    db.exec('CREATE TABLE t (a INTEGER, b TEXT, c REAL, d BLOB); CREATE TABLE u (x)');
    const insert = db.prepare('INSERT INTO t VALUES (?, ?, ?, ?)');
    expect(Number(insert.run(1, 'naïve 漢字', null, new Uint8Array([1, 2])).changes)).toBe(1);
    insert.run(2 ** 50, '', 1.5, null);
    const rows = db.prepare('SELECT * FROM t ORDER BY a').all();
    expect(rows.map((row) => [row['a'], row['b'], row['c']])).toEqual([
      [1, 'naïve 漢字', null],
      [2 ** 50, '', 1.5],
    ]);
    expect(Array.from(rows[0]?.['d'] as Uint8Array)).toEqual([1, 2]);
    expect(db.prepare('SELECT a FROM t WHERE a = ?').get(7)).toBeUndefined();
    expect(db.driver).toBe(loader.name);
  });

  test('reads and sets pragmas', () => {
    using folder = testFolder();
    using db = driver.open(join(folder.path, 'a.db'), 0);
    expect(db.pragma('user_version')).toBe(0);
    db.pragma('user_version = 7');
    expect(db.pragma('user_version')).toBe(7);
    expect(db.pragma('journal_mode = WAL')).toBe('wal');
  });

  test('close() may come twice', () => {
    const db = driver.open(':memory:', 0);
    db.close();
    db.close();
  });

  test('sqlFaultOf() tells faults apart', () => {
    using folder = testFolder();
    const path = join(folder.path, 'a.db');
    using db = driver.open(path, 0);
    db.exec('CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)');
    using other = driver.open(path, 0);
    db.exec('BEGIN EXCLUSIVE');
    expect(faultOf(() => other.exec('BEGIN IMMEDIATE'))).toBe('busy');
    db.exec('ROLLBACK; PRAGMA max_page_count = 3');
    expect(faultOf(() => db.prepare('INSERT INTO t VALUES (zeroblob(100000))').run())).toBe('full');
    expect(faultOf(() => db.exec('INSERT INTO t VALUES (1)'))).toBe('other');
    expect(faultOf(() => driver.open(folder.path, 0).exec('SELECT * FROM t'))).toBe('unopenable');
    expect(faultOf(() => driver.open('/dev/null/a.db', 0))).not.toBe('none');
    expect(sqlFaultOf(new Error('SQLITE_BUSY'))).toBeUndefined();
  });

  test('waits no longer for a lock than it was told', () => {
    using folder = testFolder();
    const path = join(folder.path, 'a.db');
    using db = driver.open(path, 0);
    db.exec('BEGIN EXCLUSIVE');
    using other = driver.open(path, 30);
    expect(other.pragma('busy_timeout')).toBe(30);
    expect(faultOf(() => other.exec('BEGIN IMMEDIATE'))).toBe('busy');
  });
});

test('loadDriver() takes the next driver where the first cannot be loaded', () => {
  const [good] = LOADERS.filter(isLoadable);
  if (good === undefined) throw new Error('no driver here');
  expect(loadDriver([broken('first', 'no binary'), good]).name).toBe(good.name);
});

test('loadDriver() without any driver names each failure and the remedy', () => {
  expect(() => loadDriver([broken('one', 'no binary\nat x'), broken('two', 'no such module')])).toThrow(
    expect.objectContaining({
      code: 'unsupported',
      message: expect.stringMatching(/one: no binary; two: no such module.*npm rebuild better-sqlite3.*Node 22\.13/),
    }),
  );
});
