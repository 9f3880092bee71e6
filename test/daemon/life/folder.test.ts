import { existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../daemon/life/folder.ts';
import { testFolder } from '../../helpers/folder.ts';

test('makeFolder() makes what is missing above too, for the user alone, and may be called again', () => {
  using folder = testFolder();
  const path = folder.at('a', 'b', 'c');
  makeFolder(path);
  makeFolder(path);
  for (const made of [path, folder.at('a')]) expect(statSync(made).mode & 0o777).toBe(0o700);
});

test.runIf(existsSync('/proc/self'))('makeFolder() gives up at once below a folder that takes none', () => {
  expect(() => makeFolder('/proc/nope/a/b')).toThrow(/ENOENT|EPERM|EACCES/);
  expect(() => makeFolder('/dev/null/a')).toThrow(/ENOTDIR/);
});
