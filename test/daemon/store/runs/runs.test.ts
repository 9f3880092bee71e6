import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDriver } from '../../../../daemon/sqlite.ts';
import { openStore } from '../../../../daemon/store/open.ts';
import type { SavedRun } from '../../../../daemon/store/runs/runs.ts';
import type { RunCall } from '../../../../schema/wire.ts';
import { type TestFolder, testFolder } from '../../../helpers/folder.ts';

const driver = loadDriver();
const open = (folder: TestFolder, path = join(folder.path, 'metad.db')) => openStore({ path, log: () => {}, driver });

const run = (id: string, change: Partial<SavedRun> = {}): SavedRun => ({
  id,
  session: 's',
  agent: 'a',
  workspace: '/w',
  at: 5,
  ended: null,
  state: 'running',
  calls: 0,
  failed: 0,
  ...change,
});

const call = (change: Partial<RunCall> = {}): RunCall => ({
  server: 'files',
  tool: 'read',
  ms: 1.5,
  outcome: 'ok',
  bytes: 3,
  ...change,
});

test('nextRun() gives no number twice, over restarts and without a usable file', () => {
  using folder = testFolder();
  {
    using store = open(folder);
    expect([store.nextRun(), store.nextRun()]).toEqual([1, 2]);
  }
  using store = open(folder);
  expect(store.nextRun()).toBe(3);
  using memory = open(folder, folder.path); // a folder is no database
  expect(memory.health).not.toBe('disk');
  expect([memory.nextRun(), memory.nextRun()]).toEqual([1, 2]);
});

test('saveRun() and saveRunCall() keep the latest of each, with its calls in order', () => {
  using folder = testFolder();
  const ended = run('r1', { state: 'failed', ended: 9, calls: 2, failed: 1, workspace: null });
  const failed = call({ outcome: 'error', error: 'no', arguments: '{}' });
  {
    using store = open(folder);
    store.saveRun(run('r1'));
    store.saveRunCall('r1', 0, call({ ms: null, outcome: 'running' }));
    expect(store.findRun('r1')?.run.state).toBe('running');
    store.saveRunCall('r1', 1, failed);
    store.saveRunCall('r1', 0, call());
    store.saveRun(ended);
  }
  using store = open(folder);
  expect(store.findRun('r1')).toEqual({ run: ended, trace: [call(), failed] });
  for (const id of ['r2', 'nonsense', 'r0', 'r1; DROP TABLE runs']) expect(store.findRun(id)).toBeUndefined();
});

test('what an earlier life left running is interrupted, and counted by its calls', () => {
  using folder = testFolder();
  {
    using store = open(folder);
    store.saveRun(run('r1'));
    store.saveRun(run('r2', { state: 'done', ended: 7, calls: 4 }));
    store.saveRunCall('r1', 0, call({ outcome: 'error' }));
    store.saveRunCall('r1', 1, call({ ms: null, outcome: 'running' }));
  }
  using store = open(folder);
  store.saveRun(run('r3'));
  expect(store.recentRuns(10)).toMatchObject([
    { id: 'r3', state: 'running' },
    { id: 'r2', state: 'done', calls: 4, failed: 0 },
    { id: 'r1', state: 'interrupted', calls: 2, failed: 1, ended: null },
  ]);
});

test('rows are bounded in number', () => {
  using folder = testFolder();
  using store = open(folder);
  for (let number = 1; number <= 1010; number += 1) store.saveRun(run(`r${number}`, { state: 'done', ended: 1 }));
  expect(store.recentRuns(5000)).toHaveLength(1000);
  expect(store.findRun('r10')).toBeUndefined();
});
