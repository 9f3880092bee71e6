// What following workspaces costs: reading a large lockfile, telling of a change, watches held, opening a known workspace.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSurveyor } from '../../daemon/workspace/survey/surveyor.ts';
import { connectAgent } from '../../test/helpers/agent.ts';
import { type TestHome, temporaryHome } from '../../test/helpers/home.ts';
import { until } from '../../test/helpers/processes.ts';
import { ROOT } from '../../test/helpers/program.ts';
import { bareNode, benchServer, interleaved, type Measure, median, type Row, shimClient, timed } from './harness.ts';

const LOCK_BYTES = 1_000_000;
const LOCK_ROUNDS = 7;
const CHANGES = 12;
const WORKSPACES = 50;
const OPENINGS = 20;

/** A lockfile of pnpm's with packages of plausible size, until it has that many bytes. */
const pnpmLock = (bytes: number): string => {
  const head =
    "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      next:\n        specifier: ^15.0.0\n        version: 15.1.0\n\npackages:\n\n  next@15.1.0:\n    resolution: {integrity: sha512-AAAA}\n";
  const one = (at: number): string =>
    `\n  package-${at}@${at % 9}.${at % 13}.${at % 7}:\n    resolution: {integrity: sha512-${`${at}`.padStart(86, 'q')}==}\n    engines: {node: '>=18'}\n    peerDependencies:\n      react: '*'\n`;
  let text = head;
  for (let at = 0; text.length < bytes; at += 1) text += one(at);
  return text;
};

const measureLock = async (home: TestHome): Promise<readonly Row[]> => {
  const root = join(home.folder, 'large');
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ dependencies: { next: '^15.0.0' } }));
  writeFileSync(join(root, 'pnpm-lock.yaml'), pnpmLock(LOCK_BYTES));
  const workerUrl = pathToFileURL(join(ROOT, 'dist', 'survey.js'));
  const times: number[] = [];
  const again: number[] = [];
  let pause = 0;
  for (let round = 0; round < LOCK_ROUNDS; round += 1) {
    await using surveyor = createSurveyor({ workerUrl });
    let last = performance.now();
    const beat = setInterval(() => {
      pause = Math.max(pause, performance.now() - last);
      last = performance.now();
    }, 1);
    const before = performance.now();
    const found = await surveyor.survey(root, []);
    times.push(performance.now() - before);
    clearInterval(beat);
    if (!found.some(({ dependencies }) => dependencies.some(({ name }) => name === 'next')))
      throw new Error('nothing was read');
    again.push(await timed(() => surveyor.survey(root, found)));
  }
  return [
    {
      id: 'lock-first',
      what: 'first reading of a pnpm-lock.yaml of 1 MB, its worker started for it, p50',
      unit: 'ms',
      value: median(times),
      note: `unchanged, looked at again: ${median(again).toFixed(1)} ms; the longest pause of the event loop meanwhile ${pause.toFixed(0)} ms`,
    },
  ];
};

const cargoLock = (names: readonly string[]): string =>
  `version = 4\n\n[[package]]\nname = "app"\nversion = "0.1.0"\ndependencies = ${JSON.stringify(names)}\n${names
    .map(
      (name) =>
        `\n[[package]]\nname = "${name}"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n`,
    )
    .join('')}`;

const write = (root: string, names: readonly string[]): void => {
  mkdirSync(root, { recursive: true });
  const dependencies = names.map((name) => `${name} = "1"\n`).join('');
  writeFileSync(
    join(root, 'Cargo.toml'),
    `[package]\nname = "app"\nversion = "0.1.0"\n\n[dependencies]\n${dependencies}`,
  );
  writeFileSync(join(root, 'Cargo.lock.new'), cargoLock(names));
  renameSync(join(root, 'Cargo.lock.new'), join(root, 'Cargo.lock'));
};

/** Watches that a process has of the system; null where it does not tell. */
const watchesOf = (pid: number): number | null => {
  try {
    const folder = `/proc/${pid}/fdinfo`;
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    return texts.join('\n').match(/^inotify wd:/gm)?.length ?? 0;
  } catch {
    return null;
  }
};

const measureChanges = async (home: TestHome): Promise<readonly Row[]> => {
  const root = join(home.folder, 'changing');
  write(root, ['serde']);
  await using agent = await connectAgent({ home: home.home, cwd: root, client: 'v2-legacy' });
  await agent.listTools();
  // Seen from the first reading on.
  write(root, ['serde', 'sqlx']);
  await until('the first change is pushed', 10_000, () => agent.listChanges() === 1);
  const times: number[] = [];
  for (let round = 0; round < CHANGES; round += 1) {
    await agent.listTools();
    const before = agent.listChanges();
    write(root, round % 2 === 0 ? ['serde'] : ['serde', 'sqlx']);
    const from = performance.now();
    await until('a change is pushed', 10_000, () => agent.listChanges() > before);
    times.push(performance.now() - from);
  }
  return [
    {
      id: 'change-pushed',
      what: 'a changed lockfile → `tools/list_changed` at the agent, p50',
      unit: 'ms',
      value: median(times),
      note: `longest of ${CHANGES} ${Math.max(...times).toFixed(0)} ms; 150 ms of quiet are waited for`,
    },
  ];
};

const measureWatches = async (home: TestHome): Promise<readonly Row[]> => {
  const pid = (await home.daemonPid()) ?? 0;
  const before = watchesOf(pid);
  const roots = Array.from({ length: WORKSPACES }, (_, at) => join(home.folder, `workspace-${at}`));
  for (const root of roots) write(root, ['serde']);
  const clients = roots.map((root) => shimClient(home.home, root));
  try {
    for (const client of clients) await client.open();
    // Each begins to be watched a moment after its session; the number stands still when all are.
    let [last, since] = [-1, performance.now()];
    await until('all are watched', 60_000, () => {
      const now = watchesOf(pid) ?? 0;
      if (now !== last) [last, since] = [now, performance.now()];
      return performance.now() - since > 2000;
    });
    const held = watchesOf(pid);
    return [
      {
        id: 'watches',
        what: `${WORKSPACES} workspaces open: watches held of the system`,
        unit: 'watches',
        value: held === null || before === null ? null : held - before,
      },
    ];
  } finally {
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
  }
};

const measureOpening = async (home: TestHome): Promise<readonly Row[]> => {
  const root = join(home.folder, 'changing');
  const session = async (cwd: string): Promise<number> => {
    const before = performance.now();
    await using client = shimClient(home.home, cwd);
    await client.open();
    await client.request('tools/list');
    return performance.now() - before;
  };
  await session(root);
  const samples = await interleaved(OPENINGS, {
    node: bareNode,
    known: () => session(root),
    none: () => session(home.home),
  });
  return [
    {
      id: 'start-known',
      what: 'session start in a known workspace that a plugin asks about, warm daemon',
      unit: 'ms',
      value: median(samples.known),
      base: median(samples.node),
      baseName: '`node -e 0`',
      note: `without a workspace ${median(samples.none).toFixed(1)} ms`,
    },
  ];
};

export const measure: Measure = async (say) => {
  await using home = temporaryHome();
  const { command, args } = benchServer();
  mkdirSync(join(home.home, 'plugins'), { recursive: true });
  writeFileSync(
    join(home.home, 'plugins', 'sqlx.toml'),
    `name = "sqlx"\ndepends-on = ["sqlx"]\n\n[[mcp_servers]]\nname = "sqlx"\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\nenv = []\n`,
  );
  say('a large lockfile');
  const lock = await measureLock(home);
  say('changes');
  const changes = await measureChanges(home);
  say('openings');
  const opening = await measureOpening(home);
  say('watches');
  return [...lock, ...changes, ...opening, ...(await measureWatches(home))];
};
