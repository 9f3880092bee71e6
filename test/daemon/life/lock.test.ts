import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takeLock } from '../../../daemon/life/lock.ts';
import { loadDriver } from '../../../daemon/sqlite.ts';
import { startChild } from '../../helpers/child.ts';
import { testFolder } from '../../helpers/folder.ts';

const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'refused', message: expect.stringMatching(message) });

test('takeLock() gives the lock to one and undefined to others, until it is disposed', () => {
  using folder = testFolder();
  const path = join(folder.path, 'state', 'metad.lock');
  const lock = takeLock(path);
  expect(lock?.inode).toBe(statSync(path, { bigint: true }).ino);
  expect(statSync(join(folder.path, 'state')).mode & 0o777).toBe(0o700);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(takeLock(path)).toBeUndefined();
  expect(takeLock(path)).toBeUndefined();
  lock?.[Symbol.dispose]();
  using again = takeLock(path);
  expect(again).toBeDefined();
});

test('takeLock() is refused while another process holds it, and free when that is killed', async () => {
  using folder = testFolder();
  await using child = startChild(new URL('./programs/owner.ts', import.meta.url), [folder.path]);
  await child.said('prepared');
  child.tell('go');
  await child.said('bound');
  const path = join(folder.path, 'metad.lock');
  expect(takeLock(path)).toBeUndefined();
  child.process.kill('SIGKILL');
  await child.ended;
  using lock = takeLock(path);
  expect(lock).toBeDefined();
});

test('takeLock() takes a new lock where the file was removed under its holder', () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.lock');
  using first = takeLock(path);
  rmSync(path);
  using second = takeLock(path);
  expect(second).toBeDefined();
  expect(second?.inode).not.toBe(first?.inode);
});

test('takeLock() locks what stands at the path, not what it opened before somebody replaced it', () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.lock');
  const driver = loadDriver();
  let replaced = 0;
  const sly = {
    name: 'sly',
    open(file: string, busyMs: number) {
      const db = driver.open(file, busyMs);
      if (replaced++ < 2) {
        db.pragma('user_version'); // SQLite opens the file late; now it has.
        rmSync(path);
        writeFileSync(path, '');
      }
      return db;
    },
  };
  using lock = takeLock(path, { driver: sly });
  expect(replaced).toBe(3);
  expect(lock?.inode).toBe(statSync(path, { bigint: true }).ino);
  expect(takeLock(path)).toBeUndefined();
});

test('takeLock() names a file that is no lock, and leaves it', () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.lock');
  const text = 'garbage '.repeat(1000);
  writeFileSync(path, text);
  expect(() => takeLock(path)).toThrow(refused(/metad\.lock holds something that is not metad's lock/));
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('takeLock() refuses a folder and a link in the place of the file', () => {
  using folder = testFolder();
  mkdirSync(join(folder.path, 'a.lock'));
  symlinkSync(join(folder.path, 'elsewhere'), join(folder.path, 'b.lock'));
  expect(() => takeLock(join(folder.path, 'a.lock'))).toThrow(refused(/a\.lock is not a plain file/));
  expect(() => takeLock(join(folder.path, 'b.lock'))).toThrow(refused(/b\.lock is not a plain file/));
  expect(existsSync(join(folder.path, 'elsewhere'))).toBe(false);
});

test('takeLock() says which folder cannot be made', () => {
  using folder = testFolder();
  writeFileSync(join(folder.path, 'file'), '');
  expect(() => takeLock(join(folder.path, 'file', 'state', 'metad.lock'))).toThrow(
    expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('file/state') }),
  );
});
