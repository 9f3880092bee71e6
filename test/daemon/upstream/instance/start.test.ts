import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MetadError } from '../../../../schema/errors.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { ALICE, alive, fixture, published, server, stdio, testPool } from '../../../helpers/upstream.ts';

const signal = () => new AbortController().signal;

test('R080: one server that hangs in initialize delays none of ten healthy ones, and is told as starting, then failed', async () => {
  await using up = await testPool();
  const waiting = up.say(server('hanging'), 'x', {}, ALICE).catch((error) => error.message);
  const short = { ...server('hanging', [], { startTimeoutMs: 1000 }), name: 'short' };
  await eventually(() => expect(up.pool.status()[0]).toMatchObject({ state: 'starting', pid: expect.any(Number) }));
  const healthy = Array.from({ length: 10 }, (_, at) => ({ ...server('echo'), name: `echo-${at}` }));
  const failing = up.say(short, 'x').catch((error) => error.message);
  await Promise.all(healthy.map((one) => up.pool.list(one, ALICE, signal())));
  expect(await failing).toContain('Server `short` did not answer `initialize` within 1 s');
  expect(up.pool.status().find((row) => row.server === 'short')).toMatchObject({ state: 'dead', pid: null });
  // Its own limit is 20 s in this test; what the healthy ones needed is no part of that.
  await up.pool.restart('hanging');
  expect(await waiting).toMatch(/was stopped|within 20 s/);
  // What was spawned for the failed starts is gone.
  await eventually(async () => expect(await alive(up.mark)).toHaveLength(10));
});

test('R080: hanging starts give their turn on, so the others still start', async () => {
  await using up = await testPool({ maxStarts: 1 });
  const hanging = up.say(server('hanging', [], { startTimeoutMs: 30_000 }), 'x').catch((error) => error.message);
  await eventually(() => expect(up.pool.status()[0]?.pid).not.toBeNull());
  expect(await up.say(server('echo'), 'echo', { text: 'hi' })).toBe('hi');
  await up.pool.restart('hanging');
  expect(await hanging).toMatch(/was stopped/);
}, 30_000);

test('R011: one start state for all sessions: attempts do not grow with them, the back-off does', async () => {
  let ahead = 0;
  await using up = await testPool({ now: () => Date.now() + ahead });
  const mark = join(up.folder, 'starts');
  const script = `require('fs').appendFileSync(${JSON.stringify(mark)}, '.'); console.error('bad key'); process.exit(2)`;
  const broken = stdio('broken', ['-e', script], { sharing: 'user' });
  const ask = (session: string) =>
    up.say(broken, 'x', {}, { session, root: null }).catch((error: Error) => error.message);
  const starts = async () => (await readFile(mark, 'utf8')).length;

  const first = await Promise.all(Array.from({ length: 40 }, (_, at) => ask(`s${at}`)));
  expect(new Set(first).size).toBe(1);
  expect(first[0]).toContain('Server `broken` cannot start: it exited with code 2');
  expect(first[0]).toContain('bad key');
  expect(await starts()).toBe(1);

  const waits: number[] = [];
  for (let round = 0; round < 8; round += 1) {
    ahead += 60_000;
    await ask('s1');
    const later = await ask('s2');
    waits.push(Number(/Next try in (\d+) s/.exec(later)?.[1] ?? 0));
  }
  expect(await starts()).toBeLessThanOrEqual(17);
  expect(waits.at(-1)).toBeGreaterThan(20);
  expect(up.pool.status()[0]?.state).toBe('dead');
});

test('R011: a missing command is parked until a person or the config asks', async () => {
  await using up = await testPool();
  const command = join(up.folder, 'tool');
  const missing = {
    ...server('missing'),
    reach: { kind: 'stdio' as const, command, args: [fixture('echo')], env: {} },
  };
  const reason = `Server \`missing\` cannot start: its command \`${command}\` was not found.`;
  await expect(up.say(missing, 'pid')).rejects.toMatchObject({ code: 'unavailable' });
  await writeFile(command, '#!/bin/sh\nexec node "$@"\n');
  await expect(up.say(missing, 'pid')).rejects.toThrow(reason);
  expect(up.pool.status()[0]).toMatchObject({ state: 'parked' });
  await up.pool.restart('missing');
  await expect(up.say(missing, 'pid')).rejects.toThrow(/may not be executed/);
  await chmod(command, 0o755);
  await up.pool.restart('missing');
  expect(Number(await up.say(missing, 'pid'))).toBeGreaterThan(0);
});

test('R011: a definition that cannot be expanded is parked, and free again when it can', async () => {
  let token: string | undefined;
  await using up = await testPool({
    expand: (definition) => {
      if (token === undefined)
        throw new MetadError('bad-config', 'Server `echo`: `env.KEY` names TOKEN, which is not set.');
      return definition;
    },
  });
  await expect(up.say(server('echo'), 'pid')).rejects.toMatchObject({ code: 'bad-config' });
  expect(up.pool.status()).toMatchObject([
    { server: 'echo', state: 'parked', lastError: expect.stringContaining('TOKEN') },
  ]);
  token = 'set';
  expect(Number(await up.say(server('echo'), 'pid'))).toBeGreaterThan(0);
  expect(up.pool.status()).toMatchObject([{ state: 'ready' }]);
});

test('R010: a server that drops ping is never pinged and never restarted', async () => {
  await using up = await testPool();
  const pingless = server('pingless');
  const pid = await up.say(pingless, 'pid');
  expect(await up.say(pingless, 'pings')).toBe('0');
  expect(await up.say(pingless, 'pid')).toBe(pid);
});

test('a folder that does not exist is named, and is no missing command', async () => {
  await using up = await testPool();
  const gone = {
    ...server('echo'),
    reach: { kind: 'stdio' as const, command: process.execPath, args: [], env: {}, cwd: '/no/such' },
  };
  await expect(up.say(gone, 'pid')).rejects.toThrow('Server `echo` cannot start: its folder /no/such does not exist.');
  expect(up.pool.status()[0]?.state).toBe('dead');
});

test('a server that refuses initialize is tried once with server/discover, on the same process', async () => {
  await using up = await testPool();
  const listed = await up.pool.list(server('modern'), ALICE, signal());
  expect(listed.protocolVersion).toBe('2026-07-28');
  expect(listed.tools.map(({ name }) => name)).toEqual(['echo', 'level', 'name']);
  expect(await up.say(server('modern'), 'echo', { text: 'hi' })).toBe('hi');
  expect(await alive(up.mark)).toHaveLength(1);
});

test('a server that exits after refusing initialize gets a second process for server/discover', async () => {
  await using up = await testPool();
  expect(await up.say(server('modern', ['exit']), 'echo', { text: 'hi' })).toBe('hi');
});

test('R073: a server sees the safe base and what its definition names, nothing else', async () => {
  process.env['CLOUD_SECRET'] = 's1';
  try {
    await using up = await testPool();
    const reach = { kind: 'stdio' as const, command: process.execPath, args: [fixture('environment')] };
    const one = JSON.parse(await up.say({ ...server('x'), reach: { ...reach, env: { X_KEY: 'k' } } }, 'env'));
    const two = JSON.parse(await up.say({ ...server('y'), reach: { ...reach, env: {} } }, 'env'));
    expect(Object.keys(one).sort()).toEqual(['METAD_TEST', 'PATH', 'X_KEY']);
    expect(Object.keys(two).sort()).toEqual(['METAD_TEST', 'PATH']);
  } finally {
    delete process.env['CLOUD_SECRET'];
  }
});

test('published servers start, list and answer', async () => {
  await using up = await testPool();
  const run = (name: string, args: string[] = []) => ({
    ...stdio(name, []),
    reach: { kind: 'stdio' as const, command: published(name), args, env: {} },
  });
  await writeFile(join(up.folder, 'note.txt'), 'hello');
  const owner = { session: 's', root: up.folder };
  const files = run('filesystem', [up.folder]);
  expect(await up.say(files, 'read_text_file', { path: join(up.folder, 'note.txt') }, owner)).toBe('hello');
  const everything = await up.pool.list(run('everything'), owner, signal());
  expect(everything.tools.length).toBeGreaterThan(5);
  expect(await up.say(run('everything'), 'echo', { message: 'hi' }, owner)).toBe('Echo: hi');
  expect((await up.pool.list(run('memory'), owner, signal())).tools.length).toBeGreaterThan(5);
  expect((await up.pool.list(run('sequential-thinking'), owner, signal())).tools).toHaveLength(1);
});
