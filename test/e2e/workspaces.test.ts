// Two agents in two workspaces: servers appear and go with what lockfiles say, each in its own workspace alone.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Why } from '../../schema/wire.ts';
import { type Agent, connectAgent } from '../helpers/agent.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

const cargoLock = (...names: readonly string[]): string =>
  [
    'version = 4',
    '',
    `[[package]]\nname = "app"\nversion = "0.1.0"\ndependencies = [${names.map((name) => JSON.stringify(name)).join(', ')}]`,
    ...names.map(
      (name) =>
        `[[package]]\nname = "${name}"\nversion = "0.7.4"\nsource = "registry+https://github.com/rust-lang/crates.io-index"`,
    ),
  ].join('\n\n');

const cargoToml = (...names: readonly string[]): string =>
  `[package]\nname = "app"\nversion = "0.1.0"\n\n[dependencies]\n${names.map((name) => `${name} = "0.7"\n`).join('')}`;

const packageLock = (names: readonly string[]): string =>
  JSON.stringify({
    name: 'web',
    lockfileVersion: 3,
    packages: {
      '': { name: 'web', dependencies: Object.fromEntries(names.map((name) => [name, '^15.0.0'])) },
      ...Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '15.1.0' }])),
    },
  });

const manifest = (name: string, dependsOn: string): string => {
  const { command, args } = fixtureServer('echo.mjs');
  return `name = "${name}"
depends-on = ["${dependsOn}"]

[[mcp_servers]]
name = "${name}"
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
env = []
`;
};

const menuOf = async (agent: Agent): Promise<string> => {
  const tools = await agent.listTools();
  return /Available servers: (.*)/.exec(tools.find(({ name }) => name === 'list_tools')?.description ?? '')?.[1] ?? '';
};

describe('two workspaces', () => {
  let home: TestHome;
  let rust: string;
  let web: string;
  let inRust: Agent;
  let inWeb: Agent;

  const install = (...names: readonly string[]): void => {
    writeFileSync(join(rust, 'Cargo.toml'), cargoToml(...names));
    // As cargo writes it: another file, renamed.
    writeFileSync(join(rust, 'Cargo.lock.new'), cargoLock(...names));
    renameSync(join(rust, 'Cargo.lock.new'), join(rust, 'Cargo.lock'));
  };
  const installInWeb = (...names: readonly string[]): void => {
    writeFileSync(
      join(web, 'package.json'),
      JSON.stringify({ name: 'web', dependencies: Object.fromEntries(names.map((name) => [name, '^15.0.0'])) }),
    );
    writeFileSync(join(web, 'package-lock.json'), packageLock(names));
  };

  beforeAll(async () => {
    home = temporaryHome({ mcpServers: { files: fixtureServer('echo.mjs') } });
    mkdirSync(join(home.home, 'plugins', 'sqlx'), { recursive: true });
    writeFileSync(join(home.home, 'plugins', 'sqlx', 'SYMPOSIUM.toml'), manifest('sqlx', 'sqlx'));
    writeFileSync(join(home.home, 'plugins', 'next.toml'), manifest('next', 'npm:next >= 15'));
    [rust, web] = [join(home.folder, 'rust'), join(home.folder, 'web')];
    for (const folder of [rust, web]) mkdirSync(join(folder, 'src'), { recursive: true });
    install('serde');
    installInWeb('next');
    inRust = await connectAgent({ home: home.home, cwd: join(rust, 'src'), client: 'v1' });
    inWeb = await connectAgent({ home: home.home, cwd: web, client: 'v2-legacy' });
  });

  afterAll(async () => {
    await inRust?.[Symbol.asyncDispose]();
    await inWeb?.[Symbol.asyncDispose]();
    await home?.[Symbol.asyncDispose]();
  });

  test('each is offered what its dependencies ask for, from its first list on', async () => {
    expect(await menuOf(inRust)).toBe('files');
    expect(await menuOf(inWeb)).toBe('files, next');
    expect(await inWeb.run('return next.echo({ text: "1" })')).toBe(1);
  });

  test('an installed package brings a server to one session, and leaves the other untouched', async () => {
    await inWeb.run('return files.echo({ text: "1" })');
    const before = { pid: (await home.server('next'))?.pid, changes: inWeb.listChanges() };
    install('serde', 'sqlx');
    await until('the menu has it', 10_000, () => inRust.listChanges() === 1);
    expect(await menuOf(inRust)).toBe('files, sqlx');
    expect(await inRust.text('execute', { script: 'return Object.keys(sqlx).length > 0' })).toContain('servers: +sqlx');
    expect(inWeb.listChanges()).toBe(before.changes);
    expect(await menuOf(inWeb)).toBe('files, next');
    expect((await home.server('next'))?.pid).toBe(before.pid);
  });

  test('why says what decided, also where it does not apply', async () => {
    const whyIn = async (cwd: string): Promise<Why> =>
      JSON.parse((await home.metad(['why', 'sqlx', '--json'], { cwd })).stdout);
    const { applies } = await whyIn(rust);
    expect(applies).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          workspace: rust,
          holds: true,
          atoms: [expect.objectContaining({ because: 'sqlx 0.7.4' })],
        }),
        expect.objectContaining({ workspace: web, holds: false }),
      ]),
    );
    const { stdout } = await home.metad(['why', 'sqlx'], { cwd: web });
    expect(stdout).toContain('✗ depends-on(sqlx): no dependency is named sqlx');
  });

  test('a removed package takes its server away, and its process, and no other', async () => {
    await inRust.run('return sqlx.echo({ text: "1" })');
    await inRust.run('return files.echo({ text: "1" })');
    const pid = (await home.server('sqlx'))?.pid;
    const files = (await home.status()).servers.find(({ name, owner }) => name === 'files' && owner === rust)?.pid;
    expect([pid, files]).toEqual([expect.any(Number), expect.any(Number)]);
    install('serde');
    await until('the menu has it no more', 10_000, () => inRust.listChanges() === 2);
    expect(await menuOf(inRust)).toBe('files');
    await until('its process is gone', 10_000, async () => (await home.server('sqlx'))?.pid == null);
    expect((await home.status()).servers.find(({ name, owner }) => name === 'files' && owner === rust)?.pid).toBe(
      files,
    );
  });

  test('what npm itself installs and removes is followed', async () => {
    const source = join(home.folder, 'source/package');
    mkdirSync(source, { recursive: true });
    writeFileSync(join(source, 'package.json'), '{"name": "svelte", "version": "5.2.0"}');
    execFileSync('tar', ['czf', join(home.folder, 'svelte-5.2.0.tgz'), '-C', dirname(source), 'package']);
    writeFileSync(join(home.home, 'plugins', 'svelte.toml'), manifest('svelte', 'npm:svelte >= 5'));
    writeFileSync(join(web, 'package.json'), '{"name": "web"}');
    rmSync(join(web, 'package-lock.json'));
    await until('next is gone', 10_000, async () => (await menuOf(inWeb)) === 'files');
    const npm = (...words: readonly string[]) =>
      promisify(execFile)(
        'npm',
        [...words, '--offline', '--no-audit', '--no-fund', '--cache', join(home.folder, 'cache')],
        {
          cwd: web,
        },
      );
    await npm('install', '../svelte-5.2.0.tgz');
    await until('the menu has it', 10_000, async () => (await menuOf(inWeb)) === 'files, svelte');
    await npm('uninstall', 'svelte');
    await until('it has gone', 10_000, async () => (await menuOf(inWeb)) === 'files');
    expect(inRust.listChanges()).toBe(2);
  });

  test('R094: git checkout with 200 events is one change', async () => {
    const git = (...words: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { cwd: rust });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
    git('checkout', '-qb', 'other');
    // Apart from the workspace, so that nothing of it is seen while it is made.
    const aside = join(home.folder, 'aside');
    git('worktree', 'add', '-q', aside, '-b', 'with-sqlx');
    for (let at = 0; at < 200; at += 1) writeFileSync(join(aside, `file-${at}.rs`), 'x');
    writeFileSync(join(aside, 'Cargo.toml'), cargoToml('serde', 'sqlx'));
    writeFileSync(join(aside, 'Cargo.lock'), cargoLock('serde', 'sqlx'));
    execFileSync('git', ['add', '.'], { cwd: aside });
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'two'], {
      cwd: aside,
    });
    git('worktree', 'remove', aside);
    expect(inRust.listChanges()).toBe(2);
    git('checkout', '-q', 'with-sqlx');
    await until('the menu has it', 10_000, () => inRust.listChanges() === 3);
    expect(await menuOf(inRust)).toBe('files, sqlx');
    await inRust.text('execute', { script: 'return 1' });
    expect(inRust.listChanges()).toBe(3);
  });
});
