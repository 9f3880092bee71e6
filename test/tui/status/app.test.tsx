import { cleanup, render } from 'ink-testing-library';
import { afterEach, expect, test } from 'vitest';
import { App, type Source } from '../../../tui/status/app.tsx';
import type { ScreenEvent } from '../../../tui/status/state.ts';
import { sampleStatus } from '../../helpers/control-daemon.ts';
import { eventually } from '../../helpers/eventually.ts';

afterEach(cleanup);

/** The screen, and the way to tell it things. 100 columns and 24 rows, as the test terminal has. */
const screen = () => {
  let tell: (event: ScreenEvent) => void = () => {};
  let ended = false;
  const source: Source = (dispatch, signal) => {
    tell = dispatch;
    signal.addEventListener('abort', () => {
      ended = true;
    });
  };
  const app = render(<App source={source} now={() => 0} />);
  return { app, tell: (event: ScreenEvent) => tell(event), ended: () => ended };
};

const HELP = 'q quit · Tab next table · ↑ ↓ scroll';
const lines = (frame: string | undefined) => (frame ?? '').split('\n').map((line) => line.trimEnd());
const padded = (...text: string[]) => [...text, ...Array<string>(22 - text.length).fill(''), HELP];

test('App() looks for the daemon, and says when there is none', async () => {
  const { app, tell } = screen();
  await eventually(() => expect(lines(app.lastFrame())).toEqual(padded('Looking for the daemon …')));
  tell({ kind: 'away', now: 0 });
  tell({ kind: 'tick', now: 7000 });
  await eventually(() =>
    expect(lines(app.lastFrame())).toEqual(
      padded('No daemon is running.', 'Waiting for one (7s). `metad daemon start` starts it.'),
    ),
  );
});

test('App() shows daemon, servers, sessions and calls', async () => {
  const { app, tell } = screen();
  await eventually(() => expect(app.lastFrame()).toContain('Looking'));
  const saved = { processes: 0, memoryBytes: 0 };
  tell({ kind: 'status', status: { ...sampleStatus('/h', 99), saved }, now: 0 });
  await eventually(() => expect(app.lastFrame()).toContain('Servers'));
  expect(lines(app.lastFrame())).toEqual([
    'metad 0.1.0  pid 99 · up 1h 02m · 88.0 MB · 1 call in flight · store disk · /h',
    '! config.json:4:7: `mcpServers.web.foo` is not known to metad.',
    '! a-server-with-a-rather-long-name-for-a-table: It exited with code 1 after 0.2 s: Cannot find modu…',
    '! a-server-with-a-rather-long-name-for-a-table: 3 lines on stdout that were no JSON-RPC',
    '',
    '▸ Servers (2)',
    'SERVER             STATE  SHARING    OWNER                PID   MEMORY      UP  CALLS  TOOLS   START',
    'files              ready  user       —                   4242  30.0 MB  1m 05s    7+1     14  240 ms',
    'a-server…-a-table  dead   workspace  /home/som…ong-name     —        —       —      0      —       —',
    '',
    '  Sessions (1)',
    'AGENT            WORKSPACE                     SURFACE  PROTOCOL    PID  SINCE  CALLS',
    'claude-code 2.1  /home/someone/projects/metad  code     2026-07-28  777    12s      7',
    '',
    '  Recent calls (1)',
    'TIME      TOOL             OUTCOME   TOOK  BY',
    'r7  running  1m 03s  4 calls, 1 failed  files.read_file  claude-code 2.1',
    '14:03:09  files.read_file  ok       12 ms  claude-code 2.1',
    '',
    '',
    '',
    '',
    HELP,
  ]);
});

test('App() moves its focus by Tab, and ends its source on q', async () => {
  const { app, tell, ended } = screen();
  await eventually(() => expect(app.lastFrame()).toContain('Looking'));
  tell({ kind: 'status', status: sampleStatus('/h'), now: 0 });
  await eventually(() => expect(app.lastFrame()).toContain('▸ Servers'));
  app.stdin.write('\t');
  await eventually(() => expect(app.lastFrame()).toContain('▸ Sessions'));
  app.stdin.write('q');
  await eventually(() => expect(ended()).toBe(true));
});
