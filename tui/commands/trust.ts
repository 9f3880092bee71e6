// `metad trust`: what a workspace's own files would start or contact, and the answer to it.
import type { Contract, TrustReport, TrustServer, WhichWorkspace } from '../../schema/wire.ts';
import { ask, canAsk } from '../ask.ts';
import { type CommonOptions, type Context, DONE, FAILED, note, print, printJson, UsageError } from '../context.ts';
import { plural } from '../format.ts';
import { reach } from '../reach.ts';
import { trustText } from '../trust-text.ts';
import { whichWorkspace } from '../which.ts';

export interface TrustOptions extends CommonOptions {
  readonly workspace?: string;
  readonly yes?: boolean;
  readonly revoke?: boolean;
}

interface Waiting {
  readonly file: string;
  readonly server: TrustServer;
}

const waitingOf = ({ files }: TrustReport): readonly Waiting[] =>
  files.flatMap(({ file, servers }) =>
    servers.filter(({ state, disabled }) => state !== 'trusted' && !disabled).map((server) => ({ file, server })),
  );

const revoke = async (context: Context, client: Contract, which: WhichWorkspace, json: boolean): Promise<number> => {
  const result = await client['trust.revoke'](which);
  if (json) printJson(context, result);
  else if (result.workspace === null) note(context, 'This folder belongs to no workspace: nothing of it was trusted.');
  else note(context, `${result.workspace}: ${plural(result.revoked, 'trusted entry', 'trusted entries')} forgotten.`);
  return DONE;
};

/**
 * Exit 0 when nothing waits for an answer any more, 1 when something does: the answer was no, or nobody could be asked.
 * Exactly what was shown is trusted; where a file has changed since, nothing is.
 */
export const trust = async (context: Context, options: TrustOptions): Promise<number> => {
  const { json = false, yes = false } = options;
  if (options.revoke && yes) throw new UsageError('--revoke and --yes do not go together.');
  const { client } = await reach(context, options);
  const which = whichWorkspace(context, options.workspace);
  if (options.revoke) return revoke(context, client, which, json);

  const report = await client.trust(which);
  const waiting = waitingOf(report);
  if (!json) print(context, trustText(report));
  const servers = waiting.map(({ file, server }) => ({ file, server: server.name, hash: server.hash }));
  const accept = () => client['trust.accept']({ ...which, servers });
  if (waiting.length === 0) {
    if (json) printJson(context, report);
    return DONE;
  }
  if (yes) {
    const now = await accept();
    if (json) printJson(context, now);
    else note(context, `Trusted: ${plural(waiting.length, 'server')} of ${now.workspace}.`);
    return DONE;
  }
  if (json) {
    printJson(context, report);
    return FAILED;
  }
  if (!canAsk(context)) {
    note(context, 'Nothing was trusted: there is no terminal to ask at. With --yes all of this is trusted.');
    return FAILED;
  }
  const many = waiting.length === 1 ? 'this server' : `these ${waiting.length} servers`;
  if (!(await ask(context, `\nMay metad use ${many} in ${JSON.stringify(report.workspace)}? [y/N] `))) {
    note(context, 'Nothing was trusted.');
    return FAILED;
  }
  await accept();
  note(context, 'Trusted. `metad trust --revoke` takes it back.');
  return DONE;
};
