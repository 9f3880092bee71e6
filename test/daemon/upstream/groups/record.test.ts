import { describe, expect, test } from 'vitest';
import {
  apartFrom,
  type GroupRecord,
  type Living,
  leftOf,
  parseRecord,
} from '../../../../daemon/upstream/groups/record.ts';

const BOOT = 'b0';
const record: GroupRecord = {
  server: 'files',
  group: 100,
  boot: BOOT,
  mark: 'ours',
  seen: [
    { pid: 100, started: '5', command: 'npx files' },
    { pid: 101, started: '6', command: 'node files' },
    { pid: 102, started: '7', command: 'chrome' },
  ],
};
const living = (pid: number, started: string, command: string, group = 100, parent = 1, mark = ''): Living => ({
  pid,
  parent,
  group,
  started,
  command,
  mark,
});
const pids = (one: ReturnType<typeof leftOf>) => ({ group: one.group, pids: one.processes.map(({ pid }) => pid) });

describe('leftOf()', () => {
  test('gives the whole group and what left it, also what came after the last look', () => {
    const now = [
      living(100, '5', 'npx files'),
      living(103, '9', 'new child', 100, 101),
      living(104, '9', 'left the group', 104, 100),
      living(200, '1', 'somebody else', 200),
    ];
    expect(pids(leftOf(record, BOOT, now))).toEqual({ group: 100, pids: [100, 103, 104] });
  });

  test('knows the group by any of its members when the leader has ended', () => {
    expect(pids(leftOf(record, BOOT, [living(101, '6', 'node files'), living(103, '9', 'later')]))).toEqual({
      group: 100,
      pids: [101, 103],
    });
  });

  test('gives what left the group alone where the group is gone and its number is another’s', () => {
    const now = [living(102, '7', 'chrome', 102), living(100, '70', 'vim', 100)];
    expect(pids(leftOf(record, BOOT, now))).toEqual({ group: null, pids: [102] });
  });

  test('knows a child that nobody has looked at by its mark, inside the group alone', () => {
    const unseen = { ...record, seen: [] };
    const now = [living(103, '9', 'child', 100, 1, 'ours'), living(104, '9', 'its own', 104, 1, 'ours')];
    expect(pids(leftOf(unseen, BOOT, now))).toEqual({ group: 100, pids: [103] });
    expect(pids(leftOf(unseen, BOOT, [living(103, '9', 'child', 100, 1, 'theirs')]))).toEqual({
      group: null,
      pids: [],
    });
    // Killed in the moment of a start: nobody knows its number.
    expect(pids(leftOf({ ...unseen, group: 0, after: 8 }, BOOT, now)).pids).toEqual([103, 104]);
    expect(pids(leftOf({ ...unseen, group: 0, after: 10 }, BOOT, now)).pids).toEqual([]);
    expect(pids(leftOf({ ...unseen, mark: '' }, BOOT, [living(103, '9', 'child')])).pids).toEqual([]);
  });

  test.each([
    ['another start time', [living(100, '50', 'npx files')]],
    ['another command', [living(100, '5', 'vim')]],
    ['nothing', []],
  ])('gives nothing for %s', (_, now) => {
    expect(pids(leftOf(record, BOOT, now))).toEqual({ group: null, pids: [] });
  });

  test('gives nothing after another start of the machine', () => {
    expect(pids(leftOf(record, 'b1', [living(100, '5', 'npx files')]))).toEqual({ group: null, pids: [] });
  });
});

test('apartFrom() leaves out a daemon below a recorded server, and what belongs to that daemon', () => {
  const shim = living(103, '9', 'node shim', 103, 101);
  const daemon = living(200, '10', 'node daemon', 200, 103);
  const now = [
    living(101, '6', 'node files'),
    shim,
    daemon,
    living(201, '11', 'worker', 200, 1),
    living(202, '11', 'x', 202, 200),
  ];
  expect(apartFrom(200, now).map(({ pid }) => pid)).toEqual([101, 103]);
});

test('parseRecord() takes whole records alone', () => {
  expect(parseRecord(JSON.stringify(record))).toEqual(record);
  for (const broken of [
    '',
    '{',
    '[]',
    'null',
    JSON.stringify({ ...record, group: 1 }),
    JSON.stringify({ ...record, group: -5 }),
    JSON.stringify({ ...record, seen: [{ pid: '5' }] }),
    JSON.stringify(record).slice(0, -9),
  ]) {
    expect(parseRecord(broken)).toBeUndefined();
  }
});
