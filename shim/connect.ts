// How a client reaches the one daemon: dial its socket; where nobody listens, start it and dial again.
import type { Socket } from 'node:net';
import { type Paths, pathsOf } from '../schema/paths.ts';
import { type Started, startDaemon, takeTurn } from './start.ts';

// Each node: module is loaded where it is first needed: a shim that finds the daemon awake needs few of them.
const builtin = process.getBuiltinModule;

const POLL_MS = 10;
const SLOW_POLL_MS = 50;
const AGAIN_MS = [250, 500, 1000];

/** What dialOrStart() needs beside the paths. */
export interface StartOptions {
  /** The daemon's program, e.g. `dist/daemon.js`; run by `execPath`. */
  readonly program: string;
  /** The caller's variables; only a few names of it reach the daemon. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default process.execPath. */
  readonly execPath?: string;
  /** Milliseconds from the first dial until the daemon must listen. Default 20000. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * The paths of this account, as the daemon derives them: below `override` (`--home`, else METAD_HOME) where given,
 * made absolute against `cwd`, else in the account's own folders. Reads the password entry, never the environment's
 * XDG variables: an agent may have dropped or changed those.
 */
export const pathsHere = (override: string | undefined, cwd: string): Paths => {
  const uid = process.getuid?.() ?? -1;
  if (override !== undefined && override !== '') {
    return pathsOf({ home: '', uid, override: builtin('node:path').resolve(cwd, override) });
  }
  const os = builtin('node:os');
  let home: string;
  try {
    home = os.userInfo().homedir;
  } catch {
    home = os.homedir(); // no passwd entry (containers with a bare uid): $HOME
  }
  return pathsOf({ home, uid });
};

/** Reports why a socket folder in a shared place must not be trusted, or undefined. An absent folder is fine. */
const folderProblem = ({ socketFolder, state }: Paths): string | undefined => {
  if (socketFolder === state) return undefined;
  const found = builtin('node:fs').lstatSync(socketFolder, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const uid = process.getuid?.();
  if (!found.isDirectory()) return 'is not a folder';
  if (uid !== undefined && found.uid !== uid) return `belongs to user ${found.uid}`;
  if ((found.mode & 0o077) !== 0) return `is open to other users (mode ${(found.mode & 0o777).toString(8)})`;
  return undefined;
};

/** Linux and macOS refuse to connect to a plain file just as they do where nobody listens; only a look tells. */
const occupant = (path: string): string | undefined => {
  try {
    const found = builtin('node:fs').lstatSync(path);
    if (found.isSocket()) return undefined;
    return found.isDirectory() ? 'folder' : found.isFile() ? 'plain file' : 'special file';
  } catch {
    return undefined; // nothing there, or a way to it that the daemon's start will complain of
  }
};

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** ECONNRESET: it was killed while the connection waited to be accepted. */
const NOBODY = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'ENOTSOCK', 'ENOTDIR'];

type Attempt = Socket | 'nobody' | 'busy';

const attempt = (path: string): Promise<Attempt> =>
  new Promise((resolve, reject) => {
    const socket = builtin('node:net').connect({ path });
    const failed = (error: Error) => {
      const code = codeOf(error);
      if (code !== undefined && NOBODY.includes(code)) resolve('nobody');
      else if (code === 'EAGAIN') resolve('busy');
      else
        reject(
          new Error(`The socket ${path} cannot be opened (${code ?? error.message}): is it yours?`, { cause: error }),
        );
    };
    socket.once('error', failed);
    socket.once('connect', () => {
      socket.off('error', failed);
      resolve(socket);
    });
  });

const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const ended = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', ended);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', ended, { once: true });
  });

/**
 * Connects to the daemon's socket; undefined where nobody listens (no socket, or a dead daemon's). The socket has no
 * `error` listener yet. A daemon too busy to accept is waited for, since slow is not dead.
 * @throws Error in a whole sentence: the folder is not private, the path is no socket, or it may not be opened.
 */
export const dial = async (paths: Paths, signal?: AbortSignal): Promise<Socket | undefined> => {
  const problem = folderProblem(paths);
  if (problem !== undefined) {
    throw new Error(`${paths.socketFolder} ${problem}, so metad does not use the socket in it. Remove that folder.`);
  }
  for (;;) {
    const found = await attempt(paths.socket);
    if (found === 'busy') {
      await sleep(SLOW_POLL_MS, signal);
      continue;
    }
    if (found !== 'nobody') return found;
    const kind = occupant(paths.socket);
    if (kind === undefined) return undefined;
    throw new Error(
      `A ${kind} is in the place of metad's socket, ${paths.socket}. Move it away; metad deletes no file of yours.`,
    );
  }
};

/** The next start, or undefined while the last one is still coming up. Exit 0 only says that another one has the lock. */
const failureOf = (started: Started): string | undefined => {
  const { end } = started;
  return end === undefined || end === 0
    ? undefined
    : `The metad daemon ended with ${end} while starting.${started.tail()}`;
};

/**
 * Connects to the daemon, starting it where nobody listens. Any number of callers may do so at once: the daemon's
 * lock decides who lives, and a loser's exit 0 is success. Tells a crash at once, with the tail of its output.
 * @throws Error in a whole sentence, as dial(); also when the daemon cannot be started or is not up by `deadlineMs`.
 */
export const dialOrStart = async (paths: Paths, options: StartOptions): Promise<Socket> => {
  const { deadlineMs = 20_000, signal } = options;
  const began = performance.now();
  let started: Started | undefined;
  let startAt = 0;
  let starts = 0;
  let turn: (() => void) | undefined;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const failure = started && failureOf(started); // read before dialling: another daemon may be up by now
      const socket = await dial(paths, signal);
      if (socket !== undefined) return socket;
      if (failure !== undefined) throw new Error(failure);
      const waited = performance.now() - began;
      if (waited > deadlineMs) {
        throw new Error(
          `The metad daemon did not listen on ${paths.socket} within ${Math.round(deadlineMs / 1000)} s.${started?.tail() ?? ''}`,
        );
      }
      if ((started === undefined || started.end === 0) && waited >= startAt) {
        // The holder of the lock is either about to listen or about to leave; ask again in a while, not at once.
        turn ??= takeTurn(paths);
        if (turn !== undefined) {
          started = startDaemon(paths, options);
          startAt = waited + (AGAIN_MS[Math.min(starts++, AGAIN_MS.length - 1)] ?? 0);
        }
      }
      await sleep(waited < 2000 ? POLL_MS : SLOW_POLL_MS, signal);
    }
  } finally {
    started?.forget();
    turn?.();
  }
};
