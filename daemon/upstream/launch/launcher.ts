// Starts what a package runner would start, without it: it would stay beside the server (npx with a shell), and npx would
// ask the network at each start.
//
// A program is known only after the runner itself was seen to start it, with these arguments; from then on it is started
// directly, for as long as nothing on the disk speaks against it. The runner installs, always: when the registry has
// something newer, the next start is as written, so that no folder is changed under a running server.
import type { StdioReach } from '../../../schema/config.ts';
import { messageOf } from '../../../schema/errors.ts';
import type { Log } from '../../log.ts';
import { createProcessTable, type ProcessTable, treeOf } from '../../processes.ts';
import { asWritten, type Launch, type Launcher, type Program, type Resolution, type Resolutions } from './contract.ts';
import { keyOf } from './key.ts';
import { createRenewals, type Question, type Renewals } from './renew.ts';
import { isOutdated } from './runners/npx.ts';
import type { Asked, Runner } from './runners/runner.ts';
import { runOf } from './runners/runners.ts';

export interface LauncherOptions {
  readonly kept: Resolutions;
  readonly log: Log;
  readonly now?: () => number;
  readonly table?: ProcessTable;
  readonly renewals?: Renewals;
}

/** How long the registry's last answer is good enough; npx would ask at each start. */
const CHECKED_MS = 3_600_000;

/** A command line, and whose it is. */
interface Run {
  readonly runner: Runner;
  readonly asked: Asked;
}

export const createLauncher = ({
  kept,
  log,
  now = Date.now,
  table = createProcessTable(),
  renewals = createRenewals(),
}: LauncherOptions): Launcher => {
  /** Of an entry that is outdated: what the registry has. The next start is as written. */
  const outdated = new Map<string, string>();
  /** Failed when they were started directly: not again in this life of the daemon. */
  const refused = new Set<string>();

  const learn = async (key: string, server: string, { runner, asked }: Run, pid: number): Promise<void> => {
    const tree = treeOf(pid, await table.list());
    const commands = await Promise.all(tree.map((process) => table.command(process)));
    const found = commands.flatMap((command) => runner.programsIn(command ?? '', asked));
    const versions = await Promise.all(found.map((program) => runner.versionOf(program, asked.name)));
    const usable = found.filter((_, at) => versions[at] !== undefined);
    const [program] = usable;
    // None: it is a project's or a global one, or the server calls itself otherwise. Several: which one is the server?
    if (program === undefined || new Set(usable).size !== 1) return;
    const version = versions[found.indexOf(program)] ?? '';
    if (asked.isExact && version !== asked.wanted) return;
    const newest = outdated.get(key) ?? '';
    outdated.delete(key);
    const at = now();
    kept.saveResolution({ key, server, program, package: asked.name, version, newest, learnedAt: at, checkedAt: at });
    log('launch.learned', { server, package: asked.name, version });
  };

  const renew = async (resolution: Resolution, question: Question): Promise<void> => {
    const newest = await renewals.newest(question);
    // Nobody could be asked: as good as known for so long again, as npx itself would take what it has.
    const checked: Resolution = { ...resolution, checkedAt: now() };
    if (newest === undefined || !isOutdated(resolution, newest)) {
      kept.saveResolution(checked);
      return;
    }
    log('launch.outdated', {
      server: resolution.server,
      package: resolution.package,
      version: resolution.version,
      newest,
    });
    outdated.set(resolution.key, newest);
    kept.removeResolution(resolution.key);
  };

  const quietly = (server: string, work: Promise<void>): void =>
    void work.catch((error: unknown) => log('launch.failed', { server, error: messageOf(error) }));

  /** The program that is known for this, if the runner would surely start the same one now. */
  const known = async (key: string, { runner, asked }: Run, reach: StdioReach, cwd: string, env: Program['env']) => {
    const resolution = kept.resolution(key);
    if (resolution === undefined || resolution.package !== asked.name) return undefined;
    if (now() - resolution.learnedAt > runner.knownMs(asked) || now() < resolution.learnedAt) return undefined;
    const version = await runner.versionOf(resolution.program, asked.name);
    if (version === undefined || (asked.isExact && version !== asked.wanted)) return undefined;
    if (await runner.mayBeElsewhere(asked, reach.command, cwd, env)) return undefined;
    const current: Resolution = { ...resolution, version };
    // Somebody else's runner has installed another one since.
    if (version !== resolution.version) kept.saveResolution(current);
    return current;
  };

  const directly = (server: string, resolution: Resolution, { runner, asked }: Run, question: Question): Launch => ({
    program: {
      command: resolution.program,
      args: asked.rest,
      env: runner.environmentOf(resolution.program, question.cwd, question.env),
    },
    how: 'direct',
    resolved: `${resolution.package}@${resolution.version}`,
    ready: () => {
      if (runner.isRenewed && !asked.isExact && now() - resolution.checkedAt > CHECKED_MS)
        quietly(server, renew(resolution, question));
    },
    failed: (why) => {
      refused.add(resolution.key);
      kept.removeResolution(resolution.key);
      log('launch.direct-failed', { server, program: resolution.program, why });
    },
  });

  return {
    async plan(server, reach, cwd, env, isOn) {
      const written = asWritten(reach, env);
      const run = runOf(reach.command, reach.args);
      if (run === undefined) return written;
      const wrapper: Launch = { ...written, how: 'wrapper' };
      if (!isOn) return wrapper;
      try {
        const key = await keyOf(run.runner, reach.command, reach.args, cwd, env);
        if (refused.has(key)) return wrapper;
        const resolution = await known(key, run, reach, cwd, env);
        const question = { command: reach.command, spec: run.asked.spec, cwd, env };
        if (resolution !== undefined) return directly(server, resolution, run, question);
        return { ...wrapper, ready: (pid) => quietly(server, learn(key, server, run, pid)) };
      } catch (error) {
        log('launch.failed', { server, error: messageOf(error) });
        return wrapper;
      }
    },
    [Symbol.asyncDispose]: () => renewals[Symbol.asyncDispose]() as Promise<void>,
  };
};
