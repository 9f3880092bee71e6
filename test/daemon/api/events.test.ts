import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEvents } from '../../../daemon/api/events.ts';
import type { ControlEvent } from '../../../schema/wire.ts';
import { createEventParser, readEvents } from '../../../tui/client.ts';
import { connectTo } from '../../../tui/reach.ts';
import { type FakeDaemon, startFakeDaemon, tempHome } from '../../helpers/control-daemon.ts';
import { eventually } from '../../helpers/eventually.ts';

let home: Awaited<ReturnType<typeof tempHome>>;
let daemon: FakeDaemon;
beforeEach(async () => {
  home = await tempHome();
  daemon = await startFakeDaemon({ home: home.home });
});
afterEach(async () => {
  await daemon.close();
  await home[Symbol.asyncDispose]();
});

test('createEvents() tells a burst once per kind, the last one of it', () => {
  vi.useFakeTimers();
  try {
    const events = createEvents({ pauseMs: 100 });
    const heard: ControlEvent[] = [];
    events.emit({ kind: 'servers' });
    const stop = events.subscribe((event) => heard.push(event));
    for (let revision = 1; revision <= 50; revision += 1) {
      events.emit({ kind: 'catalog', revision });
      events.emit({ kind: 'calls' });
    }
    expect(heard).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(heard).toEqual([{ kind: 'catalog', revision: 50 }, { kind: 'calls' }]);
    events.emit({ kind: 'sessions' });
    events.emit({ kind: 'closing' });
    expect(heard.slice(2)).toEqual([{ kind: 'sessions' }, { kind: 'closing' }]);
    stop();
    events.emit({ kind: 'calls' });
    vi.advanceTimersByTime(1000);
    expect(heard).toHaveLength(4);
  } finally {
    vi.useRealTimers();
  }
});

test('streamEvents() reaches every client and ends with the daemon', async () => {
  const scope = new AbortController();
  const heard: ControlEvent['kind'][][] = [[], []];
  const ends = heard.map((kinds) =>
    readEvents(connectTo(daemon.paths), { onEvent: ({ kind }) => kinds.push(kind), signal: scope.signal }),
  );
  await eventually(() => expect(daemon.events.listeners()).toBe(2));
  daemon.events.emit({ kind: 'servers' });
  await eventually(() => expect(heard).toEqual([['servers'], ['servers']]));
  await daemon.close();
  await Promise.all(ends);
  expect(heard).toEqual([
    ['servers', 'closing'],
    ['servers', 'closing'],
  ]);
});

test('streamEvents() forgets a client that has left', async () => {
  const scope = new AbortController();
  const end = readEvents(connectTo(daemon.paths), { onEvent: () => {}, signal: scope.signal });
  await eventually(() => expect(daemon.events.listeners()).toBe(1));
  scope.abort(new Error('left'));
  await expect(end).rejects.toThrow('left');
  await eventually(() => expect(daemon.events.listeners()).toBe(0));
});

test('createEventParser() finds events in any pieces', () => {
  const stream = ': hello\n\nevent: calls\ndata: {"kind":"calls"}\n\n: still here\n\ndata: {"kind":"closing"}\n\n';
  for (let size = 1; size <= stream.length; size += 1) {
    const heard: string[] = [];
    const feed = createEventParser((data) => heard.push(data));
    for (let at = 0; at < stream.length; at += size) feed(stream.slice(at, at + size));
    expect(heard).toEqual(['{"kind":"calls"}', '{"kind":"closing"}']);
  }
});
