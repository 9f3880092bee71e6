// config.json: its schema, its defaults, and the frozen value that the rest of metad reads.
import { z } from 'zod';

/** Who uses one instance of a server: every session, the sessions of one workspace root, or one session. */
export const SHARING = ['user', 'workspace', 'session'] as const;
export type Sharing = (typeof SHARING)[number];

export const SURFACES = ['code', 'domains', 'tree', 'flat'] as const;
export type Surface = (typeof SURFACES)[number];

/** What both kinds of server take beside the way to reach them. Pasted snippets of other programs use some of these. */
const common = {
  sharing: z.enum(SHARING).optional().describe('Who uses one instance: user, workspace (stdio default) or session.'),
  disabled: z.boolean().default(false).describe('true: the server is not offered and never started.'),
  includeTools: z.array(z.string()).optional().describe('Only these tools (raw names, * matches any text).'),
  excludeTools: z.array(z.string()).optional().describe('All tools but these (raw names, * matches any text).'),
  timeout: z.number().positive().optional().describe('Milliseconds that one call may take. Default 60000.'),
  startTimeoutSeconds: z.number().positive().default(60).describe('Seconds that a start may take.'),
  idleMinutes: z.number().positive().default(15).describe('Minutes without a call after which the server is stopped.'),
  autoApprove: z.array(z.string()).optional().describe('Understood, not used: approvals are a matter of `policy`.'),
  alwaysAllow: z.array(z.string()).optional().describe('As autoApprove.'),
  description: z.string().optional().describe('A note for people.'),
};

export const stdioServerSchema = z.object({
  type: z.enum(['stdio', 'local']).optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().optional(),
  ...common,
});

export const remoteServerSchema = z.object({
  type: z.enum(['http', 'sse', 'streamable-http', 'streamableHttp']).optional(),
  url: z.string().min(1),
  headers: z.record(z.string(), z.string()).default({}),
  ...common,
});

export const serverSchema = z.union([stdioServerSchema, remoteServerSchema]);

const within = <T extends z.ZodRawShape>(shape: T) => z.object(shape).prefault({} as z.input<z.ZodObject<T>>);

export const configSchema = z.object({
  $schema: z.string().optional(),
  mcpServers: z.record(z.string().min(1), serverSchema).default({}),
  surface: z.enum(SURFACES).default('code'),
  autoSync: z.boolean().default(true),
  learnReturnTypes: z.boolean().default(true),
  listTools: within({
    budgetTokens: z.number().int().positive().default(4000),
    waitSeconds: z.number().min(0).default(8),
  }),
  execute: within({
    timeoutSeconds: z.number().positive().default(30),
    totalSeconds: z.number().positive().default(600),
    memoryMiB: z.number().int().min(8).default(64),
    maxCalls: z.number().int().positive().default(1000),
    maxOutputCharacters: z.number().int().positive().default(20_000),
    detachSeconds: z.number().positive().default(45),
    maxWorkers: z.number().int().positive().default(32),
  }),
  daemon: within({ idleExitMinutes: z.number().positive().default(30) }),
  policy: z.looseObject({}).default({}),
  approvals: within({ waitSeconds: z.number().positive().default(40) }),
  domains: z.looseObject({}).default({}),
  enabledDomains: z.array(z.string()).default([]),
  defaults: z.looseObject({}).default({}),
  tree: z.looseObject({}).default({}),
  skillTools: z.array(z.string()).default([]),
  http: within({ enabled: z.boolean().default(false), port: z.number().int().min(1).max(65_535).optional() }),
});

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
export interface Definition {
  readonly name: string;
  readonly reach: StdioReach | RemoteReach;
  readonly sharing: Sharing;
  readonly disabled: boolean;
  readonly includeTools?: readonly string[];
  readonly excludeTools?: readonly string[];
  readonly callTimeoutMs: number;
  readonly startTimeoutMs: number;
  readonly idleMs: number;
  /** The file that declares it. */
  readonly origin: string;
}

/** config.json as everything else reads it: frozen, defaults filled in, definitions in the order of the file. */
export interface Config extends Readonly<Omit<ConfigFile, 'mcpServers' | '$schema'>> {
  readonly servers: ReadonlyMap<string, Definition>;
}
