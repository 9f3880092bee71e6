import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inodeOf, setAside } from '../../../daemon/store/file.ts';
import { testFolder } from '../../helpers/folder.ts';

test('setAside() takes along what SQLite left beside the file, so that no new one takes it in', () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.db');
  for (const suffix of ['', '-wal', '-shm']) writeFileSync(path + suffix, `bad${suffix}`);
  const aside = setAside(path, inodeOf(path), Date.UTC(2026, 10, 30, 19, 26, 2));
  expect(aside).toBe(`${path}.damaged-2026-11-30T19-26-02`);
  expect(readdirSync(folder.path).sort()).toEqual(
    ['', '-shm', '-wal'].map((suffix) => `metad.db.damaged-2026-11-30T19-26-02${suffix}`),
  );
  expect(readFileSync(`${aside}-wal`, 'utf8')).toBe('bad-wal');
});

test('setAside() leaves alone a file that another process has already put in the place', () => {
  using folder = testFolder();
  const path = join(folder.path, 'metad.db');
  writeFileSync(path, 'damaged');
  const inode = inodeOf(path);
  renameSync(path, `${path}.damaged-by-another`);
  writeFileSync(path, 'new and good');
  expect(setAside(path, inode, 0)).toBeUndefined();
  expect(setAside(path, undefined, 0)).toBeUndefined();
  expect(readFileSync(path, 'utf8')).toBe('new and good');
});
