// What must hold whenever nothing is under way: whose processes there are, and that nobody still works.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract, Status } from '../../schema/wire.ts';
import type { TestHome } from '../../test/helpers/home.ts';
import { descendantsOf, type Process, processes, processesOf, pssOf } from '../../test/helpers/processes.ts';

export interface RestOptions {
  readonly home: TestHome;
  readonly control: Contract;
  /** Processes of the run itself. */
  readonly own: () => readonly number[];
  readonly shims: () => readonly number[];
  /** The version of the newest shim that lives: its daemon must follow. */
  readonly version: () => string | undefined;
}

export interface Rest {
  readonly status: Status | undefined;
  /** Why this is no rest yet; empty where all holds. */
  readonly wrong: readonly string[];
}

const shown = ({ pid, args }: Process): string => `${pid} ${args.join(' ').slice(0, 160)}`;

export const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** Descriptors that a daemon may hold at most, with so many sessions and instances: sockets, pipes, files, threads. */
const mostDescriptors = (sessions: number, instances: number): number => 200 + 2 * sessions + 5 * instances;

export const lookAtRest = async ({ home, control, own, shims, version }: RestOptions): Promise<Rest> => {
  const wrong: string[] = [];
  const daemons = home.daemons();
  if (daemons.length > 1) wrong.push(`${daemons.length} daemons: ${daemons.map(shown).join('; ')}`);
  const [daemon] = daemons;
  const status =
    daemon === undefined ? undefined : await control.status({}, AbortSignal.timeout(10_000)).catch(() => undefined);
  if (daemon !== undefined && status === undefined) wrong.push(`the daemon ${daemon.pid} does not answer`);
  const servers = status?.servers ?? [];
  const instances = servers.filter(({ pid }) => pid !== null);

  const all = processes();
  const expected = new Set<number>([...own(), ...shims(), ...daemons.map(({ pid }) => pid)]);
  for (const { pid } of instances) {
    if (pid === null) continue;
    expected.add(pid);
    for (const below of descendantsOf(pid, all)) expected.add(below.pid);
    for (const other of all) if (other.group === pid) expected.add(other.pid);
  }
  const root = join(home.home, '..');
  const strangers = processesOf(root, home.home).filter(({ pid }) => !expected.has(pid));
  if (strangers.length > 0) wrong.push(`nobody owns ${strangers.map(shown).join('; ')}`);

  if (status?.daemon) {
    const { daemon: self, sessions, runs } = status;
    if (self.callsInFlight > 0) wrong.push(`${self.callsInFlight} calls are in flight`);
    const busy = servers.filter(({ callsInFlight }) => callsInFlight > 0);
    if (busy.length > 0) wrong.push(`calls in flight at ${busy.map(({ name }) => name)}`);
    const running = runs.filter(({ state }) => state === 'running');
    if (running.length > 0) wrong.push(`${running.map(({ id }) => id)} run still`);
    const there = sessions.map(({ pid }) => pid).sort((a, b) => a - b);
    const due = [...shims()].sort((a, b) => a - b);
    if (there.join() !== due.join()) wrong.push(`the sessions are those of ${there}, not of ${due}`);
    const due2 = version();
    if (due2 !== undefined && self.version !== due2) wrong.push(`the daemon is ${self.version}, not ${due2}`);
    const open = existsSync(`/proc/${self.pid}/fd`) ? descriptorsOf(self.pid) : 0;
    const most = mostDescriptors(sessions.length, instances.length);
    if (open > most) wrong.push(`the daemon holds ${open} descriptors, over ${most}`);
  }
  return { status, wrong };
};

/** What a daemon without sessions and servers holds. */
export interface Holding {
  readonly descriptors: number;
  readonly resources: Readonly<Record<string, number>>;
  readonly bytes: number;
}

export const holdingOf = async (control: Contract): Promise<Holding> => {
  const { daemon } = await control.status({});
  if (daemon === null) throw new Error('there is no daemon');
  return {
    descriptors: descriptorsOf(daemon.pid),
    resources: daemon.resources,
    bytes: pssOf(daemon.pid) ?? 0,
  };
};

const MEGABYTE = 2 ** 20;

/** What has grown from one holding to another, a sentence each. */
export const growthOf = (before: Holding, after: Holding, bytes: number): string[] => {
  const grown = Object.entries(after.resources).filter(([kind, count]) => count > (before.resources[kind] ?? 0));
  return [
    ...(after.descriptors > before.descriptors
      ? [`the daemon holds ${after.descriptors} descriptors, ${before.descriptors} before`]
      : []),
    ...grown.map(([kind, count]) => `it holds ${count} of ${kind}, ${before.resources[kind] ?? 0} before`),
    ...(after.bytes > before.bytes + bytes
      ? [`its memory grew from ${(before.bytes / MEGABYTE).toFixed(1)} to ${(after.bytes / MEGABYTE).toFixed(1)} MB`]
      : []),
  ];
};
