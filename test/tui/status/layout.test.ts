import { expect, test } from 'vitest';
import type { Status } from '../../../schema/wire.ts';
import { widthOf } from '../../../tui/format.ts';
import { dealRows, layout } from '../../../tui/status/layout.ts';
import { initialState, nextState } from '../../../tui/status/state.ts';
import { plainStatus } from '../../../tui/status/view.ts';
import { lineText } from '../../../tui/table.ts';
import { sampleStatus } from '../../helpers/control-daemon.ts';

const many = <T>(items: readonly T[], count: number, change: (item: T, at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => {
    const item = items[at % items.length];
    if (item === undefined) throw new Error('no items');
    return change(item, at);
  });

/** More of everything than any screen holds, with names from hell. */
const crowded = (): Status => {
  const status = sampleStatus('/a/home/that/is/quite/long/'.repeat(5));
  const [daemon] = [status.daemon];
  return {
    ...status,
    daemon: daemon && {
      ...daemon,
      warnings: Array.from({ length: 30 }, (_, at) => `warning ${at} ${'x'.repeat(300)}`),
    },
    servers: many(status.servers, 60, (server, at) => ({
      ...server,
      name: `${server.name}-漢字🧪-${at}`,
      lastError: `\u001b[2J\nno ${at} ${'y'.repeat(400)}`,
    })),
    sessions: many(status.sessions, 40, (session, at) => ({ ...session, id: `s${at}`, agent: `agent\t${at}` })),
    recentCalls: many(status.recentCalls, 50, (call, at) => ({ ...call, tool: `tool_${'z'.repeat(at * 3)}` })),
  };
};

const sizes = [
  { columns: 80, rows: 23 },
  { columns: 200, rows: 49 },
  { columns: 140, rows: 20 },
  { columns: 100, rows: 60 },
];

test.each(sizes)('layout() fills $columns×$rows and no more', (size) => {
  for (const status of [
    sampleStatus('/h'),
    crowded(),
    { ...sampleStatus('/h'), servers: [], sessions: [], recentCalls: [] },
  ]) {
    const { top, paneRows } = layout(nextState(initialState(0), { kind: 'status', status, now: 0 }), size);
    const heights = paneRows.map((panes) => Math.max(...panes.map(({ lines }) => lines.length + 2)));
    // The last row is for the keys.
    expect(top.length + heights.reduce((sum, height) => sum + height, 0)).toBeLessThanOrEqual(size.rows - 1);
    for (const line of top) expect(widthOf(lineText(line))).toBeLessThanOrEqual(size.columns);
    for (const panes of paneRows)
      for (const { title, lines, width } of panes)
        for (const line of [title, ...lines]) {
          expect(widthOf(lineText(line)), lineText(line)).toBeLessThanOrEqual(width);
          expect(lineText(line)).not.toContain('\u001b');
        }
    expect(paneRows.flat().map(({ section }) => section)).toEqual(['servers', 'sessions', 'calls']);
  }
});

test('layout() shows the last page whole when scrolled to the end', () => {
  let state = nextState(initialState(0), { kind: 'status', status: crowded(), now: 0 });
  state = nextState(state, { kind: 'scroll', by: 1000 });
  const [servers] = layout(state, { columns: 80, rows: 23 }).paneRows.flat();
  expect(servers?.title.map(({ text }) => text).join('')).toMatch(/^▸ Servers \(60\) {2}\d+–60 shown$/);
  expect(servers?.lines.length).toBeGreaterThan(3);
});

test('dealRows() gives the first twice as much, and nobody more than needed', () => {
  expect(dealRows([10, 10, 10], 8)).toEqual([4, 2, 2]);
  expect(dealRows([1, 10, 2], 100)).toEqual([1, 10, 2]);
  expect(dealRows([5, 5], -3)).toEqual([0, 0]);
});

test('plainStatus() says everything, uncut', () => {
  expect(
    plainStatus(sampleStatus('/h', 99), Number.POSITIVE_INFINITY),
  ).toBe(`metad 0.1.0  pid 99 · up 1h 02m · 88.0 MB · 1 call in flight · saved 12 processes, 300 MB · store disk · /h
! config.json:4:7: \`mcpServers.web.foo\` is not known to metad.
! a-server-with-a-rather-long-name-for-a-table: 3 lines on stdout that were no JSON-RPC

Servers (2)
SERVER                                        STATE  SHARING    OWNER                                                 PID   MEMORY      UP  CALLS  TOOLS   START  LAST ERROR
files                                         ready  user       —                                                    4242  30.0 MB  1m 05s    7+1     14  240 ms  —
a-server-with-a-rather-long-name-for-a-table  dead   workspace  /home/someone/projects/a-workspace-with-a-long-name     —        —       —      0      —       —  It exited with code 1 after 0.2 s: Cannot find module.

Sessions (1)
AGENT            WORKSPACE                     SURFACE  PROTOCOL    PID  SINCE  CALLS
claude-code 2.1  /home/someone/projects/metad  code     2026-07-28  777    12s      7

Recent calls (1)
TIME      TOOL             OUTCOME   TOOK  BY
r7  running  1m 03s  4 calls, 1 failed  files.read_file  claude-code 2.1
14:03:09  files.read_file  ok       12 ms  claude-code 2.1
`);
});
