// When a daemon that nobody uses ends: no session and no call in flight for a stated time.
import { type Clock, systemClock } from './clock.ts';

/** What keeps a daemon alive. */
export interface Use {
  readonly sessions: number;
  readonly calls: number;
}

export type IdleState =
  | { readonly kind: 'used' }
  | { readonly kind: 'idle'; readonly since: number }
  | { readonly kind: 'over' };

export type IdleEvent = { readonly kind: 'use'; readonly use: Use } | { readonly kind: 'tick' };

/** One step; `now` and `limitMs` in milliseconds of one clock. `over` is final. */
export const next = (state: IdleState, event: IdleEvent, now: number, limitMs: number): IdleState => {
  if (state.kind === 'over') return state;
  if (event.kind === 'tick') return state.kind === 'idle' && now - state.since >= limitMs ? { kind: 'over' } : state;
  if (event.use.sessions > 0 || event.use.calls > 0) return { kind: 'used' };
  return state.kind === 'idle' ? state : { kind: 'idle', since: now };
};

export interface IdleOptions {
  readonly limitMs: number;
  /** Asked again before the end, so that a missed `update` never ends a daemon in use. */
  readonly use: () => Use;
  /** Called once. */
  readonly onIdle: () => void;
  readonly clock?: Clock;
}

export interface Idle extends Disposable {
  /** To be called whenever `use` may have become nothing or something. */
  update(): void;
  setLimit(limitMs: number): void;
}

/** Counts from now on: a daemon that nobody ever used ends too. */
export const createIdle = ({ limitMs, use, onIdle, clock = systemClock }: IdleOptions): Idle => {
  let limit = limitMs;
  let state: IdleState = { kind: 'used' };
  let cancel = () => {};
  const apply = (event: IdleEvent) => {
    const before = state;
    state = next(state, event, clock.now(), limit);
    if (state.kind === 'over' && before.kind !== 'over') onIdle();
  };
  const arm = () => {
    cancel();
    cancel = () => {};
    if (state.kind === 'idle') cancel = clock.later(Math.max(0, state.since + limit - clock.now()), tick);
  };
  const update = () => {
    const before = state;
    apply({ kind: 'use', use: use() });
    if (state !== before) arm();
  };
  const tick = () => {
    apply({ kind: 'use', use: use() });
    apply({ kind: 'tick' });
    arm();
  };
  update();
  return {
    update,
    setLimit(milliseconds) {
      limit = milliseconds;
      arm();
    },
    [Symbol.dispose]() {
      state = { kind: 'over' };
      cancel();
    },
  };
};
