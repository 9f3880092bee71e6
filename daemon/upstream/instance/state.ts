// The life of one instance as a union and a pure step.

export type State =
  /** Nothing runs; the next use starts it. */
  | { readonly kind: 'cold'; readonly failures: number }
  | { readonly kind: 'starting'; readonly failures: number }
  | { readonly kind: 'ready'; readonly failures: number; readonly since: number }
  /** It failed; not before `retryAt` (ms since the epoch) is it started again, and then only on need. */
  | { readonly kind: 'dead'; readonly failures: number; readonly reason: string; readonly retryAt: number }
  /** Trying again cannot help; waits for the config or a person. */
  | { readonly kind: 'parked'; readonly failures: number; readonly reason: string };

export type Event =
  | { readonly kind: 'start' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'parked'; readonly reason: string }
  /** Stopped by us: idle, drained, or the end of the daemon. */
  | { readonly kind: 'stopped' }
  /** A person asked for a new try, or the config changed. */
  | { readonly kind: 'reset' };

export const COLD: State = { kind: 'cold', failures: 0 };

/** Uptime in ms after which earlier failures are forgotten. */
export const SUSTAINED_MS = 30_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 60_000;

/** Milliseconds before the next try after `failures` in a row: doubling, 60 s at most, less up to a fifth of jitter. */
export const backoff = (failures: number, random: number): number =>
  Math.round(Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS) * (1 - 0.2 * random));

/** Milliseconds until a dead one may be started again. A wall clock that was set back must not make it hours. */
export const waitUntil = (retryAt: number, now: number): number => {
  const left = retryAt - now;
  return left > LONGEST_DELAY_MS ? 0 : Math.max(0, left);
};

/** One step. `now` in ms since the epoch, `random` in [0, 1). Events that do not fit a state leave it as it is. */
export const next = (state: State, event: Event, now: number, random: number): State => {
  const sustained = state.kind === 'ready' && now - state.since >= SUSTAINED_MS;
  const failures = sustained ? 0 : state.failures;
  switch (event.kind) {
    case 'start':
      return state.kind === 'cold' || (state.kind === 'dead' && waitUntil(state.retryAt, now) === 0)
        ? { kind: 'starting', failures }
        : state;
    case 'ready':
      return state.kind === 'starting' ? { kind: 'ready', failures, since: now } : state;
    case 'lost':
      return state.kind === 'starting' || state.kind === 'ready'
        ? {
            kind: 'dead',
            failures: failures + 1,
            reason: event.reason,
            retryAt: now + backoff(failures + 1, random),
          }
        : state;
    case 'parked':
      return state.kind === 'starting' || state.kind === 'ready'
        ? { kind: 'parked', failures: failures + 1, reason: event.reason }
        : state;
    case 'stopped':
      return state.kind === 'starting' || state.kind === 'ready' ? { kind: 'cold', failures } : state;
    case 'reset':
      return state.kind === 'dead' || state.kind === 'parked' ? COLD : { ...state, failures: 0 };
  }
};
