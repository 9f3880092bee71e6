import { expect, test } from 'vitest';
import { backoff, COLD, next, type State, SUSTAINED_MS } from '../../../../daemon/upstream/instance/state.ts';

const lost = { kind: 'lost', reason: 'gone' } as const;
const failed = (state: State, now: number): State => next(next(state, { kind: 'start' }, now, 0), lost, now, 0);

test('next() goes from cold over starting to ready and back', () => {
  const starting = next(COLD, { kind: 'start' }, 0, 0);
  expect(starting).toEqual({ kind: 'starting', failures: 0 });
  const ready = next(starting, { kind: 'ready' }, 7, 0);
  expect(ready).toEqual({ kind: 'ready', failures: 0, since: 7 });
  expect(next(ready, { kind: 'stopped' }, 8, 0)).toEqual(COLD);
});

test('R011: the back-off doubles to a minute, and jitter only shortens it', () => {
  expect([1, 2, 3, 4, 9, 20].map((failures) => backoff(failures, 0))).toEqual([250, 500, 1000, 2000, 60_000, 60_000]);
  expect(backoff(20, 0.999)).toBeGreaterThanOrEqual(48_000);
});

test('R011: only sustained uptime forgets failures', () => {
  let state: State = COLD;
  for (let at = 0; at < 5; at += 1) state = failed(state, at * 100_000);
  expect(state).toMatchObject({ kind: 'dead', failures: 5, retryAt: 400_000 + 4000 });
  const ready = (now: number) => next(next(state, { kind: 'start' }, now, 0), { kind: 'ready' }, now, 0);
  expect(next(ready(1e6), lost, 1e6 + SUSTAINED_MS - 1, 0)).toMatchObject({ failures: 6 });
  expect(next(ready(1e6), lost, 1e6 + SUSTAINED_MS, 0)).toMatchObject({ failures: 1 });
  expect(next(ready(1e6), { kind: 'stopped' }, 1e6 + 1, 0)).toEqual({ kind: 'cold', failures: 5 });
});

test('next() starts a dead one not before its time, and a parked one never', () => {
  const dead = failed(COLD, 0);
  expect(next(dead, { kind: 'start' }, 249, 0)).toBe(dead);
  expect(next(dead, { kind: 'start' }, 250, 0)).toEqual({ kind: 'starting', failures: 1 });
  const parked = next(next(COLD, { kind: 'start' }, 0, 0), { kind: 'parked', reason: 'no' }, 0, 0);
  expect(next(parked, { kind: 'start' }, 1e9, 0)).toBe(parked);
  expect(next(parked, { kind: 'reset' }, 0, 0)).toEqual(COLD);
});

test('next() starts a dead one at once when the clock was set back by more than any back-off', () => {
  const dead = failed(COLD, 1e9);
  expect(next(dead, { kind: 'start' }, 1e9 - 3_600_000, 0)).toEqual({ kind: 'starting', failures: 1 });
  expect(next(dead, { kind: 'start' }, 1e9 - 1000, 0)).toBe(dead);
});

test('next() leaves a state alone when the event does not fit it', () => {
  for (const event of [{ kind: 'ready' }, lost, { kind: 'stopped' }, { kind: 'parked', reason: 'x' }] as const) {
    expect(next(COLD, event, 0, 0)).toBe(COLD);
  }
});
