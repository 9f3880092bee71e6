// A server that dies in mid-call, inside and outside of try/catch.
import { expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';

test('R040: the caught death gives an Error and the script goes on; the uncaught one fails that execute alone', async () => {
  await using home = temporaryHome({
    mcpServers: { mortal: fixtureServer('e2e-lab.mjs'), other: fixtureServer('e2e-lab.mjs') },
  });
  await using agent = await connectAgent({ home: home.home });
  await agent.run('return [await mortal.echo({ text: "warm" }), await other.echo({ text: "warm" })]');
  const daemon = await home.daemonPid();
  const beside = agent.run('return [await other.slow({ text: "whole", ms: 1500 })]');
  const caught = (await agent.run(`
    try { await mortal.die(); } catch (error) {
      const again = await mortal.echo({ text: 'again' });
      return { isError: error instanceof Error, name: error.name, server: error.server, tool: error.tool, code: error.code, message: error.message, again };
    }
  `)) as Record<string, string>;
  expect(caught).toMatchObject({
    isError: true,
    name: 'ToolError',
    server: 'mortal',
    tool: 'die',
    code: 'upstream',
    again: 'again',
  });
  expect(caught['message']).toMatch(/mortal.*\b9\b.*whether it ran is unknown.*the mast broke/s);

  const uncaught = await agent.call('execute', { script: 'const before = 1;\nawait mortal.die();\nreturn before' });
  expect(uncaught.isError).toBe(true);
  expect(textOf(uncaught)).toMatch(/^ToolError: .*the mast broke/s);
  expect(textOf(uncaught)).toContain('line 2');

  expect(await beside).toEqual(['whole']);
  expect(await agent.run('return [await mortal.echo({ text: "alive" })]')).toEqual(['alive']);
  expect(await home.daemonPid()).toBe(daemon);
  expect((await home.status()).daemon?.callsInFlight).toBe(0);
});
