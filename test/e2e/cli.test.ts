// The commands that scripts rely on: data on stdout, the rest on stderr, exit codes 0 done, 1 failed, 2 misused.
import { writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';
import { namespacesIn, parseTypeScript } from '../helpers/typescript.ts';

const labs = { mcpServers: { lab: fixtureServer('e2e-lab.mjs'), other: fixtureServer('e2e-lab.mjs') } };

test('status --json without a daemon says null and starts none', async () => {
  await using home = temporaryHome(labs);
  const { code, stdout } = await home.metad(['status', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ schema: 1, daemon: null });
  expect(home.daemons()).toEqual([]);
});

test('daemon start, stop and restart do what they say, twice in a row too', async () => {
  await using home = temporaryHome(labs);
  for (const command of ['stop', 'start', 'start', 'restart', 'stop', 'stop']) {
    const { code, stderr } = await home.metad(['daemon', command]);
    expect({ command, code, stderr: code === 0 ? '' : stderr }).toEqual({ command, code: 0, stderr: '' });
    const wanted = command === 'stop' ? 0 : 1;
    expect(home.daemons().length).toBe(wanted);
  }
});

test('tools prints whole declarations, call and exec print results', async () => {
  await using home = temporaryHome(labs);
  const one = await home.metad(['tools', 'lab']);
  expect(one.code).toBe(0);
  expect(namespacesIn(one.stdout)).toEqual(['lab']);
  expect(one.stdout).toContain('Gives back its text');
  await parseTypeScript(one.stdout);
  expect(namespacesIn((await home.metad(['tools'])).stdout).sort()).toEqual(['lab', 'other']);

  const call = await home.metad(['call', 'lab.echo', '{"text":"by hand"}']);
  expect(call).toMatchObject({ code: 0, stdout: expect.stringContaining('by hand') });
  const json = await home.metad(['call', 'lab.echo', '{"text":"by hand"}', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ content: [{ type: 'text', text: 'by hand' }] });

  const exec = await home.metad(['exec', '-'], {
    input: 'return [await lab.echo({ text: "a" }), await other.echo({ text: "b" })]',
  });
  expect(exec.code).toBe(0);
  expect(JSON.parse(exec.stdout)).toEqual(['a', 'b']);
});

test('what fails exits with 1, what is misused with 2, and both say so on stderr alone', async () => {
  await using home = temporaryHome(labs);
  const failing = [
    ['call', 'lab.no_such_tool', '{}'],
    ['call', 'nowhere.echo', '{}'],
    ['tools', 'nowhere'],
    ['exec', '/no/such/file.js'],
  ];
  for (const args of failing) {
    const { code, stdout, stderr } = await home.metad(args);
    expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: '' });
    expect(stderr).toMatch(/\S/);
    expect(stderr).not.toMatch(/^\s+at /m);
  }
  for (const args of [
    ['no-such-command'],
    ['call'],
    ['call', 'lab.echo', '{not json'],
    ['daemon', 'fly'],
    ['status', '--sideways'],
  ]) {
    const { code, stdout, stderr } = await home.metad(args);
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
    expect(stderr).toMatch(/\S/);
    expect(stderr).not.toMatch(/^\s+at /m);
  }
});

test('a failing script makes exec exit with 1 and name the line', async () => {
  await using home = temporaryHome(labs);
  const { code, stdout, stderr } = await home.metad(['exec', '-'], {
    input: 'const a = 1;\nthrow new RangeError("too far")',
  });
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('RangeError: too far');
  expect(stdout + stderr).toMatch(/line 2|:2:/);
});

test('config schema is JSON Schema, config check says yes to a good file', async () => {
  await using home = temporaryHome(labs);
  const schema = await home.metad(['config', 'schema']);
  expect(Object.keys(JSON.parse(schema.stdout).properties)).toEqual(expect.arrayContaining(['mcpServers', 'execute']));
  expect((await home.metad(['config', 'check'])).code).toBe(0);
});

test('status without a terminal is a plain table', async () => {
  await using home = temporaryHome(labs);
  await home.metad(['call', 'lab.echo', '{"text":"x"}']);
  const { code, stdout } = await home.metad(['status']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/lab\b.*ready/);
  expect(stdout).toMatch(/other\b.*cold/);
  expect(stdout).not.toContain('\u001b[');
});

test('--home does what METAD_HOME does', async () => {
  await using home = temporaryHome(labs);
  const { code, stdout } = await home.metad(['call', 'lab.echo', '{"text":"x"}', '--home', home.home], {
    env: { METAD_HOME: '' },
  });
  expect({ code, text: stdout.trim() }).toEqual({ code: 0, text: 'x' });
});

test('a daemon that no agent has met yet follows config.json', async () => {
  await using home = temporaryHome({ mcpServers: {} });
  await home.metad(['daemon', 'start']);
  const names = async () =>
    JSON.parse((await home.metad(['status', '--json'])).stdout).servers.map(({ name }: { name: string }) => name);
  expect(await names()).toEqual([]);
  writeFileSync(home.configFile, JSON.stringify(labs));
  await vi.waitFor(async () => expect(await names()).toEqual(['lab', 'other']), { timeout: 20_000, interval: 200 });
});

test('tools without any server says so, and refuses a detail that does not exist as misuse', async () => {
  await using home = temporaryHome({ mcpServers: {} });
  const none = await home.metad(['tools']);
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('config.json names no server') });
  const wrong = await home.metad(['tools', '--detail', 'nope']);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('names, signatures, full') });
});

test('shim --help prints its usage and starts nothing', async () => {
  await using home = temporaryHome({ mcpServers: {} });
  const help = await home.metad(['shim', '--help']);
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('metad shim [--workspace DIR]') });
  expect(home.daemons()).toEqual([]);
});
