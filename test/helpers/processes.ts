// Processes as /proc shows them: trees, groups, memory, and what a test may have left behind. Linux only.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** One letter as in ps; `Z` is dead but not collected yet. */
  readonly state: string;
  readonly args: readonly string[];
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // it ended while we looked, or it is not ours
  }
};

const linkOf = (path: string): string | undefined => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
};

/** One living process; undefined where there is none, or only its uncollected remains. */
export const processOf = (pid: number): Process | undefined => {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name stands in parentheses and may hold spaces and parentheses itself.
  const [state = '', parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const args = (read(`/proc/${pid}/cmdline`) ?? '').split('\0').slice(0, -1);
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), state, args };
};

export const processes = (): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processOf(Number(name)))
    .filter((found) => found !== undefined);

export const isAlive = (pid: number): boolean => processOf(pid) !== undefined;

/** All living processes below `pid`, without itself. */
export const descendantsOf = (pid: number, all: readonly Process[] = processes()): Process[] => {
  const children = all.filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child, ...descendantsOf(child.pid, all)]);
};

/** Processes that belong to one of these folders: by an argument, a variable of their environment, or their cwd. */
export const processesOf = (...folders: readonly string[]): Process[] =>
  processes().filter(({ pid, args }) => {
    if (pid === process.pid) return false;
    const traces = [...args, linkOf(`/proc/${pid}/cwd`) ?? '', read(`/proc/${pid}/environ`) ?? ''];
    return folders.some((folder) => traces.some((trace) => trace.includes(folder)));
  });

/**
 * Memory of a process in bytes, shared pages divided among those who share them (`smaps_rollup`); undefined where
 * it has ended.
 */
export const pssOf = (pid: number): number | undefined => {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
};

/** Processor time used so far, in seconds; undefined where it has ended. */
export const cpuSecondsOf = (pid: number): number | undefined => {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

/** Waits until `holds` gives something truthy, and gives that. @throws Error with `what` after `milliseconds`. */
export const until = async <T>(
  what: string,
  milliseconds: number,
  holds: () => T | Promise<T>,
): Promise<Exclude<T, undefined | null | false | 0 | ''>> => {
  const end = performance.now() + milliseconds;
  for (;;) {
    const found = await holds();
    if (found) return found as Exclude<T, undefined | null | false | 0 | ''>;
    if (performance.now() > end) throw new Error(`${what}: not within ${milliseconds} ms`);
    await sleep(20);
  }
};

/** Waits until none of these lives. @throws Error naming those that do. */
export const untilGone = async (pids: Iterable<number>, milliseconds = 10_000): Promise<void> => {
  let left = [...pids];
  await until('processes end', milliseconds, () => {
    left = left.filter(isAlive);
    return left.length === 0;
  }).catch(() => {
    throw new Error(`still alive: ${left.map((pid) => `${pid} ${processOf(pid)?.args.join(' ')}`).join('; ')}`);
  });
};
