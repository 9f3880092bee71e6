// Calls side by side whose replies come in reverse order.
import { expect, test } from 'vitest';
import { connectAgent } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { pssOf } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

/** The fixture answers none of `of` before all are there: they come back only if they overlap. */
const script = (of: number) => `
  const sequence = [];
  for (let n = 0; n < 3; n += 1) sequence.push(Number(await gather.next({ n })));
  const together = await Promise.all(Array.from({ length: 20 }, (_, n) => gather.gather({ n, of: ${of} })));
  return { sequence, together: together.map(Number) };
`;
const RESULT = { sequence: [0, 1, 2], together: Array.from({ length: 20 }, (_, n) => n) };

test('R038: twenty at once overlap up to the limit of a script, and all results are in their places', async () => {
  await using home = temporaryHome({ mcpServers: { gather: fixtureServer('gather.mjs') } });
  await using agent = await connectAgent({ home: home.home });
  expect(await agent.run(script(20))).toEqual(RESULT);
  expect(await agent.run('return Number(await gather.most())')).toBe(8);
});

test('R038: three in sequence and twenty at once arrive in their places, and repeated runs leak nothing', async () => {
  await using home = temporaryHome({
    mcpServers: { gather: { ...fixtureServer('gather.mjs'), maxConcurrent: 20 } },
    execute: { maxParallelCalls: 20 },
  });
  await using agent = await connectAgent({ home: home.home });
  for (let run = 0; run < 20; run += 1) expect(await agent.run(script(20))).toEqual(RESULT);
  const daemon = (await home.daemonPid()) ?? 0;
  const before = pssOf(daemon) ?? 0;
  for (let run = 0; run < 60; run += 1) expect(await agent.run(script(20))).toEqual(RESULT);
  expect((pssOf(daemon) ?? 0) - before).toBeLessThan(40 * 1024 * 1024);
  expect(await agent.run('return Number(await gather.most())')).toBe(20);
  const status = await home.status();
  expect(status.daemon?.callsInFlight).toBe(0);
  expect(status.servers).toMatchObject([{ name: 'gather', calls: 80 * 23 + 1, callsInFlight: 0 }]);
});

test('R038: tools that are marked as serial run one at a time', async () => {
  await using home = temporaryHome({ mcpServers: { gather: { ...fixtureServer('gather.mjs'), serial: ['na*'] } } });
  await using agent = await connectAgent({ home: home.home });
  const naps = 'return (await Promise.all(Array.from({ length: 6 }, () => gather.nap({ ms: 20 })))).map(Number)';
  expect(await agent.run(naps)).toEqual([1, 1, 1, 1, 1, 1]);
});
