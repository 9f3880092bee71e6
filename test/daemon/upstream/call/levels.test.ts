import { expect, test } from 'vitest';
import type { Level } from '../../../../schema/level.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { ALICE, server, testPool } from '../../../helpers/upstream.ts';

const BOB = { session: 'bob', root: ALICE.root };

test('the most talkative session’s level goes upstream, and back when that session ends', async () => {
  const levels = new Map<string, Level>([
    ['alice', 'error'],
    ['bob', 'debug'],
  ]);
  await using up = await testPool({ levelOf: (session) => levels.get(session) });
  const talkative = server('talkative');
  const level = (owner = ALICE) => up.say(talkative, 'level', {}, owner);
  await eventually(async () => expect(await level()).toBe('error'));
  await level(BOB);
  await eventually(async () => expect(await level()).toBe('debug'));
  up.pool.endSession('bob');
  await eventually(async () => expect(await level()).toBe('error'));
});

test('a modern server is told the level with each call', async () => {
  let wanted: Level | undefined;
  await using up = await testPool({ levelOf: () => wanted });
  expect(await up.say(server('modern'), 'level')).toBe('undefined');
  wanted = 'notice';
  expect(await up.say(server('modern'), 'level')).toBe('notice');
});
