// The servers that metad knows by itself: each entry of the data, and what of it is suggested.
import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Dependency } from '../../../daemon/workspace/dependency.ts';
import { createPluginLoader } from '../../../daemon/workspace/plugins/load.ts';
import { parseGate } from '../../../daemon/workspace/predicate/parse.ts';
import { leavesOf } from '../../../daemon/workspace/predicate/predicate.ts';
import { suggestionsFor } from '../../../daemon/workspace/suggest.ts';
import { readConfig } from '../../../schema/config/read.ts';
import { SUGGESTED_SERVERS } from '../../../schema/config/suggestions.ts';
import type { Definition } from '../../../schema/config.ts';
import { manifestOf } from '../../../tui/suggested-plugin.ts';
import { expectTable } from '../../helpers/doc-table.ts';
import { testFolder } from '../../helpers/folder.ts';

const direct = (name: string, version: string, ecosystem: Dependency['ecosystem'] = 'npm'): Dependency => ({
  ...{ ecosystem, name, version, direct: true, member: '' },
});

const facts = (dependencies: readonly Dependency[], paths: readonly string[] = []) => ({
  dependencies,
  environment: {},
  isMember: false,
  pathExists: (path: string) => paths.includes(path),
  ran: () => 'nothing is run for a suggestion',
});

const defined = (servers: Readonly<Record<string, unknown>>): ReadonlyMap<string, Definition> =>
  readConfig(JSON.stringify({ mcpServers: servers }), '/config.json').config?.servers ?? new Map();

const names = (...given: Parameters<typeof suggestionsFor>) => suggestionsFor(...given).map(({ name }) => name);

test('every entry has a name of its own, a source, and a condition that needs no program', () => {
  expect(SUGGESTED_SERVERS.length).toBeGreaterThanOrEqual(25);
  expect(new Set(SUGGESTED_SERVERS.map(({ name }) => name)).size).toBe(SUGGESTED_SERVERS.length);
  for (const { name, source, dependsOn, predicates = [] } of SUGGESTED_SERVERS) {
    expect([name, new URL(source).protocol]).toEqual([name, 'https:']);
    const gate = parseGate(dependsOn, predicates);
    const leaves = gate === undefined ? [] : leavesOf(gate);
    const asks = leaves.filter((leaf) => leaf.kind !== 'depends-on' || leaf.requirement !== null);
    expect([name, asks.length > 0, leaves.some(({ kind }) => kind === 'shell' || kind === 'custom')]).toEqual([
      ...[name, true, false],
    ]);
  }
});

test('every entry becomes a plugin that is read without a word, and a config entry that is right', async () => {
  await using folder = testFolder();
  await mkdir(folder.at('plugins'));
  for (const server of SUGGESTED_SERVERS) await writeFile(folder.at(`plugins/${server.name}.toml`), manifestOf(server));
  const { offers, problems } = await createPluginLoader(() => [{ path: folder.at('plugins') }])();
  expect(problems).toEqual([]);
  expect(offers.map(({ definition: { name } }) => name)).toEqual(SUGGESTED_SERVERS.map(({ name }) => name).sort());
  for (const { name, entry } of SUGGESTED_SERVERS) {
    const { config, problems: wrong } = readConfig(JSON.stringify({ mcpServers: { [name]: entry } }), '/config.json');
    const offered = offers.find(({ definition }) => definition.name === name)?.definition;
    expect(wrong).toEqual([]);
    const there = config?.servers.get(name);
    // Where a URL may be of either kind, a plugin says that it is HTTP.
    expect([offered?.reach, offered?.sharing]).toEqual([there?.reach, there?.sharing]);
  }
});

test('what a workspace depends on decides, with the reason', () => {
  const shop = facts([direct('prisma', '6.7.0'), direct('next', '15.1.0'), direct('sqlx', '0.8.0', 'cargo')]);
  expect(names(shop, new Map())).toEqual(['prisma', 'postgres']);
  const [prisma] = suggestionsFor(shop, new Map());
  expect(prisma).toMatchObject({ runs: ['npx', '-y', 'prisma', 'mcp'], variables: [] });
  expect(prisma?.because.join()).toContain('prisma 6.7.0');
  expect(names(facts([], ['./components.json']), new Map())).toEqual(['shadcn']);
  expect(names(facts([]), new Map())).toEqual([]);
  expect(suggestionsFor(facts([direct('stripe', '1.0.0')]), new Map())[0]?.variables).toEqual(['STRIPE_SECRET_KEY']);
});

test('what is there already is not suggested, whatever it is named', () => {
  const shop = facts([direct('prisma', '6.7.0'), direct('astro', '5.0.0'), direct('playwright', '1.50.0')]);
  expect(names(shop, new Map())).toEqual(['prisma', 'playwright', 'astro-docs']);
  const there = defined({
    prisma: { command: 'other' },
    browser: { command: 'npx', args: ['-y', '@playwright/mcp@0.0.30', '--headless'] },
    docs: { url: 'https://mcp.docs.astro.build/mcp' },
  });
  expect(names(shop, there)).toEqual([]);
  expect(names(shop, defined({ browser: { command: 'npx', args: ['other'] } }))).toHaveLength(3);
});

test('docs/workspaces.md has the table of suggestions', () => {
  expectTable('workspaces.md', 'suggestions', [
    ['server', 'suggested for', 'what it gives'],
    ...SUGGESTED_SERVERS.map(({ name, about, dependsOn, predicates = [], source }) => [
      `[\`${name}\`](${source})`,
      [...dependsOn.filter((one) => one !== '*'), ...predicates].map((one) => `\`${one}\``).join(', '),
      about,
    ]),
  ]);
});
