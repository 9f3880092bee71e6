// The command as a process: what only a real one shows.
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCli, type Cli, plainEnvironment } from '../helpers/cli.ts';
import { type FakeDaemon, sampleStatus, startFakeDaemon, tempHome } from '../helpers/control-daemon.ts';
import { eventually } from '../helpers/eventually.ts';

let cli: Cli;
let home: Awaited<ReturnType<typeof tempHome>>;
let daemon: FakeDaemon;
beforeAll(async () => {
  cli = await buildCli();
  home = await tempHome();
  daemon = await startFakeDaemon({ home: home.home });
});
afterAll(async () => {
  await daemon.close();
  await home[Symbol.asyncDispose]();
  await cli[Symbol.asyncDispose]();
});

test('status --json prints all there is', async () => {
  const { code, stdout } = await cli.run(['status', '--json', '--home', home.home]);
  expect([code, JSON.parse(stdout)]).toEqual([0, sampleStatus(home.home)]);
});

test('misuse exits 2, failure 1', async () => {
  expect(await cli.run(['statsu'])).toMatchObject({ code: 2, stdout: '' });
  expect(await cli.run(['tools', 'nope', '--home', home.home])).toMatchObject({ code: 1, stdout: '' });
});

test('config schema is part of the bundle', async () => {
  expect(JSON.parse((await cli.run(['config', 'schema'])).stdout)).toHaveProperty('properties.mcpServers');
});

test('R020: all bytes arrive at a slow reader, whatever the command', async () => {
  const huge = { ...sampleStatus(home.home), recentCalls: [] };
  const sessions = Array.from({ length: 5000 }, (_, at) => ({
    ...huge.sessions[0],
    id: `s${at}`,
    agent: 'x'.repeat(100),
  }));
  const script = join(home.home, 'huge.js');
  await mkdir(home.paths.logs, { recursive: true });
  await writeFile(script, 'x'.repeat(900_000));
  await writeFile(join(home.paths.logs, 'daemon.log'), `${'y'.repeat(899_999)}\n`);
  await using other = await tempHome();
  await using crowded = await startFakeDaemon({
    home: other.home,
    ports: {
      sessions: () => sessions as typeof huge.sessions,
      declarations: async () => 'z'.repeat(900_000),
      run: async (_where, sent) => ({ text: sent, isError: false, content: [], run: 'r1', trace: [] }),
    },
  });
  const commands: readonly (readonly [readonly string[], number])[] = [
    [['call', 'files.huge', '{"size":900000}', '--home', crowded.home], 900_001],
    [['tools', '--home', crowded.home], 900_001],
    [['exec', script, '--home', crowded.home], 900_001],
    [['logs', '--home', home.home], 900_000],
    [
      ['status', '--home', crowded.home, '--json'],
      JSON.stringify({ ...(await crowded.contract.status({})) }).length + 1,
    ],
  ];
  for (const [args, size] of commands) {
    // The pipe is full long before the program ends; its reader begins two seconds late.
    const pipeline = `"$0" "$@" | { sleep 2; wc -c; }`;
    const child = spawn('bash', ['-o', 'pipefail', '-c', pipeline, process.execPath, cli.file, ...args], {
      env: plainEnvironment(),
    });
    let counted = '';
    child.stdout.on('data', (chunk) => {
      counted += String(chunk);
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([args[0], code, Number(counted)]).toEqual([args[0], 0, size]);
  }
});

test('a reader that leaves is no crash', async () => {
  const script = `"$0" "$@" | head -c 10`;
  const args = ['-c', script, process.execPath, cli.file, '--home', home.home, 'call', 'files.huge', '{"size":900000}'];
  const child = spawn('bash', args, { env: plainEnvironment() });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(said).toBe('');
});

test('start waits for readiness, stop until it is gone; both may be said twice', async () => {
  await using other = await tempHome();
  const say = (...args: string[]) => cli.run(['daemon', ...args, '--home', other.home]);
  const started = JSON.parse((await say('start', '--json')).stdout);
  try {
    expect(started).toEqual({ pid: expect.any(Number), version: '0.1.0', started: true });
    expect((await say('start')).stderr).toContain(`The daemon runs already (pid ${started.pid}).`);
    const again = JSON.parse((await say('restart', '--json')).stdout);
    expect(again.pid).not.toBe(started.pid);
    expect(await say('stop')).toEqual({ code: 0, stdout: '', stderr: `The daemon (pid ${again.pid}) has ended.\n` });
    expect((await cli.run(['status', '--json', '--home', other.home])).stdout).toContain('"daemon":null');
    expect(await say('stop', '--json')).toMatchObject({ code: 0, stdout: '{"pid":null,"stopped":false}\n' });
  } finally {
    await say('stop');
  }
});

test('run stays in the foreground, ends with the daemon, and refuses a second one', async () => {
  await using other = await tempHome();
  const child = spawn(process.execPath, [cli.file, 'daemon', 'run', '--home', other.home], {
    env: plainEnvironment(),
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    await eventually(() => expect(said).toContain(`fake daemon: --home ${other.home} --terminal\n`));
    const second = await cli.run(['daemon', 'run', '--home', other.home]);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('A daemon runs already');
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toBe(0);
});
