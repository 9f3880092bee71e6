import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { watchOwnership } from '../../../daemon/life/watch.ts';
import { testClock } from '../../helpers/clock.ts';
import { testFolder } from '../../helpers/folder.ts';

const ownedFile = (folder: string, name: string) => {
  const path = join(folder, name);
  writeFileSync(path, '');
  return { path, inode: lstatSync(path, { bigint: true }).ino };
};

/** Waits until the look that is due has ended: it has armed the next one, or called back. */
const looked = (isDone: () => boolean) => vi.waitFor(() => expect(isDone()).toBe(true), { interval: 5 });

test('watchOwnership() stays silent while both are its own', async () => {
  using folder = testFolder();
  const clock = testClock();
  const onLost = vi.fn();
  using _watch = watchOwnership({ owned: [ownedFile(folder.path, 'a'), ownedFile(folder.path, 'b')], onLost, clock });
  for (let round = 0; round < 3; round += 1) {
    clock.advance(10_000);
    expect(clock.waiting()).toBe(0);
    await looked(() => clock.waiting() === 1);
  }
  expect(onLost).not.toHaveBeenCalled();
});

test.each([
  ['removed', (path: string) => rmSync(path)],
  ['replaced', (path: string) => renameSync(`${path}.other`, path)],
])('watchOwnership() tells once that a file was %s', async (word, change) => {
  using folder = testFolder();
  const clock = testClock();
  const lost: string[] = [];
  const owned = ['lock', 'socket', 'socket.other'].map((name) => ownedFile(folder.path, name)).slice(0, 2);
  using _watch = watchOwnership({ owned, onLost: (reason) => lost.push(reason), clock });
  change(join(folder.path, 'socket'));
  clock.advance(9_999);
  expect(lost).toEqual([]);
  clock.advance(1);
  await looked(() => lost.length > 0);
  expect(lost).toEqual([`${join(folder.path, 'socket')} was ${word}`]);
  expect(clock.waiting()).toBe(0);
});

test('watchOwnership() calls nobody once it is disposed, not even for a look under way', async () => {
  using folder = testFolder();
  const clock = testClock();
  const onLost = vi.fn();
  const watch = watchOwnership({ owned: [{ path: join(folder.path, 'gone'), inode: 1n }], onLost, clock });
  clock.advance(10_000);
  watch[Symbol.dispose]();
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(60_000);
  expect(onLost).not.toHaveBeenCalled();
});
