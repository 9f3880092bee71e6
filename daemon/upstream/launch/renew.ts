// Asks the registry what is the newest of a package: one question at a time, in the background, with a limit.
import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { Program } from './contract.ts';
import { newestOf } from './runners/npx.ts';

export interface Question {
  /** The runner: npm is beside it, or found as it is. */
  readonly command: string;
  readonly spec: string;
  readonly cwd: string;
  readonly env: Program['env'];
}

export interface Renewals extends AsyncDisposable {
  /** The newest version; undefined where nobody can tell now. Never rejects. */
  newest(question: Question): Promise<string | undefined>;
}

const LIMIT_MS = 30_000;

const npmBeside = (runner: string): string => (runner.includes('/') ? join(dirname(runner), 'npm') : 'npm');

export const createRenewals = (): Renewals => {
  const scope = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  const ask = ({ command, spec, cwd, env }: Question): Promise<string | undefined> =>
    new Promise((resolve) => {
      if (scope.signal.aborted) return resolve(undefined);
      const child = execFile(
        npmBeside(command),
        ['view', spec, 'version', 'dist-tags.latest', '--json'],
        { cwd, env: { ...env }, timeout: LIMIT_MS, killSignal: 'SIGKILL', signal: scope.signal, windowsHide: true },
        (error, stdout) => resolve(error === null ? newestOf(stdout) : undefined),
      );
      try {
        if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
      } catch {
        // It has ended already; or at the usual priority then.
      }
    });

  return {
    newest(question) {
      const mine = last.then(() => ask(question));
      last = mine;
      return mine;
    },
    async [Symbol.asyncDispose]() {
      scope.abort();
      await last;
    },
  };
};
