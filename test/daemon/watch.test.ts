import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { watchFiles } from '../../daemon/watch.ts';
import { testFolder } from '../helpers/folder.ts';

const watching = async (files: readonly string[], settleMs = 50) => {
  let bursts = 0;
  const watch = await watchFiles({ files, onSettled: () => (bursts += 1), log: () => {}, settleMs });
  /** Waits for one more burst than there were. */
  const after = async (work: () => Promise<unknown>) => {
    const before = bursts;
    await work();
    await vi.waitFor(() => expect(bursts).toBeGreaterThan(before), { timeout: 10_000, interval: 10 });
  };
  return { watch, after, bursts: () => bursts };
};

/** Watches that this process has of the system; undefined where it does not tell. */
const watchesHeld = async (): Promise<number | undefined> => {
  const folder = '/proc/self/fdinfo';
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined) return undefined;
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  return texts.join('\n').match(/^inotify wd:/gm)?.length ?? 0;
};

test('R094: watchFiles() sees a file appear, change, be replaced by renaming, and go with its folder', async () => {
  await using folder = await testFolder();
  await mkdir(folder.at('project'));
  const file = folder.at('project/Cargo.lock');
  const { watch, after } = await watching([file, folder.at('project/Cargo.toml')]);
  await after(() => writeFile(file, 'one'));
  await after(() => writeFile(file, 'two'));
  for (let round = 0; round < 5; round += 1)
    await after(async () => {
      await writeFile(folder.at('project/next'), `${round}`);
      await rename(folder.at('project/next'), file);
    });
  await after(() => rm(file));
  await after(() => writeFile(file, 'again'));
  await after(() => rename(folder.at('project'), folder.at('away')));
  await after(async () => {
    await mkdir(folder.at('project'));
    await writeFile(file, 'back');
  });
  await after(() => writeFile(file, 'changed'));
  await watch[Symbol.asyncDispose]();
});

test('R094: watchFiles() tells of 200 events once, and of other files in the folder never', async () => {
  await using folder = await testFolder();
  const file = folder.at('go.mod');
  const { watch, after, bursts } = await watching([file], 500);
  await Promise.all(Array.from({ length: 200 }, (_, at) => writeFile(folder.at(`other-${at}`), 'x')));
  await after(async () => {
    for (let at = 0; at < 200; at += 1) await writeFile(file, `${at}`);
  });
  expect(bursts()).toBe(1);
  await watch[Symbol.asyncDispose]();
});

test('watchFiles() takes one watch a folder, and gives it back', async () => {
  await using folder = await testFolder();
  if ((await watchesHeld()) === undefined) return;
  const names = ['package.json', 'package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];
  const folders = Array.from({ length: 20 }, (_, at) => folder.at(`workspace-${at}`));
  for (const one of folders) {
    await mkdir(one);
    for (const name of names) await writeFile(join(one, name), '{}');
  }
  const watches = await Promise.all(
    folders.map((one) =>
      watchFiles({ files: names.map((name) => join(one, name)), onSettled: () => {}, log: () => {} }),
    ),
  );
  const held = (await watchesHeld()) ?? 0;
  expect(held).toBeGreaterThanOrEqual(folders.length);
  await Promise.all(watches.map((watch) => watch[Symbol.asyncDispose]()));
  // Those of tests before may go as well, and none is added.
  await vi.waitFor(async () => expect(await watchesHeld()).toBeLessThanOrEqual(held - folders.length), 5000);
});

test('follow() watches other files from then on', async () => {
  await using folder = await testFolder();
  const { watch, after } = await watching([folder.at('one')]);
  await mkdir(folder.at('member'));
  await watch.follow({ files: [folder.at('one'), folder.at('member/two')] });
  await after(() => writeFile(folder.at('member/two'), 'x'));
  await after(() => rm(folder.at('member/two')));
  await watch[Symbol.asyncDispose]();
});

test('watchFiles() tells of names that come and go in a folder, not of what is written there', async () => {
  await using folder = await testFolder();
  const { watch, after, bursts } = await watching([folder.at('one')]);
  await watch.follow({ files: [folder.at('one')], folders: [folder.at('packages')] });
  await after(() => mkdir(folder.at('packages')));
  await after(() => writeFile(folder.at('packages/new'), 'x'));
  const before = bursts();
  await writeFile(folder.at('packages/new'), 'y');
  await after(() => rm(folder.at('packages/new')));
  expect(bursts()).toBe(before + 1);
  await watch[Symbol.asyncDispose]();
});
