// A server that never answers `ping` is alive all the same.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { connectAgent } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';
import { rawAgent } from '../helpers/raw-agent.ts';

test('R010: a server that drops ping is never asked, never restarted, and serves all along', async () => {
  await using home = temporaryHome({ mcpServers: { mute: fixtureServer('pingless.mjs') } });
  await using agent = await connectAgent({ home: home.home });
  await using other = rawAgent({ home: home.home });
  await other.open();
  const pid = await agent.run('return Number(await mute.pid({}))');
  for (let round = 1; round <= 5; round += 1) {
    // metad answers an agent's ping itself.
    expect((await other.request(`ping ${round}`, 'ping')).result).toEqual({});
    await sleep(100);
    expect(await agent.run('return Number(await mute.pid({}))')).toBe(pid);
  }
  expect(await agent.run('return Number(await mute.pings({}))')).toBe(0);
  expect(await home.server('mute')).toMatchObject({ pid, state: 'ready', lastError: null });
});
