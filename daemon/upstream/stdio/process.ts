// A child process that leads its own process group, and the certain end of that whole group.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProcessTable, type Process, treeOf } from '../../processes.ts';
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
  /**
   * stdin close, SIGTERM, SIGKILL, each to the whole group and only as far as needed; then the same for descendants that
   * had left the group (browsers do). Any number of times.
   */
  stop(): Promise<void>;
  /** SIGKILL to the whole group, now. For when there is no time left for `stop`. */
  kill(): void;
}

const GRACE_MS = 1500;
const KILL_WAIT_MS = 1000;

const table = createProcessTable();

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

type Started = ChildProcessByStdio<Writable, Readable, Readable>;

const leaderLives = (child: Started): boolean => child.exitCode === null && child.signalCode === null;

/** Containers without an init keep dead orphans as zombies, so on Linux a group that takes signals may yet be dead. */
const groupLives = async (child: Started, pid: number): Promise<boolean> => {
  if (leaderLives(child)) return true;
  if (!signalGroup(pid, 0)) return false;
  return process.platform === 'linux' ? (await table.list()).some(({ group }) => group === pid) : true;
};

/** False where it still lives after so long. */
const ends = async (lives: () => Promise<boolean>, milliseconds: number): Promise<boolean> => {
  const until = performance.now() + milliseconds;
  for (let pause = 10; ; pause = Math.min(pause * 2, 160)) {
    if (!(await lives())) return true;
    if (performance.now() + pause > until) return false;
    await sleep(pause);
  }
};

/** Those of `before` that run still: a number may be another's by now, but not with the same start. */
const stillOf = async (before: readonly Process[]): Promise<readonly Process[]> => {
  if (before.length === 0) return [];
  const now = new Map((await table.list()).map((one) => [one.pid, one.started]));
  return before.filter(({ pid, started }) => now.get(pid) === started);
};

/** Ends descendants that are in no group of ours: each by itself. */
const stopStrays = async (strays: readonly Process[], grace: number): Promise<void> => {
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    for (const { pid } of await stillOf(strays)) {
      try {
        process.kill(pid, name);
      } catch {
        // Gone meanwhile, or it runs as someone else.
      }
    }
    if (await ends(async () => (await stillOf(strays)).length > 0, grace)) return;
  }
};

const stopGroup = async (child: Started, pid: number, grace: number): Promise<void> => {
  // Taken before anything ends: an orphan no longer tells whose it was.
  const strays = treeOf(pid, await table.list()).filter(({ group }) => group !== pid);
  child.stdin.end();
  if (leaderLives(child)) await settledWithin(grace, new Promise((resolve) => child.once('exit', resolve)));
  if (await groupLives(child, pid)) {
    signalGroup(pid, 'SIGTERM');
    if (!(await ends(() => groupLives(child, pid), grace))) {
      signalGroup(pid, 'SIGKILL');
      await ends(() => groupLives(child, pid), KILL_WAIT_MS);
    }
  }
  await stopStrays(strays, grace);
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
