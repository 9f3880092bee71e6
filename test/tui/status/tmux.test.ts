// The live screen on a real terminal. Needs tmux: without one this fails, since nothing else shows what people see.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCli, type Cli, plainEnvironment } from '../../helpers/cli.ts';
import { startFakeDaemon, tempHome } from '../../helpers/control-daemon.ts';
import { eventually } from '../../helpers/eventually.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await buildCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

/** A terminal of this size with a shell in it, on a tmux server of its own. */
const terminal = async (columns: number, rows: number, environment: Record<string, string> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'metad-tmux-'));
  const socket = join(folder, 'tmux');
  const env: NodeJS.ProcessEnv = { ...plainEnvironment(), ...environment, TERM: 'screen-256color', PS1: '$ ' };
  delete env['TMUX'];
  const tmux = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env });
    return stdout;
  };
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), 'bash --norc --noprofile');
  return {
    type: (text: string) => tmux('send-keys', '-l', text),
    press: (key: string) => tmux('send-keys', key),
    resize: (x: number, y: number) => tmux('resize-window', '-x', String(x), '-y', String(y)),
    /** What is on the screen, line by line; `styled` keeps the colours. */
    lines: async (styled = false) =>
      (await tmux('capture-pane', '-p', ...(styled ? ['-e'] : [])))
        .split('\n')
        .slice(0, -1)
        .map((line) => line.trimEnd()),
    state: async () => (await tmux('display-message', '-p', '#{alternate_on} #{cursor_flag}')).trim(),
    [Symbol.asyncDispose]: async () => {
      await tmux('kill-server').catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const command = (home: string) => `${process.execPath} ${cli.file} status --home ${home}; echo "exit $?"`;

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 200, rows: 50 },
];

test.each(sizes)('status fits $columns×$rows, lives, and leaves the terminal as it was', async ({ columns, rows }) => {
  await using home = await tempHome();
  await using daemon = await startFakeDaemon({ home: home.home });
  await using pane = await terminal(columns, rows);
  await pane.type('echo before');
  await pane.press('Enter');
  await eventually(async () => expect(await pane.lines()).toContain('before'));
  await pane.type(command(home.home));
  await pane.press('Enter');
  await eventually(async () => expect((await pane.lines()).join('\n')).toContain('Recent calls (1)'));
  const shown = await pane.lines();
  expect(shown[0]).toMatch(/^metad 0\.1\.0 {2}pid \d+ · up 1h 02m/);
  expect(shown[rows - 2]).toBe('q quit · Tab next table · ↑ ↓ scroll');
  expect(shown.filter((line) => line.startsWith('metad 0.1.0'))).toHaveLength(1);
  expect(shown.join('\n')).toContain('files.read_file');
  // Side by side where there is room, and the last error in its own column.
  const isWide = columns === 200;
  expect(shown.some((line) => line.includes('Sessions (1)') && line.includes('Recent calls (1)'))).toBe(isWide);
  expect(shown.some((line) => line.includes('LAST ERROR'))).toBe(isWide);
  expect(shown.join('\n')).toContain('It exited with code 1');
  expect(await pane.state()).toBe('1 0');

  await daemon.close();
  await eventually(async () => expect((await pane.lines())[0]).toBe('No daemon is running.'));
  await using _next = await startFakeDaemon({ home: home.home });
  await eventually(async () => expect((await pane.lines()).join('\n')).toContain('Servers (2)'));

  await pane.press('q');
  await eventually(async () => expect(await pane.lines()).toContain('exit 0'));
  const after = await pane.lines();
  expect(after).toContain('before');
  expect(after.join('\n')).not.toContain('Servers (2)');
  expect(await pane.state()).toBe('0 1');
  await pane.type('echo echoed');
  await eventually(async () => expect((await pane.lines()).join('\n')).toContain('echo echoed'));
});

test('status follows the terminal’s size', async () => {
  await using home = await tempHome();
  await using _daemon = await startFakeDaemon({ home: home.home });
  await using pane = await terminal(200, 50);
  await pane.type(command(home.home));
  await pane.press('Enter');
  await eventually(async () => expect((await pane.lines()).join('\n')).toContain('LAST ERROR'));
  await pane.resize(80, 24);
  await eventually(async () => {
    const shown = await pane.lines();
    expect(shown[0]).toMatch(/^metad 0\.1\.0/);
    expect(shown[22]).toBe('q quit · Tab next table · ↑ ↓ scroll');
    expect(shown.filter((line) => line.startsWith('metad 0.1.0'))).toHaveLength(1);
  });
  await pane.press('C-c');
  await eventually(async () => expect(await pane.lines()).toContain('exit 0'));
});

test('status without colours says as much', async () => {
  await using home = await tempHome();
  await using _daemon = await startFakeDaemon({ home: home.home });
  await using pane = await terminal(120, 30, { NO_COLOR: '1' });
  await pane.type(`(echo $BASHPID > ${home.home}/pid; exec ${command(home.home).replace('; echo', '); echo')}`);
  await pane.press('Enter');
  await eventually(async () => expect((await pane.lines()).join('\n')).toContain('Servers (2)'));
  const styled = (await pane.lines(true)).join('\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ESC is what is looked for
  expect(styled).not.toMatch(/\u001b\[[0-9;]*3[1-7]m/);
  expect(styled).toContain('dead');
  // Ended from outside, it still gives the terminal back.
  process.kill(Number(await readFile(join(home.home, 'pid'), 'utf8')), 'SIGTERM');
  await eventually(async () => expect(await pane.lines()).toContain('exit 143'));
  expect(await pane.state()).toBe('0 1');
});
