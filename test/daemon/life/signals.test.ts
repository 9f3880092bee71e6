import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { onSignals } from '../../../daemon/life/signals.ts';
import { startChild } from '../../helpers/child.ts';
import { testClock } from '../../helpers/clock.ts';
import { testFolder } from '../../helpers/folder.ts';

const OWNER = new URL('./programs/owner.ts', import.meta.url);

const setUp = (stop: (reason: string) => Promise<unknown>) => {
  const seen: string[] = [];
  const process = Object.assign(new EventEmitter(), { exit: (code: number) => void seen.push(`exit ${code}`) });
  const clock = testClock();
  const signals = onSignals({
    process,
    log: (event) => seen.push(event),
    stop: (reason) => {
      seen.push(`stop: ${reason}`);
      return stop(reason);
    },
    onExit: () => seen.push('last words'),
    limitMs: 1_000,
    clock,
  });
  return { seen, process, clock, signals };
};

const turn = () => new Promise((resolve) => setImmediate(resolve));
const never = () => new Promise(() => {});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  'onSignals() stops in order on %s, and exits when that is done',
  async (signal) => {
    const { seen, process } = setUp(async () => {});
    process.emit(signal, signal);
    await turn();
    expect(seen).toEqual(['stopping', `stop: ${signal}`, 'last words', 'exit 0']);
  },
);

test('onSignals() exits at once on a second signal', async () => {
  const { seen, process } = setUp(never);
  process.emit('SIGTERM', 'SIGTERM');
  await turn();
  process.emit('SIGINT', 'SIGINT');
  expect(seen).toEqual(['stopping', 'stop: SIGTERM', 'stop-cut-short', 'last words', 'exit 130']);
});

test('onSignals() waits for a stop no longer than its limit, and hears one that fails', async () => {
  const hung = setUp(never);
  hung.signals.stop('idle');
  await turn();
  hung.clock.advance(1_000);
  expect(hung.seen).toEqual(['stopping', 'stop: idle', 'stop-hung', 'last words', 'exit 1']);
  const failing = setUp(() => Promise.reject(new Error('no')));
  failing.signals.stop('idle');
  await turn();
  expect(failing.seen).toEqual(['stopping', 'stop: idle', 'stop-failed', 'last words', 'exit 1']);
});

test('R013: onSignals() survives late rejections and lost peers, and stops in order on an unknown exception', async () => {
  const { seen, process } = setUp(async () => {});
  process.emit('unhandledRejection', new Error('reconnect failed, and nobody waits'));
  process.emit('uncaughtException', Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }));
  process.emit(
    'uncaughtException',
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }),
  );
  await turn();
  expect(seen).toEqual(['rejection-unhandled', 'peer-lost', 'peer-lost']);
  process.emit('uncaughtException', new TypeError('x is undefined'));
  process.emit('uncaughtException', new TypeError('again, while it stops'));
  await turn();
  expect(seen.slice(3)).toEqual([
    'exception-unknown',
    'stopping',
    'exception-unknown',
    'stop: an unknown exception',
    'last words',
    'exit 1',
  ]);
});

test('dispose() leaves no listener behind', () => {
  const { process, signals } = setUp(never);
  signals[Symbol.dispose]();
  expect(process.eventNames()).toEqual([]);
});

test('R013: a real process lives on after a late rejection, and ends in order after an unknown exception', async () => {
  using folder = testFolder();
  await using child = startChild(OWNER, [folder.path]);
  await child.said('prepared');
  child.tell('go');
  await child.said('bound');
  child.tell('reject');
  await child.said('log rejection-unhandled');
  child.tell('block 1');
  await child.said('unblocked');
  child.tell('throw');
  expect(await child.ended).toBe(1);
  expect(child.lines.filter((line) => line.startsWith('log')).map((line) => line.split(' ')[1])).toEqual([
    'rejection-unhandled',
    'exception-unknown',
    'stopping',
  ]);
});
