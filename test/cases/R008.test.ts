// Two versions at one time: the newer takes over when nothing is cut by it, and never gives way to an older one.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryHome } from '../helpers/home.ts';
import { until, untilGone } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';
import { rawAgent } from '../helpers/raw-agent.ts';
import { versionAt } from '../helpers/versions.ts';

const textOf = (answer: { result?: Readonly<Record<string, unknown>> }): string =>
  JSON.stringify(answer.result?.['content'] ?? answer);

test('R008: a newer shim brings the newer daemon, no running call is cut, and an older shim does not bring it back', async () => {
  await using home = temporaryHome();
  const log = join(home.folder, 'lab.log');
  writeFileSync(log, '');
  home.configure({ mcpServers: { lab: fixtureServer('e2e-lab.mjs', '--log', log) } });
  const [older, newer] = ['1.4.0', '1.5.0'].map((version) => versionAt(home.folder, version));
  if (older === undefined || newer === undefined) throw new Error('no programs');

  await using first = rawAgent({ home: home.home, program: older });
  await first.open();
  expect((await home.status()).daemon?.version).toBe('1.4.0');
  const old = (await home.daemonPid()) ?? 0;
  const running = first.call(1, 'execute', { script: 'return lab.slow({ ms: 3000, text: "long" })' }, 30_000);
  await until('the call runs', 10_000, async () => (await home.status()).daemon?.callsInFlight === 1);

  await using second = rawAgent({ home: home.home, program: newer });
  await second.open();
  const meanwhile = await home.status();
  expect(meanwhile.daemon).toMatchObject({ version: '1.4.0', successor: { version: '1.5.0' } });
  expect(meanwhile.sessions.map(({ version }) => version).sort()).toEqual(['1.4.0', '1.5.0']);

  expect(meanwhile.daemon?.warnings.join()).toContain('1.5.0');
  expect(second.stderr()).toContain('the daemon is metad 1.4.0, this shim metad 1.5.0');

  expect(textOf(await running)).toContain('long');
  await untilGone([old]);
  const after = await until('the newer one serves', 10_000, async () => {
    const status = await home.status();
    return status.daemon?.version === '1.5.0' && status.sessions.length === 2 && status;
  });
  expect(after.daemon?.successor).toBeNull();
  expect(home.daemons()).toHaveLength(1);

  await using stale = rawAgent({ home: home.home, program: older });
  await stale.open();
  for (const agent of [first, second, stale])
    expect(textOf(await agent.call(7, 'execute', { script: 'return 6 * 7' }))).toContain('42');
  expect((await home.status()).daemon).toMatchObject({ pid: after.daemon?.pid, version: '1.5.0', successor: null });
  expect(readFileSync(log, 'utf8').match(/call slow/g)?.length).toBe(1);
});

test('R008: a newer package that does not run replaces nothing, and status says why', async () => {
  await using home = temporaryHome();
  const newer = versionAt(home.folder, '1.5.0');
  writeFileSync(join(newer, '..', 'daemon.js'), 'process.exit(3);');
  await home.metad(['daemon', 'start']);
  const pid = await home.daemonPid();
  await using agent = rawAgent({ home: home.home, program: newer });
  await agent.open();
  const { daemon } = await until('it was tried', 10_000, async () => {
    const status = await home.status();
    return status.daemon?.warnings.some((warning) => warning.includes('could not take over')) && status;
  });
  expect(daemon).toMatchObject({ pid, successor: null });
  expect(daemon?.warnings.join()).toMatch(/metad 1\.5\.0 could not take over: it ended with exit code 3/);
  expect(textOf(await agent.call(1, 'execute', { script: 'return 6 * 7' }))).toContain('42');
});

test('R008: `metad daemon restart` cuts no running call, `--now` does and says so', async () => {
  await using home = temporaryHome({ mcpServers: { lab: fixtureServer('e2e-lab.mjs') } });
  await using agent = rawAgent({ home: home.home });
  await agent.open();
  const old = (await home.daemonPid()) ?? 0;
  const slow = (id: number, ms: number) =>
    agent.call(id, 'execute', { script: `return lab.slow({ ms: ${ms}, text: "whole" })` }, 30_000);
  const inFlight = () => until('the call runs', 10_000, async () => (await home.status()).daemon?.callsInFlight === 1);

  const running = slow(1, 2500);
  await inFlight();
  const restarted = await home.metad(['daemon', 'restart']);
  expect(restarted.stderr).toContain('waits for');
  expect(textOf(await running)).toContain('whole');
  const next = (await home.daemonPid()) ?? 0;
  expect(next).not.toBe(old);

  const cut = slow(2, 60_000);
  await inFlight();
  await home.metad(['daemon', 'restart', '--now']);
  expect(JSON.stringify(await cut)).toMatch(/lab\.slow|outcome/);
  expect(await home.daemonPid()).not.toBe(next);
});
