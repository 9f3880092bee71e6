// What a person types to get from a suggestion, or from a command line, to a server in their sessions, and back.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedServer, Suggestion } from '../../schema/wire.ts';
import { type Agent, connectAgent } from '../helpers/agent.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

let home: TestHome;
let shop: string;
let other: string;
let inShop: Agent;

const project = (name: string, dependencies: Readonly<Record<string, string>>): string => {
  const root = join(home.folder, name);
  mkdirSync(join(root, '.git'), { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name, dependencies }));
  return root;
};
const menu = async (): Promise<string> => {
  const tools = await inShop.listTools();
  const text = tools.find(({ name }) => name === 'list_tools')?.description ?? '';
  return /Available servers: (?!none\.)(.*)/.exec(text)?.[1] ?? '';
};
const metad = (cwd: string, ...args: string[]) => home.metad(args, { cwd });
const listed = async (cwd: string): Promise<readonly string[]> =>
  (JSON.parse((await metad(cwd, 'list', '--json')).stdout).servers as ListedServer[]).map(({ name }) => name);

beforeAll(async () => {
  home = temporaryHome('{\n  // my servers\n  "mcpServers": {}\n}\n');
  shop = project('shop', { prisma: '^6.7.0', eslint: '^9.0.0' });
  other = project('other', {});
  inShop = await connectAgent({ home: home.home, cwd: shop });
});
afterAll(async () => {
  await inShop?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
});

test('a suggestion is offered, added wherever it applies, and taken away again; nothing of it runs meanwhile', async () => {
  const { suggestions } = JSON.parse((await metad(shop, 'suggest', '--json')).stdout) as { suggestions: Suggestion[] };
  expect(suggestions.map(({ name }) => name)).toEqual(['prisma', 'eslint']);
  expect((await metad(shop, 'suggest')).stdout).toContain('prisma: state of migrations');
  expect((await metad(other, 'suggest')).stdout).toContain(`Nothing comes to mind for ${other}.`);
  await until('status has it', 10_000, async () =>
    (await metad(shop, 'status')).stdout.includes(`${shop} might want prisma, eslint: \`metad suggest\``),
  );
  expect(await menu()).toBe('');

  const added = await metad(shop, 'add', 'prisma');
  expect([added.code, added.stderr]).toEqual([0, expect.stringContaining(join(home.home, 'plugins/prisma.toml'))]);
  await until('the session has it', 10_000, async () => (await menu()) === 'prisma');
  expect([await listed(shop), await listed(other)]).toEqual([['prisma'], []]);
  expect((await home.server('prisma'))?.pid).toBeNull();
  expect((await metad(shop, 'add', 'prisma')).code).toBe(0);

  expect((await metad(shop, 'remove', 'prisma')).code).toBe(0);
  await until('the session has it no more', 10_000, async () => (await menu()) === '');
  const again = await metad(shop, 'remove', 'prisma');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('has no server "prisma"')]);
});

test('a suggestion is added to one workspace, and trusted since a person asked for it; others beside it are not', async () => {
  mkdirSync(join(shop, '.metad'));
  const file = join(shop, '.metad/config.json');
  writeFileSync(file, '{\n  "mcpServers": {\n    "theirs": { "command": "sh" }\n  }\n}\n');
  const added = await metad(shop, 'add', 'eslint', '--workspace', '.');
  expect([added.code, added.stderr]).toEqual([0, expect.stringContaining('sessions of this workspace have it')]);
  await until('the session has it', 10_000, async () => (await menu()) === 'eslint');
  expect([await listed(shop), await listed(other)]).toEqual([['eslint'], []]);
  expect((await metad(shop, 'remove', 'eslint', '--workspace', '.')).code).toBe(0);
  await until('it has gone', 10_000, async () => (await menu()) === '');
  expect(readFileSync(file, 'utf8')).toBe('{\n  "mcpServers": {\n    "theirs": { "command": "sh" }\n  }\n}\n');
});

test('a server that is spelled out goes into config.json, whose comments stay', async () => {
  const { command, args } = fixtureServer('echo.mjs');
  const mark = `METAD_TEST_HOME=${home.home}`;
  expect((await metad(other, 'add', 'echo', '--env', mark, '--', command, ...args, '--not-mine')).code).toBe(0);
  await until('the session has it', 10_000, async () => (await menu()) === 'echo');
  expect(await inShop.text('execute', { script: 'return echo.echo({ text: "7" })' })).toMatch(/^7/);
  const text = readFileSync(home.configFile, 'utf8');
  expect(text).toContain('// my servers');
  expect(JSON.parse(text.replace('// my servers', '')).mcpServers.echo).toEqual({
    command,
    args: [...args, '--not-mine'],
    env: { METAD_TEST_HOME: home.home },
  });
  const twice = await metad(other, 'add', 'echo', '--url', 'https://x.example/mcp');
  expect([twice.code, twice.stderr]).toEqual([
    1,
    expect.stringMatching(/config\.json:4:\d+ has a server named echo already/),
  ]);
  const [echo] = JSON.parse((await metad(other, 'list', '--json')).stdout).servers as ListedServer[];
  expect(echo).toMatchObject({ name: 'echo', origin: home.configFile, sharing: 'workspace', state: 'cold' });
  const here = JSON.parse((await metad(shop, 'list', '--json')).stdout).servers as ListedServer[];
  expect(here.map(({ name, state }) => [name, state])).toEqual([['echo', 'ready']]);

  expect((await metad(other, 'add', 'echo', '--force', '--url', 'https://x.example/mcp')).code).toBe(0);
  const replaced = JSON.parse(readFileSync(home.configFile, 'utf8').replace('// my servers', ''));
  expect(replaced.mcpServers).toEqual({ echo: { url: 'https://x.example/mcp' } });
  expect((await metad(other, 'remove', 'echo')).code).toBe(0);
  expect(readFileSync(home.configFile, 'utf8')).toBe('{\n  // my servers\n  "mcpServers": {}\n}\n');
});

test.each([
  [['add', 'prisme'], 1, 'Did you mean prisma?'],
  [['add', 'x', '--url', 'ftp://x'], 1, 'Nothing was changed'],
  [['add', 'x', '--url', 'https://x', '--', 'y'], 2, 'not both'],
  [['add', 'x', '--url', 'https://x', '--env', 'A=b'], 2, '--header'],
  [['add', 'x', '--env', 'nothing', '--', 'y'], 2, 'NAME=VALUE'],
  [['add', 'prisma', '--env', 'A=b'], 2, 'go with a command'],
  [['add', 'x', '--sharing', 'everybody', '--', 'y'], 1, 'sharing'],
])('metad %j fails with %i and says what would be right', async (args, code, said) => {
  const result = await metad(other, ...args);
  expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(said)]);
  expect(existsSync(join(home.home, 'plugins/x.toml'))).toBe(false);
});

test('a file is edited without a daemon, and none is started for it; a name that the config has is not suggested over', async () => {
  const quiet = temporaryHome('{ "mcpServers": { "prisma": { "command": "mine" } } }');
  try {
    const taken = await quiet.metad(['add', 'prisma']);
    expect([taken.code, taken.stderr]).toEqual([
      1,
      expect.stringMatching(/config\.json:1:\d+ has a server named prisma/),
    ]);
    expect(existsSync(join(quiet.home, 'plugins/prisma.toml'))).toBe(false);
    expect((await quiet.metad(['add', 'x', '--env', 'PADDED= a ', '--', 'y'])).code).toBe(0);
    expect(JSON.parse(readFileSync(quiet.configFile, 'utf8')).mcpServers.x).toEqual({
      ...{ command: 'y', env: { PADDED: ' a ' } },
    });
    expect(JSON.parse((await quiet.metad(['status', '--json'])).stdout).daemon).toBeNull();
  } finally {
    await quiet[Symbol.asyncDispose]();
  }
});
