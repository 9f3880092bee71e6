import { expect, test, vi } from 'vitest';
import type { Ledger, RunEnd, RunScope } from '../../../daemon/run/ledger.ts';
import { MetadError } from '../../../schema/errors.ts';
import type { ToolResult } from '../../../schema/tool.ts';
import { eventually } from '../../helpers/eventually.ts';
import { testLedger, testRunStore } from '../../helpers/ledger.ts';

const here = { session: 'one', agent: 'a', root: '/w' };
const other = { session: 'two', agent: 'b', root: '/w' };
const stranger = { session: 'three', agent: 'c', root: '/elsewhere' };
const signal = () => new AbortController().signal;
const result: ToolResult = { content: [{ type: 'text', text: 'value' }] };

/** A run whose end is the test's to say; as scripts do, it ends soon after its signal. */
const begin = (ledger: Ledger, owner = here, background = false) => {
  let scope: RunScope | undefined;
  let finish: (end: RunEnd) => void = () => {};
  const run = ledger.begin(
    owner,
    (given) => {
      scope = given;
      return new Promise<RunEnd>((resolve) => {
        finish = resolve;
        given.signal.addEventListener('abort', () => resolve({ state: 'cancelled', result }));
      });
    },
    { background },
  );
  const given = (): Promise<RunScope> =>
    eventually(() => {
      if (scope === undefined) throw new Error('not begun');
      return scope;
    });
  return { run, given, finish: (state: RunEnd['state'] = 'done') => finish({ state, result }) };
};

test('begin() gives each run a number of its own, and keeps its answer for whoever asks', async () => {
  const ledger = testLedger();
  const first = begin(ledger);
  const second = begin(ledger);
  expect([first.run.id, second.run.id]).toEqual(['r1', 'r2']);
  expect(ledger.running()).toBe(2);
  await first.given();
  first.finish();
  expect(await first.run.wait({ signal: signal(), owns: true })).toBe(true);
  expect([first.run.state(), second.run.state(), ledger.running()]).toEqual(['done', 'running', 1]);
  const found = ledger.find(other, 'r1');
  expect(await found.wait({ signal: signal(), owns: false })).toBe(true);
  expect(await found.result()).toBe(result);
  expect(await found.result()).toBe(result);
});

test('begin() passes on what its work throws', async () => {
  const ledger = testLedger();
  const run = ledger.begin(here, () => Promise.reject(new MetadError('unavailable', 'no worker')), {
    background: false,
  });
  await run.wait({ signal: signal(), owns: true });
  expect(run.state()).toBe('failed');
  await expect(run.result()).rejects.toThrow('no worker');
});

test('begin() in the background is limited for each workspace', () => {
  const ledger = testLedger();
  for (let count = 0; count < 32; count += 1) begin(ledger, here, true);
  expect(() => begin(ledger, here, true)).toThrow('execute({"resume": "r1"})');
  begin(ledger, here);
  begin(ledger, stranger, true);
});

test('wait() ends with the time, and leaves the run alone', async () => {
  const ledger = testLedger();
  const { run, finish, given } = begin(ledger);
  const { signal: own } = await given();
  expect(await run.wait({ signal: signal(), owns: true, milliseconds: 5 })).toBe(false);
  expect([run.state(), own.aborted]).toEqual(['running', false]);
  finish();
  expect(await run.wait({ signal: signal(), owns: true })).toBe(true);
});

test('wait() that is given up ends the run of whoever began it, and no other', async () => {
  const ledger = testLedger();
  for (const [owns, detached, state] of [
    [true, false, 'cancelled'],
    [false, false, 'running'],
    [true, true, 'running'],
  ] as const) {
    const { run, given } = begin(ledger);
    await given();
    if (detached) run.detach();
    const caller = new AbortController();
    const waiting = run.wait({ signal: caller.signal, owns });
    caller.abort();
    await expect(waiting).rejects.toThrow('gave up');
    if (state === 'cancelled') await run.wait({ signal: signal(), owns: false });
    expect(run.state()).toBe(state);
  }
});

test('find() gives a run to its workspace alone, and says what there is', async () => {
  const store = testRunStore();
  const ledger = testLedger({ store });
  begin(ledger);
  expect(ledger.find(other, 'r1').state()).toBe('running');
  expect(() => ledger.find(stranger, 'r1')).toThrow('it belongs to another workspace. This workspace has none.');
  expect(() => ledger.find({ ...here, root: null }, 'r1')).toThrow('another workspace');
  expect(() => ledger.find(other, 'r9')).toThrow('No run is named r9. Recent ones of this workspace: r1 (running).');
  // Of an earlier life.
  store.saveRun({
    id: 'r7',
    session: 'x',
    agent: 'x',
    workspace: '/w',
    at: 5,
    ended: null,
    state: 'interrupted',
    calls: 1,
    failed: 0,
  });
  store.saveRunCall('r7', 0, { server: 's', tool: 't', ms: null, outcome: 'running', bytes: 0 });
  const old = ledger.find(here, 'r7');
  expect([old.state(), old.trace().length, await old.wait({ signal: signal(), owns: false })]).toEqual([
    'interrupted',
    1,
    true,
  ]);
  expect(await old.result()).toBeUndefined();
  expect(() => ledger.find(stranger, 'r7')).toThrow('another workspace');
  expect(ledger.recent(10).map(({ id, milliseconds }) => [id, milliseconds === null])).toEqual([
    ['r1', false],
    ['r7', true],
  ]);
});

test('called() traces each call in order, and only the end of the run closes what is open', async () => {
  const store = testRunStore();
  let time = 0;
  const ledger = testLedger({ store, clock: () => time });
  const { run, given, finish } = begin(ledger);
  const scope = await given();
  const first = scope.called('s', 'slow', { secret: 1 });
  time = 10;
  const second = scope.called('s', 'quick', {});
  time = 12;
  second({ outcome: 'error', bytes: 3, error: 'first line\nsecond line' });
  expect(run.moment()).toBe('s.slow, 1 call done');
  scope.note('40 of 100');
  expect(run.moment()).toBe('s.slow (40 of 100), 1 call done');
  expect(ledger.recent(5)).toMatchObject([{ id: 'r1', calls: 2, failed: 1, now: 's.slow' }]);
  finish('failed');
  await run.wait({ signal: signal(), owns: false });
  first({ outcome: 'ok', bytes: 1 }); // too late
  const trace = [
    { server: 's', tool: 'slow', ms: 12, outcome: 'cancelled', bytes: 0 },
    { server: 's', tool: 'quick', ms: 2, outcome: 'error', bytes: 3, error: 'first line' },
  ];
  expect(run.trace()).toEqual(trace);
  expect(store.calls.get('r1')).toEqual(trace);
  expect(store.rows.get('r1')).toMatchObject({ state: 'failed', calls: 2, failed: 2 });
});

test('called() keeps arguments only where the config says so, and cuts them', async () => {
  const { run, given } = begin(testLedger({ keepsArguments: () => true }));
  (await given()).called('s', 't', { text: 'x'.repeat(1000) });
  expect(run.trace()[0]?.arguments).toMatch(/^\{"text":"x{490}…$/);
});

test('isAttended() holds while somebody of the same session waits', async () => {
  const { run, given } = begin(testLedger());
  const scope = await given();
  expect(scope.isAttended()).toBe(false);
  const caller = new AbortController();
  const waiting = run.wait({ signal: caller.signal, owns: false, onStep: () => {} });
  expect([scope.isAttended(), scope.isHeard()]).toEqual([true, true]);
  caller.abort();
  await expect(waiting).rejects.toThrow();
  expect([scope.isAttended(), scope.isHeard()]).toEqual([false, false]);
});

test('sessionGone() cancels what was waited for, and is done when the last run of the session is', async () => {
  const ledger = testLedger();
  const waited = begin(ledger);
  const background = begin(ledger, here, true);
  const foreign = begin(ledger, other);
  await Promise.all([waited.given(), background.given(), foreign.given()]);
  const gone = vi.fn();
  ledger.sessionGone('one', gone);
  await waited.run.wait({ signal: signal(), owns: false });
  expect([waited.run.state(), background.run.state(), foreign.run.state()]).toEqual([
    'cancelled',
    'running',
    'running',
  ]);
  expect(gone).not.toHaveBeenCalled();
  background.finish();
  await background.run.wait({ signal: signal(), owns: false });
  expect(gone).toHaveBeenCalledOnce();
  const atOnce = vi.fn();
  ledger.sessionGone('nobody', atOnce);
  expect(atOnce).toHaveBeenCalledOnce();
});

test('interrupt() tells whoever waits, keeps the trace, and lets nothing begin', async () => {
  const store = testRunStore();
  const ledger = testLedger({ store });
  const { run, given } = begin(ledger);
  const scope = await given();
  scope.called('s', 't', {});
  const waiting = run.wait({ signal: signal(), owns: true });
  ledger.interrupt();
  expect(await waiting).toBe(true);
  expect(await run.result()).toBeUndefined();
  expect(scope.signal.aborted).toBe(true);
  expect(store.rows.get('r1')?.state).toBe('interrupted');
  expect(store.calls.get('r1')).toMatchObject([{ outcome: 'cancelled' }]);
  expect(() => begin(ledger)).toThrow('metad is stopping.');
});

test('ended runs are kept for a bounded time, number and size', async () => {
  let time = 0;
  const store = testRunStore();
  const ledger = testLedger({ store, now: () => time });
  const end = async (answer = result) => {
    const run = ledger.begin(here, async () => ({ state: 'done', result: answer }), { background: false });
    await run.wait({ signal: signal(), owns: false });
    await run.result();
  };
  const answerOf = (id: string) => ledger.find(here, id).result();
  for (let count = 0; count < 205; count += 1) await end();
  expect(await answerOf('r5')).toBeUndefined();
  expect(await answerOf('r6')).toBe(result);
  time = 31 * 60_000;
  await end();
  expect(await answerOf('r205')).toBeUndefined();
  expect(await answerOf('r206')).toBe(result);
  const large = { content: [{ type: 'text', text: 'x'.repeat(20 * 1024 * 1024) }] };
  for (const _ of [1, 2]) await end(large);
  expect(await answerOf('r207')).toBeUndefined();
  expect(await answerOf('r208')).toBe(large);
});
