// Tool names that mean something else to JavaScript.
import { expect, test } from 'vitest';
import { connectAgent } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';
import { parseTypeScript } from '../helpers/typescript.ts';

const TOOLS = ['delete', 'await', '404', 'constructor', '__proto__', 'then', 'résumé', '🚀'];
const TITLED = {
  name: 'titled',
  inputSchema: {
    type: 'object',
    properties: { body: { title: '200', type: 'object', properties: { ok: { type: 'boolean' } } } },
  },
};

test('R028: every tool is reachable by its declared name and by its own, and none breaks the server object', async () => {
  const odd = fixtureServer('names.mjs', 'odd', JSON.stringify([...TOOLS, TITLED]));
  await using home = temporaryHome({ mcpServers: { odd } });
  await using agent = await connectAgent({ home: home.home });
  for (const detail of ['names', 'signatures', 'full'] as const)
    await parseTypeScript(await agent.text('list_tools', { servers: ['odd'], detail }));
  const text = await agent.text('list_tools', { servers: ['odd'], detail: 'signatures' });
  const declared = [...text.matchAll(/^\s*function ([^\s(]+)\(/gm)].map(([, name]) => name as string);
  expect(declared).toHaveLength(TOOLS.length + 1);

  const reached: string[] = [];
  for (const name of declared) reached.push(await agent.text('execute', { script: `return odd.${name}({})` }));
  expect(reached.sort()).toEqual([...TOOLS, 'titled'].map((name) => `odd ${name}`).sort());

  const raw = `return Promise.all(${JSON.stringify(TOOLS.filter((name) => !['constructor', '__proto__', 'then'].includes(name)))}.map((name) => odd[name]({})))`;
  expect(await agent.run(raw)).toEqual(
    TOOLS.filter((name) => !['constructor', '__proto__', 'then'].includes(name)).map((name) => `odd ${name}`),
  );

  expect(
    await agent.run(`
      const same = (await odd) === odd;
      const keys = Object.keys(odd).sort();
      const entries = Object.entries(odd).every(([, tool]) => typeof tool === 'function');
      const names = []; for (const name in odd) names.push(name);
      return { same, keys, entries, names: names.length };
    `),
  ).toMatchObject({ same: true, keys: [...declared].sort(), entries: true, names: declared.length });
});
