// What a server prints beside the protocol.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';
import { rawAgent } from '../helpers/raw-agent.ts';

test('R017: noise goes to the log of its server and is counted; every reply is used and no noise reaches the agent', async () => {
  await using home = temporaryHome({ mcpServers: { noisy: fixtureServer('noisy.mjs') } });
  await using agent = rawAgent({ home: home.home });
  await agent.open();
  for (const id of [1, 2, 3]) {
    const { result } = await agent.call(id, 'execute', { script: `return noisy.say({ text: 'reply ${id}' })` });
    expect(textOf(result as never)).toBe(`reply ${id}`);
  }
  expect((await home.server('noisy'))?.noiseLines).toBeGreaterThanOrEqual(2 + 3);
  expect(agent.garbage).toEqual([]);
  const seen = JSON.stringify(agent.received) + agent.stderr();
  for (const word of ['Widget bridge', 'loading plugins', 'debug: handling']) expect(seen).not.toContain(word);
  await home.stop();
  const log = readFileSync(join(home.home, 'logs', 'servers', 'noisy.log'), 'utf8');
  for (const word of ['Widget bridge v7 ready', 'loading plugins', 'debug: handling a call'])
    expect(log).toContain(word);
});
