import { expect, test } from 'vitest';
import { meaningOf } from '../../../tui/status/keys.ts';
import { ageOf, initialState, nextState, type ScreenEvent, type ScreenState } from '../../../tui/status/state.ts';
import { sampleStatus } from '../../helpers/control-daemon.ts';

const status = sampleStatus('/h');
const after = (events: readonly ScreenEvent[], from: ScreenState = initialState(0)) => events.reduce(nextState, from);

test('nextState() is live with the first status, and ages with the clock', () => {
  const state = after([
    { kind: 'status', status, now: 1000 },
    { kind: 'tick', now: 4500 },
  ]);
  expect(state.link).toEqual({ kind: 'live' });
  expect(ageOf(state)).toBe(3.5);
});

test('nextState() forgets a daemon that has gone, and remembers since when', () => {
  const state = after([
    { kind: 'status', status, now: 1000 },
    { kind: 'away', now: 2000, reason: 'why' },
    { kind: 'away', now: 3000 },
  ]);
  expect(state).toMatchObject({ link: { kind: 'away', since: 2000 }, status: undefined, now: 3000 });
  expect(state.link).not.toHaveProperty('reason');
  expect(after([{ kind: 'status', status, now: 4000 }], state).link).toEqual({ kind: 'live' });
});

test('nextState() moves the focus round', () => {
  const forward: ScreenEvent = { kind: 'focus', step: 1 };
  expect([1, 2, 3].map((times) => after(Array(times).fill(forward)).focus)).toEqual(['sessions', 'calls', 'servers']);
  expect(after([{ kind: 'focus', step: -1 }]).focus).toBe('calls');
});

test('nextState() scrolls the table in focus within its rows', () => {
  const state = after([
    { kind: 'status', status, now: 0 },
    { kind: 'scroll', by: 10 },
  ]);
  expect(state.offsets).toEqual({ servers: 1, sessions: 0, calls: 0 });
  expect(after([{ kind: 'scroll', by: -5 }], state).offsets.servers).toBe(0);
  const fewer = { ...status, servers: status.servers.slice(0, 1) };
  expect(after([{ kind: 'status', status: fewer, now: 1 }], state).offsets.servers).toBe(0);
});

test('meaningOf() knows the keys', () => {
  const none = {
    ctrl: false,
    shift: false,
    tab: false,
    upArrow: false,
    downArrow: false,
    pageUp: false,
    pageDown: false,
  };
  expect(meaningOf('q', none)).toBe('quit');
  expect(meaningOf('c', { ...none, ctrl: true })).toBe('quit');
  expect(meaningOf('c', none)).toBeUndefined();
  expect(meaningOf('', { ...none, tab: true, shift: true })).toEqual({ kind: 'focus', step: -1 });
  expect(meaningOf('', { ...none, downArrow: true })).toEqual(meaningOf('j', none));
  expect(meaningOf('', { ...none, pageUp: true })).toEqual({ kind: 'scroll', by: -10 });
});
