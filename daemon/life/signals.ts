// What ends the process from outside or by a fault nobody expected, and what is survived.
import type { EventEmitter } from 'node:events';
import type { Log } from '../log.ts';
import { type Clock, systemClock } from './clock.ts';

const SIGNALS = [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const;

/** The part of `process` that is needed; only daemon/main.ts passes the real one. */
export interface ProcessLike extends Pick<EventEmitter, 'on' | 'off'> {
  exit(code: number): void;
}

export interface SignalOptions {
  readonly process: ProcessLike;
  readonly log: Log;
  /** Closes everything in order; must be bounded in itself, and is left behind after `limitMs`. */
  readonly stop: (reason: string) => Promise<unknown>;
  /** Called synchronously right before the process exits, whatever the way: the last lines of the log. */
  readonly onExit?: () => void;
  readonly limitMs?: number;
  readonly clock?: Clock;
}

export interface Signals extends Disposable {
  /** The orderly stop, as a signal asks for it: idle exit and `metad daemon stop` end here too. */
  stop(reason: string, code?: number): void;
}

/** A peer that went away while somebody wrote to it or read from it. It costs that peer's calls, not the daemon. */
const isLostPeer = (error: unknown): boolean => {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  if (code === 'ERR_STREAM_DESTROYED' || code === 'ERR_STREAM_WRITE_AFTER_END') return true;
  return (code === 'EPIPE' || code === 'ECONNRESET') && (syscall === 'write' || syscall === 'read');
};

/**
 * SIGINT, SIGTERM and SIGHUP stop in order, a second one exits at once with 128 + its number. A rejection that nobody
 * waits for and an error event of a lost peer are logged and survived; after any other exception the state is unknown,
 * so the daemon stops in order with code 1.
 */
export const onSignals = ({
  process,
  log,
  stop,
  onExit = () => {},
  limitMs = 30_000,
  clock = systemClock,
}: SignalOptions): Signals => {
  let isStopping = false;
  const exit = (code: number) => {
    try {
      onExit();
    } finally {
      process.exit(code);
    }
  };
  const stopOnce = (reason: string, code = 0) => {
    if (isStopping) return;
    isStopping = true;
    log('stopping', { reason });
    const cancel = clock.later(limitMs, () => {
      log('stop-hung', { milliseconds: limitMs });
      exit(1);
    });
    // Through a promise, so that a `stop` that throws at once is heard too.
    Promise.resolve()
      .then(() => stop(reason))
      .then(
        () => exit(code),
        (error: unknown) => {
          log('stop-failed', { error });
          exit(1);
        },
      )
      .finally(cancel);
  };
  const onSignal = (signal: string, number: number) => {
    if (!isStopping) return stopOnce(signal);
    log('stop-cut-short', { signal });
    exit(128 + number);
  };
  const onRejection = (error: unknown) => log('rejection-unhandled', { error });
  const onException = (error: unknown) => {
    if (isLostPeer(error)) return log('peer-lost', { error });
    log('exception-unknown', { error });
    stopOnce('an unknown exception', 1);
  };
  const listeners: readonly (readonly [string, (value: unknown) => void])[] = [
    ...SIGNALS.map(([signal, number]) => [signal, () => onSignal(signal, number)] as const),
    ['unhandledRejection', onRejection],
    ['uncaughtException', onException],
  ];
  for (const [event, listener] of listeners) process.on(event, listener);
  return {
    stop: stopOnce,
    [Symbol.dispose]() {
      for (const [event, listener] of listeners) process.off(event, listener);
    },
  };
};
