// Starts the daemon that follows this one; it waits for the lock, which this one frees last of all.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { MetadError } from '../../schema/errors.ts';
import type { Paths } from '../../schema/paths.ts';
import type { Successor } from '../../schema/wire.ts';

export interface SuccessorOptions {
  readonly paths: Paths;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The environment is a person's own: the next daemon may take it for such too. */
  readonly startedByPerson: boolean;
  /** Milliseconds within which it must have come up. Default 15 000. */
  readonly limitMs?: number;
}

/** A word of the daemon's command line: wait for the lock instead of leaving it to whoever has it. */
export const WAIT_FLAG = '--wait';

/** What it says, by Node's own channel, when there is nothing left to do but to wait. */
export const WAITING = 'waiting';

const LIMIT_MS = 15_000;

const outputOf = ({ logs }: Paths): number | 'ignore' => {
  try {
    return openSync(`${logs}/daemon-start.log`, 'a', 0o600);
  } catch {
    return 'ignore'; // its first words are lost then, and nothing else
  }
};

/** A daemon that waits for the lock. */
export interface Waiting {
  /** Why it waits no more. */
  readonly ended: Promise<string>;
  /** Only to be used while this daemon has the lock. */
  callOff(): void;
}

const comesUp = (child: ChildProcess, limitMs: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(`it did not come up within ${limitMs / 1000} s`), limitMs);
    const settle = (reason: string | undefined) => {
      clearTimeout(timer);
      resolve(reason);
    };
    child.once('message', (message) => settle(message === WAITING ? undefined : 'it is no metad daemon'));
    child.once('error', (error) => settle(error.message));
    child.once('exit', (code, signal) => settle(`it ended with ${signal ?? `exit code ${code}`}`));
  });

/**
 * In a process session of its own. Resolves when it waits for the lock.
 * @throws MetadError `unavailable`: it cannot be started, or does not come up.
 */
export const startSuccessor = async (
  { program, node }: Successor,
  { paths, environment, startedByPerson, limitMs = LIMIT_MS }: SuccessorOptions,
): Promise<Waiting> => {
  const output = outputOf(paths);
  const home = paths.home === undefined ? [] : ['--home', paths.home];
  const child = spawn(node, [program, ...home, ...(startedByPerson ? ['--terminal'] : []), WAIT_FLAG], {
    cwd: '/',
    detached: true,
    env: { ...environment },
    stdio: ['ignore', output, output, 'ipc'],
  });
  if (typeof output === 'number') closeSync(output);
  const reason = await comesUp(child, limitMs);
  // The channel has served; held, it would keep either end from leaving by itself.
  if (child.connected) child.disconnect();
  child.unref();
  const end = () => void child.kill('SIGKILL');
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `exit code ${code}`} while it waited`));
  });
  if (reason === undefined && child.exitCode === null && child.signalCode === null) return { ended, callOff: end };
  end();
  throw new MetadError('unavailable', `${reason ?? 'it ended at once'}; see ${paths.logs}/daemon-start.log.`);
};
