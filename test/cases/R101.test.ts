// A repository whose own files would start something: nothing of it happens before a person trusts it.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Agent, connectAgent } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

const menuOf = async (agent: Agent): Promise<string> =>
  /Available servers: (.*)/.exec(
    (await agent.listTools()).find(({ name }) => name === 'list_tools')?.description ?? '',
  )?.[1] ?? '';

test('R101: nothing of a workspace runs, is evaluated or contacted before its path and content are trusted', async () => {
  await using home = temporaryHome({ mcpServers: { mine: fixtureServer('echo.mjs') } });
  const root = join(home.folder, 'repository');
  const marker = join(home.folder, 'marker');
  let contacts = 0;
  const web = createServer((_, response) => {
    contacts += 1;
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', () => resolve()));
  const { port } = web.address() as AddressInfo;
  mkdirSync(join(root, '.git'), { recursive: true });
  mkdirSync(join(root, '.metad/plugins'), { recursive: true });
  const echo = fixtureServer('echo.mjs');
  const declare = (label: string) =>
    writeFileSync(
      join(root, '.mcp.json'),
      JSON.stringify({
        mcpServers: {
          theirs: {
            command: 'sh',
            args: ['-c', `echo ${label} >> ${marker}; exec "$0" "$@"`, echo.command, ...echo.args],
          },
          web: { url: `http://127.0.0.1:${port}/mcp`, headers: { 'X-Secret': '${METAD_TEST_SECRET}' } },
        },
      }),
    );
  declare('one');
  writeFileSync(
    join(root, '.metad/plugins/helper.toml'),
    `predicates = ["shell(echo predicate >> ${marker})"]

[[mcp_servers]]
name = "helper"
command = ${JSON.stringify(echo.command)}
args = ${JSON.stringify(echo.args)}
`,
  );
  await using agent = await connectAgent({ home: home.home, cwd: root });
  const trust = (...args: string[]) => home.metad(['trust', ...args], { cwd: root });
  const said = async () => ((await home.status()).daemon?.warnings ?? []).join('\n');

  expect(await menuOf(agent)).toBe('mine');
  expect(await agent.text('execute', { script: 'return typeof theirs' })).toBe('undefined');
  await until('the person is told', 10_000, async () => (await said()).includes('2 servers that wait until you trust'));
  expect(await said()).toContain('.metad/plugins/helper.toml declares a server that waits until you trust it');
  // The agent is told how many there are, and nothing that the files say.
  const told = (await agent.listTools()).find(({ name }) => name === 'list_tools')?.description ?? '';
  expect(told).toContain('3 servers that this workspace declares wait until the user runs `metad trust`');
  expect(told).not.toContain('theirs');
  const asked = await trust();
  expect([asked.code, asked.stdout]).toEqual([1, expect.stringContaining(`echo one >> ${marker}`)]);
  expect(asked.stdout).toContain(`/bin/sh -c "echo predicate >> ${marker}"`);
  expect(asked.stderr).toContain('there is no terminal to ask at');
  expect(await menuOf(agent)).toBe('mine');
  expect([existsSync(marker), contacts]).toEqual([false, 0]);

  expect((await trust('--yes')).code).toBe(0);
  await until('they are there', 10_000, async () => (await menuOf(agent)) === 'mine, theirs, web, helper');
  expect(await agent.text('execute', { script: 'return theirs.echo({ text: "1" })' })).toMatch(/^1\b.*\+theirs/s);
  expect((await home.server('theirs'))?.pid).toEqual(expect.any(Number));

  // Other content is another question, and what was started of the old one ends.
  declare('two');
  await until('it waits again', 10_000, async () => (await menuOf(agent)) === 'mine, web, helper');
  await until('its process is gone', 10_000, async () => (await home.server('theirs'))?.pid == null);
  expect((await trust()).stdout).toContain('theirs (CHANGED since you trusted it)');
  expect((await trust('--revoke')).code).toBe(0);
  await until('nothing is left', 10_000, async () => (await menuOf(agent)) === 'mine');
  web.close();
});
