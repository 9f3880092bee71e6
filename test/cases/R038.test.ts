// Calls side by side whose replies come in reverse order.
import { expect, test } from 'vitest';
import { connectAgent } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { pssOf } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

/** The fixture answers none of the twenty before all are there: they come back only if they overlap. */
const SCRIPT = `
  const sequence = [];
  for (let n = 0; n < 3; n += 1) sequence.push(Number(await gather.next({ n })));
  const together = await Promise.all(Array.from({ length: 20 }, (_, n) => gather.gather({ n, of: 20 })));
  return { sequence, together: together.map(Number) };
`;
const RESULT = { sequence: [0, 1, 2], together: Array.from({ length: 20 }, (_, n) => n) };

test('R038: three in sequence and twenty at once arrive in their places, and repeated runs leak nothing', async () => {
  await using home = temporaryHome({ mcpServers: { gather: fixtureServer('gather.mjs') } });
  await using agent = await connectAgent({ home: home.home });
  for (let run = 0; run < 20; run += 1) expect(await agent.run(SCRIPT)).toEqual(RESULT);
  const daemon = (await home.daemonPid()) ?? 0;
  const before = pssOf(daemon) ?? 0;
  for (let run = 0; run < 60; run += 1) expect(await agent.run(SCRIPT)).toEqual(RESULT);
  expect((pssOf(daemon) ?? 0) - before).toBeLessThan(40 * 1024 * 1024);
  const status = await home.status();
  expect(status.daemon?.callsInFlight).toBe(0);
  expect(status.servers).toMatchObject([{ name: 'gather', calls: 80 * 23, callsInFlight: 0 }]);
});
