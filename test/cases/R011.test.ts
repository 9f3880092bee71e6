// Servers that cannot live, and many sessions that ask for them.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';
import { type RawAgent, rawAgent } from '../helpers/raw-agent.ts';

const SESSIONS = 40;
const AT_ONCE = 10;

test('R011: forty sessions share one start state: few tries, growing pauses, and a reason for each', async () => {
  let requests = 0;
  const nowhere = createServer((_, response) => {
    requests += 1;
    response.writeHead(404).end('nothing here');
  });
  await new Promise<void>((resolve) => nowhere.listen(0, '127.0.0.1', resolve));
  const { port } = nowhere.address() as { port: number };
  await using home = temporaryHome();
  const log = join(home.folder, 'starts.log');
  writeFileSync(log, '');
  home.configure({
    listTools: { waitSeconds: 0.5 },
    mcpServers: {
      burning: fixtureServer('burn.mjs', log, '200'),
      nowhere: { type: 'http', url: `http://127.0.0.1:${port}/mcp` },
      absent: { command: 'no-such-command-here' },
    },
  });
  const starts = () => readFileSync(log, 'utf8').trim().split('\n').map(Number);
  try {
    const ask = async (agent: RawAgent) => {
      await agent.open();
      const { result } = await agent.call('l', 'list_tools', {});
      const text = textOf(result as never);
      for (const name of ['burning', 'nowhere', 'absent']) expect(text).toMatch(new RegExp(`^// .*\\b${name}\\b`, 'm'));
      expect(text).toMatch(/404/);
      expect(text).toMatch(/no-such-command-here/);
    };
    // The first one is told as soon as all of them have failed once.
    {
      await using first = rawAgent({ home: home.home });
      await first.open();
      await until('all have failed', 20_000, async () => {
        const { result } = await first.call(`l${performance.now()}`, 'list_tools', {});
        return ['burnt out', '404', 'no-such-command-here'].every((word) => textOf(result as never).includes(word));
      });
    }
    const before = performance.now();
    for (let wave = 0; wave < SESSIONS / AT_ONCE; wave += 1) {
      const agents = Array.from({ length: AT_ONCE }, () => rawAgent({ home: home.home }));
      try {
        await Promise.all(agents.map(ask));
      } finally {
        await Promise.all(agents.map((agent) => agent[Symbol.asyncDispose]()));
      }
    }
    const seconds = (performance.now() - before) / 1000;

    // Pauses double from a quarter of a second, less up to a fifth: so many tries fit, however many sessions ask.
    const times = starts();
    const most = 3 + Math.log2(1 + seconds / 0.2);
    expect(times.length).toBeLessThanOrEqual(Math.ceil(most) + 1);
    for (let at = 1; at < times.length; at += 1)
      expect((times[at] ?? 0) - (times[at - 1] ?? 0)).toBeGreaterThan(0.8 * 250 * 2 ** (at - 1));
    expect(await home.server('burning')).toMatchObject({ lastError: expect.stringContaining('burnt out') });

    // Parked: one try each, which over HTTP is a POST and perhaps the older transport's GET.
    expect(requests).toBeLessThanOrEqual(3);
    for (const name of ['nowhere', 'absent']) expect(await home.server(name)).toMatchObject({ state: 'parked' });

    // Until the user asks: a changed definition is tried at once.
    const tried = requests;
    home.configure({ mcpServers: { nowhere: { type: 'http', url: `http://127.0.0.1:${port}/other` } } });
    await until('the new address is used', 10_000, async () => (await home.server('absent')) === undefined);
    await using last = rawAgent({ home: home.home });
    await last.open();
    await last.call('l', 'list_tools', {});
    expect(requests).toBeGreaterThan(tried);
  } finally {
    nowhere.closeAllConnections();
    await new Promise((resolve) => nowhere.close(resolve));
  }
});
