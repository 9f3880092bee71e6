import { expect, test } from 'vitest';
import { MetadError } from '../../../schema/errors.ts';
import { connectTo } from '../../../tui/reach.ts';
import { feed } from '../../../tui/status/feed.ts';
import type { ScreenEvent } from '../../../tui/status/state.ts';
import { startFakeDaemon, tempHome } from '../../helpers/control-daemon.ts';
import { eventually } from '../../helpers/eventually.ts';

test('feed() follows daemons as they come and go', async () => {
  await using home = await tempHome();
  const scope = new AbortController();
  const told: ScreenEvent[] = [];
  const kinds = () => told.map(({ kind }) => kind);
  const ended = feed({
    connect: connectTo(home.paths),
    dispatch: (event) => told.push(event),
    signal: scope.signal,
    retryMs: 10,
    everyMs: 60_000,
    pauseMs: 5,
  });
  await eventually(() => expect(kinds()).toContain('away'));
  const first = await startFakeDaemon({ home: home.home });
  await eventually(() => expect(kinds().at(-1)).toBe('status'));

  const before = kinds().length;
  first.events.emit({ kind: 'calls' });
  await eventually(() => expect(kinds().slice(before)).toEqual(['status']));

  await first.close();
  await eventually(() => expect(told.at(-1)).toEqual({ kind: 'away', now: expect.any(Number) }));
  const second = await startFakeDaemon({ home: home.home });
  await eventually(() => expect(kinds().at(-1)).toBe('status'));
  scope.abort();
  await ended;
  await eventually(() => expect(second.events.listeners()).toBe(0));
  await second.close();
});

test('feed() tells what is wrong with a daemon that answers badly', async () => {
  await using home = await tempHome();
  await using daemon = await startFakeDaemon({
    home: home.home,
    ports: { daemon: () => Promise.reject(new Error('broken')) },
  });
  const scope = new AbortController();
  const told: ScreenEvent[] = [];
  const ended = feed({ connect: connectTo(home.paths), dispatch: (event) => told.push(event), signal: scope.signal });
  await eventually(() =>
    expect(told.at(-1)).toMatchObject({ kind: 'away', reason: expect.stringContaining('Internal') }),
  );
  scope.abort();
  await ended;
  expect(JSON.stringify(daemon.logged)).toContain('broken');
});

test('feed() tells why the socket cannot be used', async () => {
  const scope = new AbortController();
  const told: ScreenEvent[] = [];
  const reason = 'A folder is in the place of the socket.';
  const connect = () => Promise.reject(new MetadError('unavailable', reason));
  const ended = feed({ connect, dispatch: (event) => told.push(event), signal: scope.signal });
  await eventually(() => expect(told.at(-1)).toMatchObject({ kind: 'away', reason }));
  scope.abort();
  await ended;
});
