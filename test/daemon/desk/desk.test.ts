import { expect, test } from 'vitest';
import { createCallPath } from '../../../daemon/desk/call/callpath.ts';
import { createContact, instanceFor, stateFor } from '../../../daemon/desk/contact.ts';
import { createControl } from '../../../daemon/desk/control.ts';
import { serverRows } from '../../../daemon/desk/report.ts';
import type { InstanceStatus, Pool } from '../../../daemon/upstream/pool.ts';
import { MetadError } from '../../../schema/errors.ts';
import type { CallStatus } from '../../../schema/wire.ts';
import { definition, listingOf, scope, testPorts, viewOf } from '../../helpers/view.ts';

const caller = { id: 'one', root: () => '/w', asker: () => undefined, definitions: () => new Map() };
const never = new Promise<never>(() => {});
const poolWith = (parts: Partial<Pool>) => async () => parts as Pool;

const instance = (server: string, change: Partial<InstanceStatus> = {}): InstanceStatus => ({
  server,
  origin: definition(server).origin,
  state: 'ready',
  sharing: 'workspace',
  owner: '/w',
  identity: 'i',
  sessions: [],
  pid: 7,
  readyAt: 1000,
  calls: 2,
  callsInFlight: 1,
  lastError: null,
  noiseLines: 0,
  ...change,
});

test('createCallPath() records every call once, with its outcome and time', async () => {
  const [server] = viewOf({ a: ['x'] }).servers;
  const [tool] = server?.tools ?? [];
  if (server === undefined || tool === undefined) throw new Error('no tool');
  const records: CallStatus[] = [];
  let time = 0;
  let answer: () => Promise<unknown> = async () => ({ content: [] });
  const path = createCallPath({
    pool: poolWith({ call: () => answer() as never }),
    record: (call) => records.push(call),
    onChange: () => {},
    now: () => (time += 5),
  });
  const call = (signal = scope().signal) => path.call(caller, server, tool, {}, { signal });
  await call();
  answer = async () => ({ content: [], isError: true });
  await call();
  for (const error of [new MetadError('timeout', 't'), new MetadError('cancelled', 'c'), new Error('e')]) {
    answer = () => Promise.reject(error);
    await expect(call()).rejects.toBe(error);
  }
  await expect(call(AbortSignal.abort())).rejects.toThrow('e');
  expect(records.map(({ outcome }) => outcome)).toEqual(['ok', 'error', 'timeout', 'cancelled', 'error', 'cancelled']);
  expect(records[0]).toEqual({ at: 5, session: 'one', server: 'a', tool: 'x', milliseconds: 5, outcome: 'ok' });
  expect(path.running()).toEqual([]);
  answer = () => never;
  void call();
  expect(path.running()).toMatchObject([{ outcome: 'running', milliseconds: null }]);
});

test('createContact() waits for all that can be known, no longer than it may, and not for whoever is gone', async () => {
  const events: string[] = [];
  const contact = (list: Pool['list'], waitSeconds: number, pool = poolWith({ list })) =>
    createContact({ pool, waitSeconds: () => waitSeconds, log: (event) => events.push(event) });
  const owner = { session: 'one', root: null };
  const [a, b] = [definition('a'), definition('b')];
  const listed: string[] = [];
  const works: Pool['list'] = async ({ name }) => {
    listed.push(name);
    if (name === 'b') throw new MetadError('unavailable', 'no');
    return listingOf(name, []);
  };
  await contact(works, 600)([a, b], owner, scope().signal);
  expect(listed).toEqual(['a', 'b']);
  expect(events).toEqual(['contact.failed']);
  await contact(() => never, 0.01)([a], owner, scope().signal);
  await expect(contact(() => never, 600)([a], owner, AbortSignal.abort())).rejects.toThrow('gave up');
  await contact(works, 0.01, () => never)([a], owner, scope().signal);
  const failing = contact(works, 600, () => Promise.reject(new Error('no pool')));
  await expect(failing([a], owner, scope().signal)).rejects.toThrow('no pool');
});

test('instanceFor() and stateFor() find the instance that serves somebody', () => {
  const all = [
    instance('a', { owner: '/other', state: 'dead' }),
    instance('a', { lastError: 'why' }),
    instance('s', { owner: 'one' }),
    instance('u', { owner: null }),
  ];
  const owner = { session: 'one', root: '/w' };
  expect(stateFor(instanceFor(all, definition('a'), owner))).toEqual({ state: 'ready', reason: 'why' });
  expect(instanceFor(all, definition('s'), owner)).toBe(all[2]);
  expect(instanceFor(all, definition('s'), { session: 'two', root: null })).toBeUndefined();
  expect(instanceFor(all, definition('u'), { session: 'two', root: null })).toBe(all[3]);
  expect(stateFor(undefined)).toEqual({ state: 'cold', reason: null });
});

test('serverRows() has a row for each instance and each definition without one, with what is known of its tools', () => {
  const asked: [string, string | null][] = [];
  const view = viewOf({ a: ['x'], s: ['y', 'z'], cold: undefined });
  const rows = serverRows({
    definitions: [
      definition('a'),
      definition('s', { sharing: 'session' }),
      definition('cold'),
      definition('off', { disabled: true }),
    ],
    instances: [
      instance('a'),
      instance('a', { owner: '/v', pid: null, readyAt: null }),
      instance('s', { owner: 'one' }),
    ],
    trees: new Map([[7, { processes: 2, bytes: 1234 }]]),
    viewOf: ({ name }, root) => {
      asked.push([name, root]);
      return view.servers.find((server) => server.definition.name === name);
    },
    rootOfSession: (id) => (id === 'one' ? '/of-session' : null),
    toolWarningsOf: () => ['odd'],
    problemsOf: (name) => (name === 'cold' ? ['config.json:1:1: no'] : []),
    now: 61_000,
  });
  expect(rows.map(({ name, owner, pid, tools }) => [name, owner, pid, tools])).toEqual([
    ['a', '/w', 7, 1],
    ['a', '/v', null, 1],
    ['s', 'one', 7, 2],
    ['cold', null, null, null],
  ]);
  expect(asked).toEqual([
    ['a', '/w'],
    ['a', '/v'],
    ['s', '/of-session'],
    ['cold', null],
  ]);
  expect(rows[0]).toMatchObject({
    memoryBytes: 1234,
    processes: 2,
    uptimeSeconds: 60,
    calls: 2,
    callsInFlight: 1,
    warnings: ['odd'],
  });
  expect(rows[3]).toMatchObject({ state: 'cold', warnings: ['config.json:1:1: no', 'odd'] });
});

test('createControl() makes each command a caller of its own and forgets it, whatever happens', async () => {
  const gone: string[] = [];
  const callers: string[] = [];
  const control = createControl({
    definitionsAt: () => new Map(),
    definitions: () => [definition('a')],
    desk: ({ id, root }) => {
      callers.push(`${id} at ${root()}`);
      return testPorts(viewOf({ a: ['x'] }));
    },
    rootOf: async (cwd) => `${cwd}/root`,
    onGone: (id) => gone.push(id),
  });
  const { signal } = scope();
  expect(await control.declarations('/c', [], 'full', signal)).toContain('declare namespace a');
  expect(await control.call('/c', 'a', 'x', {}, signal)).toMatchObject({ content: [{ text: 'x' }] });
  expect(await control.run('/c', '1', 2000, signal)).toEqual({
    text: 'done',
    isError: false,
    content: [{ type: 'text', text: 'done' }],
    run: 'r1',
    trace: [],
  });
  await expect(control.call('/c', 'b', 'x', {}, signal)).rejects.toThrow('No server is named b');
  expect(callers).toEqual([1, 2, 3, 4].map((at) => `command-${at} at /c/root`));
  expect(gone).toEqual([1, 2, 3, 4].map((at) => `command-${at}`));
  expect(() => control.definitionOf('a')).not.toThrow();
  expect(() => control.definitionOf('b')).toThrow('No server is named b in the config or an open workspace.');
});
