// A config that is saved again and again while servers are in use.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { connectAgent } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

test('R074: order and white space restart nothing, args only their server; what cannot be read changes nothing', async () => {
  await using home = temporaryHome({
    mcpServers: { kept: fixtureServer('slow.mjs'), changed: fixtureServer('environment.mjs', 'one') },
  });
  await using agent = await connectAgent({ home: home.home });
  await agent.run('return [await kept.cancels({}), await changed.argv({})]');
  const pids = async () => (await home.status()).servers.map(({ name, pid }) => [name, pid]);
  const before = await pids();
  const warnings = async () => (await home.status()).daemon?.warnings.join('\n') ?? '';

  // A warning of its own shows that each save has been read.
  const turned = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, inner]) => [key, turned(inner)]),
        )
      : value;
  const first = JSON.parse(readFileSync(home.configFile, 'utf8')) as Record<string, unknown>;
  writeFileSync(home.configFile, `\n\n${JSON.stringify(turned({ seen: 1, ...first }), null, 7)}\n`);
  await until('the first save is read', 10_000, async () => (await warnings()).includes('seen'));
  expect((await pids()).sort()).toEqual([...before].sort());

  const open = agent.text('execute', { script: 'return kept.wait({ ms: 3000 })' });
  await until('the call is under way', 10_000, async () => (await home.server('kept'))?.callsInFlight === 1);
  const inFlight = (await home.server('kept'))?.pid;
  const second = JSON.stringify({
    mcpServers: { ...Object(first['mcpServers']), changed: fixtureServer('environment.mjs', 'two') },
  });
  writeFileSync(home.configFile, second);
  await until('the second save is read', 10_000, async () => !(await warnings()).includes('seen'));
  expect(await agent.run('return changed.argv({})')).toEqual(['two']);
  expect(await agent.text('execute', { script: 'return kept.wait({ ms: 1 })' })).toBe('waited 1');
  const changed = (await home.server('changed'))?.pid;
  expect(changed).not.toBe(Object.fromEntries(before)['changed']);
  expect((await home.server('kept'))?.pid).toBe(inFlight);

  // Cut off in mid-write for 300 ms, as editors do.
  writeFileSync(home.configFile, second.slice(0, 60));
  await sleep(300); // the case's own number
  writeFileSync(home.configFile, second);
  expect(await agent.run('return changed.argv({})')).toEqual(['two']);

  writeFileSync(home.configFile, '{\n  "mcpServers": { "kept": { "command": } }\n}\n');
  const said = await until(
    'the daemon says so',
    10_000,
    async () => (/config\.json:2:\d+.*/.exec(await warnings()) ?? [])[0],
  );
  expect(said).toMatch(/error/);
  expect(await agent.run('return changed.argv({})')).toEqual(['two']);
  expect((await pids()).sort()).toEqual(
    [
      ['kept', inFlight],
      ['changed', changed],
    ].sort(),
  );
  // The call that was open all along.
  expect(await open).toBe('waited 3000');
});
