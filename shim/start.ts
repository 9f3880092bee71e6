// Starting the daemon: detached, in `/`, with a small environment and its output in a bounded log.
import type { Paths } from '../schema/paths.ts';

const builtin = process.getBuiltinModule;

const LOG_LIMIT = 1024 * 1024;
const TAIL_BYTES = 2000;
const TURN_MS = 2000;

/** What a daemon may need to find programs and to speak the user's language; none of it is the agent's own. */
const PASSED = /^(HOME|PATH|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TMPDIR|TZ|TERM)$/;

/**
 * For glibc, which else keeps an arena for each thread and gives back nothing of what sandbox workers left there: a
 * quarter of the daemon's memory at rest. Servers do not get these.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

export interface Start {
  readonly program: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly execPath?: string;
}

/** A daemon that was started and may still be coming up. */
export interface Started {
  /** Undefined while it runs, else its exit code or the signal's name, or why it never ran. */
  readonly end: number | string | undefined;
  /** What it wrote since, as the end of a sentence; empty when nothing. */
  tail(): string;
  /** Lets go of it: it lives on without us. */
  forget(): void;
}

/** The variables of `environment` that the daemon gets: the same few, whichever agent happens to start it. */
export const daemonEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
  home: string | undefined,
): Record<string, string> => {
  const kept: Record<string, string> = { ...ALLOCATOR };
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && PASSED.test(name)) kept[name] = value;
  if (home !== undefined) kept['METAD_HOME'] = home;
  return kept;
};

const unusable = (path: string, cause: unknown): Error => {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`metad cannot write ${path} (${reason}). Make it writable, or name another place by METAD_HOME.`, {
    cause,
  });
};

/** By hand, since Node's `recursive` tries for ever below a folder that takes none, such as /proc. */
const makeFolder = (path: string): void => {
  const fs = builtin('node:fs');
  try {
    fs.mkdirSync(path, 0o700);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const above = builtin('node:path').dirname(path);
    if (code !== 'ENOENT' || above === path || fs.existsSync(above)) throw error;
    makeFolder(above);
    fs.mkdirSync(path, 0o700);
  }
};

/**
 * Asks whether this caller should be the one to start the daemon now; returns what gives the turn back, or undefined
 * while somebody else has it. A courtesy that spares a crowd of shims a crowd of daemons, no lock: a turn is over after
 * TURN_MS at the latest, and who is the daemon is decided by the daemon's own lock.
 * @throws Error in a whole sentence when the folder cannot be written.
 */
export const takeTurn = ({ logs }: Paths): (() => void) | undefined => {
  const fs = builtin('node:fs');
  const path = `${logs}/daemon-start.turn`;
  const giveBack = () => fs.rmSync(path, { force: true });
  try {
    makeFolder(logs);
    const held = fs.lstatSync(path, { throwIfNoEntry: false });
    if (held !== undefined) {
      if (Math.abs(Date.now() - held.mtimeMs) < TURN_MS) return undefined;
      giveBack();
    }
    fs.closeSync(fs.openSync(path, 'wx', 0o600));
    return giveBack;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return undefined; // was a moment faster
    throw unusable(path, cause);
  }
};

/** Opens the log that the daemon's first words go to; what is too old to matter goes when it has grown. */
const openLog = ({ logs }: Paths): { path: string; descriptor: number; from: number } => {
  const fs = builtin('node:fs');
  const path = `${logs}/daemon-start.log`;
  try {
    makeFolder(logs);
    const descriptor = fs.openSync(path, 'a', 0o600);
    const { size } = fs.fstatSync(descriptor);
    if (size <= LOG_LIMIT) return { path, descriptor, from: size };
    fs.ftruncateSync(descriptor, 0);
    return { path, descriptor, from: 0 };
  } catch (cause) {
    throw unusable(path, cause);
  }
};

const tailOf = (path: string, from: number): string => {
  const fs = builtin('node:fs');
  try {
    const bytes = fs.readFileSync(path).subarray(from);
    const text = bytes
      .subarray(Math.max(0, bytes.length - TAIL_BYTES))
      .toString('utf8')
      .trim();
    return text === '' ? ` It wrote nothing to ${path}.` : ` The end of ${path}:\n${text}`;
  } catch {
    return '';
  }
};

/**
 * Starts the daemon in a process session of its own, since agents kill the whole group of a shim.
 * @throws Error in a whole sentence when the log cannot be written. A start that fails later shows as `end`.
 */
export const startDaemon = (paths: Paths, { program, environment, execPath = process.execPath }: Start): Started => {
  const { path, descriptor, from } = openLog(paths);
  let end: number | string | undefined;
  try {
    const child = builtin('node:child_process').spawn(
      execPath,
      paths.home === undefined ? [program] : [program, '--home', paths.home],
      {
        cwd: '/',
        detached: true,
        env: daemonEnvironment(environment, paths.home),
        stdio: ['ignore', descriptor, descriptor],
      },
    );
    child.once('exit', (code, signal) => {
      end = signal ?? code ?? 'an unknown state';
    });
    child.once('error', (error) => {
      end = error.message;
    });
    return {
      get end() {
        return typeof end === 'number' && end !== 0 ? `exit code ${end}` : end;
      },
      tail: () => tailOf(path, from),
      forget: () => child.unref(),
    };
  } finally {
    builtin('node:fs').closeSync(descriptor);
  }
};
