// 1, 10 and 20 sessions over 10 servers: processes and memory (PSS), against direct use of the same servers.
import { mkdirSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryHome } from '../../test/helpers/home.ts';
import { descendantsOf, pssOf } from '../../test/helpers/processes.ts';
import { publishedServer } from '../../test/helpers/program.ts';
import { type LineClient, lineClient, type Measure, type Row, shimClient } from './harness.ts';

const SESSIONS = [1, 10, 20];
/** Direct use is started for real only where there is memory for it and it will not take longer than this. */
const BYTES_PER_SERVER = 80 * 2 ** 20;
const DIRECT_SECONDS = 60;
const MEGABYTE = 2 ** 20;

interface Use {
  readonly processes: number;
  readonly bytes: number;
}

const tally = (pids: readonly number[]): Use => {
  const sizes = pids.map(pssOf).filter((bytes) => bytes !== undefined);
  return { processes: sizes.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
};

/** The ten servers of one workspace: four published programs, some of them twice and thrice with a file of their own. */
const tenServers = (folder: string) => {
  mkdirSync(folder, { recursive: true });
  const memory = (at: number) => ({
    ...publishedServer('memory'),
    env: { MEMORY_FILE_PATH: join(folder, `memory${at}.jsonl`) },
  });
  return {
    files: publishedServer('filesystem', folder),
    files2: publishedServer('filesystem', folder, folder),
    files3: publishedServer('filesystem', folder, folder, folder),
    memory1: memory(1),
    memory2: memory(2),
    memory3: memory(3),
    thinking: publishedServer('sequential-thinking'),
    thinking2: publishedServer('sequential-thinking', '2'),
    everything: publishedServer('everything'),
    everything2: publishedServer('everything', 'stdio', '2'),
  };
};

type Servers = ReturnType<typeof tenServers>;

/** Every agent starts every server itself, as agents do; only the servers are counted, not the agents. */
const directUse = async (servers: Servers, sessions: number): Promise<Use> => {
  const clients: LineClient[] = [];
  try {
    for (let session = 0; session < sessions; session += 1) {
      const opened = Object.values(servers).map(({ command, args, ...rest }) =>
        lineClient(command, args, 'env' in rest ? rest.env : {}),
      );
      clients.push(...opened);
      await Promise.all(opened.map((client) => client.open().then(() => client.request('tools/list'))));
    }
    return tally(clients.map(({ pid }) => pid));
  } finally {
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
  }
};

/** Starts every server through a script, in the names that the config gives them. */
const touchAll = (servers: Servers) =>
  `return (await Promise.allSettled([${Object.keys(servers)
    .map((name) => `${name}[Object.keys(${name})[0]]({})`)
    .join(', ')}])).length`;

export const measure: Measure = async (say) => {
  await using home = temporaryHome();
  const servers = tenServers(home.folder);
  home.configure({ mcpServers: servers });
  const rows: Row[] = [];
  const viaMetad = new Map<number, Use>();
  const agents: LineClient[] = [];
  let daemon = 0;
  try {
    for (const sessions of SESSIONS) {
      say(`${sessions} × 10 through metad`);
      while (agents.length < sessions) {
        const agent = shimClient(home.home, home.folder);
        agents.push(agent);
        await agent.open();
        await agent.request('tools/list');
      }
      const [first] = agents;
      await first?.call('list_tools', {});
      await first?.call('execute', { script: touchAll(servers) });
      daemon = (await home.daemonPid()) ?? 0;
      const running = (await home.status()).servers.filter(({ pid }) => pid !== null).length;
      if (running !== 10) throw new Error(`${running} of 10 servers run`);
      await sleep(1_000); // what starting took is given back
      viaMetad.set(
        sessions,
        tally([daemon, ...descendantsOf(daemon).map(({ pid }) => pid), ...agents.map(({ pid }) => pid)]),
      );
    }
    const shims = tally(agents.map(({ pid }) => pid));
    rows.push(
      { id: 'memory-shim', what: 'one shim of 20', unit: 'MB', value: shims.bytes / shims.processes / MEGABYTE },
      { id: 'memory-daemon-busy', what: 'daemon with 20 sessions', unit: 'MB', value: (pssOf(daemon) ?? 0) / MEGABYTE },
    );
  } finally {
    await Promise.all(agents.map((agent) => agent[Symbol.asyncDispose]()));
  }

  say('daemon at rest');
  await home.stop();
  await home.metad(['daemon', 'start']);
  {
    await using agent = shimClient(home.home, home.folder);
    await agent.open();
    await agent.request('tools/list');
    await agent.call('execute', { script: 'return 1' });
  }
  await sleep(2_000); // at rest means after what the session left to do
  const resting = (await home.daemonPid()) ?? 0;
  rows.push({
    id: 'memory-daemon',
    what: 'daemon at rest, no session, no server running',
    unit: 'MB',
    value: (pssOf(resting) ?? 0) / MEGABYTE,
  });
  await home.stop();

  let perSession: (Use & { readonly seconds: number }) | undefined;
  for (const sessions of SESSIONS) {
    const before = performance.now();
    const real =
      perSession === undefined ||
      (freemem() > sessions * 10 * BYTES_PER_SERVER && perSession.seconds * sessions < DIRECT_SECONDS);
    say(`${sessions} × 10 direct${real ? '' : ' (scaled)'}`);
    const direct: Use =
      real || perSession === undefined
        ? await directUse(servers, sessions)
        : { processes: perSession.processes * sessions, bytes: perSession.bytes * sessions };
    // The largest real run gives the share of one session: shared pages count less the more share them.
    if (real)
      perSession = {
        processes: direct.processes / sessions,
        bytes: direct.bytes / sessions,
        seconds: (performance.now() - before) / 1_000 / sessions,
      };
    const metad = viaMetad.get(sessions);
    if (metad === undefined) continue;
    const note = real ? undefined : 'direct use scaled up from fewer sessions: the machine is too small or too busy';
    const common = { baseName: 'direct use', ...(note === undefined ? {} : { note }) };
    rows.push(
      {
        id: `processes-${sessions}`,
        what: `${sessions} sessions × 10 servers`,
        unit: 'processes',
        value: metad.processes,
        base: direct.processes,
        ...common,
      },
      {
        id: `memory-${sessions}`,
        what: `${sessions} sessions × 10 servers, PSS`,
        unit: 'MB',
        value: metad.bytes / MEGABYTE,
        base: direct.bytes / MEGABYTE,
        ...common,
      },
    );
  }
  return rows;
};
