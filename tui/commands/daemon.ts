// `metad daemon start|stop|restart|run`: the daemon's life, as a person directs it.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { MetadError } from '../../schema/errors.ts';
import type { Paths } from '../../schema/paths.ts';
import { VERSION } from '../../schema/wire.ts';
import { type CommonOptions, type Context, DONE, FAILED, note, printJson } from '../context.ts';
import { find, pathsFor, reach } from '../reach.ts';

/** A stop may take every server's grace time and then some. */
const STOP_MS = 30_000;
/** How long a restart waits for calls and scripts that go on. */
const HANDOVER_MS = 60_000;
const LOOK_MS = 100;

/** A process that nobody has waited for yet keeps its id, but holds nothing any more: it counts as gone. */
const isGone = async (pid: number): Promise<boolean> => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
};

const untilGone = async (pid: number, milliseconds: number): Promise<void> => {
  for (const until = Date.now() + milliseconds; Date.now() < until; await sleep(20)) if (await isGone(pid)) return;
  throw new MetadError(
    'timeout',
    `The daemon (pid ${pid}) has not ended within ${milliseconds / 1000} s. See \`metad logs\`; \`kill ${pid}\` ends it at once.`,
  );
};

/**
 * Asks the daemon to end and waits until it has. Its lock is the kernel's and free when the process is gone; nobody
 * looks at the lock itself, since whoever tried it would hold it for a moment, in the way of the next daemon.
 * @returns the pid that was, or undefined when none ran
 */
const end = async (paths: Paths): Promise<number | undefined> => {
  const client = await find(paths);
  if (!client) return undefined;
  const { pid } = await client.stop({});
  await untilGone(pid, STOP_MS);
  return pid;
};

const begin = async (context: Context, options: CommonOptions, said: string, isAnew = false): Promise<number> => {
  const running = await find(pathsFor(context, options));
  const client = running ?? (await reach(context, options)).client;
  // Whoever types this wants their variables used, with or without a terminal; agents start shims, not this.
  const { warnings } = await client.reload({ environment: context.environment });
  const { daemon } = await client.status({});
  if (!daemon) throw new MetadError('internal', 'The daemon does not know itself. See `metad logs`.');
  if (options.json) printJson(context, { pid: daemon.pid, version: daemon.version, started: isAnew || !running });
  else
    note(context, running && !isAnew ? `The daemon runs already (pid ${daemon.pid}).` : `${said} (pid ${daemon.pid}).`);
  for (const warning of new Set([...warnings, ...daemon.warnings])) note(context, `! ${warning}`);
  return DONE;
};

export const start = (context: Context, options: CommonOptions): Promise<number> =>
  begin(context, options, 'The daemon is running');

export const stop = async (context: Context, options: CommonOptions): Promise<number> => {
  const pid = await end(pathsFor(context, options));
  if (options.json) printJson(context, { pid: pid ?? null, stopped: pid !== undefined });
  else note(context, pid === undefined ? 'No daemon is running.' : `The daemon (pid ${pid}) has ended.`);
  return DONE;
};

/** @throws MetadError where the daemon stays, with its own words for why. */
const untilHandedOver = async (paths: Paths, pid: number): Promise<void> => {
  for (const until = Date.now() + HANDOVER_MS + STOP_MS; Date.now() < until; await sleep(LOOK_MS)) {
    if (await isGone(pid)) return;
    const status = await find(paths)
      .then(
        (client) => client?.status({}),
        () => undefined,
      )
      .catch(() => undefined);
    const daemon = status?.daemon;
    if (daemon?.pid !== pid || daemon.successor !== null) continue;
    const why = daemon.warnings.find((warning) => warning.includes('could not take over'));
    if (why !== undefined) throw new MetadError('unavailable', `The daemon (pid ${pid}) stays: ${why}`);
  }
  await untilGone(pid, 0);
};

export interface RestartOptions extends CommonOptions {
  /** Waits for nothing that goes on. */
  readonly now?: boolean;
}

/** Asks the daemon to hand over to this metad's own, once nothing runs any more. @returns its pid and what it waits for */
const handOver = async (context: Context, paths: Paths): Promise<{ pid: number; waitingFor: number } | undefined> => {
  const client = await find(paths);
  if (!client) return undefined;
  const { daemonProgram: program, execPath: node } = context;
  return client
    .handover({ version: VERSION, program, node, withinSeconds: HANDOVER_MS / 1000 })
    .catch((error: unknown) => {
      // A daemon from before there was such a thing, or of another protocol: it can be stopped, as ever.
      if (error instanceof MetadError && ['not-found', 'unsupported'].includes(error.code)) return undefined;
      throw error;
    });
};

export const restart = async (context: Context, options: RestartOptions): Promise<number> => {
  const paths = pathsFor(context, options);
  const leaving = options.now === true ? undefined : await handOver(context, paths);
  if (leaving === undefined) await end(paths);
  else {
    if (leaving.waitingFor > 0)
      note(
        context,
        `The daemon (pid ${leaving.pid}) waits for ${leaving.waitingFor} calls and scripts to end, ` +
          `${HANDOVER_MS / 1000} s at most; \`metad daemon restart --now\` waits for none.`,
      );
    await untilHandedOver(paths, leaving.pid);
  }
  return begin(context, options, 'The daemon is running anew', true);
};

/** In the foreground, until it ends; its exit code is ours. */
export const run = async (context: Context, options: CommonOptions): Promise<number> => {
  const paths = pathsFor(context, options);
  const other = await (await find(paths))?.status({});
  if (other?.daemon) {
    note(context, `A daemon runs already (pid ${other.daemon.pid}). \`metad daemon stop\` ends it.`);
    return FAILED;
  }
  const args = [...(paths.home === undefined ? [] : ['--home', paths.home]), '--terminal'];
  const child = spawn(context.execPath, [context.daemonProgram, ...args], {
    cwd: context.cwd,
    env: context.environment,
    stdio: 'inherit',
  });
  // Ctrl-C reaches the daemon by the terminal; all that is left to do here is to outlive it.
  const pass = (signal: NodeJS.Signals) => void (signal !== 'SIGINT' && child.kill(signal));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, pass);
  return new Promise((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new MetadError('unavailable', `The daemon cannot be run: ${cause.message}.`, { cause })),
    );
    child.once('exit', (code) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, pass);
      resolve(code ?? FAILED);
    });
  });
};
