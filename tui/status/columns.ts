// The tables of `status`: which columns there are, what stands in them, and which go first when there is no room.
import type { CallStatus, InstanceState, ServerStatus, SessionStatus } from '../../schema/wire.ts';
import { formatBytes, formatClock, formatDuration, formatMilliseconds } from '../format.ts';
import type { Column, Tone } from '../table.ts';
import { clean } from '../text.ts';

const NONE = '—';

const orNone = <T>(value: T | null, show: (value: T) => string): string => (value === null ? NONE : show(value));

/** The state's own word is always there: the tone only helps the eye. */
const STATE_TONE: Readonly<Record<InstanceState, Tone>> = {
  cold: 'dim',
  starting: 'busy',
  ready: 'good',
  dead: 'bad',
  parked: 'bad',
};

export const ERROR_TITLE = 'LAST ERROR';

/** @param age seconds since the daemon said it */
export const serverColumns = (age: number): readonly Column<ServerStatus>[] => [
  { title: 'SERVER', cell: ({ name }) => clean(name), least: 12, tone: () => 'strong' },
  { title: 'STATE', cell: ({ state }) => state, tone: ({ state }) => STATE_TONE[state] },
  { title: 'SHARING', cell: ({ sharing }) => sharing, drop: 3 },
  { title: 'OWNER', cell: ({ owner }) => orNone(owner, clean), least: 12, drop: 5 },
  { title: 'PID', cell: ({ pid }) => orNone(pid, String), toRight: true },
  { title: 'MEMORY', cell: ({ memoryBytes }) => orNone(memoryBytes, formatBytes), toRight: true },
  {
    title: 'UP',
    cell: ({ uptimeSeconds }) => orNone(uptimeSeconds, (seconds) => formatDuration(seconds + age)),
    toRight: true,
  },
  {
    title: 'CALLS',
    cell: ({ calls, callsInFlight }) => (callsInFlight > 0 ? `${calls}+${callsInFlight}` : String(calls)),
    toRight: true,
  },
  {
    title: 'TOOLS',
    cell: ({ tools, freshness }) =>
      orNone(tools, (count) => (freshness === 'stale' ? `${count} stale` : String(count))),
    toRight: true,
    drop: 2,
  },
  {
    title: 'START',
    cell: ({ start }) => orNone(start ?? null, ({ medianMs }) => formatMilliseconds(medianMs)),
    toRight: true,
    drop: 4,
  },
  {
    title: ERROR_TITLE,
    cell: ({ lastError }) => orNone(lastError, clean),
    tone: ({ lastError }) => (lastError === null ? 'dim' : 'bad'),
    least: 30,
    sentence: true,
    drop: 6,
  },
];

export const sessionColumns = (age: number): readonly Column<SessionStatus>[] => [
  { title: 'AGENT', cell: ({ agent }) => clean(agent), least: 10, tone: () => 'strong' },
  { title: 'WORKSPACE', cell: ({ workspace }) => orNone(workspace, clean), least: 16 },
  { title: 'SURFACE', cell: ({ surface }) => surface },
  { title: 'PROTOCOL', cell: ({ protocol }) => orNone(protocol, clean), drop: 3 },
  { title: 'PID', cell: ({ pid }) => String(pid), toRight: true, drop: 4 },
  { title: 'SINCE', cell: ({ sinceSeconds }) => formatDuration(sinceSeconds + age), toRight: true },
  { title: 'CALLS', cell: ({ calls }) => String(calls), toRight: true },
];

const outcomeTone = (outcome: string): Tone => (outcome === 'ok' ? 'good' : outcome === 'running' ? 'busy' : 'bad');

/** @param agents names of agents by session id; a session that has ended is shown by its id */
export const callColumns = (agents: ReadonlyMap<string, string>): readonly Column<CallStatus>[] => [
  { title: 'TIME', cell: ({ at }) => formatClock(at), tone: () => 'dim' },
  { title: 'TOOL', cell: ({ server, tool }) => clean(`${server}.${tool}`), least: 20, tone: () => 'strong' },
  { title: 'OUTCOME', cell: ({ outcome }) => outcome, tone: ({ outcome }) => outcomeTone(outcome) },
  { title: 'TOOK', cell: ({ milliseconds }) => orNone(milliseconds, formatMilliseconds), toRight: true },
  { title: 'BY', cell: ({ session }) => clean(agents.get(session) ?? session), least: 8, drop: 2 },
];
