// `metad sync`: what registries have that is new, the answer to it, and the servers of today for sessions that wait.
import type { RegistryReport, SyncedRegistry } from '../../schema/wire.ts';
import { ask, canAsk } from '../ask.ts';
import { type CommonOptions, type Context, DONE, FAILED, note, print, printJson } from '../context.ts';
import { plural } from '../format.ts';
import { reach } from '../reach.ts';
import { registriesText } from '../trust-text.ts';

const isOther = ({ commit }: RegistryReport): boolean => commit !== null && commit.now !== commit.next;

const waitingIn = ({ files }: RegistryReport): number =>
  files.flatMap(({ servers }) => servers).filter(({ state, disabled }) => state !== 'trusted' && !disabled).length;

const takenOf = ({ name, commit, files }: RegistryReport): SyncedRegistry => ({
  name,
  commit: commit?.next ?? null,
  servers: files.flatMap(({ file, servers }) => servers.map((one) => ({ file, server: one.name, hash: one.hash }))),
});

/** A repository that could not be fetched, and of which nothing is there yet. */
const isThere = (report: RegistryReport): boolean => report.commit !== null || report.files.length > 0;

/**
 * Exit 0 when everything is as the registries have it, 1 when something waits for an answer or could not be fetched.
 * What is new but runs nothing else than before is taken without a question.
 */
export const sync = async (context: Context, options: CommonOptions & { readonly yes?: boolean }): Promise<number> => {
  const { client } = await reach(context, options);
  const { registries } = await client.sync({});
  const waiting = registries.reduce((sum, report) => sum + waitingIn(report), 0);
  if (!options.json && registries.length > 0) print(context, registriesText(registries));
  const isYes =
    waiting === 0 ||
    options.yes === true ||
    (!options.json &&
      canAsk(context) &&
      (await ask(context, `\nMay metad use ${plural(waiting, 'server')} of them? [y/N] `)));
  const taken = registries.filter((report) => isThere(report) && (isOther(report) || waitingIn(report) > 0));
  const kept = isYes ? taken : taken.filter((report) => waitingIn(report) === 0);
  const { sessions } = await client['sync.accept']({ registries: kept.map(takenOf) });
  if (options.json) printJson(context, { registries, taken: kept.map(({ name }) => name), sessions });
  else {
    if (!isYes)
      note(
        context,
        canAsk(context)
          ? 'Nothing new was taken.'
          : 'Nothing new was taken: there is no terminal to ask at. With --yes all of this is.',
      );
    else if (kept.length > 0) note(context, `Taken: ${kept.map(({ name }) => name).join(', ')}.`);
    note(context, `${plural(sessions, 'session')} got other servers.`);
  }
  return isYes && registries.every(({ isFetched }) => isFetched) ? DONE : FAILED;
};
