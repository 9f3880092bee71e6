// One commit of a repository as a plain folder, by the person's own git: nothing that the repository says is run.
import { spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MetadError } from '../../../schema/errors.ts';

export interface FetchOptions {
  readonly url: string;
  /** A branch or tag; the repository's default where there is none. */
  readonly ref: string | undefined;
  /** Where the files will be; it must not exist. Its parent is made. */
  readonly into: string;
  /** The person's variables: git finds their keys and helpers by them. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** ms that each command may take. Default 60 s. */
  readonly limitMs?: number;
}

/** Text of a command that is kept for an error. */
const LONGEST_TEXT = 4000;

/** Hooks, filters, submodules and links are what a repository could do harm with. */
const SAFE = [
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.symlinks=false', '-c', 'core.fsmonitor=false'],
  ...['-c', 'submodule.recurse=false', '-c', 'protocol.ext.allow=never', '-c', 'advice.detachedHead=false'],
];

const environmentFor = (environment: Readonly<Record<string, string>>, more: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  SSH_ASKPASS: '/bin/false',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
  GIT_ALLOW_PROTOCOL: 'https:ssh:file',
  GIT_LFS_SKIP_SMUDGE: '1',
  LC_ALL: 'C',
  ...more,
});

/** The line of git's that says what is wrong, without its last dot. */
const sayingOf = (text: string): string | undefined => {
  const lines = text.trim().split('\n');
  return (lines.find((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1))?.replace(/\.$/, '') || undefined;
};

interface Run {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

/** What it prints. It is the head of a group of its own, which ends with it. @throws Error with what git says */
const run = ({ words, cwd, env, signal, limitMs }: Run): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn('git', [...SAFE, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let [out, said] = ['', ''];
    let reason: string | undefined;
    const end = (why: string): void => {
      reason ??= why;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {} // it has ended
    };
    const aborted = (): void => end('metad is stopping');
    const timer = setTimeout(() => end(`it took more than ${limitMs / 1000} s`), limitMs);
    signal.addEventListener('abort', aborted, { once: true });
    if (signal.aborted) aborted();
    child.stdout.on('data', (chunk: Buffer) => {
      out = (out + chunk.toString('utf8')).slice(-LONGEST_TEXT);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-LONGEST_TEXT);
    });
    const done = (code: number | null, error?: Error): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      end('it ended'); // what it may have started
      if (code === 0) resolve(out);
      else reject(error ?? new Error(reason === 'it ended' ? (sayingOf(said) ?? `exit ${code}`) : reason));
    };
    child.once('error', (error) =>
      done(null, 'code' in error && error.code === 'ENOENT' ? new Error('there is no git') : error),
    );
    child.once('close', (code) => done(code));
  });

/** What git takes as an address and nothing else. @throws MetadError `bad-request` */
export const checkUrl = (url: string): void => {
  const isScp = /^[\w.-]+@[\w.-]+:[^:]/.test(url);
  if (!isScp && !/^(https|ssh|file):\/\//.test(url))
    throw new MetadError(
      'bad-request',
      `${JSON.stringify(url)} is no address that metad fetches from: https://, ssh://, file:// and git@host:path are.`,
    );
};

/**
 * Fetches without history and gives the commit. There is no `.git` in the folder: it is files and nothing else.
 * @throws MetadError `unavailable` with what git says
 */
export const fetchCommit = async (options: FetchOptions): Promise<string> => {
  const { url, ref = 'HEAD', into, environment, signal, limitMs = 60_000 } = options;
  checkUrl(url);
  if (ref.startsWith('-')) throw new MetadError('bad-request', `${JSON.stringify(ref)} is no branch and no tag.`);
  await mkdir(into, { recursive: true, mode: 0o700 });
  const git = (words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> =>
    run({ words, cwd: into, env: environmentFor(environment, more), signal, limitMs });
  try {
    await git(['init', '--quiet', '--template=']);
    await git(['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--', url, ref]);
    const commit = (await git(['rev-parse', 'FETCH_HEAD^{commit}'])).trim();
    // The person's own config may name filters, which the repository's attributes could call.
    const alone = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    await git(['checkout', '--quiet', '--force', commit], alone);
    await rm(join(into, '.git'), { recursive: true, force: true });
    return commit;
  } catch (error) {
    await rm(into, { recursive: true, force: true });
    const why = error instanceof Error ? error.message : String(error);
    throw new MetadError('unavailable', `${url} could not be fetched: ${why}.`, { cause: error });
  }
};
