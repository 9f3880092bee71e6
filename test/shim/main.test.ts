import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFakeDaemon } from '../helpers/fake-daemon.ts';
import { type Built, buildShim, type ShimProcess, spawnShim, tempHome, until } from '../helpers/shim.ts';

let built: Built;
beforeAll(async () => {
  built = await buildShim();
});
afterAll(() => built[Symbol.asyncDispose]());

/** Milliseconds from `act` to the end of the shim. */
const timeToEnd = async (shim: ShimProcess, act: () => void): Promise<number> => {
  const began = performance.now();
  act();
  return (await shim.exited).at - began;
};

describe('the end of a shim', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends it at once, with a call in flight', async (signal) => {
    await using home = await tempHome();
    await using daemon = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path);
    await shim.open();
    shim.send({ id: 1, method: 'tools/call', params: { name: 'hang' } });
    expect(await timeToEnd(shim, () => shim.child.kill(signal))).toBeLessThan(2000);
    expect(await shim.exited).toMatchObject({ code: 0, signal: null });
    await until(() => daemon.sessions[0]?.closed ?? false, 'the daemon sees the end');
  });

  test('a signal ends it within 2 s though the agent reads nothing', async () => {
    await using home = await tempHome();
    await using daemon = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path, { unread: true });
    await until(() => daemon.sessions.length === 1, 'the session is there');
    for (let round = 0; round < 50; round += 1) daemon.sessions[0]?.send({ method: 'x', params: 'y'.repeat(100_000) });
    await until(
      () => (shim.child.stdout?.readableLength ?? 0) >= 0 && (daemon.sessions[0]?.socket.writableLength ?? 0) > 0,
      'it is full',
    );
    expect(await timeToEnd(shim, () => shim.child.kill('SIGTERM'))).toBeLessThan(2000);
  });

  test('end of input ends it: at once when nothing is due, else after the answers, else within 2 s', async () => {
    await using home = await tempHome();
    await using _daemon = await startFakeDaemon(home.path, {
      respond: ({ id = 0, method }, session) => {
        if (method !== 'late') return undefined;
        setTimeout(() => session.send({ jsonrpc: '2.0', id, result: 'late' }), 300);
        return {};
      },
    });
    await using idle = spawnShim(built, home.path);
    await idle.open();
    expect(await timeToEnd(idle, () => idle.child.stdin?.end())).toBeLessThan(1200);
    await using late = spawnShim(built, home.path);
    await late.open();
    late.send({ id: 1, method: 'late' });
    late.child.stdin?.end();
    await late.exited;
    expect((await late.answerTo(1)).result).toBe('late');
    await using hanging = spawnShim(built, home.path);
    await hanging.open();
    hanging.send({ id: 1, method: 'tools/call', params: { name: 'hang' } });
    expect(await timeToEnd(hanging, () => hanging.child.stdin?.end())).toBeLessThan(2000);
  });

  test('a last line without a newline counts when it is whole', async () => {
    await using home = await tempHome();
    await using daemon = await startFakeDaemon(home.path);
    await using whole = spawnShim(built, home.path);
    whole.child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect((await whole.answerTo(1)).result).toEqual({});
    await using half = spawnShim(built, home.path);
    await half.open();
    half.child.stdin?.end('{"jsonrpc":"2.0","id":1,"me');
    await half.exited;
    expect(daemon.sessions[1]?.text()).not.toContain('"me\n');
  });

  test('end of input and signals end it while it still waits for a daemon', async () => {
    await using home = await tempHome();
    let asked = 0;
    await using _daemon = await startFakeDaemon(home.path, {
      refuse: () => {
        asked += 1;
        return { status: 503, code: 'unavailable', message: 'Later.' };
      },
    });
    await using one = spawnShim(built, home.path);
    one.send({ id: 1, method: 'initialize' });
    await until(() => asked > 0, 'it asks');
    expect(await timeToEnd(one, () => one.child.stdin?.end())).toBeLessThan(2000);
    asked = 0;
    await using two = spawnShim(built, home.path);
    two.send({ id: 1, method: 'initialize' });
    await until(() => asked > 0, 'it asks');
    expect(await timeToEnd(two, () => two.child.kill('SIGTERM'))).toBeLessThan(2000);
  });

  test('R004: an agent killed while it is sent 200 replies: the shim is gone within 2 s, using next to no CPU', async () => {
    await using home = await tempHome();
    await using daemon = await startFakeDaemon(home.path);
    // The agent: asks 200 times and never reads. It is the shim's parent and holds both its pipes.
    const agent = spawn(
      process.execPath,
      [
        '-e',
        `const shim = require('node:child_process').spawn(process.execPath, [${JSON.stringify(built.launcher)}, 'shim'], { stdio: ['pipe', 'pipe', 'ignore'] });
         console.log(shim.pid);
         for (let id = 0; id < 200; id++) shim.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'size', arguments: { size: 20000 } } }) + '\\n');`,
      ],
      { env: { PATH: process.env['PATH'] ?? '', METAD_HOME: home.path }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const pid = Number(await new Promise((resolve) => agent.stdout.once('data', resolve)));
    await until(() => (daemon.sessions[0]?.socket.writableLength ?? 0) > 0, 'the shim is held back');
    const cpu = async () =>
      (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
        .split(') ')[1]
        ?.split(' ')
        .slice(11, 13)
        .map(Number);
    const [user = 0, system = 0] = (await cpu()) ?? [];
    agent.kill('SIGKILL');
    const began = performance.now();
    let last: number[] = [];
    await until(async () => {
      const now = await cpu();
      if (now === undefined) return true;
      last = now;
      return false;
    }, 'the shim is gone');
    expect(performance.now() - began).toBeLessThan(2000);
    expect((last[0] ?? user) + (last[1] ?? system) - user - system).toBeLessThan(30); // in ticks of 10 ms
    await until(() => daemon.sessions[0]?.closed ?? false, 'the daemon sees the end');
  });

  test('the death of its parent ends it, though somebody else holds its stdin open', async () => {
    await using home = await tempHome();
    await using daemon = await startFakeDaemon(home.path);
    // `sleep` holds the pipe's other end; the shim cannot see the death of its parent there.
    const program = `console.log(process.pid); require('node:child_process').spawn(process.execPath, [${JSON.stringify(built.launcher)}, 'shim'], { stdio: ['inherit', 'ignore', 'ignore'] }); setInterval(() => {}, 1e6);`;
    const shell = spawn('sh', ['-c', 'sleep 100 | "$0" -e "$1"', process.execPath, program], {
      env: { PATH: process.env['PATH'] ?? '', METAD_HOME: home.path },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    try {
      const parent = Number(await new Promise((resolve) => shell.stdout.once('data', resolve)));
      await until(() => daemon.sessions.length === 1, 'the session is there');
      process.kill(parent, 'SIGKILL');
      const began = performance.now();
      await until(() => daemon.sessions[0]?.closed ?? false, 'the shim is gone');
      expect(performance.now() - began).toBeLessThan(2500); // 2 s, and the time the news takes
    } finally {
      process.kill(-(shell.pid ?? 0), 'SIGKILL');
    }
  });

  test('nothing but JSON-RPC is ever on stdout, and a shim at rest uses no CPU', async () => {
    await using home = await tempHome();
    await using _daemon = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path);
    await shim.open();
    expect(
      shim
        .text()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).jsonrpc),
    ).toEqual(['2.0']);
    expect(shim.stderr()).toBe('');
  });
});
