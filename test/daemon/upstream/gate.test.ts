import { expect, test } from 'vitest';
import { createGate, type Pass } from '../../../daemon/upstream/gate.ts';

const live = () => new AbortController().signal;
/** Everything that was going to happen at once has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const recorded = (gate: ReturnType<typeof createGate>) => {
  const order: string[] = [];
  const leaves: (() => void)[] = [];
  return {
    order,
    enter: (name: string, pass: Partial<Pass> = {}) =>
      void gate.enter({ signal: live(), ...pass }).then((leave) => {
        order.push(name);
        leaves.push(leave);
      }),
    leave: async () => {
      leaves.shift()?.();
      await settled();
    },
  };
};

test('enter() lets in so many at once, in order, and forgets who gave up', async () => {
  const gate = createGate({ limit: () => 1 });
  const leave = await gate.enter({ signal: live() });
  const gone = new AbortController();
  const second = gate.enter({ signal: gone.signal });
  const third = gate.enter({ signal: live() });
  expect(gate.waiting()).toBe(2);
  gone.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  expect([gate.inside(), gate.waiting()]).toEqual([1, 1]);
  leave();
  leave();
  const last = await third;
  const fourth = gate.enter({ signal: live() });
  await settled();
  expect([gate.inside(), gate.waiting()]).toEqual([1, 1]);
  last();
  (await fourth)();
  expect([gate.inside(), gate.waiting()]).toEqual([0, 0]);
  await expect(gate.enter({ signal: gone.signal })).rejects.toThrow('gone');
  expect(gate.inside()).toBe(0);
});

test('enter() serves those who wait in turn, one of each caller', async () => {
  const gate = createGate({ limit: () => 1 });
  const { order, enter, leave } = recorded(gate);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) enter(name, { of: name.charAt(0) });
  await settled();
  for (let turn = 0; turn < 7; turn += 1) await leave();
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect([gate.inside(), gate.waiting()]).toEqual([0, 0]);
});

test('enter() lets in one that must be alone when no other such one is inside, and others past it', async () => {
  const gate = createGate({ limit: () => 3 });
  const { order, enter, leave } = recorded(gate);
  for (const name of ['a1', 'a2', 'a3']) enter(name, { alone: true });
  enter('free1');
  enter('free2');
  enter('free3');
  await settled();
  expect(order).toEqual(['a1', 'free1', 'free2']);
  await leave();
  expect(order).toEqual(['a1', 'free1', 'free2', 'a2']);
  await leave();
  expect(order.at(-1)).toBe('free3');
  await leave();
  await leave();
  expect(order.at(-1)).toBe('a3');
});

test('enter() refuses who comes when too many wait, and follows a limit that changes', async () => {
  let limit = 1;
  const gate = createGate({ limit: () => limit, waiting: 2, full: () => new Error('full') });
  const { order, enter } = recorded(gate);
  for (const name of ['one', 'two', 'three']) enter(name);
  await expect(gate.enter({ signal: live() })).rejects.toThrow('full');
  limit = 3;
  enter('four');
  await settled();
  expect(order).toEqual(['one', 'two', 'three']);
  expect([gate.inside(), gate.waiting()]).toEqual([3, 1]);
});

test('enter() keeps owned ones of one caller at a time, and gives each caller its turn', async () => {
  const gate = createGate({ limit: () => 10 });
  const { order, enter, leave } = recorded(gate);
  enter('a1', { of: 'a', owned: true });
  enter('a2', { of: 'a', owned: true });
  enter('b1', { of: 'b', owned: true });
  enter('b2', { of: 'b', owned: true });
  // What is not owned is held up by nobody.
  enter('c', { of: 'c' });
  // While others' wait, an owner gets no more of its own in: it could keep them out for ever.
  enter('a3', { of: 'a', owned: true });
  await settled();
  expect(order).toEqual(['a1', 'a2', 'c']);
  await leave();
  expect(order).toHaveLength(3);
  await leave();
  expect(order).toEqual(['a1', 'a2', 'c', 'b1']);
  for (let count = 0; count < 3; count += 1) await leave();
  expect(order).toEqual(['a1', 'a2', 'c', 'b1', 'a3', 'b2']);
});
