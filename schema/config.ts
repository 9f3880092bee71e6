// config.json: its keys with their defaults and meaning, and the frozen value that the rest of metad reads.
import * as z from 'zod/mini'; // a tenth of zod's start-up, which the daemon pays before its first answer
import { registriesSchema } from './config/registry.ts';

/** Who uses one instance of a server: every session, the sessions of one workspace root, or one session. */
export const SHARING = ['user', 'workspace', 'session'] as const;
export type Sharing = (typeof SHARING)[number];

export const SURFACES = ['code', 'domains', 'tree', 'flat'] as const;
export type Surface = (typeof SURFACES)[number];

/** The spellings of `type` in use; it may always be left out. */
export const STDIO_TYPE = ['stdio', 'local'] as const;
export const REMOTE_TYPE = ['http', 'sse', 'streamable-http', 'streamableHttp'] as const;

/** Timers of Node run at once when they are asked for more milliseconds than this. */
export const LONGEST_MS = 2_147_483_647;

const about = z.describe;
const flag = (value: boolean, meaning: string) => z._default(z.boolean(), value).check(about(meaning));
const count = (value: number, meaning: string, least = 1) =>
  z._default(z.int().check(z.gte(least)), value).check(about(meaning));
const span = (longest: number) => z.number().check(z.positive(), z.lte(longest));
const seconds = (value: number, meaning: string) =>
  z._default(span(Math.floor(LONGEST_MS / 1000)), value).check(about(meaning));
const minutes = (value: number, meaning: string) =>
  z._default(span(Math.floor(LONGEST_MS / 60_000)), value).check(about(meaning));
const list = (meaning: string) => z.optional(z.array(z.string())).check(about(meaning));
const names = (meaning: string) => z._default(z.array(z.string()), []).check(about(meaning));
const texts = (meaning: string) => z._default(z.record(z.string(), z.string()), {}).check(about(meaning));
const later = (meaning: string) => z._default(z.looseObject({}), {}).check(about(meaning));
const group = <T extends z.core.$ZodShape>(meaning: string, shape: T) =>
  z.prefault(z.object(shape), {} as z.input<z.ZodMiniObject<T>>).check(about(meaning));

/** What both kinds of server take beside the way to reach them. Pasted snippets of other programs use some of these. */
const common = {
  sharing: z
    .optional(z.enum(SHARING))
    .check(
      about(
        'Who uses one instance: `user`, `workspace` (default for a command) or `session`. A url defaults to `user`; for well-known servers `metad why` says what holds.',
      ),
    ),
  disabled: flag(false, 'true: the server is not offered and never started.'),
  includeTools: list('Only these tools are offered: raw names, `*` stands for any text.'),
  excludeTools: list('These tools are not offered: raw names, `*` stands for any text.'),
  timeout: z.optional(span(LONGEST_MS)).check(about('Milliseconds that one call may take. Default 60000.')),
  startTimeoutSeconds: seconds(60, 'Seconds that a start may take.'),
  idleMinutes: minutes(15, 'Minutes without a call after which the server is stopped.'),
  maxConcurrent: z
    .optional(z.int().check(z.gte(1)))
    .check(about('Calls that one instance gets at a time; more wait their turn. Default 16.')),
  serial: z
    .optional(z.union([z.boolean(), z.array(z.string())]))
    .check(
      about('Tools that are called one at a time, in order: true for all, or raw names, `*` stands for any text.'),
    ),
  autoApprove: list('Understood in pasted snippets, not used: approvals are a matter of `policy`.'),
  alwaysAllow: list('Understood in pasted snippets, not used: approvals are a matter of `policy`.'),
  prewarm: z
    .optional(z.boolean())
    .check(about('Start it ahead where a workspace used it last time; takes the place of the setting `prewarm`.')),
  directStart: z
    .optional(z.boolean())
    .check(about('false: package runners are always run as written; takes the place of the setting `directStart`.')),
  description: z.optional(z.string()).check(about('A note for people.')),
};

export const stdioServerSchema = z.object({
  type: z.optional(z.enum(STDIO_TYPE)).check(about('May be left out: a server with a `command` is one.')),
  command: z.string().check(z.minLength(1), about('The program to start.')),
  args: names('Its arguments.'),
  env: texts('Variables that it gets beside the safe base environment.'),
  cwd: z.optional(z.string()).check(about('The folder to start it in. Default: the root of the workspace.')),
  ...common,
});

export const remoteServerSchema = z.object({
  type: z
    .optional(z.enum(REMOTE_TYPE))
    .check(about('May be left out: Streamable HTTP is tried first, then SSE. `sse` skips the first.')),
  url: z.string().check(z.minLength(1), about('The address of the server: http or https.')),
  headers: texts('HTTP headers that every request carries.'),
  ...common,
});

export const serverSchema = z.union([stdioServerSchema, remoteServerSchema]);

export const configSchema = z.object({
  $schema: z.optional(z.string()).check(about('Where an editor finds this schema; metad does not read it.')),
  mcpServers: z
    ._default(z.record(z.string().check(z.minLength(1)), serverSchema), {})
    .check(about('The backing servers by name, in the shape that their READMEs print.')),
  surface: z
    ._default(z.enum(SURFACES), 'code')
    .check(about('The set of tools that sessions see unless their shim names another.')),
  pluginFolders: names('Folders that hold plugins, beside `plugins` in the folder of this file.'),
  registries: z
    ._default(registriesSchema, [])
    .check(about("Other people's plugins; `metad sync` fetches them and shows what would run.")),
  autoSync: flag(true, 'false: a session keeps the servers it began with until `metad sync`.'),
  learnReturnTypes: flag(true, 'Learn what tools return from their results: keys and types, never values.'),
  prewarm: flag(false, 'true: servers that a workspace used last time are started ahead when the machine is idle.'),
  directStart: flag(true, 'Start what `npx`, `bunx` or `uvx` would start without them, where that is surely the same.'),
  listTools: group('Limits of the tool `list_tools`.', {
    budgetTokens: count(4000, 'Tokens that an answer may take before detail is left out.'),
    waitSeconds: z
      ._default(z.number().check(z.gte(0), z.lte(Math.floor(LONGEST_MS / 1000))), 8)
      .check(about('Seconds to wait for servers that were never listed before.')),
  }),
  execute: group('Limits of the tool `execute`.', {
    timeoutSeconds: seconds(30, 'Seconds that a script itself may run; waiting for tools is not counted.'),
    totalSeconds: seconds(600, 'Seconds that a script may take with all its calls.'),
    memoryMiB: count(64, 'Memory of one script in MiB.', 8),
    stackKiB: z
      ._default(z.int().check(z.gte(64), z.lte(1024)), 512)
      .check(about('Stack of one script in KiB: how deeply calls and data may nest.')),
    maxCalls: count(1000, 'Calls that one script may make.'),
    maxParallelCalls: count(8, 'Calls that one script may have open at a time on each server; more wait their turn.'),
    maxOutputCharacters: count(
      20_000,
      'Characters of all text in one answer; what is longer is cut, and kept for later scripts.',
    ),
    maxLogCharacters: count(8000, 'Characters of console output of one script that are kept.'),
    detachSeconds: seconds(45, 'Seconds after which `execute` answers and its script goes on in the background.'),
    maxWorkers: count(32, 'Scripts that may run side by side.'),
    traceArguments: flag(
      false,
      'true: the trace of a run holds the arguments of its calls too, cut to 500 characters, in the database.',
    ),
    typeNotes: flag(false, "Tell of a failed script what the tools' types say of it; needs TypeScript 7 beside metad."),
  }),
  daemon: group('The daemon itself.', {
    idleExitMinutes: minutes(30, 'Minutes without session and call after which the daemon ends.'),
    loginShell: flag(
      true,
      'Ask the login shell for the variables of backing servers; false: give them a plain environment.',
    ),
  }),
  policy: later('Which calls may run, need approval or are refused.'),
  approvals: group('How approvals are asked for.', {
    waitSeconds: seconds(40, 'Seconds that a call waits for an approval.'),
  }),
  domains: later('Domains that you define for the surface `domains`.'),
  enabledDomains: names('The only domains that are offered, where any is named.'),
  defaults: later('Values for parameters that a script or agent leaves out.'),
  tree: later('Settings of the surface `tree`.'),
  skillTools: names('Tools that `metad skill` describes when it is given none.'),
  http: group('The optional HTTP endpoint on the loopback interface.', {
    enabled: flag(false, 'true: the daemon also listens on 127.0.0.1.'),
    port: z.optional(z.int().check(z.gte(1), z.lte(65_535))).check(about('The port; without it the system picks one.')),
  }),
});

export type ServerEntry = z.output<typeof serverSchema>;
export type ConfigFile = z.output<typeof configSchema>;

/** How a stdio server is started. In a `Definition` the strings are as written, `${VAR}` included. */
export interface StdioReach {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** How a remote server is reached; `http` falls back to SSE where the server's answer asks for it. */
export interface RemoteReach {
  readonly kind: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One backing server as declared, before expansion. Safe to show: it holds references, unless the user wrote secrets. */
export type Reach = StdioReach | RemoteReach;

export interface Definition {
  readonly name: string;
  readonly reach: Reach;
  readonly sharing: Sharing;
  /** Where `sharing` comes from: the config, what is known of a published server, or how it is reached. */
  readonly sharedBy: 'config' | 'known' | 'default';
  /** The same as a sentence. */
  readonly sharingReason: string;
  readonly disabled: boolean;
  readonly includeTools?: readonly string[];
  readonly excludeTools?: readonly string[];
  /** Calls in flight on one instance; 16 where nothing is said. */
  readonly maxConcurrent?: number;
  /** Tools of which one instance runs one at a time: all, or these raw names with `*`. */
  readonly serial?: boolean | readonly string[];
  readonly callTimeoutMs: number;
  readonly startTimeoutMs: number;
  readonly idleMs: number;
  /** Takes the place of the settings of these names. */
  readonly prewarm?: boolean;
  readonly directStart?: boolean;
  /** The file that declares it. */
  readonly origin: string;
}

/** config.json as everything else reads it: frozen, defaults filled in, definitions in the order of the file. */
export interface Config extends Readonly<Omit<ConfigFile, 'mcpServers' | '$schema'>> {
  readonly servers: ReadonlyMap<string, Definition>;
}
