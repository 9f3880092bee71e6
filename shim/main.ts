// `metad shim`: argv, environment, signals, exit code. The only part of the shim that reads `process` and ends it.
import { argumentsOf, USAGE } from './arguments.ts';
import { pathsHere } from './connect.ts';
import { helloOf } from './hello.ts';
import { createSession } from './session/session.ts';
import { openLink } from './upgrade.ts';

const builtin = process.getBuiltinModule;

/** Milliseconds for the last bytes: a reader that is merely slow gets them all; after a signal there is no such time. */
const FLUSH_MS = { end: 30_000, signal: 1000 };
const PARENT_MS = 1000;

/** Writes to stderr at once; an agent that closed it must not end us. */
const tell = (sentence: string) => {
  try {
    builtin('node:fs').writeSync(2, `metad shim: ${sentence}\n`);
  } catch {
    // Nobody reads it.
  }
};

/** The name of the process that started us, where the system tells it without a detour. */
const parentName = (): string | undefined => {
  try {
    return builtin('node:fs').readFileSync(`/proc/${process.ppid}/comm`, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
};

const cwdOr = (fallback: string): string => {
  try {
    return process.cwd();
  } catch {
    return fallback; // the folder was removed beneath us
  }
};

/** Runs the shim until its agent leaves. `folder` holds the bundles: the launcher and, beside it, the daemon. */
export const main = (folder: string = __dirname): void => {
  if (['--help', '-h'].includes(process.argv[3] ?? '')) return void process.stdout.write(`${USAGE}\n`);
  const told = argumentsOf(process.argv.slice(3));
  if (typeof told === 'string') {
    tell(`${told}.\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const { env: environment, stdout } = process;
  const cwd = cwdOr('/');
  const paths = pathsHere(told.home ?? environment['METAD_HOME'], cwd);
  const program = `${folder}/daemon.js`;
  const self = { told, environment, cwd, pid: process.pid, program, node: process.execPath, agent: parentName() };
  const gone = new AbortController();
  const options = { program, environment, signal: gone.signal, tell };
  let flushMs = FLUSH_MS.end;

  const session = createSession({
    input: process.stdin,
    output: stdout,
    connect: (mayStart, resumed) => openLink(paths, helloOf(self, resumed), mayStart, options),
    tell,
    over: () => {
      const exit = () => process.exit(session.failed ? 1 : 0);
      gone.abort();
      if (stdout.destroyed || stdout.errored) return exit();
      setTimeout(exit, flushMs);
      stdout.write('', exit); // answered after all that was written before it
    },
  });

  const leave = () => {
    if (flushMs === FLUSH_MS.signal) process.exit(0); // a second signal
    flushMs = FLUSH_MS.signal;
    setTimeout(() => process.exit(0), flushMs);
    session.leave();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave);
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) leave();
  }, PARENT_MS).unref();
};
