import { expect, test } from 'vitest';
import { temporaryHome } from '../helpers/home.ts';
import { npxCache } from '../helpers/npx.ts';
import { until } from '../helpers/processes.ts';

test('metad status knows of a cold server what its starts cost and what npx runs, and the next daemon starts that directly', async () => {
  await using home = temporaryHome();
  using cache = npxCache();
  cache.install('fake-server', '1.2.3');
  home.configure({
    mcpServers: { fake: { command: cache.npx, args: ['-y', 'fake-server'], env: cache.env, sharing: 'user' } },
  });
  const call = () => home.metad(['call', 'fake.echo', '{"text":"hello"}']);
  expect((await call()).stdout).toContain('hello');
  await until('npx is seen to run it', 20_000, async () => (await home.server('fake'))?.resolved != null);
  expect(await home.server('fake')).toMatchObject({ how: 'wrapper', start: { count: 1 } });
  await home.stop();
  await home.metad(['daemon', 'start']);
  const cold = await home.server('fake');
  expect(cold).toMatchObject({ state: 'cold', how: null, resolved: 'fake-server@1.2.3', start: { count: 1 } });
  expect(cold?.start?.medianMs).toBeGreaterThan(0);
  expect((await call()).stdout).toContain('hello');
  expect(await home.server('fake')).toMatchObject({ state: 'ready', how: 'direct', start: { count: 2 } });
  expect(cache.runs()).toBe(1);
});
