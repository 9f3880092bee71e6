// git as a child process: it asks nobody, runs no code of a repository or a hook, and ends with all that it started.
import { type ChildProcess, spawn } from 'node:child_process';
import { MetadError } from '../../../schema/errors.ts';
import { cleanText, oneLine } from '../../../schema/text.ts';

export interface GitOptions {
  readonly cwd: string;
  /** The person's, for proxies, keys and helpers. Variables of git's own in it are dropped. */
  readonly environment: Readonly<Record<string, string>>;
  /** Without any configuration of the machine or the person: filters and the like do not exist then. Default: with it. */
  readonly isBare?: boolean;
  /** Ends it; its reason is what comes out. */
  readonly signal: AbortSignal;
}

const LONGEST_OUTPUT = 16 * 1024 * 1024;
const LONGEST_TALK = 16 * 1024;

/** These go before any configuration. Upkeep would go on in the background after git has ended. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.symlinks=false',
  'core.autocrlf=false',
  'core.protectNTFS=true',
  'core.protectHFS=true',
  'fetch.fsckObjects=true',
  'fetch.recurseSubmodules=false',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'credential.interactive=false',
].flatMap((setting) => ['-c', setting]);

const isGits = (name: string): boolean => /^(GIT_|GCM_|SSH_ASKPASS|GPG_TTY$|DISPLAY$|WAYLAND_DISPLAY$)/.test(name);

const variablesOf = ({ environment, isBare = false }: GitOptions): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(environment).filter(([name]) => !isGits(name))),
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  GCM_INTERACTIVE: 'never',
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o ControlMaster=no',
  GIT_ALLOW_PROTOCOL: isBare ? 'none' : 'https:ssh:file',
  GIT_LFS_SKIP_SMUDGE: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  // git before 2.32 knows no GIT_CONFIG_GLOBAL; it finds no configuration in a home that is no folder.
  ...(isBare
    ? {
        ...{ HOME: '/dev/null', XDG_CONFIG_HOME: '/dev/null' },
        ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_ATTR_NOSYSTEM: '1' },
      }
    : {}),
});

/** What it says went wrong, without what may be a secret. */
const complaintOf = (talk: string): string => {
  const lines = cleanText(talk)
    .text.replace(/\/\/[^/@\s]*@/g, '//')
    .split('\n');
  const said = lines.filter((line) => /^(fatal|error|ERROR|ssh|remote):/.test(line));
  return oneLine((said.length > 0 ? said : lines).join(' ')).slice(0, 400);
};

const killGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {} // all of it has ended
};

/**
 * Its output.
 * @throws MetadError `unavailable` where git is missing or fails, `limit` where it says too much; the signal's reason
 */
export const runGit = (args: readonly string[], options: GitOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const { cwd, signal } = options;
    signal.throwIfAborted();
    // A group of its own, so that its helpers end with it; without a terminal there is nothing to ask at.
    const child = spawn('git', [...SETTINGS, ...args], {
      cwd,
      env: variablesOf(options),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: Buffer[] = [];
    let size = 0;
    let talk = '';
    let failure: unknown;
    const end = (reason: unknown): void => {
      failure ??= reason;
      killGroup(child);
      // What has left the group may hold them open for ever.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const onAbort = () => end(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > LONGEST_OUTPUT) end(new MetadError('limit', 'git printed more than 16 MiB.'));
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      talk = (talk + chunk.toString('utf8')).slice(-LONGEST_TALK);
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      signal.removeEventListener('abort', onAbort);
      const text =
        error.code === 'ENOENT'
          ? 'git is not on your PATH. Install it, and run `metad sync` again.'
          : `git cannot be started (${error.code ?? error.message}).`;
      reject(new MetadError('unavailable', text, { cause: error }));
    });
    child.once('exit', () => killGroup(child));
    child.once('close', (code, killed) => {
      signal.removeEventListener('abort', onAbort);
      if (failure !== undefined) reject(failure);
      else if (code === 0) resolve(Buffer.concat(output).toString('utf8'));
      else reject(new MetadError('unavailable', complaintOf(talk) || `git ended with ${killed ?? `code ${code}`}`));
    });
  });
