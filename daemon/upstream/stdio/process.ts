// A child process that leads its own process group, and the certain end of that whole group.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { settledWithin } from '../../scope.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds between closing stdin and SIGTERM, and between SIGTERM and SIGKILL. Default 1500. */
  readonly graceMs?: number;
}

export interface Child {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The leader has exited; never rejects. Others of its group may still live: `stop` ends them. */
  readonly exited: Promise<Exit>;
  /** stdin close, SIGTERM, SIGKILL, each to the whole group and only as far as needed. Any number of times. */
  stop(): Promise<void>;
  /** SIGKILL to the whole group, now. For when there is no time left for `stop`. */
  kill(): void;
}

const GRACE_MS = 1500;
const KILL_WAIT_MS = 1000;

/** Sends to the whole group; false where it is gone. Signal 0 only asks. */
const signalGroup = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // EPERM: a member runs as someone else. It exists, and we cannot do more.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Whether the group has a live member beside its leader, by /proc: orphans that nobody reaps still take signals. */
const membersLive = async (pid: number): Promise<boolean> => {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const name of names) {
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '');
    // `pid (comm) state ppid pgrp …`; comm may hold anything, so read from its last parenthesis.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(group) === pid && state !== 'Z' && state !== 'X') return true;
  }
  return false;
};

type Process = ChildProcessByStdio<Writable, Readable, Readable>;

const leaderLives = (child: Process): boolean => child.exitCode === null && child.signalCode === null;

/** Containers without an init keep dead orphans as zombies, so on Linux a group that takes signals may yet be dead. */
const groupLives = async (child: Process, pid: number): Promise<boolean> => {
  if (leaderLives(child)) return true;
  if (!signalGroup(pid, 0)) return false;
  return process.platform === 'linux' ? membersLive(pid) : true;
};

const groupEnds = async (child: Process, pid: number, milliseconds: number): Promise<boolean> => {
  const until = performance.now() + milliseconds;
  for (let pause = 10; ; pause = Math.min(pause * 2, 160)) {
    if (!(await groupLives(child, pid))) return true;
    if (performance.now() + pause > until) return false;
    await sleep(pause);
  }
};

const stopGroup = async (child: Process, pid: number, grace: number): Promise<void> => {
  child.stdin.end();
  if (leaderLives(child)) await settledWithin(grace, new Promise((resolve) => child.once('exit', resolve)));
  if (await groupLives(child, pid)) {
    signalGroup(pid, 'SIGTERM');
    if (!(await groupEnds(child, pid, grace))) {
      signalGroup(pid, 'SIGKILL');
      await groupEnds(child, pid, KILL_WAIT_MS);
    }
  }
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
};

/**
 * Starts a process as the leader of a group of its own.
 * @throws the system's error (`ENOENT`, `EACCES`, …) where it cannot be started.
 */
export const startChild = async (options: ChildOptions): Promise<Child> => {
  const child = spawn(options.command, [...options.args], {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  });
  const begun = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.on('error', () => {});
  // Where descriptors have run out there are no streams either, only the error; unheard it would end the daemon.
  if (child.pid === undefined) await begun;
  // Whoever writes hears of a broken pipe by the write's callback; unheard it would end the daemon.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  await begun;
  const pid = child.pid as number;
  let stopping: Promise<void> | undefined;
  let stopped = false;
  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    stop: () => {
      stopping ??= stopGroup(child, pid, options.graceMs ?? GRACE_MS).finally(() => {
        stopped = true;
      });
      return stopping;
    },
    kill() {
      // Once stopped, the number may belong to somebody else.
      if (!stopped) signalGroup(pid, 'SIGKILL');
    },
  };
};
