// Servers that never come to the end of a line.
import { expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { pssOf } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

test('R022: a line of 2 GB and a line without end are given up, told by server, limit and size, and hurt nobody else', async () => {
  await using home = temporaryHome({
    mcpServers: {
      endless: fixtureServer('endless.mjs'),
      drip: { ...fixtureServer('drip.mjs', 'start'), startTimeoutSeconds: 2 },
      well: fixtureServer('echo.mjs'),
    },
  });
  await using agent = await connectAgent({ home: home.home });
  const before = performance.now();
  const text = await agent.text('list_tools', {});
  expect(performance.now() - before).toBeLessThan(15_000);
  expect(text).toContain('declare namespace well');
  const daemon = (await home.daemonPid()) ?? 0;
  expect(pssOf(daemon) ?? 0).toBeLessThan(600 * 1024 * 1024);

  const said = {
    endless: [/endless/, /\b64 MiB|\b67108864\b/, /\b\d{8,} bytes/],
    drip: [/drip/, /\b2 s\b/, /\b\d+ bytes/],
  };
  for (const [name, words] of Object.entries(said)) {
    const failed = await agent.call('execute', { script: `return ${name}.ok({})` });
    expect(failed.isError).toBe(true);
    const { lastError } = (await home.server(name)) ?? {};
    for (const word of words) {
      expect(text, `list_tools of ${name}`).toMatch(word);
      expect(textOf(failed), `the call of ${name}`).toMatch(word);
      expect(lastError, `status of ${name}`).toMatch(word);
    }
  }
  expect(await agent.text('execute', { script: 'return well.echo({ text: "well" })' })).toBe('well');
});
