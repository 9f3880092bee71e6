// How much memory a process and all that belongs to it take: PSS where the kernel tells it, else RSS.
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** One process, as /proc or ps list it. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** What ps says; /proc is asked per process, when it is needed. */
  readonly residentBytes?: number;
}

export interface Memory {
  /** One process alone, in bytes; null where it is gone or cannot be seen. */
  ofProcess(pid: number): Promise<number | null>;
  /** The process, its group and all their children, in bytes: what one backing server costs. */
  ofGroup(pid: number): Promise<number | null>;
}

export interface MemoryOptions {
  /** Where Linux lists processes. A folder that is not there means: ask ps. */
  readonly proc?: string;
  /** Milliseconds for which one look is good. Default 1000. */
  readonly maxAgeMs?: number;
  readonly now?: () => number;
}

/** Fields of /proc/PID/stat after the command, which is in brackets and may hold anything (proc(5)). */
const parseStat = (text: string): Process | undefined => {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  if (state === undefined || state === 'Z' || state === 'X') return undefined;
  return { pid: Number.parseInt(text, 10), parent: Number(parent), group: Number(group) };
};

const listProc = async (proc: string): Promise<Process[]> => {
  const names = (await readdir(proc)).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(names.map((name) => readFile(`${proc}/${name}/stat`, 'utf8').catch(() => '')));
  return stats.flatMap((text) => parseStat(text) ?? []);
};

const listPs = async (): Promise<Process[]> => {
  const columns = ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=', '-o', 'rss='];
  const { stdout } = await promisify(execFile)('ps', columns, { timeout: 5000, maxBuffer: 8 * 1024 * 1024 });
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, group, kilobytes] = line.trim().split(/\s+/).map(Number);
    if (pid === undefined || parent === undefined || group === undefined || kilobytes === undefined) return [];
    return [{ pid, parent, group, residentBytes: kilobytes * 1024 }];
  });
};

/** By group (a child whose parent died stays in it) and by parentage (a child may have left it). */
const membersOf = (pid: number, processes: readonly Process[]): Process[] => {
  const members = new Set([pid]);
  for (const { pid: other, group } of processes) if (group === pid) members.add(other);
  for (let size = 0; size !== members.size; ) {
    size = members.size;
    for (const { pid: other, parent } of processes) if (members.has(parent)) members.add(other);
  }
  return processes.filter((process) => members.has(process.pid));
};

export const createMemory = ({ proc = '/proc', maxAgeMs = 1000, now = Date.now }: MemoryOptions = {}): Memory => {
  let listed: { readonly at: number; readonly processes: Promise<Process[]> } | undefined;
  const measured = new Map<string, { readonly at: number; readonly bytes: Promise<number | null> }>();

  const list = (): Promise<Process[]> => {
    if (listed === undefined || now() - listed.at >= maxAgeMs)
      listed = {
        at: now(),
        processes: listProc(proc)
          .catch(listPs)
          .catch(() => []),
      };
    return listed.processes;
  };

  const read = async (pid: number, file: string, field: RegExp): Promise<number | undefined> => {
    const kilobytes = field.exec(await readFile(`${proc}/${pid}/${file}`, 'utf8').catch(() => ''))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  };

  const sizeOf = async ({ pid, residentBytes }: Process): Promise<number> =>
    residentBytes ??
    (await read(pid, 'smaps_rollup', /^Pss:\s+(\d+) kB/m)) ??
    (await read(pid, 'status', /^VmRSS:\s+(\d+) kB/m)) ??
    0;

  const measure = async (pid: number, alone: boolean): Promise<number | null> => {
    const processes = await list();
    const counted = alone ? processes.filter((process) => process.pid === pid) : membersOf(pid, processes);
    if (counted.length === 0) return null;
    const sizes = await Promise.all(counted.map(sizeOf));
    return sizes.reduce((sum, size) => sum + size, 0);
  };

  const cached = (pid: number, alone: boolean): Promise<number | null> => {
    const key = `${pid}${alone ? '' : '+'}`;
    const known = measured.get(key);
    if (known && now() - known.at < maxAgeMs) return known.bytes;
    for (const [other, { at }] of measured) if (now() - at >= maxAgeMs) measured.delete(other);
    const bytes = measure(pid, alone);
    measured.set(key, { at: now(), bytes });
    return bytes;
  };

  return { ofProcess: (pid) => cached(pid, true), ofGroup: (pid) => cached(pid, false) };
};
