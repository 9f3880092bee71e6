// The processes of this machine, as the kernel lists them: /proc where there is one, else ps.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** One living process; those that are dead and not yet collected are left out. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** When it started, as the system says it: with the boot, no two processes of one number share it. */
  readonly started: string;
  /** What ps says; /proc is asked per process, when it is needed. */
  readonly residentBytes?: number;
  /** Likewise. */
  readonly command?: string;
}

export interface ProcessTable {
  /** All that run now. Never rejects; empty where nobody tells. */
  list(): Promise<readonly Process[]>;
  /** The command line now, arguments apart by spaces; a program may change its own. Undefined where it has ended. */
  command(process: Process): Promise<string | undefined>;
  /** A variable of the environment that it was started with. Undefined without it, and where nobody tells. */
  variable(process: Process, name: string): Promise<string | undefined>;
  /** Now, in the clock of `Process.started`: for those who start later. Undefined where that is no number. */
  ticks(): number | undefined;
  /** Differs from start to start of the machine; empty where that is not known. */
  boot(): Promise<string>;
}

/** Fields of /proc/PID/stat after the command, which is in brackets and may hold anything (proc(5)). */
const parseStat = (text: string): Process | undefined => {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return undefined;
  return {
    pid: Number.parseInt(text, 10),
    parent: Number(parent),
    group: Number(group),
    started: fields[19] ?? '',
  };
};

const listProc = async (proc: string): Promise<Process[]> => {
  const names = (await readdir(proc)).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(names.map((name) => readFile(`${proc}/${name}/stat`, 'utf8').catch(() => '')));
  return stats.flatMap((text) => parseStat(text) ?? []);
};

/** `pid ppid pgid rss`, then 24 characters of start time (`Mon Dec  1 02:56:15 2026`), then the command line. */
const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(.{24})\s+(.*)$/;

const listPs = async (): Promise<Process[]> => {
  const columns = ['pid', 'ppid', 'pgid', 'rss', 'lstart', 'command'].flatMap((name) => ['-o', `${name}=`]);
  const { stdout } = await promisify(execFile)('ps', ['-A', ...columns], {
    timeout: 5000,
    maxBuffer: 32 * 1024 * 1024,
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, group, kilobytes, started, command] = PS_LINE.exec(line) ?? [];
    if (started === undefined || command === undefined) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        residentBytes: Number(kilobytes) * 1024,
        started,
        command: command.trim(),
      },
    ];
  });
};

/**
 * The process `pid` and all that belong to it: by group (a child whose parent died stays in it) and by parentage (a
 * child may have left it).
 */
export const treeOf = (pid: number, processes: readonly Process[]): Process[] => {
  const members = new Set([pid]);
  for (const { pid: other, group } of processes) if (group === pid) members.add(other);
  for (let size = 0; size !== members.size; ) {
    size = members.size;
    for (const { pid: other, parent } of processes) if (members.has(parent)) members.add(other);
  }
  return processes.filter((process) => members.has(process.pid));
};

const valueIn = (environ: string, name: string): string | undefined =>
  environ
    .split('\0')
    .find((entry) => entry.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** @param proc where Linux lists processes. A folder that is not there means: ask ps. */
export const createProcessTable = (proc = '/proc'): ProcessTable => ({
  list: () =>
    listProc(proc)
      .catch(listPs)
      .catch(() => []),
  async command({ pid, command }) {
    if (command !== undefined) return command;
    const words = await readFile(`${proc}/${pid}/cmdline`, 'utf8').catch(() => undefined);
    return words?.split('\0').join(' ').trim();
  },
  variable: async ({ pid }, name) => valueIn(await readFile(`${proc}/${pid}/environ`, 'utf8').catch(() => ''), name),
  ticks() {
    try {
      // Seconds since the boot; the kernel gives start times in hundredths of them (proc(5), USER_HZ).
      return Math.floor(Number.parseFloat(readFileSync(`${proc}/uptime`, 'utf8')) * 100);
    } catch {
      return undefined;
    }
  },
  boot: async () => (await readFile(`${proc}/sys/kernel/random/boot_id`, 'utf8').catch(() => '')).trim(),
});
