// A killed daemon can end nothing: what it had running is ended by the next one, and nobody else is.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectAgent } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { isAlive, processOf, until, untilGone } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

test('R001: servers of a killed daemon are ended by the next one before it starts them again', async () => {
  const servers = { stubborn: fixtureServer('wrapper.mjs', 'stubborn'), echo: fixtureServer('echo.mjs') };
  await using home = temporaryHome({ mcpServers: servers });
  await using agent = await connectAgent({ home: home.home });
  const script = 'return [...await stubborn.pids({}), Number(await echo.pid({}))]';
  const old = (await agent.run(script)) as number[];
  expect(old).toHaveLength(4);
  const groups = join(home.home, 'groups');
  await until('the groups are on record', 5_000, () => readdirSync(groups).length === 2);

  const daemon = (await home.daemonPid()) ?? 0;
  process.kill(daemon, 'SIGKILL');
  await untilGone([daemon]);
  const stubborn = old.slice(0, 3);
  expect(stubborn.filter(isAlive)).toEqual(stubborn);

  await until('the next daemon serves', 20_000, () => agent.run('return 1').catch(() => false));
  const pids = (await agent.run(script)) as number[];
  expect(stubborn.filter(isAlive)).toEqual([]);
  expect(pids.filter((pid) => old.includes(pid))).toEqual([]);
  expect((await home.metad(['logs'])).stdout).toContain('groups.reaped');
});

test('R001: a process that only has the number of a recorded one gets no signal', async () => {
  await using home = temporaryHome({ mcpServers: {} });
  const foreign = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
  const { pid = 0 } = foreign;
  try {
    await until('it runs', 5_000, () => processOf(pid)?.args.length === 3);
    const groups = join(home.home, 'groups');
    mkdirSync(groups);
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const command = processOf(pid)?.args.join(' ');
    const record = { server: 'files', group: pid, boot, seen: [{ pid, started: '1', command }] };
    writeFileSync(join(groups, `${pid}.json`), JSON.stringify(record));
    writeFileSync(join(groups, '7.json'), 'no record');
    await home.metad(['daemon', 'start']);
    await until('the records were read', 5_000, () => readdirSync(groups).length === 0);
    expect(isAlive(pid)).toBe(true);
  } finally {
    foreign.kill('SIGKILL');
  }
});
