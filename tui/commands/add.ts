// `metad add` and `metad remove`: one server in a file of the person's, or of the workspace.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutServer, withServer } from '../../schema/config/edit.ts';
import { isWithin, pathText } from '../../schema/config/problem.ts';
import { readConfig } from '../../schema/config/read.ts';
import { SUGGESTED_SERVERS } from '../../schema/config/suggestions.ts';
import { MetadError } from '../../schema/errors.ts';
import { nearName } from '../../schema/near.ts';
import { type CommonOptions, type Context, DONE, note, printJson, UsageError } from '../context.ts';
import { editFile } from '../edit-file.ts';
import { find, pathsFor, reach } from '../reach.ts';
import { isOurs, manifestOf } from '../suggested-plugin.ts';
import { whichWorkspace } from '../which.ts';

export interface AddOptions extends CommonOptions {
  readonly workspace?: string;
  readonly url?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly sharing?: string;
  /** Of `add`: what has the name already gives way. */
  readonly force?: boolean;
}

const WORKSPACE_FILE = '.metad/config.json';

/** `KEY=value` pairs, or `Name: value` ones. */
const pairsOf = (texts: readonly string[], separator: '=' | ':', option: string): Record<string, string> =>
  Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator);
      if (at <= 0) throw new UsageError(`${option} takes NAME${separator}VALUE, not ${JSON.stringify(text)}.`);
      const value = text.slice(at + 1);
      return [text.slice(0, at).trim(), separator === ':' ? value.trim() : value];
    }),
  );

/** The entry that the command line spells out; undefined where it gives a name alone. */
const entryOf = (words: readonly string[], { url, env = [], header = [], sharing }: AddOptions) => {
  const [command, ...args] = words;
  const more = sharing === undefined ? {} : { sharing };
  if (url !== undefined && command !== undefined) throw new UsageError('A server has a command or a --url, not both.');
  if (url !== undefined) {
    if (env.length > 0) throw new UsageError('--env is for servers with a command; a --url takes --header.');
    return { url, ...(header.length === 0 ? {} : { headers: pairsOf(header, ':', '--header') }), ...more };
  }
  if (command === undefined) return undefined;
  if (header.length > 0) throw new UsageError('--header is for servers with a --url; a command takes --env.');
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(env.length === 0 ? {} : { env: pairsOf(env, '=', '--env') }),
    ...more,
  };
};

/** @throws MetadError `bad-request` with what is wrong with the entry */
const check = (text: string, file: string, name: string): string => {
  const wrong = readConfig(text, file).problems.filter(
    ({ severity, path }) => severity === 'error' && isWithin(path, pathText(['mcpServers', name])),
  );
  if (wrong.length > 0)
    throw new MetadError('bad-request', `Nothing was changed: ${wrong.map(({ message }) => message).join(' ')}`);
  return text;
};

/** The root of the workspace that is meant. @throws MetadError `not-found` where it is none */
const rootOf = async (context: Context, options: AddOptions): Promise<string> => {
  const { client } = await reach(context, options);
  const { workspace } = await client.trust(whichWorkspace(context, options.workspace));
  if (workspace !== null) return workspace;
  throw new MetadError(
    'not-found',
    `${options.workspace} belongs to no workspace: it has no lockfile, manifest or .git.`,
  );
};

/** The file that is edited; of a workspace, with its root. */
const fileOf = async (context: Context, options: AddOptions): Promise<{ file: string; root?: string }> => {
  if (options.workspace === undefined) return { file: pathsFor(context, options).configFile };
  const root = await rootOf(context, options);
  return { file: join(root, WORKSPACE_FILE), root };
};

/** A daemon that runs has it at once. */
const tell = async (context: Context, options: CommonOptions): Promise<void> => {
  const client = await find(pathsFor(context, options));
  await client?.reload({});
};

/** What the person has just written themselves needs no second question; whatever else stands there does. */
const trustOwn = async (context: Context, options: AddOptions, name: string): Promise<void> => {
  const { client } = await reach(context, options);
  const which = whichWorkspace(context, options.workspace);
  const { files } = await client.trust(which);
  const mine = files
    .filter(({ file }) => file === WORKSPACE_FILE)
    .flatMap(({ file, servers }) =>
      servers.filter((one) => one.name === name).map(({ hash }) => ({ file, server: name, hash })),
    );
  await client['trust.accept']({ ...which, servers: mine });
};

const done = async (context: Context, options: AddOptions, file: string, text: string): Promise<number> => {
  await tell(context, options);
  if (options.json) printJson(context, { file });
  else note(context, text);
  return DONE;
};

const addTo = async (context: Context, options: AddOptions, name: string, entry: unknown): Promise<number> => {
  const isHere = options.workspace !== undefined;
  const { file, root } = await fileOf(context, options);
  await editFile(file, (text) => check(withServer(text, file, name, entry, options.force), file, name), root);
  if (isHere) await trustOwn(context, options, name);
  const where = isHere ? 'sessions of this workspace have it' : 'every session has it';
  return done(context, options, file, `${name} is in ${file}: ${where}. \`metad tools ${name}\` shows its tools.`);
};

const addSuggested = async (context: Context, options: AddOptions, name: string): Promise<number> => {
  const server = SUGGESTED_SERVERS.find((one) => one.name === name);
  if (server === undefined) {
    const near = nearName(
      name,
      SUGGESTED_SERVERS.map((one) => one.name),
    );
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    throw new MetadError(
      'not-found',
      `metad knows no server ${JSON.stringify(name)} by itself.${hint} Say how it is started: \`metad add ${name} -- COMMAND ARGS…\`, or \`--url URL\`.`,
    );
  }
  if (options.workspace !== undefined) return addTo(context, options, name, server.entry);
  const { plugins, configFile } = pathsFor(context, options);
  const { force = false } = options;
  const file = join(plugins, `${name}.toml`);
  // One that the config has under this name would be used instead, everywhere.
  await editFile(configFile, (text) => void (force || withServer(text, configFile, name, server.entry)));
  await editFile(file, (text) => {
    if (text !== '' && !isOurs(text) && !force)
      throw new MetadError(
        'bad-request',
        `${file} is there already and was not written by \`metad add\`: edit it yourself, or replace it with --force.`,
      );
    return manifestOf(server);
  });
  return done(
    context,
    options,
    file,
    `${name} is in ${file}: workspaces that ${server.predicates === undefined ? 'depend on its library' : 'fit its condition'} have it. \`metad why ${name}\` says whether this one does.`,
  );
};

export const add = async (
  context: Context,
  name: string,
  words: readonly string[],
  options: AddOptions,
): Promise<number> => {
  const entry = entryOf(words, options);
  if (entry !== undefined) return addTo(context, options, name, entry);
  if ((options.env ?? []).length + (options.header ?? []).length > 0 || options.sharing !== undefined)
    throw new UsageError('--env, --header and --sharing go with a command after `--`, or with --url.');
  return addSuggested(context, options, name);
};

/** Exit 1 where no file that metad may edit has it. */
export const remove = async (context: Context, name: string, options: AddOptions): Promise<number> => {
  const { plugins } = pathsFor(context, options);
  const { file, root } = await fileOf(context, options);
  if (await editFile(file, (text) => withoutServer(text, file, name), root))
    return done(context, options, file, `${name} is no longer in ${file}.`);
  if (options.workspace === undefined) {
    const manifest = join(plugins, `${name}.toml`);
    let found = false;
    await editFile(manifest, (text) => {
      found = isOurs(text);
      return undefined;
    });
    if (found) {
      await rm(manifest);
      return done(context, options, manifest, `${manifest} is gone.`);
    }
  }
  throw new MetadError(
    'not-found',
    `${file} has no server ${JSON.stringify(name)}. \`metad list\` says which file declares it; that one is yours to edit.`,
  );
};
