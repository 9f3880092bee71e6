// Starts what `npx` would start, without npx: it would stay, with a shell, beside the server, and ask the network at each
// start.
//
// A program is known only after npx itself was seen to start it, with these arguments; from then on it is started
// directly, for as long as nothing on the disk speaks against it. npx installs, always: when the registry has something
// newer, the next start is as written, so that no folder is changed under a running server.
import type { StdioReach } from '../../../schema/config.ts';
import { messageOf } from '../../../schema/errors.ts';
import type { Log } from '../../log.ts';
import { createProcessTable, type ProcessTable, treeOf } from '../../processes.ts';
import { environmentOf, keyOf, mayBeElsewhere, versionOf } from './cached.ts';
import { asWritten, type Launch, type Launcher, type Program, type Resolution, type Resolutions } from './contract.ts';
import { type Asked, askedOf, isOutdated, programsIn } from './npx.ts';
import { createRenewals, type Question, type Renewals } from './renew.ts';

export interface LauncherOptions {
  readonly kept: Resolutions;
  readonly log: Log;
  readonly now?: () => number;
  readonly table?: ProcessTable;
  readonly renewals?: Renewals;
}

/** How long the registry's last answer is good enough; npx would ask at each start. */
const CHECKED_MS = 3_600_000;
/** Then npx is asked anew, whatever is known. */
const KNOWN_MS = 30 * 86_400_000;

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

  const learn = async (key: string, server: string, asked: Asked, pid: number): Promise<void> => {
    const tree = treeOf(pid, await table.list());
    const commands = await Promise.all(tree.map((process) => table.command(process)));
    const found = commands.flatMap((command) => programsIn(command ?? '', asked));
    const versions = await Promise.all(found.map((program) => versionOf(program, asked.name)));
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

  /** The program that is known for this, if npx would surely start the same one now. */
  const known = async (key: string, asked: Asked, reach: StdioReach, cwd: string, env: Program['env']) => {
    const resolution = kept.resolution(key);
    if (resolution === undefined || resolution.package !== asked.name) return undefined;
    if (now() - resolution.learnedAt > KNOWN_MS || now() < resolution.learnedAt) return undefined;
    const version = await versionOf(resolution.program, asked.name);
    if (version === undefined || (asked.isExact && version !== asked.wanted)) return undefined;
    if (await mayBeElsewhere(asked, reach.command, cwd, env)) return undefined;
    const current: Resolution = { ...resolution, version };
    // Somebody else's npx has installed another one since.
    if (version !== resolution.version) kept.saveResolution(current);
    return current;
  };

  const directly = (server: string, resolution: Resolution, asked: Asked, question: Question): Launch => ({
    program: {
      command: resolution.program,
      args: asked.rest,
      env: environmentOf(resolution.program, question.cwd, question.env),
    },
    how: 'direct',
    resolved: `${resolution.package}@${resolution.version}`,
    ready: () => {
      if (!asked.isExact && now() - resolution.checkedAt > CHECKED_MS) quietly(server, renew(resolution, question));
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
      const asked = askedOf(reach.command, reach.args);
      if (asked === undefined) return written;
      const wrapper: Launch = { ...written, how: 'wrapper' };
      if (!isOn) return wrapper;
      try {
        const key = await keyOf(reach.command, reach.args, cwd, env);
        if (refused.has(key)) return wrapper;
        const resolution = await known(key, asked, reach, cwd, env);
        const question = { command: reach.command, spec: asked.spec, cwd, env };
        if (resolution !== undefined) return directly(server, resolution, asked, question);
        return { ...wrapper, ready: (pid) => quietly(server, learn(key, server, asked, pid)) };
      } catch (error) {
        log('launch.failed', { server, error: messageOf(error) });
        return wrapper;
      }
    },
    [Symbol.asyncDispose]: () => renewals[Symbol.asyncDispose]() as Promise<void>,
  };
};
