// A registry of plugins: what of it runs is what a person said yes to, and sessions that wait get it by `metad sync`.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Agent, connectAgent } from '../helpers/agent.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';
import { createRepository, type Repository } from '../helpers/repository.ts';

let home: TestHome;
let root: string;
let team: Repository;
let agent: Agent;

const manifest = (name: string, ...more: readonly string[]): string => {
  const { command, args } = fixtureServer('echo.mjs');
  return `depends-on = ["npm:next"]
[[mcp_servers]]
name = "${name}"
command = ${JSON.stringify(command)}
args = ${JSON.stringify([...args, ...more])}
`;
};
const menu = async (): Promise<string> => {
  const tools = await agent.listTools();
  const text = tools.find(({ name }) => name === 'list_tools')?.description ?? '';
  return /Available servers: (?!none\.)(.*)/.exec(text)?.[1] ?? '';
};
const sync = (...args: readonly string[]) => home.metad(['sync', ...args], { cwd: root });
const warnings = async () => ((await home.status()).daemon?.warnings ?? []).join('\n');

beforeAll(async () => {
  home = temporaryHome();
  root = join(home.folder, 'web');
  mkdirSync(root);
  writeFileSync(join(root, 'package.json'), '{"dependencies": {"next": "^15"}}');
  writeFileSync(
    join(root, 'package-lock.json'),
    '{"lockfileVersion": 3, "packages": {"": {"dependencies": {"next": "^15"}}, "node_modules/next": {"version": "15.1.0"}}}',
  );
  team = createRepository(join(home.folder, 'team'));
  team.commit({
    'plugins/one.toml': manifest('one'),
    'plugins/loud.toml': '[[mcp_servers]]\nname = "loud"\ncommand = "sh"\n',
  });
  home.configure({ registries: [{ name: 'team', git: team.url, folder: 'plugins' }] });
  agent = await connectAgent({ home: home.home, cwd: root });
});
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
});

test('nothing of a registry is used before it was shown and taken', async () => {
  expect(await menu()).toBe('');
  expect(await warnings()).toContain('Nothing of the registry team is used yet');
  const asked = await sync();
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('there is no terminal to ask at')]);
  expect(asked.stdout).toContain(`team (${team.url}): nothing yet → `);
  expect(asked.stdout).toContain('one (new: not trusted yet)');
  expect(asked.stdout).toContain('echo.mjs');
  expect(asked.stdout).not.toContain('loud'); // it names no dependency
  expect(await menu()).toBe('');

  const taken = await sync('--yes');
  expect([taken.code, taken.stderr]).toEqual([0, expect.stringContaining('Taken: team.')]);
  await until('the session has it', 10_000, async () => (await menu()) === 'one');
  expect(await agent.text('execute', { script: 'return one.echo({ text: "3" })' })).toMatch(/^3/);
  expect(await warnings()).not.toContain('registry');
});

test('a new commit changes nothing by itself; what runs otherwise is asked for, and what does not is not', async () => {
  const pid = (await home.server('one'))?.pid;
  team.commit({ 'plugins/one.toml': manifest('one', '--more'), 'plugins/two.toml': manifest('two') });
  const shown = await sync();
  expect(shown.code).toBe(1);
  expect(shown.stdout).toContain('one (CHANGED since you trusted it)');
  expect(shown.stdout).toMatch(/until now {2}.*echo\.mjs\n {6}runs .*echo\.mjs --more\n/);
  expect(shown.stdout).toContain('two (new: not trusted yet)');
  expect(await menu()).toBe('one');
  expect((await home.server('one'))?.pid).toBe(pid);

  expect((await sync('--yes')).code).toBe(0);
  await until('the session has both', 10_000, async () => (await menu()) === 'one, two');
  await until('the old process is gone', 10_000, async () => (await home.server('one'))?.pid !== pid);
  const same = team.commit({ 'plugins/readme.md': 'words', 'plugins/two.toml': null });
  const quiet = await sync();
  expect([quiet.code, quiet.stdout]).toEqual([0, expect.stringContaining('gone: two')]);
  await until('it has gone', 10_000, async () => (await menu()) === 'one');
  // What was in use before is read no more by the next time that somebody looks.
  await sync();
  expect(readdirSync(join(home.home, 'registries/team'))).toEqual([same]);
});

test('where a registry cannot be fetched, what was taken stays', async () => {
  home.configure({ registries: [{ name: 'team', git: team.url, folder: 'plugins', ref: 'none' }] });
  await until('another branch was never taken', 10_000, async () => (await menu()) === '');
  home.configure({ registries: [{ name: 'team', git: team.url, folder: 'plugins' }] });
  await until('the old one still stands', 10_000, async () => (await menu()) === 'one');
  team.git('branch', '-m', 'main', 'other');
  team.git('symbolic-ref', 'HEAD', 'refs/heads/none');
  const failed = await sync();
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('could not be fetched')]);
  expect(await menu()).toBe('one');
});

test('a folder as a registry waits for a yes too, and with autoSync off a session keeps its servers until then', async () => {
  const folder = join(home.folder, 'local');
  mkdirSync(folder);
  writeFileSync(join(folder, 'three.toml'), manifest('three'));
  home.configure({ autoSync: false, registries: [{ name: 'local', path: folder }] });
  await until('it is told', 10_000, async () => (await warnings()).includes('Of the registry local these wait'));
  expect(await menu()).toBe('one'); // what it began with
  const shown = await sync('--json');
  expect([shown.code, JSON.parse(shown.stdout).registries[0].files[0].file]).toEqual([1, 'three.toml']);
  expect(await menu()).toBe('');
  expect(JSON.parse((await sync('--yes', '--json')).stdout)).toMatchObject({ taken: ['local'], sessions: 1 });
  expect(await menu()).toBe('three');
  writeFileSync(join(folder, 'three.toml'), manifest('three', '--changed'));
  await until('it waits again', 10_000, async () => (await warnings()).includes('wait for `metad sync`: three'));
  expect(await menu()).toBe('three');
});
