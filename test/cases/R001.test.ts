// A wrapper, its worker and the worker's child: nothing of the tree outlives the end of the server, however it ends.
import { expect, test } from 'vitest';
import { connectAgent } from '../helpers/agent.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { untilGone } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

const echo = fixtureServer('echo.mjs');

const ENDS: Readonly<Record<string, (home: TestHome, trees: Readonly<Record<string, object>>) => unknown>> = {
  disabled: (home, trees) => {
    const off = Object.entries(trees).map(([name, tree]) => [name, { ...tree, disabled: true }]);
    home.configure({ mcpServers: { ...Object.fromEntries(off), echo } });
  },
  removed: (home) => home.configure({ mcpServers: { echo } }),
  'caught by `metad daemon stop`': (home) => home.metad(['daemon', 'stop']),
};

test.each(Object.entries(ENDS))('R001: no process of a tree lives on that is %s', async (_, end) => {
  const trees = {
    wrapper: fixtureServer('wrapper.mjs'),
    stubborn: fixtureServer('wrapper.mjs', 'stubborn'),
  };
  await using home = temporaryHome({ mcpServers: { ...trees, echo } });
  await using agent = await connectAgent({ home: home.home });
  const script = 'return [...await wrapper.pids({}), ...await stubborn.pids({}), Number(await echo.pid({}))]';
  const pids = (await agent.run(script)) as number[];
  const other = pids.pop() ?? 0;
  expect(pids).toHaveLength(6);
  const daemon = await home.daemonPid();

  await end(home, trees);
  await untilGone(pids, 10_000);
  const status = await home.status();
  if (status.daemon === null) return untilGone([other], 5_000);
  expect(status.daemon.pid).toBe(daemon);
  expect(await agent.run('return Number(await echo.pid({}))')).toBe(other);
});

test('R001: what has exited by itself is stopped without an error, and so is what was stopped before', async () => {
  await using home = temporaryHome({ mcpServers: { crash: fixtureServer('crash.mjs', 'call') } });
  await using agent = await connectAgent({ home: home.home });
  await agent.text('execute', { script: 'return crash.ok({})' });
  const pid = (await home.server('crash'))?.pid ?? 0;
  await agent.call('execute', { script: 'return crash.crash({})' });
  await untilGone([pid]);
  for (let time = 0; time < 2; time += 1) {
    const { code, stderr } = await home.metad(['daemon', 'stop']);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  }
});
