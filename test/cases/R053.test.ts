// Errors and results beside an outputSchema.
import { expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

test('R053: an error shows its text, to the agent and in a script; a mismatch keeps the data and is a warning', async () => {
  await using home = temporaryHome({ mcpServers: { strict: fixtureServer('strict.mjs') } });
  await using agent = await connectAgent({ home: home.home, args: ['--call-tool'] });
  const direct = await agent.call('call_tool', { server: 'strict', tool: 'merge' });
  expect(direct).toMatchObject({ isError: true, content: [{ type: 'text', text: 'branch is protected' }] });
  expect(direct.structuredContent).toBeUndefined();

  const caught = 'try { await strict.merge() } catch (e) { return [e.name, e.message, e.server, e.tool, e.content] }';
  const content = [{ type: 'text', text: 'branch is protected' }];
  expect(await agent.run(caught)).toEqual(['ToolError', 'branch is protected', 'strict', 'merge', content]);
  const uncaught = await agent.call('execute', { script: 'return strict.merge()' });
  expect(uncaught.isError).toBe(true);
  expect(textOf(uncaught)).toContain('branch is protected');

  expect(await agent.run('return strict.drift()')).toEqual({ id: 4 });
  expect(await agent.run('return strict.parts()')).toEqual({
    content: [
      { type: 'text', text: '{"a":1}' },
      { type: 'text', text: 'two' },
    ],
  });
  const warned = await until('the mismatch is told', 5_000, async () => {
    const found = (await home.status()).servers[0]?.warnings.filter((line) => line.includes('outputSchema'));
    return found !== undefined && found.length > 0 && found;
  });
  expect(warned).toEqual([expect.stringMatching(/^drift: .*id: must be string/)]);
});
