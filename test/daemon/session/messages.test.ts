import { expect, test } from 'vitest';
import { createHearers } from '../../../daemon/session/messages.ts';
import type { Level } from '../../../schema/level.ts';
import type { JsonObject } from '../../../schema/tool.ts';

const setUp = () => {
  let now = 1_000;
  const levels: (Level | undefined)[] = [];
  const hearers = createHearers(
    () => now,
    (level) => levels.push(level),
  );
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { hearers, levels, pass };
};

test('createHearers() gives each what it asked for, and tells the most talkative level', () => {
  const { hearers, levels } = setUp();
  const [all, few]: [JsonObject[], JsonObject[]] = [[], []];
  const deafen = hearers.add('debug', (params) => all.push(params));
  hearers.add('error', (params) => few.push(params));
  hearers.offer('files', { level: 'info', data: 1 });
  hearers.offer('files', { level: 'alert', data: 2, logger: 'disk' });
  expect(all).toEqual([
    { level: 'info', data: 1, logger: 'files' },
    { level: 'alert', data: 2, logger: 'files: disk' },
  ]);
  expect(few.map(({ data }) => data)).toEqual([2]);
  deafen();
  hearers.offer('files', { level: 'info', data: 3 });
  expect(all).toHaveLength(2);
  expect(levels).toEqual(['debug', 'error']);
});

test('createHearers() passes on a hundred messages a second, and says what it left out', () => {
  const { hearers, pass } = setUp();
  const heard: JsonObject[] = [];
  hearers.add('debug', (params) => heard.push(params));
  for (let at = 0; at < 20_000; at += 1) hearers.offer('files', { level: 'info', data: at });
  expect(heard).toHaveLength(100);
  pass(1_000);
  hearers.offer('files', { level: 'info', data: 'last' });
  expect(heard.slice(100)).toEqual([
    {
      level: 'warning',
      logger: 'metad',
      data: '19900 log messages of servers were left out: more than 100 in a second.',
    },
    { level: 'info', logger: 'files', data: 'last' },
  ]);
});
