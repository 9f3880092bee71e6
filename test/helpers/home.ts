// A METAD_HOME of its own for one test: config.json, the daemon it leads to, and the proof that nothing outlives it.
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerStatus, Status } from '../../schema/wire.ts';
import { descendantsOf, isAlive, type Process, processesOf, until, untilGone } from './processes.ts';
import { type RunOptions, type RunResult, runMetad } from './program.ts';

export interface TestConfig {
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

export interface TestHome extends AsyncDisposable {
  readonly home: string;
  readonly configFile: string;
  /** Where the socket is, while `home` is short enough. */
  readonly socket: string;
  /** A folder for the test's own files, removed with the home. */
  readonly folder: string;
  /** Writes config.json; a text goes out as it is. */
  configure(config: TestConfig | string): void;
  /** Runs `metad ARGS…` on this home. */
  metad(args: readonly string[], options?: RunOptions): Promise<RunResult>;
  status(): Promise<Status>;
  /** The first row of a server in `status`; undefined where there is none. */
  server(name: string): Promise<ServerStatus | undefined>;
  /** The daemon's pid; undefined without one. */
  daemonPid(): Promise<number | undefined>;
  /** Every `metad` daemon process of this home that lives now, whoever serves. */
  daemons(): Process[];
  /** Ends the daemon in order and waits until it and all it started are gone. */
  stop(): Promise<void>;
}

/** A variable that servers get from `temporaryHome`, by which what they leave behind can be found. */
const MARK = 'METAD_TEST_HOME';

/** The real login shell of whoever runs the tests is slow at best; tests that are about it switch it on. */
const marked = (config: TestConfig, home: string): TestConfig => ({
  ...config,
  daemon: { loginShell: false, ...Object(config['daemon']) },
  mcpServers: Object.fromEntries(
    Object.entries(config.mcpServers ?? {}).map(([name, server]) =>
      typeof server === 'object' && server !== null && 'command' in server
        ? [name, { ...server, env: { [MARK]: home, ...('env' in server ? Object(server.env) : {}) } }]
        : [name, server],
    ),
  ),
});

const end = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended by itself meanwhile
  }
};

/** Creates the home. Disposing stops its daemon and fails if any process of the home survives that. */
export const temporaryHome = (config: TestConfig | string = {}): TestHome => {
  // The real path: servers that resolve links compare folders by it.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'metad-')));
  return homeAt(root, join(root, 'home'), config);
};

/** As `temporaryHome`, at a given place below `root`; `root` is what gets removed. */
export const homeAt = (root: string, home: string, config: TestConfig | string): TestHome => {
  const configFile = join(home, 'config.json');
  const folder = join(root, 'files');
  const started = new Set<number>();
  const remember = (daemon: number) => {
    started.add(daemon);
    for (const { pid } of descendantsOf(daemon)) started.add(pid);
  };
  const test: TestHome = {
    home,
    configFile,
    socket: join(home, 'metad.sock'),
    folder,
    configure(next) {
      writeFileSync(configFile, typeof next === 'string' ? next : JSON.stringify(marked(next, home), null, 2));
    },
    metad: (args, { env, ...options } = {}) => runMetad(args, { ...options, env: { METAD_HOME: home, ...env } }),
    async status() {
      const { code, stdout, stderr } = await test.metad(['status', '--json']);
      if (code !== 0) throw new Error(`metad status ended with ${code}: ${stderr}`);
      const status: Status = JSON.parse(stdout);
      if (status.daemon !== null) remember(status.daemon.pid);
      return status;
    },
    server: async (name) => (await test.status()).servers.find((server) => server.name === name),
    daemonPid: async () => (await test.status()).daemon?.pid,
    // A daemon leads a process session of its own and sits below no shim; its servers sit below it.
    daemons: () => {
      const ours = processesOf(home).filter(({ args }) => args.some((arg) => /\bdaemon(\.js|\.mjs|\.cjs)?$/.test(arg)));
      return ours.filter(({ pid, session }) => pid === session);
    },
    async stop() {
      for (const { pid } of test.daemons()) remember(pid);
      const { code, stdout, stderr } = await test.metad(['daemon', 'stop']);
      if (code !== 0) throw new Error(`metad daemon stop ended with ${code}: ${stdout}${stderr}`);
      await untilGone(started, 15_000);
    },
    async [Symbol.asyncDispose]() {
      const failures: unknown[] = [];
      await test.stop().catch((error: unknown) => failures.push(error));
      const left = () => processesOf(root, home);
      await until('the last processes of the home end', 10_000, () => left().length === 0).catch(() => {
        const survivors = left();
        failures.push(
          new Error(`left behind: ${survivors.map(({ pid, args }) => `${pid} ${args.join(' ')}`).join('; ')}`),
        );
        for (const { pid } of survivors) end(pid);
      });
      for (const pid of started) if (isAlive(pid)) end(pid);
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('\n'));
    },
  };
  for (const place of [home, folder]) mkdirSync(place, { recursive: true, mode: 0o700 });
  test.configure(config);
  return test;
};
