// Calls with a limit of 3 s: one that is never answered, one whose server exits.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

test('R059: the first fails at 3 s with the limit and a cancel, the second at once with exit code and last words', async () => {
  await using home = temporaryHome();
  const log = join(home.folder, 'lab.log');
  const lab = (...args: string[]) => ({ ...fixtureServer('e2e-lab.mjs', ...args), timeout: 3_000 });
  home.configure({ mcpServers: { quiet: lab('--log', log), mortal: lab() } });
  await using agent = await connectAgent({ home: home.home });
  await agent.run('return [await quiet.echo({ text: "warm" }), await mortal.echo({ text: "warm" })]');

  const timed = async (script: string) => {
    const before = performance.now();
    const result = await agent.call('execute', { script });
    expect(result.isError).toBe(true);
    return { text: textOf(result), took: performance.now() - before };
  };
  const [never, died] = await Promise.all([timed('return quiet.never({})'), timed('return mortal.die({})')]);
  expect(never.text).toMatch(/quiet.*\b3 s\b/);
  expect(never.took).toBeGreaterThan(2_900);
  expect(never.took).toBeLessThan(6_000);
  await until(
    'the server hears the cancel',
    5_000,
    () => existsSync(log) && /^cancelled /m.test(readFileSync(log, 'utf8')),
  );
  expect(died.text).toMatch(/mortal/);
  expect(died.text).toMatch(/\b9\b/);
  expect(died.text).toContain('the mast broke');
  expect(died.took).toBeLessThan(2_900);

  const status = await home.status();
  expect(status.daemon?.callsInFlight).toBe(0);
  expect(status.servers.map(({ callsInFlight }) => callsInFlight)).toEqual([0, 0]);
  expect(status.recentCalls.filter(({ outcome }) => outcome === 'running')).toEqual([]);
  expect(status.recentCalls.find(({ tool }) => tool === 'never')?.outcome).toBe('timeout');
  expect(await agent.text('execute', { script: 'return quiet.echo({ text: "well" })' })).toBe('well');
});
