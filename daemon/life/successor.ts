// Starts the daemon that follows this one; it waits for the lock, so it may be started while this one still closes.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { messageOf } from '../../schema/errors.ts';
import type { Paths } from '../../schema/paths.ts';
import type { Successor } from '../../schema/wire.ts';
import type { Log } from '../log.ts';

export interface SuccessorOptions {
  readonly paths: Paths;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The environment is a person's own: the next daemon may take it for such too. */
  readonly startedByPerson: boolean;
  readonly log: Log;
}

/** A word of the daemon's command line: wait for the lock instead of leaving it to whoever has it. */
export const WAIT_FLAG = '--wait';

/**
 * In a process session of its own; gives what calls it off, as long as this daemon has the lock. Never throws: where it
 * cannot be started, whoever needs a daemon next starts one.
 */
export const startSuccessor = (
  { program, node, version }: Successor,
  { paths, environment, startedByPerson, log }: SuccessorOptions,
): (() => void) => {
  let output: number | 'ignore' = 'ignore';
  try {
    output = openSync(`${paths.logs}/daemon-start.log`, 'a', 0o600);
  } catch {
    // Its first words are lost then, and nothing else.
  }
  const args = [
    program,
    ...(paths.home === undefined ? [] : ['--home', paths.home]),
    ...(startedByPerson ? ['--terminal'] : []),
    WAIT_FLAG,
  ];
  const failed = (error: unknown) => log('handover.failed', { to: version, program, error: messageOf(error) });
  try {
    const child = spawn(node, args, {
      cwd: '/',
      detached: true,
      env: { ...environment },
      stdio: ['ignore', output, output],
    });
    child.once('error', failed);
    child.unref();
    return () => void child.kill('SIGKILL');
  } catch (error) {
    failed(error);
    return () => {};
  } finally {
    if (typeof output === 'number') closeSync(output);
  }
};
