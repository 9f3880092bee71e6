// The few numbers that the daemon and one worker share without messages: a worker that computes reads none.
import { hrtime } from 'node:process';

/** Why a run must stop. Written by the daemon, read by the engine's interrupt handler. */
export const STOP = { none: 0, cancelled: 1, total: 2 } as const;
export type Stop = (typeof STOP)[keyof typeof STOP];

// performance.now() counts from each thread's own start; hrtime is the process' own, but makes an array each time.
const [seconds, nanoseconds] = hrtime();
const origin = seconds * 1000 + nanoseconds / 1e6 - performance.now();

/** One clock for all threads of the process, in ms; unlike Date it never jumps. */
export const monotonicMs = (): number => origin + performance.now();

const SLOT = { stop: 0, used: 1, since: 2 } as const;

export interface Shared {
  readonly buffer: SharedArrayBuffer;
  stop(): Stop;
  setStop(stop: Stop): void;
  /** Script time so far in ms, the stretch that runs now included. */
  scriptMs(): number;
  /** Is the worker computing, and not waiting for a tool? */
  computing(): boolean;
  /** For the worker alone: a stretch of script time begins and ends. */
  enter(): void;
  leave(): void;
  reset(): void;
}

// `since` is whole ms of the clock in 31 bits (24 days, then it wraps), and never 0: that means nothing runs.
const stamp = (): number => Math.trunc(monotonicMs()) & 0x7fff_ffff || 1;
const elapsed = (since: number): number => (stamp() - since) & 0x7fff_ffff;

export const openShared = (buffer: SharedArrayBuffer = new SharedArrayBuffer(12)): Shared => {
  const cells = new Int32Array(buffer);
  const runningMs = (): number => {
    const since = Atomics.load(cells, SLOT.since);
    return since === 0 ? 0 : elapsed(since);
  };
  return {
    buffer,
    stop: () => Atomics.load(cells, SLOT.stop) as Stop,
    setStop: (stop) => void Atomics.store(cells, SLOT.stop, stop),
    scriptMs: () => Atomics.load(cells, SLOT.used) + runningMs(),
    computing: () => Atomics.load(cells, SLOT.since) !== 0,
    enter: () => void Atomics.store(cells, SLOT.since, stamp()),
    leave: () => {
      Atomics.add(cells, SLOT.used, runningMs());
      Atomics.store(cells, SLOT.since, 0);
    },
    reset: () => void cells.fill(0),
  };
};
