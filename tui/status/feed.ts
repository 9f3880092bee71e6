// Keeps the live screen fed: finds the daemon, hears its events, asks again, and starts over when it goes.
import { setTimeout as sleep } from 'node:timers/promises';
import { MetadError, messageOf } from '../../schema/errors.ts';
import { type Connect, createClient, readEvents } from '../client.ts';
import { NoDaemonError } from '../reach.ts';
import type { ScreenEvent } from './state.ts';

export interface FeedOptions {
  readonly connect: Connect;
  readonly dispatch: (event: ScreenEvent) => void;
  readonly signal: AbortSignal;
  readonly now?: () => number;
  /** Milliseconds before the next try when nobody listens. Default 500. */
  readonly retryMs?: number;
  /** Memory and the like change without an event; they are asked for this often. Default 2000. */
  readonly everyMs?: number;
  /** Between two questions at least, however many events come. Default 150. */
  readonly pauseMs?: number;
}

/** That nobody listens is no news; anything else is told as it stands. */
const reasonOf = (error: unknown): { reason?: string } =>
  error instanceof NoDaemonError ? {} : { reason: messageOf(error) };

/** Runs until `signal` aborts; then resolves. Never rejects: whatever happens is shown. */
export const feed = async (options: FeedOptions): Promise<void> => {
  const { connect, dispatch, signal, now = Date.now, retryMs = 500, everyMs = 2000, pauseMs = 150 } = options;
  const client = createClient(connect);

  /** One connection's life: asks at once, on every event, and every now and then. */
  const follow = async (): Promise<void> => {
    const link = new AbortController();
    const scope = AbortSignal.any([signal, link.signal]);
    let asked = Promise.resolve();
    let waiting = false;
    const refresh = () => {
      if (waiting) return;
      waiting = true;
      asked = asked
        .then(async () => {
          waiting = false;
          dispatch({ kind: 'status', status: await client.status({}, scope), now: now() });
          await sleep(pauseMs, undefined, { signal: scope });
        })
        // The stream's end says the same, and says it once.
        .catch((error: unknown) => link.abort(error));
    };
    const timer = setInterval(refresh, everyMs);
    try {
      await readEvents(connect, { onEvent: refresh, onOpen: refresh, signal: scope });
    } finally {
      clearInterval(timer);
      link.abort(new MetadError('unavailable', 'The connection to the daemon is over.'));
      await asked;
    }
  };

  while (!signal.aborted) {
    const end = await follow().then(
      () => ({}),
      (error: unknown) => reasonOf(error),
    );
    if (signal.aborted) return;
    dispatch({ kind: 'away', now: now(), ...end });
    await sleep(retryMs, undefined, { signal }).catch(() => {});
  }
};
