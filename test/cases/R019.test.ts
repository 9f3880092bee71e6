// 300 KiB on stderr, at the start and in a call.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';

test('R019: start and calls complete, the log stays bounded, and its tail is quoted when the server fails', async () => {
  await using home = temporaryHome({ mcpServers: { flood: fixtureServer('flood.mjs') } });
  await using agent = await connectAgent({ home: home.home });
  for (let time = 0; time < 10; time += 1)
    expect(await agent.text('execute', { script: 'return flood.call({})' })).toBe('still here');
  const failed = await agent.call('execute', { script: 'return flood.fail({})' });
  expect(failed.isError).toBe(true);
  expect(textOf(failed)).toContain('the last straw');
  expect(textOf(failed).length).toBeLessThan(5_000);
  expect((await home.server('flood'))?.lastError).toContain('the last straw');
  // 3.6 MB were written.
  const logs = join(home.home, 'logs', 'servers');
  const bytes = readdirSync(logs).reduce((sum, name) => sum + statSync(join(logs, name)).size, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(3_000_000);
});
