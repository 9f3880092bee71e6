// Which lines of the live screen fit a terminal of this size. Pure; the screen only draws what comes out.
import { truncateEnd } from '../format.ts';
import { type Line, span } from '../table.ts';
import { ageOf, type ScreenState, type Section } from './state.ts';
import { type Block, callsBlock, daemonLines, serversBlock, sessionsBlock, warningLines } from './view.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Pane {
  readonly section: Section;
  readonly title: Line;
  readonly lines: readonly Line[];
  /** Columns that it takes. */
  readonly width: number;
}

/** Top to bottom; the panes of one row stand side by side. */
export interface Layout {
  readonly top: readonly Line[];
  readonly paneRows: readonly (readonly Pane[])[];
}

/** From here on sessions and calls stand side by side. */
const WIDE = 140;
const GUTTER = 4;
/** Title, head of the table, blank line above. */
const FRAME = 3;

/** Deals out `room` rows, one each in turn, the first twice; nobody gets more than needed. */
export const dealRows = (needs: readonly number[], room: number): number[] => {
  const given = needs.map(() => 0);
  const turns = needs.flatMap((_, at) => (at === 0 ? [at, at] : [at]));
  for (let left = room; left > 0; ) {
    const before = left;
    for (const at of turns) {
      if (left > 0 && (given[at] ?? 0) < (needs[at] ?? 0)) {
        given[at] = (given[at] ?? 0) + 1;
        left -= 1;
      }
    }
    if (left === before) break;
  }
  return given;
};

const needOf = ({ rows }: Block): number => Math.max(1, rows.length);

/** The rows from the section's offset on; the last page stays full when it can. */
const paneOf = (block: Block, given: number, width: number, state: ScreenState): Pane => {
  const { section, rows, head, empty, title } = block;
  const from = Math.min(state.offsets[section], Math.max(0, rows.length - given));
  const shown = rows.slice(from, from + given);
  const cut = shown.length < rows.length ? `  ${from + 1}–${from + shown.length} shown` : '';
  const mark = state.focus === section ? '▸ ' : '  ';
  return {
    section,
    title: [span(mark, 'busy'), span(title, 'strong'), span(cut, 'dim')],
    lines: rows.length === 0 ? [[span(empty, 'dim')]] : [head, ...shown],
    width,
  };
};

const awayLines = ({ link, now }: ScreenState, width: number): Line[] => {
  if (link.kind !== 'away') return [[span('Looking for the daemon …', 'dim')]];
  const seconds = Math.max(0, Math.floor((now - link.since) / 1000));
  return [
    [span(truncateEnd(link.reason ?? 'No daemon is running.', width), 'strong')],
    [span(truncateEnd(`Waiting for one (${seconds}s). \`metad daemon start\` starts it.`, width), 'dim')],
  ];
};

const cutWarnings = (warnings: readonly Line[], room: number): readonly Line[] => {
  if (warnings.length <= room) return warnings;
  const told = warnings.slice(0, room - 1);
  return [...told, [span(`! ${warnings.length - told.length} more warnings: \`metad status --json\``, 'bad')]];
};

/** @param size what may be filled; the last row is left for the keys */
export const layout = (state: ScreenState, { columns, rows }: Size): Layout => {
  const { status } = state;
  if (status === undefined) return { top: awayLines(state, columns), paneRows: [] };
  const age = ageOf(state);
  const isWide = columns >= WIDE;
  const half = Math.floor((columns - GUTTER) / 2);
  const rest = isWide ? half : columns;
  const servers = serversBlock(status, age, columns);
  const sessions = sessionsBlock(status, age, rest);
  const calls = callsBlock(status, age, rest);
  const needs = isWide
    ? [needOf(servers), Math.max(needOf(sessions), needOf(calls))]
    : [servers, sessions, calls].map(needOf);
  const daemon = daemonLines(status, age, columns);
  const room = rows - 1 - daemon.length - FRAME * needs.length;
  const warnings = warningLines(status, columns);
  // An eighth of the screen at least, and what the tables leave free.
  const spare = Math.max(1, Math.floor(rows / 8), room - needs.reduce((sum, need) => sum + need, 0));
  const told = cutWarnings(warnings, spare);
  const top = [...daemon, ...told];
  const [first = 0, second = 0, third = 0] = dealRows(needs, room - told.length);
  if (isWide) {
    return {
      top,
      paneRows: [
        [paneOf(servers, first, columns, state)],
        [paneOf(sessions, second, half, state), paneOf(calls, second, half, state)],
      ],
    };
  }
  return {
    top,
    paneRows: [
      [paneOf(servers, first, columns, state)],
      [paneOf(sessions, second, columns, state)],
      [paneOf(calls, third, columns, state)],
    ],
  };
};
