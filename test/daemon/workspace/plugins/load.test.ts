import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createPluginLoader } from '../../../../daemon/workspace/plugins/load.ts';
import { createPluginSource } from '../../../../daemon/workspace/plugins/source.ts';
import { predicateText } from '../../../../daemon/workspace/predicate/predicate.ts';
import { type TestFolder, testFolder } from '../../../helpers/folder.ts';

const write = async (folder: TestFolder, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(folder.at(path)), { recursive: true });
    await writeFile(folder.at(path), text);
  }
};

const server = (name: string, more = ''): string =>
  `[[mcp_servers]]\nname = "${name}"\ncommand = "${name}-mcp"\nargs = []\nenv = []\n${more}\n`;

const loaded = async (files: Readonly<Record<string, string>>, isForeign = false) => {
  await using folder = testFolder();
  await write(folder, files);
  const load = createPluginLoader(() => [{ path: folder.at('plugins'), isForeign }]);
  const { offers, problems, files: watched = [] } = await load();
  const short = (text: string) => text.replaceAll(`${folder.path}/`, '');
  return {
    offers: offers.map(({ definition, plugin, gate, customs }) => ({
      name: definition.name,
      plugin,
      origin: short(definition.origin),
      gate: gate && predicateText(gate),
      definition,
      customs,
      reach: JSON.parse(short(JSON.stringify(definition.reach))),
    })),
    problems: problems.map(short),
    watched: watched.map(short),
  };
};

test('a manifest as Symposium documents it is read: every transport, both shapes of env, levels joined', async () => {
  const { offers, problems } = await loaded({
    'plugins/widget/SYMPOSIUM.toml': `
name = "widgetlib"
depends-on = ["widgetlib", "widget-core>=1.0"]
predicates = ["not(env(NO_WIDGET))"]

[[skills]]
depends-on = ["widgetlib"]
source.path = "skills"

[[hooks]]
name = "check"
event = "PreToolUse"
command = { script = "scripts/x.sh" }

[defaults]
skills = false

[[mcp_servers]]
name = "local"
command = "./bin/local"
args = ["--stdio"]
env = [{ name = "MODE", value = "fast" }]

[[mcp_servers]]
type = "http"
name = "remote"
url = "http://localhost:8080/mcp"
headers = [{ name = "X-Key", value = "\${WIDGET_KEY}" }]
depends-on = "widget-http"

[[mcp_servers]]
type = "sse"
name = "events"
url = "http://localhost:8080/sse"
headers = { A = "b" }
predicates = ["path_exists(.widget)"]
`,
  });
  expect(problems).toEqual([]);
  expect(offers.map(({ name, plugin, reach }) => [name, plugin, reach])).toEqual([
    [
      'local',
      'widgetlib',
      { kind: 'stdio', command: 'plugins/widget/bin/local', args: ['--stdio'], env: { MODE: 'fast' } },
    ],
    ['remote', 'widgetlib', { kind: 'http', url: 'http://localhost:8080/mcp', headers: { 'X-Key': '${WIDGET_KEY}' } }],
    ['events', 'widgetlib', { kind: 'sse', url: 'http://localhost:8080/sse', headers: { A: 'b' } }],
  ]);
  const plugin = 'any(depends-on(widgetlib), depends-on(widget-core>=1.0)), not(env(NO_WIDGET))';
  expect(offers.map(({ gate }) => gate)).toEqual([
    `all(${plugin})`,
    `all(all(${plugin}), depends-on(widget-http))`,
    `all(all(${plugin}), path_exists(.widget))`,
  ]);
});

test('plugins are found as folders and files, in either spelling and in Cargo.toml, by their own or their place’s name', async () => {
  const { offers, watched } = await loaded({
    'plugins/a/Symposium.toml': server('one'),
    'plugins/b.toml': `name = "named"\n${server('two')}`,
    'plugins/c/Cargo.toml': `[package]\nname = "c"\n[package.metadata.symposium]\ndepends-on = ["c"]\n[[package.metadata.symposium.mcp_servers]]\nname = "three"\ncommand = "three"\nargs = []\n`,
    'plugins/d/README.md': 'no plugin',
    'plugins/.hidden.toml': server('hidden'),
  });
  expect(offers.map(({ name, plugin, origin }) => [name, plugin, origin])).toEqual([
    ['one', 'a', 'plugins/a/Symposium.toml'],
    ['two', 'named', 'plugins/b.toml'],
    ['three', 'c', 'plugins/c/Cargo.toml'],
  ]);
  expect(watched).toEqual(
    expect.arrayContaining(['plugins/d/SYMPOSIUM.toml', 'plugins/a/metad.toml', 'plugins/b.metad.toml']),
  );
});

test('metad’s own settings stand beside a manifest, checked like those of config.json', async () => {
  const { offers, problems } = await loaded({
    'plugins/a/SYMPOSIUM.toml': `${server('one')}${server('two')}`,
    'plugins/a/metad.toml': `[servers.one]\nsharing = "user"\nidleMinutes = 90\nincludeTools = ["get_*"]\n[servers.two]\nidleMinuts = 3\n`,
  });
  expect(offers[0]?.definition).toMatchObject({ sharing: 'user', idleMs: 90 * 60_000, includeTools: ['get_*'] });
  expect(offers[1]?.definition.sharing).toBe('workspace');
  expect(problems).toEqual([expect.stringContaining('mcp_servers.two.idleMinuts')]);
});

test('an installation that a server names becomes its program; metad installs nothing', async () => {
  const { offers, problems } = await loaded({
    'plugins/a.toml': `
[[installations]]
name = "own"
executable = "bin/own"
args = ["serve"]
[[installations]]
name = "script"
script = "run.sh"
[[installations]]
name = "ripgrep"
source = "cargo"
crate = "ripgrep"
executable = "rg"
[[mcp_servers]]
name = "one"
command = "own"
args = ["--more"]
[[mcp_servers]]
name = "two"
command = "script"
args = []
[[mcp_servers]]
name = "three"
command = "ripgrep"
args = []
`,
    'plugins/b.toml': `[[installations]]\nname = "far"\nsource = "github"\nurl = "https://x"\n${server('four').replace('four-mcp', 'far')}`,
  });
  expect(offers.map(({ reach }) => [reach.command, ...reach.args])).toEqual([
    ['plugins/bin/own', 'serve', '--more'],
    ['sh', 'plugins/run.sh'],
    ['rg'],
  ]);
  expect(problems).toEqual([
    'plugins/b.toml: the installation "far" comes from "github", and metad installs nothing: install it yourself and name its path as "executable", without "source".',
  ]);
});

test('old keys are read and warned about, unknown ones are warned about, mistakes name file and place', async () => {
  const { offers, problems } = await loaded({
    'plugins/a.toml': `crates = ["old"]\nidle-minutes = 3\nmcp_server = 1\n${server('one', 'crates = ["x"]')}`,
    'plugins/b.toml': 'name = "b"\ndepends-on = [\n',
    'plugins/c.toml': server('three', 'predicates = ["crate(serde)"]'),
    'plugins/d.toml': '[[mcp_servers]]\nname = "four"\n',
    'plugins/e.toml': server('five').replace('args = []', 'args = "x"'),
    'plugins/f.toml': '',
    'plugins/g.toml': `[[plugins]]\nsource.cargo = "serde"\n`,
  });
  expect(offers.map(({ name, gate }) => [name, gate])).toEqual([['one', 'all(depends-on(old), depends-on(x))']]);
  const said = (start: string) => expect(problems).toEqual(expect.arrayContaining([expect.stringContaining(start)]));
  said('plugins/a.toml: "crates" is not read any more: it is called "depends-on" now.');
  said('plugins/a.toml: metad knows no key "idle-minutes".');
  said('plugins/a.toml: metad knows no key "mcp_server". Did you mean "mcp_servers"?');
  said('plugins/b.toml:');
  said('plugins/c.toml: crate(…) is now called depends-on(…).');
  said('plugins/d.toml: mcp_servers.four needs "command"');
  said('plugins/e.toml: mcp_servers[0].args');
  said('plugins/f.toml is empty.');
  said('plugins/g.toml: the plugin of the crate serde is not read');
});

test('the first server of a name counts; a predicate is its own plugin’s alone, and that of the plugins it names', async () => {
  const predicate = (command: string) => `[[predicate]]\nname = "fits"\ncommand = "${command}"\n`;
  const { offers, problems } = await loaded({
    'plugins/a.toml': `${server('same')}${predicate('a')}`,
    'plugins/b.toml': `${server('same')}${predicate('b')}[[predicate]]\nname = "mine"\ncommand = { executable = "bin/x" }\nargs = ["--check"]\n`,
    'plugins/c.toml': `${server('own')}[[predicate]]\nname = "shell"\ncommand = "x"\n`,
    'plugins/d/SYMPOSIUM.toml': `${server('outer')}${predicate('d')}[[plugins]]\nsource.path = "in"\n`,
    'plugins/d/in/SYMPOSIUM.toml': `${server('inner')}[[predicate]]\nname = "mine"\ncommand = { executable = "bin/x" }\nargs = ["--check"]\n`,
    'plugins/e/SYMPOSIUM.toml': `${predicate('e')}[[plugins]]\nsource.path = "in"\n`,
    'plugins/e/in/SYMPOSIUM.toml': `${server('twice')}${predicate('in')}`,
  });
  expect(offers.map(({ name, plugin }) => [name, plugin])).toEqual([
    ['same', 'a'],
    ['outer', 'd'],
    ['inner', 'in'],
  ]);
  expect(offers.map(({ customs }) => [...customs].map(([name, { command }]) => `${name} ${command}`))).toEqual([
    ['fits a'],
    ['fits d'],
    ['fits d', expect.stringMatching(/^mine .*plugins\/d\/in\/bin\/x$/)],
  ]);
  expect(offers[2]?.customs.get('mine')?.args).toEqual(['--check']);
  expect(problems).toEqual([
    'plugins/c.toml: a predicate cannot be named "shell": metad has one of that name.',
    'plugins/e/in/SYMPOSIUM.toml: the plugin that names this one has a predicate "fits" too.',
    'Two plugins have a server named same: the one of plugins/a.toml is used, that of plugins/b.toml is not.',
  ]);
});

test('[[plugins]] joins conditions, and a circle of them is a mistake', async () => {
  const { offers, problems, watched } = await loaded({
    'plugins/outer/SYMPOSIUM.toml': `depends-on = ["a"]\n[[plugins]]\nsource.path = "../../inner"\npredicates = ["env(B)"]\n`,
    'inner/SYMPOSIUM.toml': server('one', 'depends-on = ["c"]'),
    'plugins/round/SYMPOSIUM.toml': `[[plugins]]\nsource.path = "."\n`,
  });
  expect(offers.map(({ gate }) => gate)).toEqual(['all(all(depends-on(a), env(B)), depends-on(c))']);
  expect(problems).toEqual([expect.stringContaining('lead more than 8 plugins deep')]);
  expect(watched).toContain('inner/SYMPOSIUM.toml');
});

test('what no person writes is not read: more than 200 servers of a plugin, or manifests', async () => {
  const { offers, problems } = await loaded({
    'plugins/a.toml': Array.from({ length: 201 }, (_, at) => server(`s${at}`)).join('\n'),
    'plugins/b/SYMPOSIUM.toml': '[[plugins]]\nsource.path = "x"\n'.repeat(201),
    'plugins/b/x/SYMPOSIUM.toml': server('x'),
    'plugins/c.toml': server('one'),
  });
  expect(offers.map(({ name }) => name)).toEqual(['one']);
  expect(problems).toEqual([
    'plugins/a.toml: it has 201 servers, and at most 200 are read.',
    expect.stringContaining('more than 200 manifests'),
  ]);
});

test('a plugin of a foreign folder that names no dependency is left alone', async () => {
  const { offers } = await loaded(
    { 'plugins/a.toml': server('one'), 'plugins/b.toml': `depends-on = "*"\n${server('two')}` },
    true,
  );
  expect(offers.map(({ name }) => name)).toEqual(['two']);
});

test('a source follows its folder, and a broken manifest keeps what it said before', async () => {
  await using folder = testFolder();
  let changes = 0;
  const source = createPluginSource({
    load: createPluginLoader(() => [{ path: folder.at('plugins') }]),
    onChange: () => (changes += 1),
    log: () => {},
  });
  const names = () => source.offers().map(({ definition }) => definition.name);
  const soon = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 });
  await source.reload();
  await source.watch();
  expect([names(), changes]).toEqual([[], 0]);
  await write(folder, { 'plugins/a.toml': server('one') });
  await soon(() => expect(names()).toEqual(['one']));
  const before = source.offers();
  await write(folder, { 'plugins/a.toml': `${server('one')}\n# a remark` });
  await source.reload();
  expect(source.offers()).toBe(before);
  await write(folder, { 'plugins/a.toml': '[[', 'plugins/b/SYMPOSIUM.toml': server('two') });
  await soon(() => expect(names()).toEqual(['one', 'two']));
  expect(source.problems()[0]).toContain('What it said before still holds.');
  await rm(folder.at('plugins/a.toml'));
  await soon(() => expect(names()).toEqual(['two']));
  await source[Symbol.asyncDispose]();
});
