// One server of a manifest as a definition: the same checks and defaults as in config.json.
import { resolve } from 'node:path';
import { readConfig } from '../../../schema/config/read.ts';
import type { Definition } from '../../../schema/config.ts';
import type { Installation, PluginServer } from '../../../schema/plugin.ts';
import { isObject } from '../../../schema/tool.ts';

export interface ServerContext {
  /** The manifest. */
  readonly file: string;
  /** What relative paths belong to. */
  readonly folder: string;
  readonly installations: readonly Installation[];
  /** metad's own settings for this server. */
  readonly own: unknown;
}

type Pairs = NonNullable<PluginServer['env']>;

const recordOf = (pairs: Pairs | undefined): Readonly<Record<string, string>> | undefined =>
  Array.isArray(pairs) ? Object.fromEntries(pairs.map(({ name, value }) => [name, value])) : pairs;

/** `bin/server` belongs to the manifest's folder; a bare name is looked for on PATH. */
const programAt = (path: string, folder: string): string =>
  path.includes('/') && !/^[/~$]/.test(path) ? resolve(folder, path) : path;

/** What an installation is started as. metad installs nothing. @throws Error with the way out */
export const runnableOf = (
  installation: Installation,
  { file, folder }: Pick<ServerContext, 'file' | 'folder'>,
): { readonly command: string; readonly args: readonly string[] } => {
  const { name, source, executable, script, args = [], crate } = installation;
  if (source === undefined || source === 'cargo') {
    if (script !== undefined) return { command: 'sh', args: [resolve(folder, script), ...args] };
    const program = executable ?? (source === 'cargo' ? crate : undefined);
    if (program !== undefined)
      // Cargo's programs are on PATH, and where nobody installed one the start says so.
      return { command: source === 'cargo' ? program : programAt(program, folder), args };
    throw new Error(`${file}: the installation "${name}" names no "executable" to start.`);
  }
  throw new Error(
    `${file}: the installation "${name}" comes from "${source}", and metad installs nothing: install it yourself and name its path as "executable", without "source".`,
  );
};

const entryOf = (server: PluginServer, context: ServerContext): Readonly<Record<string, unknown>> => {
  const { type, command, args = [], env, url, headers } = server;
  const own = isObject(context.own) ? context.own : {};
  if (url !== undefined) return { ...own, url, ...(type !== undefined && { type }), headers: recordOf(headers) ?? {} };
  const installation = context.installations.find(({ name }) => name === command);
  const started =
    installation === undefined
      ? { ...(command !== undefined && { command: programAt(command, context.folder) }), args }
      : { ...runnableOf(installation, context) };
  const all = installation === undefined ? args : [...(started.args ?? []), ...args];
  return { ...own, ...started, args: all, env: recordOf(env) ?? {} };
};

/** @throws Error naming the manifest and the key; what is merely odd is given as warnings */
export const definitionOfServer = (
  server: PluginServer,
  context: ServerContext,
): { readonly definition: Definition; readonly warnings: readonly string[] } => {
  const { config, problems } = readConfig(
    JSON.stringify({ mcpServers: { [server.name]: entryOf(server, context) } }),
    context.file,
  );
  const sentences = (severity: 'error' | 'warning') =>
    problems
      .filter((problem) => problem.severity === severity)
      .map(({ message }) => `${context.file}: ${message.replaceAll('mcpServers', 'mcp_servers')}`);
  const definition = config?.servers.get(server.name);
  if (definition === undefined) throw new Error(sentences('error').join(' ') || `${context.file}: a server is wrong.`);
  return { definition, warnings: sentences('warning') };
};
