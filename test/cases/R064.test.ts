// Lists of several pages, whole and broken.
import { expect, test } from 'vitest';
import { connectAgent } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

test('R064: all pages are listed, repeats stop with a warning, a torn page keeps what was whole', async () => {
  const kinds = ['good', 'repeat', 'circle', 'empty', 'fail', 'later'];
  await using home = temporaryHome({
    mcpServers: Object.fromEntries(kinds.map((kind) => [kind, fixtureServer('paged.mjs', kind)])),
  });
  await using agent = await connectAgent({ home: home.home });
  const text = await agent.text('list_tools', { detail: 'names' });
  const keys = `return Object.fromEntries(Object.entries(tools).map(([name, server]) => [name, Object.keys(server)]))`;
  const listed = (await agent.run(keys)) as Record<string, string[]>;
  for (const kind of ['good', 'circle', 'empty', 'later']) {
    expect(listed[kind], kind).toHaveLength(130);
    expect(new Set(listed[kind]).size).toBe(130);
  }
  expect(listed['repeat']).toHaveLength(100);
  expect(listed['fail']).toHaveLength(50);
  for (const kind of ['repeat', 'circle']) expect(text).toMatch(new RegExp(`^// ${kind}: .*cursor`, 'm'));
  expect(text).toMatch(/^\/\/ fail: .*page/m);
  const quiet = text.split('\n').filter((line) => /^\/\/ (good|empty|later): .*(cursor|page|torn)/.test(line));
  expect(quiet).toEqual([]);
  const warningsOf = async (name: string) => (await home.server(name))?.warnings.join('\n') ?? '';
  expect(await warningsOf('fail')).toMatch(/torn/);
  expect(await warningsOf('repeat')).toMatch(/cursor/);
  expect(await home.server('fail')).toMatchObject({ freshness: 'stale', tools: 50 });
  expect(await home.server('good')).toMatchObject({ freshness: 'confirmed', tools: 130 });

  // It was whole once; then page two fails.
  await agent.call('execute', { script: 'return later.tool_001({})' });
  await until('the list was asked for again', 10_000, async () => (await home.server('later'))?.freshness === 'stale');
  expect(await home.server('later')).toMatchObject({ tools: 130 });
  expect(await agent.run('return Object.keys(later).length')).toBe(130);
  expect(await agent.text('list_tools', { servers: ['later'], detail: 'names' })).toMatch(/^\/\/ later: .*torn/m);
});
