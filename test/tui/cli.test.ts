// The command as a program, against a daemon with canned answers.
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildCli, type Cli, plainEnvironment } from '../helpers/cli.ts';
import { type FakeDaemon, sampleStatus, startFakeDaemon, tempHome } from '../helpers/fake-daemon.ts';

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

const run = (...args: string[]) => cli.run(['--home', home.home, ...args]);

describe('status', () => {
  test('prints a table when stdout is no terminal', async () => {
    const { code, stdout, stderr } = await run('status');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('\nServers (2)\nSERVER ');
    expect(stdout).not.toContain('\u001b');
  });

  test('prints all there is with --json', async () => {
    const { code, stdout } = await run('status', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, sampleStatus(home.home)]);
  });

  test('says so when no daemon runs, and starts none', async () => {
    await using other = await tempHome();
    const { code, stdout } = await cli.run(['status', '--json', '--home', other.home]);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { schema: 1, daemon: null, servers: [], sessions: [], recentCalls: [] },
    ]);
    const plain = await cli.run(['status'], { env: { ...plainEnvironment(), METAD_HOME: other.home } });
    expect(plain).toEqual({ code: 0, stdout: '', stderr: 'No daemon is running. `metad daemon start` starts one.\n' });
    expect((await cli.run(['status', '--json', '--home', other.home])).stdout).toContain('"daemon":null');
  });
});

describe('tools', () => {
  test('prints declarations and nothing else', async () => {
    const { code, stdout, stderr } = await run('tools', 'files');
    expect({ code, stdout, stderr }).toMatchObject({
      code: 0,
      stdout: /^declare namespace files/.exec(stdout)?.input,
      stderr: '',
    });
    expect(daemon.asked.at(-1)).toEqual({ where: { cwd: process.cwd() }, servers: ['files'], detail: 'full' });
  });

  test('fails with the words of the daemon, in either form', async () => {
    const message = 'There is no server "nope"; there is files.';
    expect(await run('tools', 'nope')).toEqual({ code: 1, stdout: '', stderr: `metad: ${message}\n` });
    const { code, stdout, stderr } = await run('tools', 'nope', '--json');
    expect([code, stdout, JSON.parse(stderr)]).toEqual([1, '', { error: { code: 'not-found', message } }]);
  });
});

describe('call', () => {
  test('prints text parts, or the whole result', async () => {
    expect(await run('call', 'files.read', '{"path":"ä"}')).toEqual({
      code: 0,
      stdout: 'files.read {"path":"ä"}\n',
      stderr: '',
    });
    const { stdout } = await run('call', 'files.read', '--json');
    expect(JSON.parse(stdout)).toEqual({ content: [{ type: 'text', text: 'files.read {}' }] });
  });

  test('reads its arguments from stdin', async () => {
    const { stdout } = await cli.run(['--home', home.home, 'call', 'files.read', '-'], { input: '{"a": 1}' });
    expect(stdout).toBe('files.read {"a":1}\n');
  });

  test('exits 1 when the tool failed, with its words on stderr', async () => {
    expect(await run('call', 'files.fail')).toEqual({ code: 1, stdout: '', stderr: 'no such file\n' });
  });

  test.each([
    [['call', 'files'], /SERVER\.TOOL/],
    [['call', 'files.read', '{'], /no JSON/],
    [['call', 'files.read', '[1]'], /JSON object/],
    [['call'], /missing required argument/],
  ])('%s exits 2', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  test('R020: all bytes arrive at a slow reader', async () => {
    const size = 900_000;
    const args = ['--home', home.home, 'call', 'files.huge', `{"size":${size}}`];
    // The pipe is full long before the program ends; its reader begins two seconds late.
    const script = `"$0" "$@" | { sleep 2; wc -c; }`;
    const child = spawn('bash', ['-o', 'pipefail', '-c', script, process.execPath, cli.file, ...args], {
      env: plainEnvironment(),
    });
    let counted = '';
    child.stdout.on('data', (chunk) => {
      counted += String(chunk);
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, Number(counted)]).toEqual([0, size + 1]);
  });

  test('a reader that leaves is no crash', async () => {
    const script = `"$0" "$@" | head -c 10`;
    const args = [
      '-c',
      script,
      process.execPath,
      cli.file,
      '--home',
      home.home,
      'call',
      'files.huge',
      '{"size":900000}',
    ];
    const child = spawn('bash', args, { env: plainEnvironment() });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    await new Promise((resolve) => child.once('close', resolve));
    expect(said).toBe('');
  });
});

describe('exec', () => {
  test('runs a file, or stdin', async () => {
    const file = join(home.home, 'script.ts');
    await writeFile(file, 'return 1');
    expect(await run('exec', file, '--timeout', '3')).toEqual({ code: 0, stdout: 'ran 8 characters\n', stderr: '' });
    expect(daemon.asked.at(-1)).toMatchObject({ script: 'return 1', timeoutMs: 3000 });
    const failed = await cli.run(['exec', '-', '--home', home.home], { input: 'throw 1' });
    expect(failed).toEqual({ code: 1, stdout: '', stderr: 'ran 7 characters\n' });
  });

  test('exits 2 for a file that is not there', async () => {
    const { code, stderr } = await run('exec', '/no/such/file.js');
    expect(code).toBe(2);
    expect(stderr).toContain('/no/such/file.js');
  });
});

describe('logs', () => {
  test('prints the end of the daemon’s log and of a server’s', async () => {
    await mkdir(join(home.paths.logs, 'servers'), { recursive: true });
    const lines = Array.from({ length: 200 }, (_, at) =>
      JSON.stringify({ time: at, event: `event ${at}`, server: 'x' }),
    );
    await writeFile(join(home.paths.logs, 'daemon.log'), `${lines.join('\n')}\n`);
    await writeFile(join(home.paths.logs, 'servers', 'my_files-0123abcd.log'), 'first\nlast, unfinished');
    const own = await run('logs', '-n', '2');
    expect([own.code, own.stdout]).toEqual([
      0,
      '1970-01-01T00:00:00.198Z event 198 server=x\n1970-01-01T00:00:00.199Z event 199 server=x\n',
    ]);
    expect((await run('logs', '--json', '-n', '1')).stdout).toBe(`${lines[199]}\n`);
    expect((await run('logs', 'my files')).stdout).toBe('first\nlast, unfinished\n');
    const missing = await run('logs', 'nope');
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('There are logs of my_files-0123abcd.');
    expect((await run('logs', '-n', 'x')).code).toBe(2);
  });

  test('says so when there is none', async () => {
    await using other = await tempHome();
    const { code, stderr } = await cli.run(['logs', '--home', other.home]);
    expect([code, stderr]).toEqual([
      1,
      `metad: There is no log yet in ${other.paths.logs}: no daemon has run there.\n`,
    ]);
  });
});

describe('config', () => {
  test('schema prints a JSON Schema', async () => {
    const { code, stdout } = await run('config', 'schema');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ properties: { mcpServers: {}, surface: {} } });
  });

  test('check needs no daemon and no file', async () => {
    await using other = await tempHome();
    const { code, stdout, stderr } = await cli.run(['config', 'check', '--home', other.home]);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain(other.paths.configFile);
  });

  test('check exits 1 on an error and names it', async () => {
    await using other = await tempHome();
    await writeFile(other.paths.configFile, '{\n  "mcpServers": {},\n  "surface": "cod"\n}\n');
    const { code, stdout } = await cli.run(['config', 'check', '--home', other.home]);
    expect(code).toBe(1);
    expect(stdout).toContain(`${other.paths.configFile}:`);
    expect(stdout).toContain('surface');
    const json = JSON.parse((await cli.run(['config', 'check', '--home', other.home, '--json'])).stdout);
    expect(json).toMatchObject({ ok: false, problems: [{ severity: 'error', path: 'surface' }] });
  });
});

describe('the command line', () => {
  test('--help shows every command and examples, on stdout', async () => {
    const { code, stdout, stderr } = await cli.run(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    for (const name of ['status', 'daemon', 'tools', 'call', 'exec', 'logs', 'config', 'Examples:', 'Exit codes'])
      expect(stdout).toContain(name);
    for (const later of ['init', 'sync', 'audit']) expect(stdout).not.toMatch(new RegExp(`^ {2}${later}`, 'm'));
    expect((await cli.run(['help', 'call'])).stdout).toContain('metad call files.read_file');
    expect((await cli.run(['daemon', '--help'])).stdout).toContain('restart');
  });

  test.each([
    [['statsu'], /unknown command 'statsu'.*status/s],
    [['daemon', 'strat'], /unknown command 'strat'.*start/s],
    [['status', '--jsno'], /unknown option '--jsno'.*--json/s],
    [['status', 'extra'], /too many arguments/],
    [['exec'], /missing required argument/],
    [['--home'], /argument missing/],
    [[], /Usage: metad/],
    [['daemon'], /Usage: metad daemon/],
  ])('%s exits 2 and says what would be right', async (args, message) => {
    const { code, stdout, stderr } = await cli.run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  test('--version prints the version', async () => {
    expect(await cli.run(['--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });

  test('names a daemon of another protocol', async () => {
    await using other = await tempHome();
    await using strange = await startFakeDaemon({ home: other.home });
    strange.server.prependListener('request', (_request, response) => {
      response.setHeader = ((name: string, value: string) =>
        Object.getPrototypeOf(response).setHeader.call(
          response,
          name,
          name === 'metad-protocol' ? '9' : value,
        )) as never;
      response.setHeaders = (headers: Headers | Map<string, number | string | readonly string[]>) => {
        for (const [name, value] of headers) response.setHeader(name, value);
        return response;
      };
    });
    const { code, stderr } = await cli.run(['status', '--home', other.home]);
    expect([code, stderr]).toEqual([
      1,
      'metad: The daemon is metad 0.1.0 (protocol 9), this command metad 0.1.0 (protocol 1). Run `metad daemon restart`.\n',
    ]);
  });
});

describe('daemon', () => {
  const alive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  test('start waits for readiness, stop until it is gone; both may be said twice', async () => {
    await using other = await tempHome();
    const say = (...args: string[]) => cli.run(['daemon', ...args, '--home', other.home]);
    const started = JSON.parse((await say('start', '--json')).stdout);
    try {
      expect(started).toEqual({ pid: expect.any(Number), version: '0.1.0', started: true });
      expect((await say('start')).stderr).toContain(`The daemon runs already (pid ${started.pid}).`);
      const again = JSON.parse((await say('restart', '--json')).stdout);
      expect(again.pid).not.toBe(started.pid);
      expect(alive(started.pid)).toBe(false);
      expect(await say('stop')).toEqual({ code: 0, stdout: '', stderr: `The daemon (pid ${again.pid}) has ended.\n` });
      expect(alive(again.pid)).toBe(false);
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
    await vi.waitFor(() => expect(said).toContain(`fake daemon: --home ${other.home}\n`), { timeout: 20_000 });
    const second = await cli.run(['daemon', 'run', '--home', other.home]);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('A daemon runs already');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
