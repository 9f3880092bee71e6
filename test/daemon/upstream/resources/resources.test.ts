import { expect, test } from 'vitest';
import { eventually } from '../../../helpers/eventually.ts';
import { ALICE, server, testPool } from '../../../helpers/upstream.ts';

const BOB = { session: 'bob', root: ALICE.root };
const signal = new AbortController().signal;

test('subscriptions are counted: one upstream for all sessions, its end with the last, again after a restart', async () => {
  const updates: { sessions: readonly string[]; uri: unknown }[] = [];
  await using up = await testPool({
    onResourceUpdated: (sessions, _, { uri }) => updates.push({ sessions, uri }),
  });
  const library = server('library');
  const seen = async () => JSON.parse(await up.say(library, 'seen'));
  const resources = () => up.pool.resources(library, ALICE);
  await up.say(library, 'seen');
  expect(up.pool.resources(library, BOB, 'running')?.offered()).toBe(true);
  expect(up.pool.resources(server('echo'), BOB, 'running')).toBeUndefined();

  await Promise.all(['alice', 'bob'].map((session) => resources().subscribe('book:///a', session, signal)));
  await resources().subscribe('book:///b', 'bob', signal);
  const asked = [
    ['resources/subscribe', 'book:///a'],
    ['resources/subscribe', 'book:///b'],
  ];
  expect(await seen()).toEqual(asked);

  // Many at once are one, and reach those alone who want them.
  await up.say(library, 'change', { uri: 'book:///a', count: 5000 });
  await up.say(library, 'change', { uri: 'book:///b' });
  await up.say(library, 'change', { uri: 'book:///c' });
  await eventually(() => expect(updates.at(-1)).toEqual({ sessions: ['bob'], uri: 'book:///b' }));
  expect(updates[0]).toEqual({ sessions: ['alice', 'bob'], uri: 'book:///a' });
  expect(updates.length).toBeLessThan(100);

  await up.pool.restart('library');
  await eventually(async () => expect((await seen()).toSorted()).toEqual(asked));
  await resources().unsubscribe('book:///a', 'alice');
  expect(await seen()).toHaveLength(2);
  up.pool.endSession('bob');
  await eventually(async () => expect(await seen()).toHaveLength(4));
  expect((await seen()).slice(2).toSorted()).toEqual([
    ['resources/unsubscribe', 'book:///a'],
    ['resources/unsubscribe', 'book:///b'],
  ]);
});

test('a subscription that the server refuses is none', async () => {
  await using up = await testPool();
  const refused = up.pool.resources(server('echo'), ALICE).subscribe('a:b', 'alice', signal);
  await expect(refused).rejects.toMatchObject({ code: 'unsupported' });
});
