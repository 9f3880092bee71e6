// What `status` says, as lines: the live screen and the plain table draw the same ones.
import type { RunStatus, Status } from '../../schema/wire.ts';
import { formatBytes, formatDuration, plural, truncateEnd, truncateMiddle } from '../format.ts';
import { type Line, lineText, shows, span, table } from '../table.ts';
import { clean } from '../text.ts';
import { callColumns, ERROR_TITLE, serverColumns, sessionColumns } from './columns.ts';
import { countOf, goingOn, type Section } from './state.ts';

/** A part of a screen whose rows may be scrolled: its title, the head of its table, its rows. */
export interface Block {
  readonly section: Section;
  readonly title: string;
  /** What stands there instead of a table that would be empty. */
  readonly empty: string;
  readonly head: Line;
  readonly rows: readonly Line[];
}

/** The daemon in one or two lines, cut to `width`. */
export const daemonLines = ({ daemon, saved }: Status, age: number, width: number): Line[] => {
  if (daemon === null) return [[span('No daemon is running.', 'strong')]];
  const { version, pid, uptimeSeconds, memoryBytes, callsInFlight, successor, store, home } = daemon;
  const facts = [
    `pid ${pid}`,
    `up ${formatDuration(uptimeSeconds + age)}`,
    formatBytes(memoryBytes),
    `${plural(callsInFlight, 'call')} in flight`,
    ...(successor === null ? [] : [`hands over to ${clean(successor.version)}, waits for ${successor.waitingFor}`]),
  ].join(' · ');
  const name = `metad ${version}`;
  const spared =
    saved.processes > 0 && saved.memoryBytes > 0
      ? [`saved ${plural(saved.processes, 'process', 'processes')}, ${formatBytes(saved.memoryBytes)}`]
      : [];
  const place = [...spared, `store ${clean(store)}`, clean(home)].join(' · ');
  const [nameWidth, factsWidth] = [name.length, facts.length];
  const oneLine = nameWidth + factsWidth + place.length + 5 <= width;
  const first: Line = [span(name, 'strong'), span(truncateEnd(`  ${facts}`, width - nameWidth))];
  if (oneLine) return [[...first, span(` · ${place}`, 'dim')]];
  return [first, [span(truncateMiddle(place, width), 'dim')]];
};

/** What a person should know, one line each: the daemon's warnings, then the servers', then what might be of use. */
export const warningLines = (status: Status, width: number): Line[] => {
  const { daemon, servers } = status;
  const hasErrors = shows(serverColumns(0), servers, width, ERROR_TITLE);
  const told = new Set(daemon?.warnings.map(clean) ?? []);
  for (const { name, lastError, noiseLines, warnings } of servers) {
    if (lastError !== null && !hasErrors) told.add(clean(`${name}: ${lastError}`));
    for (const warning of warnings) told.add(clean(`${name}: ${warning}`));
    if (noiseLines > 0) told.add(clean(`${name}: ${plural(noiseLines, 'line')} on stdout that were no JSON-RPC`));
  }
  return [
    ...[...told].map((text): Line => [span('! ', 'bad'), span(truncateEnd(text, width - 2))]),
    ...(daemon?.suggestions ?? []).map(({ workspace, names }): Line => {
      const text = `${clean(workspace)} might want ${names.map(clean).join(', ')}: \`metad suggest\``;
      return [span('+ ', 'dim'), span(truncateEnd(text, width - 2), 'dim')];
    }),
  ];
};

const block = (
  status: Status,
  section: Section,
  title: string,
  empty: string,
  [head = [], ...rows]: Line[],
): Block => ({
  section,
  title: `${title} (${countOf(status, section)})`,
  empty,
  head,
  rows,
});

export const serversBlock = (status: Status, age: number, width: number): Block =>
  block(status, 'servers', 'Servers', 'No servers are configured.', table(serverColumns(age), status.servers, width));

export const sessionsBlock = (status: Status, age: number, width: number): Block =>
  block(status, 'sessions', 'Sessions', 'No agents are connected.', table(sessionColumns(age), status.sessions, width));

/** `r7  claude-code  running  1m 03s  4 calls, 1 failed  files.read_file` */
const runLine = (
  { id, agent, state, milliseconds, calls, failed, now }: RunStatus,
  age: number,
  width: number,
): Line => {
  const took = formatDuration((milliseconds ?? 0) / 1000 + age);
  const counts = `${plural(calls, 'call')}${failed === 0 ? '' : `, ${failed} failed`}`;
  const facts = [state, took, counts, ...(now === null ? [] : [clean(now)]), clean(agent)].join('  ');
  return [span(id, 'strong'), span(truncateEnd(`  ${facts}`, width - id.length), 'busy')];
};

/** @param age seconds since the daemon said it */
export const callsBlock = (status: Status, age: number, width: number): Block => {
  const agents = new Map(status.sessions.map(({ id, agent }) => [id, agent]));
  const runs = goingOn(status).map((run) => runLine(run, age, width));
  const [head = [], ...calls] = table(callColumns(agents), status.recentCalls, width);
  const all = block(status, 'calls', 'Recent calls', 'No calls yet.', [head, ...runs, ...calls]);
  return { ...all, title: `Recent calls (${status.recentCalls.length})` };
};

/** Calls that the plain table shows; --json has all of them. */
const PLAIN_CALLS = 10;

/** @param width columns of the terminal; Infinity cuts nothing */
export const plainStatus = (status: Status, width: number): string => {
  const shown: Status = { ...status, recentCalls: status.recentCalls.slice(0, PLAIN_CALLS) };
  const blocks = [serversBlock(shown, 0, width), sessionsBlock(shown, 0, width), callsBlock(shown, 0, width)];
  const parts = [
    [...daemonLines(shown, 0, width), ...warningLines(shown, width)].map(lineText),
    ...blocks.map(({ title, empty, head, rows }) => [
      title,
      ...(rows.length === 0 ? [empty] : [head, ...rows].map(lineText)),
    ]),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
};
