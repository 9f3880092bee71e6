// Names that would fall together.
import { expect, test } from 'vitest';
import { connectAgent } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';
import { parseTypeScript } from '../helpers/typescript.ts';

const TOOLS = ['get-row', 'get_row', 'get.row'];
const names = (who: string, tools: readonly string[]) => fixtureServer('names.mjs', who, JSON.stringify(tools));

const declaredIn = (text: string): string[] => {
  let namespace = '';
  return text.split('\n').flatMap((line) => {
    namespace = /^declare namespace (\S+)/.exec(line)?.[1] ?? namespace;
    const tool = /^\s*function ([^\s(]+)\(/.exec(line)?.[1];
    return tool === undefined ? [] : [`${namespace}.${tool}`];
  });
};

test('R026: each tool has a name of its own, which reaches it alone, whatever the order', async () => {
  const servers = {
    ops: names('ops', TOOLS),
    'db-main': names('db-main', ['query']),
    db_main: names('db_main', ['query']),
  };
  await using home = temporaryHome({ mcpServers: servers });
  const look = async () => {
    await using agent = await connectAgent({ home: home.home });
    const text = await agent.text('list_tools', { servers: Object.keys(servers), detail: 'signatures' });
    await parseTypeScript(text);
    const declared = declaredIn(text);
    expect(new Set(declared).size).toBe(5);
    const reached: Record<string, string> = {};
    for (const path of declared) reached[path] = await agent.text('execute', { script: `return ${path}({})` });
    return { agent: reached, raw: await agent.run(RAW) };
  };
  const RAW = `return {
    ops: await Promise.all(${JSON.stringify(TOOLS)}.map((name) => ops[name]({}))),
    same: db_main.query !== undefined,
  }`;
  const first = await look();
  expect(Object.values(first.agent).sort()).toEqual(
    ['db-main query', 'db_main query', 'ops get-row', 'ops get.row', 'ops get_row'].sort(),
  );
  expect(first.agent['ops.get_row']).toBe('ops get_row');
  expect(first.agent['db_main.query']).toBe('db_main query');
  expect(first.raw).toEqual({ ops: TOOLS.map((name) => `ops ${name}`), same: true });

  // The other way round, on a daemon that has forgotten everything.
  await home.stop();
  const { rmSync } = await import('node:fs');
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${home.home}/metad.db${suffix}`, { force: true });
  home.configure({
    mcpServers: {
      db_main: servers.db_main,
      'db-main': servers['db-main'],
      ops: names('ops', [...TOOLS].reverse()),
    },
  });
  expect(await look()).toEqual(first);
  // And by hand, under raw names.
  for (const [server, tool] of [
    ['db-main', 'query'],
    ['db_main', 'query'],
    ['ops', 'get.row'],
    ['ops', 'get-row'],
  ] as const)
    expect((await home.metad(['call', `${server}.${tool}`, '{}'])).stdout.trim()).toBe(`${server} ${tool}`);
});
