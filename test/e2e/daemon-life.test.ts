// One daemon, whoever starts, dies, or stands in its way; and an agent that goes on through all of it.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CLIENTS, connectAgent, textOf } from '../helpers/agent.ts';
import { homeAt, type TestHome, temporaryHome } from '../helpers/home.ts';
import { cpuSecondsOf, isAlive, processesOf, processOf, until, untilGone } from '../helpers/processes.ts';
import { fixtureServer, plainEnvironment, ROOT } from '../helpers/program.ts';
import { rawAgent } from '../helpers/raw-agent.ts';

const labHome = (): TestHome & { log(): string } => {
  const home = temporaryHome();
  const log = join(home.folder, 'lab.log');
  writeFileSync(log, '');
  home.configure({ mcpServers: { lab: fixtureServer('e2e-lab.mjs', '--log', log) } });
  return Object.assign(home, { log: () => readFileSync(log, 'utf8') });
};

const openMany = async (home: string, count: number) => {
  const agents = Array.from({ length: count }, () => rawAgent({ home }));
  const close = () => Promise.all(agents.map((agent) => agent[Symbol.asyncDispose]()));
  return { agents, [Symbol.asyncDispose]: async () => void (await close()) };
};

const daemonOf = async (home: TestHome): Promise<number> => {
  const pid = await home.daemonPid();
  if (pid === undefined) throw new Error('no daemon');
  return pid;
};

describe('starting', () => {
  test('twenty shims at once with no daemon lead to one', async () => {
    await using home = labHome();
    await using many = await openMany(home.home, 20);
    const opened = await Promise.all(many.agents.map((agent) => agent.open()));
    for (const { result } of opened) expect(result?.['serverInfo']).toMatchObject({ name: 'metad' });
    await until('the losers of the race end', 10_000, () => home.daemons().length === 1);
    expect(home.daemons().map(({ pid }) => pid)).toEqual([await daemonOf(home)]);
    expect((await home.status()).sessions).toHaveLength(20);
    for (const agent of many.agents) expect(agent.garbage).toEqual([]);
  });

  test('the daemon leads a process session of its own, with / as its folder and a private socket', async () => {
    await using home = labHome();
    await using agent = rawAgent({ home: home.home });
    await agent.open();
    const pid = await daemonOf(home);
    expect(processOf(pid)?.session).toBe(pid);
    expect(processOf(pid)?.group).not.toBe(processOf(agent.pid)?.group);
    expect(statSync(home.socket).mode & 0o777).toBe(0o600);
    expect(statSync(home.home).mode & 0o077).toBe(0);
  });

  test('R005: a killed daemon leaves its socket; eight shims at once get one new daemon', async () => {
    await using home = labHome();
    {
      await using first = rawAgent({ home: home.home });
      await first.open();
    }
    const old = await daemonOf(home);
    process.kill(old, 'SIGKILL');
    await untilGone([old]);
    expect(statSync(home.socket).isSocket()).toBe(true);

    await using many = await openMany(home.home, 8);
    const before = performance.now();
    await Promise.all(many.agents.map((agent) => agent.open()));
    expect(performance.now() - before).toBeLessThan(6_000);
    await until('one daemon', 10_000, () => home.daemons().length === 1);
    expect(await daemonOf(home)).not.toBe(old);
  });

  test.each(['file', 'folder'] as const)(
    'R005: a plain %s at the socket path gives a clear error and stays',
    async (kind) => {
      await using home = temporaryHome();
      if (kind === 'file') writeFileSync(home.socket, 'mine');
      else mkdirSync(home.socket);
      const { code, stderr, stdout } = await home.metad(['daemon', 'start']);
      expect(code).toBe(1);
      expect(stderr + stdout).toContain(home.socket);
      if (kind === 'file') expect(readFileSync(home.socket, 'utf8')).toBe('mine');
      else expect(statSync(home.socket).isDirectory()).toBe(true);

      await using agent = rawAgent({ home: home.home });
      const answer = await agent.request(0, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      });
      expect(answer.error?.message).toContain(home.socket);
      rmSync(home.socket, { recursive: true });
    },
  );

  test('R007: while the daemon stands still ten shims wait; none starts another', async () => {
    await using home = labHome();
    await using first = rawAgent({ home: home.home });
    await first.open();
    const pid = await daemonOf(home);
    const inode = statSync(home.socket).ino;
    process.kill(pid, 'SIGSTOP');
    try {
      await using many = await openMany(home.home, 10);
      const opening = Promise.all(many.agents.map((agent) => agent.open()));
      await sleep(3_000); // the length of the stand-still is the case
      expect(statSync(home.socket).ino).toBe(inode);
      process.kill(pid, 'SIGCONT');
      await opening;
      expect(home.daemons().map((daemon) => daemon.pid)).toEqual([pid]);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  test('R014: a home 120 bytes deep works', async () => {
    const outer = temporaryHome();
    await using _outer = outer;
    const deep = join(outer.folder, 'd'.repeat(60), 'e'.repeat(60));
    const home = homeAt(join(outer.folder, 'deep'), deep, { mcpServers: { lab: fixtureServer('e2e-lab.mjs') } });
    await using _home = home;
    await using agent = await connectAgent({ home: deep });
    expect(await agent.text('execute', { script: 'return lab.echo({ text: "deep" })' })).toContain('deep');
  });

  test('a home that cannot be is named in the error', async () => {
    await using home = temporaryHome();
    const blocked = join(home.folder, 'file');
    writeFileSync(blocked, '');
    const { code, stdout, stderr } = await home.metad(['daemon', 'start'], {
      env: { METAD_HOME: join(blocked, 'home') },
    });
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(blocked);
  });

  test('a stranger that listens at the socket path is not taken for the daemon', async () => {
    await using home = temporaryHome();
    const stranger = createServer((socket) => void socket.end('220 mail ready\r\n')).listen(home.socket);
    try {
      await until('it listens', 5_000, () => stranger.listening);
      const { code, stderr, stdout } = await home.metad(['status', '--json']);
      expect(code === 1 || JSON.parse(stdout).daemon === null).toBe(true);
      expect(stderr).not.toMatch(/^\s+at /m);
    } finally {
      stranger.close();
    }
  });
});

describe('dying', () => {
  test.each(CLIENTS)('kill -9 in mid-call: the %s client hears of it and goes on with a new daemon', async (client) => {
    await using home = labHome();
    await using agent = await connectAgent({ client, home: home.home });
    expect(await agent.text('execute', { script: 'return lab.echo({ text: "one" })' })).toContain('one');
    const old = await daemonOf(home);
    const shim = agent.pid;

    const dying = agent.call('execute', { script: 'return lab.never({})' }).then(textOf, String);
    await until('the call has reached the server', 10_000, () => home.log().includes('call never'));
    process.kill(old, 'SIGKILL');
    expect(await dying).toMatch(/unknown/i);

    expect(await agent.text('execute', { script: 'return lab.echo({ text: "two" })' })).toContain('two');
    expect(agent.pid).toBe(shim);
    expect(isAlive(shim)).toBe(true);
    expect(await daemonOf(home)).not.toBe(old);
    expect((await agent.listTools()).map(({ name }) => name)).toEqual(['list_tools', 'execute']);
    expect(home.log().match(/call never/g)).toHaveLength(1);
    await until('list_changed comes in', 5_000, () => agent.listChanges() > 0);
  });

  test('servers of a killed daemon end too', async () => {
    await using home = labHome();
    await using agent = await connectAgent({ home: home.home });
    await agent.text('execute', { script: 'return lab.echo({ text: "one" })' });
    const server = (await home.server('lab'))?.pid ?? 0;
    expect(isAlive(server)).toBe(true);
    process.kill(await daemonOf(home), 'SIGKILL');
    await untilGone([server], 10_000);
  });

  test('daemon stop stays stopped until the agent writes again', async () => {
    await using home = labHome();
    await using agent = rawAgent({ home: home.home });
    await agent.open();
    await home.stop();
    await sleep(500); // long enough for a shim that would start one at once
    expect(home.daemons()).toEqual([]);
    const { result } = await agent.call('after', 'execute', { script: 'return 6 * 7' });
    expect(JSON.stringify(result)).toContain('42');
  });

  test('SIGTERM ends the daemon in order, with a call in flight', async () => {
    await using home = labHome();
    await using agent = rawAgent({ home: home.home });
    await agent.open();
    agent.send({
      id: 'x',
      method: 'tools/call',
      params: { name: 'execute', arguments: { script: 'return lab.never({})' } },
    });
    await until('the call has reached the server', 10_000, () => home.log().includes('call never'));
    const pid = await daemonOf(home);
    const server = (await home.server('lab'))?.pid ?? 0;
    process.kill(pid, 'SIGTERM');
    await untilGone([pid, server], 10_000);
    const answer = await agent.answer('x');
    expect(answer.error ?? answer.result?.['isError']).toBeTruthy();
  });
});

describe('the agent ends', () => {
  test('R004: an agent that is gone in the midst of 200 replies takes its shim with it, and nothing else', async () => {
    await using home = labHome();
    await using other = rawAgent({ home: home.home });
    await other.open();
    const daemon = await daemonOf(home);
    const agent = rawAgent({ home: home.home });
    await agent.open();
    for (let id = 1; id <= 200; id += 1)
      agent.send({
        id,
        method: 'tools/call',
        params: { name: 'execute', arguments: { script: `return 'x'.repeat(15000) + ${id}` } },
      });
    await until('the first replies', 20_000, () => agent.received.length > 3);
    agent.child.stdout.destroy();
    agent.child.stdin.destroy();
    const cpu = cpuSecondsOf(agent.pid) ?? 0;
    await untilGone([agent.pid], 2_500);
    expect(cpu).toBeLessThan(2);
    expect(await daemonOf(home)).toBe(daemon);
    await until('the session is forgotten', 5_000, async () => (await home.status()).sessions.length === 1);
  });

  test('R004: a shim killed with SIGKILL gets its open calls cancelled', async () => {
    await using home = labHome();
    const agent = rawAgent({ home: home.home });
    await agent.open();
    agent.send({
      id: 1,
      method: 'tools/call',
      params: { name: 'execute', arguments: { script: 'return lab.never({})' } },
    });
    await until('the call has reached the server', 10_000, () => home.log().includes('call never'));
    agent.child.kill('SIGKILL');
    await until('the server hears the cancel', 5_000, () => /^cancelled /m.test(home.log()));
    await until('the session is forgotten', 5_000, async () => (await home.status()).sessions.length === 0);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the shim within two seconds', async (signal) => {
    await using home = labHome();
    await using agent = rawAgent({ home: home.home });
    await agent.open();
    agent.child.kill(signal);
    await untilGone([agent.pid], 2_000);
  });

  test('the end of stdin ends the shim after the answers that were under way', async () => {
    await using home = labHome();
    await using agent = rawAgent({ home: home.home });
    await agent.open();
    agent.child.stdin.end();
    await untilGone([agent.pid], 2_000);
    expect(await agent.exited()).toBe(0);
    expect(agent.garbage).toEqual([]);
  });
});

describe('the end of what it started', () => {
  test.each([
    ['once', 1],
    ['twice', 2],
  ])('SIGTERM %s leaves no server, however stubborn, and no grandchild', async (_, times) => {
    await using home = temporaryHome({ mcpServers: { stubborn: fixtureServer('stubborn.mjs') } });
    await using agent = rawAgent({ home: home.home });
    await agent.open();
    await agent.call(1, 'execute', { script: 'return stubborn.pid({})' });
    const daemon = await daemonOf(home);
    const below = processesOf(home.home).filter(({ args }) => args.some((arg) => arg.includes('stubborn')));
    expect(below).toHaveLength(2);
    for (let time = 0; time < times; time += 1) {
      process.kill(daemon, 'SIGTERM');
      await until('the signal is heard', 5_000, () =>
        readFileSync(join(home.home, 'logs', 'daemon.log'), 'utf8').includes('"stopping"'),
      );
    }
    await untilGone([daemon, ...below.map(({ pid }) => pid)], 15_000);
  });
});

test('a daemon that runs out of descriptors refuses what it cannot start, and lives', async () => {
  const names = Array.from({ length: 16 }, (_, at) => `lab${at}`);
  await using home = temporaryHome({
    mcpServers: Object.fromEntries(names.map((name) => [name, fixtureServer('e2e-lab.mjs')])),
  });
  const program = join(ROOT, 'dist', 'daemon.js');
  const daemon = spawn(
    '/bin/sh',
    ['-c', `ulimit -n 100; exec "${process.execPath}" "${program}" --home "${home.home}"`],
    {
      env: plainEnvironment(),
      cwd: '/',
      detached: true,
      stdio: 'ignore',
    },
  );
  await until('it answers', 15_000, async () => (await home.daemonPid()) === daemon.pid);
  await using agent = rawAgent({ home: home.home });
  await agent.open();
  // A worker of the sandbox is there before the servers take all that is left.
  await agent.call(0, 'execute', { script: 'return 1' }, 60_000);
  const script = `return (await Promise.allSettled([${names}].map((lab) => lab.read({})))).map(({ status }) => status)`;
  const { result } = await agent.call(1, 'execute', { script }, 60_000);
  expect(JSON.stringify(result)).toContain('rejected');
  await agent.request(2, 'ping');
  expect(daemon.exitCode).toBeNull();
  // `metad daemon stop` would need a descriptor of it.
  daemon.kill('SIGTERM');
  await until('it ends', 15_000, () => daemon.exitCode === 0);
});
