import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createHandover } from '../../../daemon/life/handover.ts';
import { handoverWithin, isNewer } from '../../../daemon/life/meeting.ts';
import type { Successor } from '../../../schema/wire.ts';
import { testClock } from '../../helpers/clock.ts';

const successor = (version: string): Successor => ({ version, program: `/${version}/daemon.js`, node: '/node' });

const never = new Promise<never>(() => {});

const setUp = (calls: number, prepare = async (_one: Successor) => ({ ended: never as Promise<string> })) => {
  const clock = testClock();
  const onLeave = vi.fn();
  let inUse = calls;
  const handover = createHandover({
    inUse: () => inUse,
    prepare,
    onLeave,
    onChange: () => {},
    isNewer,
    log: () => {},
    clock,
  });
  const set = (count: number) => {
    inUse = count;
    handover.update();
  };
  return { clock, onLeave, handover, set };
};

test('createHandover() leaves at once where nothing runs, and only once', async () => {
  const { onLeave, handover, set } = setUp(0);
  set(0);
  await setImmediate();
  expect(onLeave).not.toHaveBeenCalled();
  handover.plan(successor('2.0.0'), 1_000);
  handover.plan(successor('2.0.0'), 1_000);
  await setImmediate();
  set(0);
  await setImmediate();
  expect(onLeave.mock.calls).toEqual([[successor('2.0.0')]]);
});

test('createHandover() waits for the first moment without a call', async () => {
  const { clock, onLeave, handover, set } = setUp(2);
  handover.plan(successor('2.0.0'), 60_000);
  clock.advance(5_000);
  set(1);
  expect(handover.status()).toEqual({ version: '2.0.0', sinceSeconds: 5, withinSeconds: 55, waitingFor: 1 });
  await setImmediate();
  expect(onLeave).not.toHaveBeenCalled();
  set(0);
  await setImmediate();
  expect(onLeave).toHaveBeenCalledTimes(1);
  expect(clock.waiting()).toBe(0);
});

test('createHandover() cuts no call that began while the successor came up', async () => {
  let up = (): void => {};
  const coming = new Promise<{ ended: Promise<string> }>((resolve) => {
    up = () => resolve({ ended: never });
  });
  const { onLeave, handover, set } = setUp(0, () => coming);
  handover.plan(successor('2.0.0'), 60_000);
  set(1);
  up();
  await setImmediate();
  expect(onLeave).not.toHaveBeenCalled();
  set(0);
  expect(onLeave).toHaveBeenCalledTimes(1);
});

test('createHandover() waits no longer than asked for, by whoever asked for the shortest wait', async () => {
  const { clock, onLeave, handover } = setUp(1);
  handover.plan(successor('3.0.0'), 60_000);
  handover.plan(successor('2.0.0'), 1_000);
  clock.advance(999);
  await setImmediate();
  expect(onLeave).not.toHaveBeenCalled();
  clock.advance(1);
  await setImmediate();
  // The newest of them follows, whoever was in a hurry.
  expect(onLeave.mock.calls).toEqual([[successor('3.0.0')]]);
});

test('createHandover() leaves sooner where somebody asks for that while the successor waits', async () => {
  let inUse = 0;
  const { clock, onLeave, handover, set } = setUp(inUse, async () => {
    inUse = 1;
    set(1);
    return { ended: never };
  });
  handover.plan(successor('2.0.0'), 600_000);
  await setImmediate();
  expect(onLeave).not.toHaveBeenCalled();
  handover.plan(successor('1.9.0'), 60_000, true);
  clock.advance(60_000);
  expect(onLeave.mock.calls).toEqual([[successor('2.0.0')]]);
});

test('createHandover() stays where the successor ended while it waited, and tries it again when asked', async () => {
  let end = (_why: string): void => {};
  const prepare = vi.fn(async () => ({
    ended: new Promise<string>((resolve) => {
      end = resolve;
    }),
  }));
  const { onLeave, handover, set } = setUp(1, prepare);
  handover.plan(successor('2.0.0'), 0);
  set(1);
  await setImmediate();
  expect(onLeave).toHaveBeenCalledTimes(1);

  const other = setUp(0, async () => {
    other.set(1);
    return prepare();
  });
  other.handover.plan(successor('2.0.0'), 60_000);
  await setImmediate();
  end('it ended with SIGKILL');
  await setImmediate();
  other.set(0);
  expect(other.onLeave).not.toHaveBeenCalled();
  expect(other.handover.warning()).toContain('it ended with SIGKILL');
  other.handover.plan(successor('2.0.0'), 60_000);
  expect(other.handover.status()).toBeNull();
  other.handover.plan(successor('2.0.0'), 60_000, true);
  expect(other.handover.status()).toMatchObject({ version: '2.0.0' });
});

test('createHandover() stays where the successor cannot run, says so, and does not try it again', async () => {
  const prepare = vi.fn(async () => {
    throw new Error('it ended with exit code 1');
  });
  const { clock, onLeave, handover } = setUp(0, prepare);
  for (let time = 0; time < 3; time += 1) {
    handover.plan(successor('2.0.0'), 1_000);
    await setImmediate();
    clock.advance(2_000);
  }
  expect(onLeave).not.toHaveBeenCalled();
  expect(prepare).toHaveBeenCalledTimes(1);
  expect(handover.status()).toBeNull();
  expect(handover.warning()).toBe('metad 2.0.0 could not take over: it ended with exit code 1');
});

test('handoverWithin() gives way to newer versions alone, and waits longer where the client is served', () => {
  const own = { version: '1.4.0', protocol: 2 };
  const asked = (version: string, protocol: number, more: object = { program: '/p', node: '/n' }) =>
    handoverWithin({ version, protocol, ...more }, own);
  expect(asked('1.5.0', 2)).toBe(600_000);
  expect(asked('1.5.0', 3)).toBe(12_000);
  for (const version of ['1.4.0', '1.3.9', '1.4.0-beta.1', 'latest', '']) expect(asked(version, 2)).toBeUndefined();
  expect(asked('1.5.0', 1)).toBeUndefined();
  expect(asked('1.5.0', 2, {})).toBeUndefined();
  expect(asked('1.5.0', 2, { program: 'daemon.js', node: '/n' })).toBeUndefined();
});
