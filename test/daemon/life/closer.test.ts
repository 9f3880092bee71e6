import { expect, test } from 'vitest';
import { createCloser } from '../../../daemon/life/closer.ts';
import { testClock } from '../../helpers/clock.ts';

const setUp = () => {
  const clock = testClock();
  const closed: string[] = [];
  const events: unknown[] = [];
  const closer = createCloser({
    log: (event, fields) => events.push([event, fields?.['step']]),
    limitMs: 1_000,
    clock,
  });
  return { clock, closed, events, closer, close: (name: string) => () => void closed.push(name) };
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('close() goes in reverse and gives each step what was opened', async () => {
  const { closer, closed, clock } = setUp();
  expect(closer.add('a', 'A', (value) => closed.push(value))).toBe('A');
  const opening = closer.add('b', Promise.resolve('B'), (value) => closed.push(value));
  expect(await opening).toBe('B');
  closer.add('c', 'C', async (value) => closed.push(value));
  expect(await closer.close()).toEqual([]);
  expect(closed).toEqual(['C', 'B', 'A']);
  expect(clock.waiting()).toBe(0);
});

test('close() lets neither a failure nor a hang skip the rest, and names both', async () => {
  const { closer, closed, events, clock, close } = setUp();
  closer.add('first', 1, close('first'));
  closer.add('throws', 1, () => {
    throw new Error('no');
  });
  closer.add('rejects', 1, () => Promise.reject(new Error('no')));
  closer.add('hangs', 1, () => new Promise(() => {}));
  closer.add('slow', 1, () => new Promise(() => {}), { limitMs: 50 });
  closer.add('never opens', new Promise(() => {}), close('never'));
  const done = closer.close();
  for (let round = 0; round < 4; round += 1) {
    await turn();
    clock.advance(1_000);
  }
  expect(await done).toEqual(['never opens', 'slow', 'hangs', 'rejects', 'throws']);
  expect(closed).toEqual(['first']);
  expect(events).toEqual([
    ['close-hung', 'never opens'],
    ['close-hung', 'slow'],
    ['close-hung', 'hangs'],
    ['close-failed', 'rejects'],
    ['close-failed', 'throws'],
  ]);
});

test('close() skips what failed to open, and runs once however often it is called', async () => {
  const { closer, closed, events, close } = setUp();
  closer.add('a', 1, close('a'));
  closer.add('failed', Promise.reject(new Error('port in use')), close('failed')).catch(() => {});
  expect(await Promise.all([closer.close(), closer.close()])).toEqual([[], []]);
  await closer.close();
  expect(closed).toEqual(['a']);
  expect(events).toEqual([]);
});

test('close() closes neighbours of one group side by side, and the rest in order', async () => {
  const { closer, closed, close } = setUp();
  const held: (() => void)[] = [];
  const wait = (name: string) => () =>
    new Promise<void>((resolve) =>
      held.push(() => {
        closed.push(name);
        resolve();
      }),
    );
  closer.add('store', 1, close('store'));
  for (const name of ['one', 'two', 'three']) closer.add(name, 1, wait(name), { group: 'servers' });
  closer.add('socket', 1, close('socket'));
  const done = closer.close();
  await turn();
  expect(closed).toEqual(['socket']);
  expect(held).toHaveLength(3);
  for (const release of held) release();
  await done;
  expect(closed).toEqual(['socket', 'three', 'two', 'one', 'store']);
});

test('add() closes at once what opens after the closing began', async () => {
  const { closer, closed, close } = setUp();
  closer.add('early', 1, close('early'));
  const done = closer.close();
  closer.add('meanwhile', 1, close('meanwhile'));
  await done;
  expect(closed).toEqual(['early', 'meanwhile']);
  closer.add('late', Promise.resolve(1), close('late'));
  await closer.close();
  expect(closed).toEqual(['early', 'meanwhile', 'late']);
});
