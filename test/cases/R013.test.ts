// Two servers that break in ways that nobody waits for; everybody else goes on.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';
import { rawAgent } from '../helpers/raw-agent.ts';

test('R013: a broken pipe and a start that fails late hurt only the calls on those servers', async () => {
  await using home = temporaryHome();
  const log = join(home.folder, 'late.log');
  home.configure({
    mcpServers: {
      deaf: fixtureServer('deaf.mjs'),
      late: fixtureServer('burn.mjs', log, '700'),
      lab: fixtureServer('e2e-lab.mjs'),
    },
  });
  await using a = await connectAgent({ home: home.home });
  await using b = await connectAgent({ home: home.home });
  const daemon = await home.daemonPid();
  await a.text('execute', { script: 'await deaf.ok({}); await lab.echo({ text: "x" }); return 1' });

  // The third session asks for the server that will fail, and is gone before it does.
  {
    const c = rawAgent({ home: home.home });
    await c.open();
    c.send({ id: 1, method: 'tools/call', params: { name: 'execute', arguments: { script: 'await late.x({})' } } });
    await until('the start is under way', 10_000, async () => (await home.server('late'))?.state === 'starting');
    c.child.kill('SIGKILL');
  }
  const calls = Promise.all([
    b.run('return Promise.all([1, 2, 3].map((n) => lab.slow({ text: `b${n}`, ms: 900 })))'),
    a.run('return Promise.all([1, 2, 3].map((n) => lab.slow({ text: `a${n}`, ms: 900 })))'),
  ]);

  await a.text('execute', { script: 'return deaf.deafen({})' });
  const words = join(home.home, 'logs', 'servers', 'deaf.log');
  await until(
    'it hears nothing any more',
    10_000,
    () => existsSync(words) && readFileSync(words, 'utf8').includes('deaf now'),
  );
  // Sent to nobody, it is sent again to a new process, or fails alone: either way only this call is concerned.
  const broken = await a.call('execute', { script: 'return deaf.ok({})' });
  if (broken.isError) expect(textOf(broken)).toContain('deaf');

  expect(await calls).toEqual([
    ['b1', 'b2', 'b3'],
    ['a1', 'a2', 'a3'],
  ]);
  await until('the late start has failed', 10_000, async () => (await home.server('late'))?.state === 'dead');
  expect(await home.server('late')).toMatchObject({ lastError: expect.stringContaining('burnt out') });
  expect(await home.daemonPid()).toBe(daemon);
  expect(await b.text('execute', { script: 'return lab.echo({ text: "well" })' })).toBe('well');
  await using d = await connectAgent({ home: home.home });
  const failing = await d.call('execute', { script: 'return late.x({})' });
  expect(failing.isError).toBe(true);
  expect(textOf(failing)).toContain('late');
});
