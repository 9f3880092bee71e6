// A project far larger than what the system lets a program watch.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Agent, connectAgent } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer, programPath } from '../helpers/program.ts';

/** In a user namespace of its own the limit is the test's. Where the system has none, the fault is played elsewhere. */
const limited = (watches: number, ...words: readonly string[]): readonly string[] => [
  ...['-Ur', 'sh', '-c', `echo ${watches} > /proc/sys/user/max_inotify_watches && exec "$0" "$@"`, ...words],
];
const canLimit = spawnSync('unshare', limited(1, 'true')).status === 0;

const watchesOf = (pid: number): number => {
  const folder = `/proc/${pid}/fdinfo`;
  const texts = readdirSync(folder).map((name) => {
    try {
      return readFileSync(join(folder, name), 'utf8');
    } catch {
      return '';
    }
  });
  return texts.join('\n').match(/^inotify wd:/gm)?.length ?? 0;
};

const packages = (...names: readonly string[]) => ({
  'package.json': JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '1'])) }),
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: Object.fromEntries([
      ['', { dependencies: Object.fromEntries(names.map((name) => [name, '1'])) }],
      ...names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }]),
    ]),
  }),
});

test.runIf(canLimit)(
  'R092: of 40,000 folders a handful is watched; at the system’s limit metad polls and says so once',
  async () => {
    await using home = temporaryHome({ mcpServers: { files: fixtureServer('echo.mjs') } });
    const root = join(home.folder, 'large');
    mkdirSync(root);
    // By one program: forty thousand calls from here would hold up the tests beside this one.
    execFileSync('sh', ['-c', 'mkdir node_modules && cd node_modules && seq -f "p%g/lib/src" 13333 | xargs mkdir -p'], {
      cwd: root,
    });
    const install = (...names: readonly string[]) => {
      for (const [name, text] of Object.entries(packages(...names))) writeFileSync(join(root, name), text);
    };
    install('left');
    mkdirSync(join(home.home, 'plugins'));
    const { command, args } = fixtureServer('echo.mjs');
    writeFileSync(
      join(home.home, 'plugins/right.toml'),
      `depends-on = ["right"]\n[[mcp_servers]]\nname = "right"\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
    );
    const warnings = async () =>
      ((await home.status()).daemon?.warnings ?? []).filter((one) => one.includes('inotify'));

    const menuOf = async (agent: Agent) =>
      (await agent.listTools()).find(({ name }) => name === 'list_tools')?.description ?? '';

    {
      await using agent = await connectAgent({ home: home.home, cwd: root });
      await menuOf(agent);
      const pid = await until('the daemon', 10_000, () => home.daemonPid());
      await until('it watches', 10_000, () => watchesOf(pid) > 2);
      expect(watchesOf(pid)).toBeLessThan(12);
      expect(await warnings()).toEqual([]);
    }
    await home.stop();

    // The same with one watch for everything.
    const daemon = spawn('unshare', limited(1, process.execPath, programPath(), 'daemon', 'run'), {
      env: { ...process.env, METAD_HOME: home.home },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => daemon.once('exit', resolve));
    await until('the daemon', 20_000, () => home.daemonPid());
    await using agent = await connectAgent({ home: home.home, cwd: root });
    expect(await menuOf(agent)).toContain('files');
    await until('the warning', 20_000, async () => (await warnings()).length === 1);
    expect(await agent.run('return files.echo({ text: "1" })')).toBe(1);
    install('left', 'right');
    await until('the change is seen', 20_000, async () => (await menuOf(agent)).includes('right'));
    expect(await warnings()).toHaveLength(1);
    await home.metad(['daemon', 'stop']);
    await ended;
    // Node would take ten times as long to remove so many.
    execFileSync('rm', ['-rf', root]);
  },
);
