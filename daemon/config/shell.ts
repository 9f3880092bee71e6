// The environment of the user's login shell, taken once by running it.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { basename, isAbsolute } from 'node:path';
import { MetadError } from '../../schema/errors.ts';

export interface ShellOptions {
  /** Absolute path of the shell. */
  readonly shell: string;
  /** All that the shell is started with. */
  readonly environment: Readonly<Record<string, string>>;
  readonly home: string;
  /** Node, for systems whose `env` has no `-0`. */
  readonly node: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

const LONGEST_OUTPUT = 4 * 1024 * 1024;

/** Of the shell itself, or of the way in which it is asked. */
const isOwn = (name: string): boolean =>
  ['_', 'SHLVL', 'PWD', 'OLDPWD', 'TERM'].includes(name) || name.startsWith('METAD_') || name.startsWith('BASH_FUNC_');

/**
 * How each shell is asked for a command with its profile read. People set variables where only interactive shells read
 * them (.bashrc, .zshrc), so that is tried first; without a terminal it may fail or ask, so the plain form follows.
 */
const waysOf = (shell: string): readonly (readonly string[])[] => {
  switch (basename(shell)) {
    case 'bash':
    case 'zsh':
    case 'fish':
      return [
        ['-i', '-l', '-c'],
        ['-l', '-c'],
      ];
    case 'csh':
    case 'tcsh':
      return [['-c']]; // reads its rc file always, and takes -l alone only
    default:
      return [['-l', '-c']];
  }
};

/** `/bin/sh` does the asking, in words that all shells read alike: nothing in it needs another quote or a backslash. */
const question = (mark: string): string =>
  `/bin/sh -c 'printf %s ${mark}; /usr/bin/env -0 2>/dev/null || "$METAD_NODE" -e ` +
  `"process.stdout.write(JSON.stringify(process.env))"; printf %s ${mark}'`;

const entriesOf = (answer: string): [string, string][] => {
  if (!answer.startsWith('{'))
    return answer.split('\0').flatMap((line): [string, string][] => {
      const at = line.indexOf('=');
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : [];
    });
  try {
    return Object.entries(JSON.parse(answer) as Record<string, string>);
  } catch {
    return [];
  }
};

/** The variables between two marks, whatever profiles printed around them. Undefined while there is no such answer. */
export const parseAnswer = (output: string, mark: string): Record<string, string> | undefined => {
  const [, answer, rest] = output.split(mark);
  if (answer === undefined || rest === undefined) return undefined;
  const entries = entriesOf(answer);
  return entries.length === 0 ? undefined : Object.fromEntries(entries.filter(([name]) => !isOwn(name)));
};

const GRACE_MS = 1000;

/**
 * Ends the shell and all that it started in its group: profiles start agents and the like that hold the pipe. They hear
 * SIGHUP first, as from a closed terminal: what a profile runs may hold a lock file that only its trap removes.
 * @param atOnce nobody will be there for the second signal
 */
const endGroup = ({ pid }: ChildProcess, atOnce: boolean): void => {
  if (pid === undefined) return;
  const signal = (name: NodeJS.Signals): boolean => {
    try {
      return process.kill(-pid, name);
    } catch {
      return false; // the group is gone already
    }
  };
  if (atOnce) signal('SIGKILL');
  else if (signal('SIGHUP')) setTimeout(() => signal('SIGKILL'), GRACE_MS).unref();
};

const ask = (options: ShellOptions, way: readonly string[], limitMs: number): Promise<Record<string, string>> =>
  new Promise((resolve, reject) => {
    const mark = `metad-${randomUUID()}`;
    const name = options.shell;
    const child = spawn(options.shell, [...way, question(mark)], {
      cwd: options.home,
      env: { ...options.environment, METAD_NODE: options.node, METAD_READS_ENVIRONMENT: '1' },
      detached: true, // its own session: no terminal to ask on, and one group to end
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let ended = false;
    const end = (finish: () => void): void => {
      if (ended) return; // its process id may be another's by now
      ended = true;
      clearTimeout(timer);
      options.signal.removeEventListener('abort', onAbort);
      endGroup(child, options.signal.aborted);
      child.stdout?.destroy();
      finish();
    };
    const fail = (why: string) => end(() => reject(new MetadError('unavailable', `The login shell ${name} ${why}.`)));
    const onAbort = () => fail('was given up');
    const timer = setTimeout(() => fail(`gave no answer within ${options.limitMs / 1000} s`), limitMs);
    options.signal.addEventListener('abort', onAbort);
    const answered = (): boolean => {
      const variables = parseAnswer(Buffer.concat(chunks).toString('utf8'), mark);
      if (variables === undefined) return false;
      end(() => resolve(variables));
      return true;
    };
    child.on('error', (error: NodeJS.ErrnoException) => fail(`cannot be started (${error.code ?? 'unknown error'})`));
    // Where descriptors have run out there is no stream, and the error follows.
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > LONGEST_OUTPUT) fail('printed more than 4 MiB');
      else answered();
    });
    child.on('close', (code, signal) => {
      if (!answered()) fail(`ended with ${signal ?? `code ${code}`} before it told its environment`);
    });
    if (options.signal.aborted) onAbort();
  });

/**
 * Runs the shell with its profile and gives the environment that it makes; up to two tries within `limitMs` in all.
 * Values stay in memory: what the shell prints is neither logged nor quoted.
 * @throws MetadError `unavailable` with one sentence on why.
 */
export const shellEnvironment = async (options: ShellOptions): Promise<Record<string, string>> => {
  if (!isAbsolute(options.shell))
    throw new MetadError('unavailable', `The login shell ${options.shell} is no absolute path.`);
  const ways = waysOf(options.shell);
  const end = Date.now() + options.limitMs;
  for (const [at, way] of ways.entries()) {
    const last = at === ways.length - 1;
    const left = Math.max(1, end - Date.now());
    try {
      return await ask(options, way, last ? left : Math.ceil(left * 0.7));
    } catch (error) {
      if (last || options.signal.aborted) throw error;
    }
  }
  throw new MetadError('unavailable', `The login shell ${options.shell} cannot be asked.`);
};
