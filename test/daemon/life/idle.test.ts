import { expect, test, vi } from 'vitest';
import { systemClock } from '../../../daemon/life/clock.ts';
import { createIdle, next, type Use } from '../../../daemon/life/idle.ts';
import { testClock } from '../../helpers/clock.ts';

const NOTHING = { sessions: 0, calls: 0 };

test('next() counts from the moment of no use, and a use starts it anew', () => {
  const idle = next({ kind: 'used' }, { kind: 'use', use: NOTHING }, 100, 50);
  expect(idle).toEqual({ kind: 'idle', since: 100 });
  expect(next(idle, { kind: 'use', use: NOTHING }, 140, 50)).toBe(idle);
  expect(next(idle, { kind: 'tick' }, 149, 50)).toBe(idle);
  expect(next(idle, { kind: 'tick' }, 150, 50)).toEqual({ kind: 'over' });
  expect(next(idle, { kind: 'use', use: { sessions: 1, calls: 0 } }, 150, 50)).toEqual({ kind: 'used' });
  expect(next(idle, { kind: 'use', use: { sessions: 0, calls: 1 } }, 150, 50)).toEqual({ kind: 'used' });
  expect(next({ kind: 'used' }, { kind: 'tick' }, 1e9, 50)).toEqual({ kind: 'used' });
  expect(next({ kind: 'over' }, { kind: 'use', use: { sessions: 1, calls: 0 } }, 0, 50)).toEqual({ kind: 'over' });
});

const setUp = (limitMs: number) => {
  const clock = testClock();
  const onIdle = vi.fn();
  let use: Use = NOTHING;
  const idle = createIdle({ limitMs, use: () => use, onIdle, clock });
  const set = (sessions: number, calls = 0) => {
    use = { sessions, calls };
    idle.update();
  };
  const silently = (value: Use) => {
    use = value;
  };
  return { clock, onIdle, idle, set, silently };
};

test('createIdle() ends a daemon that nobody ever used', () => {
  const { clock, onIdle } = setUp(1_000);
  clock.advance(999);
  expect(onIdle).not.toHaveBeenCalled();
  clock.advance(1);
  expect(onIdle).toHaveBeenCalledTimes(1);
  clock.advance(10_000);
  expect(onIdle).toHaveBeenCalledTimes(1);
});

test('createIdle() never ends while a session or a call is there', () => {
  const { clock, onIdle, set } = setUp(1_000);
  clock.advance(500);
  set(1);
  expect(clock.waiting()).toBe(0);
  clock.advance(100_000);
  set(1, 1);
  set(0, 1);
  clock.advance(100_000);
  expect(onIdle).not.toHaveBeenCalled();
  set(0);
  clock.advance(600);
  set(1);
  set(0);
  clock.advance(999);
  expect(onIdle).not.toHaveBeenCalled();
  clock.advance(1);
  expect(onIdle).toHaveBeenCalledTimes(1);
});

test('createIdle() asks again before the end, so that a missed update does no harm', () => {
  const { clock, onIdle, set, silently } = setUp(1_000);
  silently({ sessions: 1, calls: 0 });
  clock.advance(5_000);
  expect(onIdle).not.toHaveBeenCalled();
  set(0);
  clock.advance(1_000);
  expect(onIdle).toHaveBeenCalledTimes(1);
});

test('setLimit() counts from the same moment, dispose() ends it', () => {
  const { clock, onIdle, idle } = setUp(1_000);
  clock.advance(500);
  idle.setLimit(10_000);
  clock.advance(9_499);
  expect(onIdle).not.toHaveBeenCalled();
  idle.setLimit(100);
  clock.advance(0);
  expect(onIdle).toHaveBeenCalledTimes(1);
  const other = setUp(10);
  other.idle[Symbol.dispose]();
  other.clock.advance(100);
  expect(other.onIdle).not.toHaveBeenCalled();
});

test('systemClock waits longer than one timer of Node can', async () => {
  let ran = false;
  const cancel = systemClock.later(2 ** 40, () => {
    ran = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  cancel();
  expect(ran).toBe(false);
  await new Promise<void>((resolve) => systemClock.later(1, resolve));
});
