import { expect, test, vi } from 'vitest';
import { type Choice, createPrewarm, MOST, worthWarming } from '../../../daemon/desk/prewarm.ts';
import type { Definition } from '../../../schema/config.ts';
import { ALICE, server, testPool } from '../../helpers/upstream.ts';

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;

const named = (definitions: readonly Definition[]) => new Map(definitions.map((one) => [one.name, one]));

const use = (name: string, hoursAgo: number) => ({ workspace: '/w', server: name, at: NOW - hoursAgo * HOUR });

const choose = (more: Partial<Choice>): readonly string[] =>
  worthWarming({
    uses: [],
    isOn: true,
    definitions: named([]),
    statuses: [],
    owner: { session: 's', root: '/w' },
    now: NOW,
    ...more,
  }).map(({ name }) => name);

const status = (name: string, state: 'ready' | 'parked' | 'cold' | 'dead') => ({
  server: name,
  origin: server(name).origin,
  identity: name,
  sessions: [],
  state,
  sharing: 'workspace',
  owner: '/w',
  pid: null,
  readyAt: null,
  calls: 0,
  callsInFlight: 0,
  lastError: null,
  noiseLines: 0,
});

test('worthWarming() takes what the workspace used last time, newest first and not too many', () => {
  const names = Array.from({ length: 9 }, (_, at) => `s${at}`);
  const definitions = named(names.map((name) => server(name)));
  expect(choose({ definitions, uses: [use('s3', 1), use('s1', 2), use('s0', 14)] })).toEqual(['s3', 's1']);
  expect(choose({ definitions, uses: [use('s3', 24 * 15)] })).toEqual([]);
  expect(choose({ definitions, uses: [use('gone', 1)] })).toEqual([]);
  expect(choose({ definitions, uses: names.map((name) => use(name, 1)) })).toHaveLength(MOST);
});

test('worthWarming() leaves out what is off, not to be shared, running or failed', () => {
  const uses = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => use(name, 1));
  const definitions = named([
    server('a', [], { disabled: true }),
    server('b', [], { sharing: 'session' }),
    server('c'),
    server('d'),
    server('e', [], { prewarm: false }),
    server('f'),
  ]);
  const statuses = [status('c', 'ready'), status('d', 'parked')];
  expect(choose({ uses, definitions, statuses })).toEqual(['f']);
  expect(choose({ uses, definitions, isOn: false })).toEqual([]);
  const one = named([server('a', [], { prewarm: true }), server('c')]);
  expect(choose({ uses, definitions: one, isOn: false })).toEqual(['a']);
});

test('createPrewarm() starts them for an open session, and only while the machine is idle', async () => {
  await using up = await testPool();
  const [echo, counter] = [server('echo'), server('counter')];
  let [isIdle, state, looks]: [boolean, 'opening' | 'open', number] = [false, 'opening', 0];
  const root = ALICE.root ?? '';
  using prewarm = createPrewarm({
    isOn: () => true,
    definitionsAt: () => named([echo, counter]),
    warmth: { uses: () => [echo, counter].map(({ name }) => ({ workspace: root, server: name, at: Date.now() })) },
    pool: async () => up.pool,
    log: () => {},
    isIdle: () => {
      looks += 1;
      return isIdle;
    },
    lookMs: 5,
  });
  prewarm.opened(
    () => ALICE,
    () => state,
  );
  state = 'open';
  await vi.waitFor(() => expect(looks).toBeGreaterThan(3), 10_000);
  expect(up.pool.status()).toEqual([]);
  isIdle = true;
  await vi.waitFor(() => expect(up.pool.status().map(({ state: one }) => one)).toEqual(['ready', 'ready']), 20_000);
  await vi.waitFor(
    () => expect(up.listed.map(({ definition }) => definition.name)).toEqual(['echo', 'counter']),
    20_000,
  );
  expect(up.pool.status().map(({ calls }) => calls)).toEqual([0, 0]);
});

test('createPrewarm() does nothing where it is switched off, nor for a session that is gone', async () => {
  const pool = vi.fn();
  const options = { warmth: { uses: () => [] }, pool, log: () => {}, lookMs: 1 };
  using off = createPrewarm({ ...options, isOn: () => false, definitionsAt: () => named([server('echo')]) });
  const asked = vi.fn(() => 'gone' as const);
  off.opened(() => ALICE, asked);
  using on = createPrewarm({ ...options, isOn: () => true, definitionsAt: () => named([server('echo')]) });
  on.opened(() => ALICE, asked);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
  expect(pool).not.toHaveBeenCalled();
});
