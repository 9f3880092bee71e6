// Every command, against a daemon with canned answers.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeDaemon, sampleStatus, startFakeDaemon, tempHome } from '../helpers/control-daemon.ts';
import { runHere } from '../helpers/terminal.ts';

let home: Awaited<ReturnType<typeof tempHome>>;
let daemon: FakeDaemon;
beforeAll(async () => {
  home = await tempHome();
  daemon = await startFakeDaemon({ home: home.home });
});
afterAll(async () => {
  await daemon.close();
  await home[Symbol.asyncDispose]();
});

const run = (...args: string[]) => runHere(['--home', home.home, ...args]);

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
    const { code, stdout } = await runHere(['status', '--json', '--home', other.home]);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        ...{ schema: 1, daemon: null, servers: [], saved: { processes: 0, memoryBytes: 0 }, sessions: [] },
        ...{ recentCalls: [], runs: [] },
      },
    ]);
    const plain = await runHere(['status'], { environment: { METAD_HOME: other.home } });
    expect(plain).toEqual({ code: 0, stdout: '', stderr: 'No daemon is running. `metad daemon start` starts one.\n' });
    expect((await runHere(['status', '--json', '--home', other.home])).stdout).toContain('"daemon":null');
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

describe('a person at a terminal', () => {
  const person = { isTerminal: true, environment: { PATH: '/bin', TOKEN: 't' } };

  test('lends the daemon the environment that servers should get', async () => {
    await runHere(['tools', '--home', home.home], person);
    expect(daemon.asked.slice(-2)).toMatchObject([{ environment: person.environment }, { servers: [] }]);
    expect((await runHere(['daemon', 'start', '--home', home.home], person)).stderr).toContain('runs already');
    expect(daemon.asked.at(-1)).toEqual({ environment: person.environment });
  });

  test('gets text that cannot steer the terminal; a pipe gets it as it is', async () => {
    const args = ['call', 'files.read', '{"a":"\u001b[2J\u0007"}', '--json', '--home', home.home];
    expect((await runHere(args, person)).stdout).not.toContain('\u001b');
    const evil = {
      run: async () => ({
        text: 'a\u001b]0;title\u0007b\u009b2J\n',
        isError: false,
        content: [],
        run: 'r1',
        trace: [],
      }),
    };
    await using other = await tempHome();
    await using _daemon = await startFakeDaemon({ home: other.home, ports: evil });
    const script = join(other.home, 'a.js');
    await writeFile(script, '1');
    expect((await runHere(['exec', script, '--home', other.home], person)).stdout).toBe('ab2J\n');
    expect((await runHere(['exec', script, '--home', other.home])).stdout).toBe(
      await evil.run().then(({ text }) => text),
    );
  });

  test('has tables that fit', async () => {
    const { stdout } = await runHere(['status', '--home', home.home], {
      ...person,
      environment: { TERM: 'dumb' },
      columns: 80,
    });
    expect(stdout).toContain('a-se');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
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
    const { stdout } = await runHere(['--home', home.home, 'call', 'files.read', '-'], { input: '{"a": 1}' });
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
});

describe('exec', () => {
  test('runs a file, or stdin', async () => {
    const file = join(home.home, 'script.ts');
    await writeFile(file, 'return 1');
    expect(await run('exec', file, '--timeout', '3')).toEqual({ code: 0, stdout: 'ran 8 characters\n', stderr: '' });
    expect(daemon.asked.at(-1)).toMatchObject({ script: 'return 1', timeoutMs: 3000 });
    const failed = await runHere(['exec', '-', '--home', home.home], { input: 'throw 1' });
    expect(failed).toEqual({ code: 1, stdout: '', stderr: 'ran 7 characters\n' });
  });

  test('exits 1 for a file that is not there', async () => {
    const { code, stderr } = await run('exec', '/no/such/file.js');
    expect(code).toBe(1);
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
    const { code, stderr } = await runHere(['logs', '--home', other.home]);
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
    const { code, stdout, stderr } = await runHere(['config', 'check', '--home', other.home]);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain(other.paths.configFile);
  });

  test('check exits 1 on an error and names it', async () => {
    await using other = await tempHome();
    await writeFile(other.paths.configFile, '{\n  "mcpServers": {},\n  "surface": "cod"\n}\n');
    const { code, stdout } = await runHere(['config', 'check', '--home', other.home]);
    expect(code).toBe(1);
    expect(stdout).toContain(`${other.paths.configFile}:`);
    expect(stdout).toContain('surface');
    const json = JSON.parse((await runHere(['config', 'check', '--home', other.home, '--json'])).stdout);
    expect(json).toMatchObject({ ok: false, problems: [{ severity: 'error', path: 'surface' }] });
  });
});

describe('the command line', () => {
  test('--help shows every command and examples, on stdout', async () => {
    const { code, stdout, stderr } = await runHere(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    for (const name of [
      'status',
      'daemon',
      'tools',
      'call',
      'exec',
      'logs',
      'config',
      'trust',
      'sync',
      'suggest',
      'add',
      'Examples:',
      'Exit codes',
    ])
      expect(stdout).toContain(name);
    for (const later of ['init', 'audit']) expect(stdout).not.toMatch(new RegExp(`^ {2}${later}`, 'm'));
    expect((await runHere(['help', 'call'])).stdout).toContain('metad call files.read_file');
    expect((await runHere(['daemon', '--help'])).stdout).toContain('restart');
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
    [['--json', 'shim', '--workspace', '/w'], /`shim` comes first/],
  ])('%s exits 2 and says what would be right', async (args, message) => {
    const { code, stdout, stderr } = await runHere(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  test('--version prints the version', async () => {
    expect(await runHere(['--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });
});
