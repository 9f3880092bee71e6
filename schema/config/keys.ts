// Keys that metad does not know: what other programs call them, and what to write instead.
import { nearName } from '../near.ts';

/** Other programs' names for what stands in `mcpServers`, at the top of their files. */
const OTHER_TOPS = ['servers', 'context_servers', 'mcp', 'mcp_servers', 'mcp.servers', 'amp.mcpServers', 'extensions'];

const TOP_HINTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(OTHER_TOPS.map((name) => [name, 'Servers stand under "mcpServers" here.'])),
  registry: 'metad has "registries".',
  'plugin-source': 'metad has "registries".',
  inputs: 'metad asks for no inputs: put the value into a variable of your shell and write ${NAME} where it is needed.',
};

const REGISTRY_HINTS: Readonly<Record<string, string>> = {
  'auto-update': 'A registry changes only when `metad sync` has shown what would run and you said yes.',
  autoUpdate: 'A registry changes only when `metad sync` has shown what would run and you said yes.',
  url: 'metad has "git".',
  branch: 'metad has "ref".',
  tag: 'metad has "ref".',
};

const SERVER_HINTS: Readonly<Record<string, string>> = {
  enabled: 'metad has "disabled": true.',
  environment: 'metad has "env".',
  envs: 'metad has "env".',
  envFile: 'metad reads no env files: name each variable in "env", as in "NAME": "${NAME}".',
  env_vars: 'Name each variable in "env", as in "NAME": "${NAME}".',
  cmd: 'metad has "command".',
  httpUrl: 'metad has "url".',
  serverUrl: 'metad has "url".',
  uri: 'metad has "url".',
  transport: 'metad has "type".',
  http_headers: 'metad has "headers".',
  tools: 'metad has "includeTools".',
  enabledTools: 'metad has "includeTools".',
  enabled_tools: 'metad has "includeTools".',
  disabledTools: 'metad has "excludeTools".',
  disabled_tools: 'metad has "excludeTools".',
  timeoutMs: 'metad has "timeout", in milliseconds.',
  tool_timeout_sec: 'metad has "timeout", in milliseconds.',
  startup_timeout_sec: 'metad has "startTimeoutSeconds".',
};

const sentence = (path: string, hint: string | undefined, name: string, known: readonly string[]): string => {
  const near = nearName(name, known);
  const more = hint ?? (near === undefined ? undefined : `Did you mean ${JSON.stringify(near)}?`);
  return `metad does not know ${path} and leaves it out.${more === undefined ? '' : ` ${more}`}`;
};

export const unknownSetting = (path: string, name: string, known: readonly string[]): string =>
  sentence(path, Object.hasOwn(TOP_HINTS, name) ? TOP_HINTS[name] : undefined, name, known);

export const unknownServerKey = (path: string, name: string, known: readonly string[]): string =>
  sentence(path, Object.hasOwn(SERVER_HINTS, name) ? SERVER_HINTS[name] : undefined, name, known);

export const unknownRegistryKey = (path: string, name: string, known: readonly string[]): string =>
  sentence(path, Object.hasOwn(REGISTRY_HINTS, name) ? REGISTRY_HINTS[name] : undefined, name, known);

/** Which of metad's keys a server's entry without `command` and `url` means by another name, if any. */
export const misnamedReach = (names: readonly string[]): string | undefined =>
  names.find((name) => ['cmd', 'httpUrl', 'serverUrl', 'uri'].includes(name));

/** A top-level key that holds a server of its own: a snippet pasted without the `mcpServers` around it. */
export const bareServer = (path: string): string =>
  `${path} looks like a server, but stands outside of "mcpServers" and is left out. Put it inside: { "mcpServers": { … } }.`;
