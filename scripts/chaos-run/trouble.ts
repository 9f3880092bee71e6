// What goes wrong on purpose in a chaos run.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contract } from '../../schema/wire.ts';
import type { TestHome } from '../../test/helpers/home.ts';
import { processesOf, until } from '../../test/helpers/processes.ts';
import type { Crowd } from './crowd.ts';
import { fleetConfig, type Web } from './fleet.ts';
import type { ServerName, Trouble } from './plan.ts';
import type { Programs } from './programs.ts';

export interface World {
  readonly home: TestHome;
  readonly control: Contract;
  readonly crowd: Crowd;
  readonly programs: Programs;
  readonly web: Web;
  readonly ledger: string;
  /** What the run knows of its own changes. */
  readonly state: { spare: 'spare' | 'other' | undefined; clockMs: number };
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself meanwhile.
  }
};

const freeze = async (pids: readonly number[], ms: number): Promise<void> => {
  for (const pid of pids) signal(pid, 'SIGSTOP');
  try {
    await sleep(ms);
  } finally {
    for (const pid of pids) signal(pid, 'SIGCONT');
  }
};

const serverPids = ({ home, web }: World, server: ServerName): number[] => {
  if (server === 'web') return [web.pid()];
  const ours = processesOf(home.home).filter(({ args }) => args[args.indexOf('--name') + 1] === server);
  return ours.filter(({ args }) => args.some((arg) => arg.endsWith('chaos.mjs'))).map(({ pid }) => pid);
};

const configure = ({ home, ledger, web, state }: World): void => {
  home.configure(fleetConfig(ledger, web.url, state.spare));
};

const restart = async ({ home, programs }: World, ...flags: readonly string[]): Promise<void> => {
  const { code, stderr } = await home.metad(['daemon', 'restart', ...flags], {
    program: programs.newest(),
    timeout: 100_000,
  });
  if (code !== 0) throw new Error(`metad daemon restart ended with ${code}: ${stderr}`);
};

/** Does it, and gives what an observer should know. @throws where it could not be done. */
export const cause = async (world: World, trouble: Trouble): Promise<string> => {
  const { home, control, crowd, programs, web, state } = world;
  const daemons = () => home.daemons().map(({ pid }) => pid);
  switch (trouble.kind) {
    case 'none':
      return '';
    case 'kill daemon': {
      const pids = daemons();
      for (const pid of pids) signal(pid, 'SIGKILL');
      return `killed ${pids}`;
    }
    case 'freeze daemon':
      await freeze(daemons(), trouble.ms);
      return '';
    case 'restart daemon':
      await restart(world);
      return '';
    case 'restart daemon now':
      await restart(world, '--now');
      return '';
    case 'kill server': {
      if (trouble.server === 'web') {
        await web.restart();
        return 'killed and started on the same port';
      }
      const pids = serverPids(world, trouble.server);
      for (const pid of pids) signal(pid, 'SIGKILL');
      return `killed ${pids}`;
    }
    case 'freeze server':
      await freeze(serverPids(world, trouble.server), trouble.ms);
      return '';
    case 'restart server':
      return control['server.restart']({ server: trouble.server }).then(
        ({ stopped }) => `stopped ${stopped}`,
        (error: unknown) => `no daemon to ask: ${String(error)}`,
      );
    case 'kill shim':
      await crowd.kill(trouble.slot);
      await crowd.enter(trouble.slot, trouble.client, trouble.workspace);
      return '';
    case 'leave':
      await crowd.leave(trouble.slot);
      await crowd.enter(trouble.slot, trouble.client, trouble.workspace);
      return '';
    case 'upgrade': {
      programs.next();
      const workspace = crowd.workspaceOf(trouble.slot);
      await crowd.leave(trouble.slot);
      await crowd.enter(trouble.slot, trouble.client, workspace);
      return `to ${programs.version()}`;
    }
    case 'config':
      if (trouble.change === 'broken') {
        home.configure('{ "mcpServers": { "hub": ');
        await sleep(300);
      } else if (trouble.change === 'spare') state.spare = state.spare === undefined ? 'spare' : undefined;
      else state.spare = state.spare === 'other' ? 'spare' : 'other';
      configure(world);
      return trouble.change === 'broken' ? '' : `now ${state.spare ?? 'without'}`;
    case 'clock':
      state.clockMs += trouble.jumpMs;
      programs.setClock(state.clockMs, daemons()[0]);
      return `now ${(state.clockMs / 3_600_000).toFixed(1)} h off`;
  }
};

/** Waits until the daemon, where there is one, knows the servers of the config that was written last. */
export const untilConfigured = async ({ control, home, state }: World): Promise<void> => {
  await until('the daemon has read its config', 15_000, async () => {
    if (home.daemons().length === 0) return true;
    const status = await control.status({}).catch(() => undefined);
    if (status === undefined) return false;
    const names = new Set(status.servers.map(({ name }) => name));
    return (
      names.has('hub') && (['spare', 'other'] as const).every((name) => names.has(name) === (state.spare === name))
    );
  });
};
