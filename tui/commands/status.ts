// `metad status`: JSON, a plain table, or the live screen; starts no daemon.
import type { Status } from '../../schema/wire.ts';
import { type CommonOptions, type Context, DONE, note, print, printJson } from '../context.ts';
import { find, NoDaemonError, pathsFor } from '../reach.ts';

const NOBODY: Status = {
  schema: 1,
  daemon: null,
  servers: [],
  saved: { processes: 0, memoryBytes: 0 },
  sessions: [],
  recentCalls: [],
  runs: [],
};

/** A screen needs a terminal at both ends; in CI, Ink would draw nothing before its end. */
const isLive = ({ stdin, stdout, environment }: Context): boolean =>
  stdin.isTTY === true &&
  stdout.isTTY === true &&
  environment['TERM'] !== 'dumb' &&
  ['CI', 'CONTINUOUS_INTEGRATION'].every((name) => ['0', 'false', undefined].includes(environment[name]));

export const status = async (context: Context, options: CommonOptions): Promise<number> => {
  const paths = pathsFor(context, options);
  if (!options.json && isLive(context)) {
    const { showStatus } = await import('../status/app.tsx');
    return showStatus(context, paths);
  }
  const client = await find(paths);
  const found = client ? await client.status({}) : NOBODY;
  if (options.json) printJson(context, found);
  else if (found.daemon === null) note(context, new NoDaemonError().message);
  else {
    const { plainStatus } = await import('../status/view.ts');
    print(context, plainStatus(found, context.stdout.isTTY ? context.stdout.columns : Number.POSITIVE_INFINITY));
  }
  return DONE;
};
