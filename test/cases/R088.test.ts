// Many calls over one connection leave nothing behind; scripts/soak makes 50,000 of them.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { controlOf } from '../../scripts/chaos-run/control.ts';
import { openWeb } from '../../scripts/chaos-run/fleet.ts';
import { holdingOf } from '../../scripts/chaos-run/rest.ts';
import { alarmsOf, callMany, connectSoaker, settledGrowth } from '../../scripts/chaos-run/soak.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';

test('R088: calls over stdio and HTTP, a tenth cancelled or timed out, leave no timer, handle or memory behind', {
  timeout: 180_000,
}, async () => {
  await using home = temporaryHome();
  await using web = await openWeb(join(home.folder, 'ledger'));
  home.configure({
    mcpServers: {
      near: { ...fixtureServer('chaos.mjs'), sharing: 'user', timeout: 1000, maxConcurrent: 100 },
      web: { url: web.url, timeout: 1000, maxConcurrent: 100 },
    },
  });
  await using agent = await connectSoaker(home, 'soak');
  const control = controlOf(home.socket);
  const both = (count: number) => Promise.all(['near', 'web'].map((server) => callMany(agent, server, count)));
  await both(100);
  const before = await holdingOf(control);
  const all = { answered: 180, faults: [] };
  expect(await both(200)).toEqual([all, all]);
  expect(await settledGrowth(control, before)).toEqual([]);
  expect(alarmsOf(home)).toEqual([]);
});
