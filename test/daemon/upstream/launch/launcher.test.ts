import { chmodSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Resolution, Resolutions } from '../../../../daemon/upstream/launch/contract.ts';
import { createLauncher } from '../../../../daemon/upstream/launch/launcher.ts';
import type { Definition } from '../../../../schema/config.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { type NpxCache, npxCache } from '../../../helpers/npx.ts';
import { bunxCache, uvxCache } from '../../../helpers/runners.ts';
import { ALICE, alive, stdio, testPool } from '../../../helpers/upstream.ts';

const memory = (): Resolutions & { readonly all: Map<string, Resolution> } => {
  const all = new Map<string, Resolution>();
  return {
    all,
    resolution: (key) => all.get(key),
    saveResolution: (one) => void all.set(one.key, one),
    removeResolution: (key) => void all.delete(key),
  };
};

const byNpx = (cache: NpxCache, spec: string, more: Partial<Definition> = {}): Definition =>
  stdio('fake', [], {
    ...more,
    reach: { kind: 'stdio', command: 'npx', args: ['-y', spec, 'a b'], env: cache.env, cwd: cache.project },
  });

/** A pool with a launcher; `start` stops the server and starts it anew. */
const setUp = async (now: () => number = Date.now) => {
  const kept = memory();
  const up = await testPool({ launcher: createLauncher({ kept, log: () => {}, now }) });
  const start = async (definition: Definition) => {
    await up.pool.restart('fake');
    await up.say(definition, 'pid');
    return up.pool.status().find(({ server }) => server === 'fake')?.launch;
  };
  return { up, kept, start, learned: () => eventually(() => expect(kept.all.size).toBe(1)) };
};

test('createLauncher() starts as written first, then the same program without npx and shell', async () => {
  using cache = npxCache();
  cache.install('fake-server', '1.0.0');
  const { up, kept, start, learned } = await setUp();
  await using _ = up;
  const definition = byNpx(cache, 'fake-server');
  expect(await start(definition)).toMatchObject({ how: 'wrapper' });
  expect((await alive(up.mark)).length).toBeGreaterThan(1);
  await learned();
  expect([...kept.all.values()][0]).toMatchObject({ server: 'fake', package: 'fake-server', version: '1.0.0' });
  expect(await start(definition)).toMatchObject({ how: 'direct', resolved: 'fake-server@1.0.0' });
  expect(await alive(up.mark)).toHaveLength(1);
  expect(cache.runs()).toBe(1);
  expect(
    await up.pool.call(
      byNpx(cache, 'fake-server', { name: 'off', directStart: false }),
      ALICE,
      'pid',
      {},
      { signal: new AbortController().signal },
    ),
  ).toBeDefined();
  expect(cache.runs()).toBe(2);
});

test('createLauncher() leaves a program to npx once the project has one of that name, or its version is another', async () => {
  using cache = npxCache();
  cache.install('fake-server@1.0.0', '1.0.0');
  const { up, start, learned } = await setUp();
  await using _ = up;
  const definition = byNpx(cache, 'fake-server@1.0.0');
  await start(definition);
  await learned();
  expect(await start(definition)).toMatchObject({ how: 'direct' });
  cache.install('fake-server@1.0.0', '1.0.1');
  expect(await start(definition)).toMatchObject({ how: 'wrapper' });
  cache.install('fake-server@1.0.0', '1.0.0');
  expect(await start(definition)).toMatchObject({ how: 'direct' });
  mkdirSync(join(cache.project, 'node_modules', 'fake-server'), { recursive: true });
  expect(await start(definition)).toMatchObject({ how: 'wrapper' });
});

test('createLauncher() starts as written what fails without npx, in the same start, and does not try again', async () => {
  using cache = npxCache();
  cache.install('fake-server', '1.0.0', 'if (!process.env.npm_execpath) process.exit(3);');
  const { up, kept, start, learned } = await setUp();
  await using _ = up;
  const definition = byNpx(cache, 'fake-server');
  await start(definition);
  await learned();
  expect(await start(definition)).toMatchObject({ how: 'wrapper' });
  expect(kept.all.size).toBe(0);
  expect(await start(definition)).toMatchObject({ how: 'wrapper' });
  expect(cache.runs()).toBe(3);
  expect(up.pool.status()[0]).toMatchObject({ state: 'ready', lastError: null });
});

test('createLauncher() asks the registry in the background, at most once an hour, and lets npx install what is newer', async () => {
  using cache = npxCache();
  cache.install('fake-server', '1.0.0');
  let now = Date.now();
  const { up, kept, start, learned } = await setUp(() => now);
  await using _ = up;
  const definition = byNpx(cache, 'fake-server');
  await start(definition);
  await learned();
  await start(definition);
  now += 2 * 3_600_000;
  await start(definition);
  await eventually(() => expect([...kept.all.values()][0]?.checkedAt).toBe(now));
  await start(definition);
  expect(cache.questions()).toEqual(['view fake-server version dist-tags.latest --json']);
  cache.publish('1.1.0');
  now += 2 * 3_600_000;
  expect(await start(definition)).toMatchObject({ how: 'direct', resolved: 'fake-server@1.0.0' });
  await eventually(() => expect(kept.all.size).toBe(0));
  cache.install('fake-server', '1.1.0');
  expect(await start(definition)).toMatchObject({ how: 'wrapper' });
  await learned();
  expect(await start(definition)).toMatchObject({ how: 'direct', resolved: 'fake-server@1.1.0' });
  expect(cache.runs()).toBe(2);
});

test('createLauncher() never takes a program that npm is at work on, that cannot be executed, or under other settings', async () => {
  using cache = npxCache();
  cache.install('fake-server', '1.0.0');
  const { up, kept, start, learned } = await setUp();
  await using _ = up;
  const definition = byNpx(cache, 'fake-server');
  await start(definition);
  await learned();
  await using launcher = createLauncher({ kept, log: () => {} });
  const { reach } = definition;
  if (reach.kind !== 'stdio') throw new Error('not stdio');
  const how = async (env = cache.env) => (await launcher.plan('fake', reach, cache.project, env, true)).how;
  expect(await how()).toBe('direct');
  expect(await how({ ...cache.env, PATH: `${cache.env['PATH']}:/of/this/shell` })).toBe('direct');
  expect(await how({ ...cache.env, npm_config_cache: '/elsewhere' })).toBe('wrapper');
  const program = [...kept.all.values()][0]?.program ?? '';
  const lock = join(program, '../../../concurrency.lock');
  mkdirSync(lock);
  expect(await how()).toBe('wrapper');
  rmdirSync(lock);
  chmodSync(program, 0o644);
  expect(await how()).toBe('wrapper');
  chmodSync(program, 0o755);
  expect(await how()).toBe('direct');
  writeFileSync(join(cache.project, '.npmrc'), 'cache=/elsewhere\n');
  expect(await how()).toBe('wrapper');
});

test.each([
  ['bunx', 'fake-server', () => bunxCache('fake-server@latest')],
  ['bunx', 'fake-server@1.0.0', () => bunxCache('fake-server@1.0.0')],
  ['uvx', 'fake-server', () => uvxCache()],
  ['uvx', 'fake-server==1.0.0', () => uvxCache()],
] as const)(
  'createLauncher() starts what %s %s keeps without it, as long as that is surely the same',
  async (command, spec, cacheFor) => {
    using cache = cacheFor();
    cache.install('1.0.0');
    let now = Date.now();
    const { up, start, learned } = await setUp(() => now);
    await using _ = up;
    const definition = stdio('fake', [], {
      reach: { kind: 'stdio', command, args: [spec, 'a b'], env: cache.env, cwd: cache.project },
    });
    expect(await start(definition)).toMatchObject({ how: 'wrapper' });
    expect((await alive(up.mark)).length).toBeGreaterThan(1);
    await learned();
    expect(await start(definition)).toMatchObject({ how: 'direct', resolved: 'fake-server@1.0.0' });
    expect(await alive(up.mark)).toHaveLength(1);
    expect(cache.runs()).toBe(1);
    // What the runner would take first, or another version than was asked for.
    const isExact = spec.includes('1.0.0');
    if (isExact) cache.install('1.0.1');
    else if (command === 'uvx') mkdirSync(join(cache.home, '.local/share/uv/tools/fake-server'), { recursive: true });
    else now += 2 * 86_400_000;
    expect(await start(definition)).toMatchObject({ how: 'wrapper' });
    expect(cache.runs()).toBe(2);
  },
);
