import { expect, test } from 'vitest';
import { settledWithin } from '../../../daemon/scope.ts';
import { createDeadline } from '../../../daemon/upstream/call/deadline.ts';
import { createUsage } from '../../../daemon/upstream/instance/usage.ts';

const soon = (milliseconds: number) => settledWithin(milliseconds, new Promise(() => {}));

test('hold() stops the clock of a deadline until all have let go', async () => {
  let ended = 0;
  const deadline = createDeadline(60, () => {
    ended += 1;
  });
  const [one, two] = [deadline.hold(), deadline.hold()];
  await soon(120);
  one();
  one();
  await soon(120);
  expect(ended).toBe(0);
  two();
  await soon(150);
  expect(ended).toBe(1);
});

test('clear() ends a deadline for good, held or not', async () => {
  let ended = 0;
  const deadline = createDeadline(10, () => {
    ended += 1;
  });
  const release = deadline.hold();
  deadline.clear();
  release();
  await soon(40);
  expect(ended).toBe(0);
});

test('onIdle comes after the last use, never with a call pending or while busy', async () => {
  let idle = 0;
  let busy = true;
  const usage = createUsage(
    () => 30,
    () => busy,
    () => {
      idle += 1;
    },
  );
  usage.begin();
  await soon(80);
  usage.end();
  await soon(80);
  expect(idle).toBe(0);
  busy = false;
  await soon(200);
  expect(idle).toBe(1);
});
