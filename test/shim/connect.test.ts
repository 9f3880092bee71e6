import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathsOf } from '../../schema/paths.ts';
import { dial } from '../../shim/connect.ts';
import { startFakeDaemon } from '../helpers/fake-daemon.ts';
import { type Built, buildShim, spawnShim, tempHome } from '../helpers/shim.ts';

let built: Built;
beforeAll(async () => {
  built = await buildShim();
});
afterAll(() => built[Symbol.asyncDispose]());

const uid = process.getuid?.() ?? -1;
const pidOf = (answer: { result?: { content: { text: string }[] } }) => answer.result?.content[0]?.text;
const askPid = { id: 1, method: 'tools/call', params: { name: 'pid' } };

describe('finding the daemon', () => {
  test('R005: eight shims reach the one new daemon past a dead one, and no stranger gets a signal', async () => {
    await using home = await tempHome();
    await using first = spawnShim(built, home.path);
    await first.open();
    const dead = Number(pidOf(await first.ask(askPid)));
    first.child.stdin?.end();
    await first.exited;
    process.kill(dead, 'SIGKILL');
    const stranger = spawn(process.execPath, [
      '-e',
      `for (const s of ['SIGTERM','SIGINT','SIGHUP','SIGUSR2']) process.on(s, () => process.exit(9)); setInterval(() => {}, 1e6); console.log('up')`,
    ]);
    await new Promise((resolve) => stranger.stdout.once('data', resolve));
    await writeFile(join(home.path, 'metad.pid'), String(stranger.pid));
    expect((await stat(join(home.path, 'metad.sock'))).isSocket()).toBe(true);

    const shims = Array.from({ length: 8 }, () => spawnShim(built, home.path));
    try {
      const pids = await Promise.all(
        shims.map(async (shim) => {
          await shim.open();
          return pidOf(await shim.ask(askPid));
        }),
      );
      expect(new Set(pids).size).toBe(1);
      expect((await readFile(join(home.path, 'serving'), 'utf8')).trim().split('\n')).toHaveLength(2);
      expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
    } finally {
      stranger.kill('SIGKILL');
      await Promise.all(shims.map((shim) => shim[Symbol.asyncDispose]()));
    }
  });

  test.each(['file', 'folder'])('R005: a %s in the place of the socket is named and left alone', async (kind) => {
    await using home = await tempHome();
    const path = join(home.path, 'metad.sock');
    if (kind === 'file') await writeFile(path, 'precious');
    else await mkdir(path);
    await using shim = spawnShim(built, home.path);
    const answer = await shim.ask({ id: 1, method: 'initialize', params: {} });
    expect(answer.error?.message).toContain(path);
    expect(answer.error?.message).toContain(kind);
    expect((await stat(path)).isDirectory()).toBe(kind === 'folder');
    expect(await home.starts()).toEqual([]);
  });

  test('R007: ten shims wait for a daemon that is blocked for 3 s; none starts another or touches its socket', async () => {
    await using home = await tempHome();
    await using first = spawnShim(built, home.path);
    await first.open();
    const before = await stat(join(home.path, 'metad.sock'));
    const pid = pidOf(
      await first.ask({ id: 2, method: 'tools/call', params: { name: 'block', arguments: { milliseconds: 3000 } } }),
    );
    const shims = Array.from({ length: 10 }, () => spawnShim(built, home.path));
    try {
      const pids = await Promise.all(
        shims.map(async (shim) => {
          await shim.open();
          return pidOf(await shim.ask(askPid));
        }),
      );
      expect(new Set(pids)).toEqual(new Set([pid]));
      expect(await home.starts()).toHaveLength(1);
      expect((await stat(join(home.path, 'metad.sock'))).ino).toBe(before.ino);
    } finally {
      await Promise.all(shims.map((shim) => shim[Symbol.asyncDispose]()));
    }
  });

  test('R014: a home 120 bytes deep gets a short private socket that both ends derive', async () => {
    await using home = await tempHome('x'.repeat(120));
    await mkdir(home.path);
    const paths = pathsOf({ home: '', uid, override: home.path });
    expect(Buffer.byteLength(paths.socket)).toBeLessThanOrEqual(103);
    await using daemon = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path);
    await shim.open();
    expect(daemon.sessions).toHaveLength(1);
    expect(daemon.socketPath).toBe(paths.socket);
  });

  test('a socket folder in a shared place is not used when others may write there or it is no folder', async () => {
    await using top = await tempHome();
    const socketFolder = join(top.path, 'shared');
    const paths = {
      ...pathsOf({ home: '', uid, override: top.path }),
      socketFolder,
      socket: join(socketFolder, 's.sock'),
    };
    expect(await dial(paths)).toBeUndefined();
    await mkdir(socketFolder);
    await chmod(socketFolder, 0o777);
    await expect(dial(paths)).rejects.toThrow(`${socketFolder} is open to other users (mode 777)`);
    await rm(socketFolder, { recursive: true });
    await writeFile(socketFolder, '');
    await expect(dial(paths)).rejects.toThrow('is not a folder');
  });

  test('a refusal reaches the agent in the words of the daemon, and the exit code tells', async () => {
    await using home = await tempHome();
    await using _daemon = await startFakeDaemon(home.path, {
      refuse: ({ surface }) => ({ status: 400, code: 'unsupported', message: `No surface ${surface}; use code.` }),
    });
    await using shim = spawnShim(built, home.path, { args: ['--surface=tree'] });
    const answer = await shim.ask({ id: 'a', method: 'initialize', params: {} });
    expect(answer.error).toMatchObject({ code: -32011, message: 'No surface tree; use code.' });
    expect(shim.stderr()).toContain('No surface tree; use code.');
    expect((await shim.ask({ id: 'b', method: 'tools/list' })).error?.message).toContain('No surface tree');
    shim.child.stdin?.end();
    expect((await shim.exited).code).toBe(1);
  });

  test('a daemon that is leaving (503) is asked again', async () => {
    await using home = await tempHome();
    let refusals = 0;
    await using daemon = await startFakeDaemon(home.path, {
      refuse: () => (refusals++ < 3 ? { status: 503, code: 'unavailable', message: 'Stopping.' } : undefined),
    });
    await using shim = spawnShim(built, home.path);
    await shim.open();
    expect(daemon.sessions).toHaveLength(1);
  });

  test('the hello says who and where', async () => {
    await using home = await tempHome();
    await using daemon = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path, {
      args: ['--workspace', 'w', '--call-tool', '--surface', 'flat'],
      cwd: home.path,
      env: { CLAUDE_PROJECT_DIR: '/elsewhere', TOKEN: 'secret', HTTPS_PROXY: 'x'.repeat(100_000) },
    });
    await shim.open();
    expect(daemon.sessions[0]?.hello).toMatchObject({
      pid: shim.pid,
      cwd: home.path,
      workspace: join(home.path, 'w'),
      surface: 'flat',
      callTool: true,
      environment: { CLAUDE_PROJECT_DIR: '/elsewhere', HTTPS_PROXY: 'x'.repeat(100_000) },
    });
  });

  test('misuse exits with 2 and the usage on stderr', async () => {
    await using home = await tempHome();
    await using shim = spawnShim(built, home.path, { args: ['--wrokspace', 'x'] });
    expect((await shim.exited).code).toBe(2);
    expect(shim.stderr()).toMatch(/--wrokspace[\s\S]*usage:/);
    expect(shim.text()).toBe('');
  });
});
