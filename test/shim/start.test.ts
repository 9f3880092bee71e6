import { mkdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathsHere } from '../../shim/connect.ts';
import { daemonEnvironment, takeTurn } from '../../shim/start.ts';
import { type Built, buildShim, spawnShim, tempHome } from '../helpers/shim.ts';

let built: Built;
beforeAll(async () => {
  built = await buildShim();
});
afterAll(() => built[Symbol.asyncDispose]());

const pidOf = (answer: { result?: { content: { text: string }[] } }) => answer.result?.content[0]?.text;

describe('starting the daemon', () => {
  test('starts it detached, in /, with little of the environment and its log beside the others', async () => {
    await using home = await tempHome();
    await using shim = spawnShim(built, home.path, {
      env: {
        LANG: 'C.UTF-8',
        LC_ALL: 'C',
        TERM: 'xterm',
        API_KEY: 'secret',
        NODE_OPTIONS: '--no-warnings',
        SSH_AUTH_SOCK: '/s',
      },
    });
    await shim.open();
    const [start] = await home.starts();
    expect(start?.cwd).toBe('/');
    expect(start?.argv).toEqual(['--home', home.path]);
    expect(Object.keys(start?.env ?? {}).sort()).toEqual([
      'LANG',
      'LC_ALL',
      'MALLOC_ARENA_MAX',
      'MALLOC_TRIM_THRESHOLD_',
      'METAD_HOME',
      'PATH',
      'TERM',
    ]);
    const group = (await readFile(`/proc/${start?.pid}/stat`, 'utf8').catch(() => '')).split(') ')[1]?.split(' ');
    if (group !== undefined) expect(group.slice(2, 4)).toEqual([String(start?.pid), String(start?.pid)]); // own group, own session
    expect((await stat(join(home.path, 'logs/daemon-start.log'))).mode & 0o777).toBe(0o600);
  });

  test('R005: twenty at once with no daemon all reach the one that serves', async () => {
    await using home = await tempHome();
    const shims = Array.from({ length: 20 }, () => spawnShim(built, home.path));
    try {
      const answers = await Promise.all(
        shims.map(async (shim) => {
          await shim.open();
          return shim.ask({ id: 1, method: 'tools/call', params: { name: 'pid' } });
        }),
      );
      expect(new Set(answers.map(pidOf)).size).toBe(1);
      expect((await readFile(join(home.path, 'serving'), 'utf8')).trim().split('\n')).toHaveLength(1);
      expect(shims.map((shim) => shim.stderr()).join('')).toBe('');
    } finally {
      await Promise.all(shims.map((shim) => shim[Symbol.asyncDispose]()));
    }
  });

  test('a daemon that is slow to come up is waited for, and not started twice', async () => {
    await using home = await tempHome();
    await writeFile(join(home.path, 'stand-in.json'), '{"delayMs": 1500}');
    await using shim = spawnShim(built, home.path);
    await shim.open();
    expect(await home.starts()).toHaveLength(1);
  });

  test('a crash is told at once with the end of the log, and the next request tries again', async () => {
    await using home = await tempHome();
    await writeFile(join(home.path, 'stand-in.json'), '{"crash": "no such module: frobnicate"}');
    await using shim = spawnShim(built, home.path);
    const began = performance.now();
    const answer = await shim.ask({ id: 1, method: 'initialize', params: {} });
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(answer.error?.code).toBe(-32011);
    expect(answer.error?.message).toContain('exit code 3');
    expect(answer.error?.message).toContain('no such module: frobnicate');
    expect(shim.stderr()).toContain('frobnicate');
    const starts = (await home.starts()).length;
    await writeFile(join(home.path, 'stand-in.json'), '{}');
    expect((await shim.ask({ id: 2, method: 'initialize', params: {} })).result).toBeDefined();
    expect(await home.starts()).toHaveLength(starts + 1);
  });

  test('a session that never was ends with exit code 1', async () => {
    await using home = await tempHome();
    await writeFile(join(home.path, 'stand-in.json'), '{"crash": "broken"}');
    await using shim = spawnShim(built, home.path);
    await shim.ask({ id: 1, method: 'initialize', params: {} });
    shim.child.stdin?.end();
    expect((await shim.exited).code).toBe(1);
  });

  test('an unwritable home is named', async () => {
    await using home = await tempHome();
    await writeFile(join(home.path, 'file'), '');
    await using shim = spawnShim(built, join(home.path, 'file/below'));
    const answer = await shim.ask({ id: 1, method: 'initialize', params: {} });
    expect(answer.error?.message).toContain(join(home.path, 'file/below/logs'));
  });

  test('the log is emptied when it has grown over 1 MiB', async () => {
    await using home = await tempHome();
    const log = join(home.path, 'logs/daemon-start.log');
    await mkdir(dirname(log));
    await writeFile(log, '');
    await truncate(log, 2 * 1024 * 1024);
    await using shim = spawnShim(built, home.path);
    await shim.open();
    expect((await stat(log)).size).toBeLessThan(1024 * 1024);
  });

  test('--home wins over METAD_HOME and is seen from the cwd', async () => {
    await using home = await tempHome();
    await using other = await tempHome();
    await using shim = spawnShim(built, other.path, { args: ['--home', '.'], cwd: home.path });
    await shim.open();
    expect((await home.starts()).map((start) => start.env['METAD_HOME'])).toEqual([home.path]);
    expect(await other.starts()).toEqual([]);
  });
});

test('daemonEnvironment() is the same whichever agent starts it', () => {
  const base = { HOME: '/h', PATH: '/bin', USER: 'u', LOGNAME: 'u', SHELL: '/bin/sh', TMPDIR: '/t', TZ: 'UTC' };
  const own = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
  const agent = { CLAUDECODE: '1', XDG_RUNTIME_DIR: '/r', METAD_HOME: '/x', MALLOC_ARENA_MAX: '9' };
  expect(daemonEnvironment({ ...base, ...agent }, undefined)).toEqual({ ...base, ...own });
  expect(daemonEnvironment({}, '/home')).toEqual({ ...own, METAD_HOME: '/home' });
});

test('pathsHere() makes an override absolute and ignores an empty one', () => {
  expect(pathsHere('rel', '/work').home).toBe('/work/rel');
  expect(pathsHere('', '/work').home).toBeUndefined();
});

test('takeTurn() gives one caller the turn, until it is given back or too old', async () => {
  await using home = await tempHome();
  const paths = pathsHere(home.path, '/');
  const giveBack = takeTurn(paths);
  expect(giveBack).toBeDefined();
  expect(takeTurn(paths)).toBeUndefined();
  giveBack?.();
  expect(takeTurn(paths)).toBeDefined();
  const old = new Date(Date.now() - 5000);
  await utimes(join(home.path, 'logs/daemon-start.turn'), old, old);
  expect(takeTurn(paths)).toBeDefined();
});
