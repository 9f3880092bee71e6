// What the live screen knows, and how each event changes it. Pure: time comes with the events.
import type { RunStatus, Status } from '../../schema/wire.ts';

export type Section = 'servers' | 'sessions' | 'calls';
export const SECTIONS: readonly Section[] = ['servers', 'sessions', 'calls'];

/** `away` carries a reason only when there is more to say than that no daemon runs. */
export type Link =
  | { readonly kind: 'looking' }
  | { readonly kind: 'live' }
  | { readonly kind: 'away'; readonly since: number; readonly reason?: string };

export interface ScreenState {
  readonly link: Link;
  /** Of the daemon that is there now; undefined while none is. */
  readonly status: Status | undefined;
  readonly receivedAt: number;
  readonly now: number;
  readonly focus: Section;
  /** First row shown, per section. */
  readonly offsets: Readonly<Record<Section, number>>;
}

export type ScreenEvent =
  | { readonly kind: 'status'; readonly status: Status; readonly now: number }
  | { readonly kind: 'away'; readonly now: number; readonly reason?: string }
  | { readonly kind: 'tick'; readonly now: number }
  | { readonly kind: 'focus'; readonly step: 1 | -1 }
  | { readonly kind: 'scroll'; readonly by: number };

export const initialState = (now: number): ScreenState => ({
  link: { kind: 'looking' },
  status: undefined,
  receivedAt: now,
  now,
  focus: 'servers',
  offsets: { servers: 0, sessions: 0, calls: 0 },
});

/** Runs that go on: they stand above the calls. */
export const goingOn = ({ runs }: Status): readonly RunStatus[] => runs.filter(({ state }) => state === 'running');

export const countOf = (status: Status | undefined, section: Section): number =>
  status === undefined
    ? 0
    : {
        servers: status.servers.length,
        sessions: status.sessions.length,
        calls: goingOn(status).length + status.recentCalls.length,
      }[section];

const clampOffsets = (state: ScreenState): ScreenState => {
  const clamp = (section: Section) => Math.max(0, Math.min(state.offsets[section], countOf(state.status, section) - 1));
  return { ...state, offsets: { servers: clamp('servers'), sessions: clamp('sessions'), calls: clamp('calls') } };
};

/** Seconds that have passed since the daemon said how long things are running. */
export const ageOf = ({ now, receivedAt }: ScreenState): number => Math.max(0, (now - receivedAt) / 1000);

export const nextState = (state: ScreenState, event: ScreenEvent): ScreenState => {
  switch (event.kind) {
    case 'status':
      return clampOffsets({
        ...state,
        link: { kind: 'live' },
        status: event.status,
        receivedAt: event.now,
        now: event.now,
      });
    case 'away': {
      const since = state.link.kind === 'away' ? state.link.since : event.now;
      const link: Link = { kind: 'away', since, ...(event.reason === undefined ? {} : { reason: event.reason }) };
      return clampOffsets({ ...state, link, status: undefined, now: event.now });
    }
    case 'tick':
      return { ...state, now: event.now };
    case 'focus': {
      const at = SECTIONS.indexOf(state.focus) + event.step + SECTIONS.length;
      return { ...state, focus: SECTIONS[at % SECTIONS.length] ?? 'servers' };
    }
    case 'scroll': {
      const offset = state.offsets[state.focus] + event.by;
      return clampOffsets({ ...state, offsets: { ...state.offsets, [state.focus]: offset } });
    }
  }
};
