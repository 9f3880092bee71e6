// The control methods as the daemon answers them: translates between the wire and the parts, decides nothing.
import type { ToolResult } from '../../schema/tool.ts';
import type {
  CallStatus,
  Contract,
  DaemonStatus,
  Methods,
  RunStatus,
  Saved,
  ServerStatus,
  SessionStatus,
  Successor,
  SyncResult,
  TrustReport,
  Where,
  WhichWorkspace,
  Why,
} from '../../schema/wire.ts';

type AskedTrust = Methods['trust.accept']['params']['servers'];

/** What the methods need of the parts; daemon.ts gives it. Every function may throw a MetadError, which travels. */
export interface Ports {
  readonly pid: number;
  readonly daemon: () => Promise<DaemonStatus>;
  readonly servers: () => Promise<readonly ServerStatus[]>;
  readonly saved: () => Promise<Saved>;
  readonly why: (server: string, cwd: string | undefined) => Promise<Why>;
  readonly list: (which: WhichWorkspace) => Promise<Methods['list']['result']>;
  readonly suggest: (which: WhichWorkspace) => Promise<Methods['suggest']['result']>;
  readonly sync: {
    readonly look: (signal: AbortSignal) => Promise<Methods['sync']['result']>;
    readonly accept: (registries: Methods['sync.accept']['params']['registries']) => Promise<SyncResult>;
  };
  readonly trust: {
    readonly report: (which: WhichWorkspace) => Promise<TrustReport>;
    readonly accept: (which: WhichWorkspace, servers: AskedTrust) => Promise<TrustReport>;
    readonly revoke: (which: WhichWorkspace) => Promise<Methods['trust.revoke']['result']>;
  };
  readonly sessions: () => readonly SessionStatus[];
  /** Newest first. */
  readonly recentCalls: (count: number) => readonly CallStatus[];
  /** Newest first; all that go on. */
  readonly recentRuns: (count: number) => readonly RunStatus[];
  /** TypeScript declarations of these servers, of all that apply at this place where empty. */
  readonly declarations: (
    where: Where,
    servers: readonly string[],
    detail: string,
    signal: AbortSignal,
  ) => Promise<string>;
  /** Server and tool by raw or script name. */
  readonly call: (
    where: Where,
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => Promise<ToolResult>;
  readonly run: (
    where: Where,
    script: string,
    timeoutMs: number | undefined,
    signal: AbortSignal,
  ) => Promise<Methods['exec']['result']>;
  /** Reads config again; takes the environment as the user's own where one is given. Gives the warnings that stand. */
  readonly reload: (environment: Readonly<Record<string, string>> | undefined) => Promise<readonly string[]>;
  /** Gives how many instances were stopped. */
  readonly restart: (server: string) => Promise<number>;
  /** Plans the hand-over to that daemon; gives the calls and scripts that it waits for. */
  readonly handOver: (successor: Successor, withinMs: number) => number;
  /** Begins the orderly end. */
  readonly stop: () => void;
}

/** Recent calls and runs that `status` carries. */
const RECENT = 50;
const RECENT_RUNS = 20;

/** A person who asks for it waits meanwhile. */
const HANDOVER_SECONDS = 60;

const orNever = (signal: AbortSignal | undefined): AbortSignal => signal ?? new AbortController().signal;

export const createHandlers = (ports: Ports): Contract => ({
  status: async () => {
    const [daemon, servers, saved] = await Promise.all([ports.daemon(), ports.servers(), ports.saved()]);
    const recentCalls = ports.recentCalls(RECENT);
    const sessions = ports.sessions();
    return { schema: 1, daemon, servers, saved, sessions, recentCalls, runs: ports.recentRuns(RECENT_RUNS) };
  },
  tools: async ({ cwd, servers, detail = 'full' }, signal) => ({
    text: await ports.declarations({ cwd }, servers, detail, orNever(signal)),
  }),
  call: ({ cwd, server, tool, arguments: args }, signal) => ports.call({ cwd }, server, tool, args, orNever(signal)),
  exec: ({ cwd, script, timeoutSeconds }, signal) =>
    ports.run({ cwd }, script, timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000, orNever(signal)),
  reload: async ({ environment }) => ({ warnings: await ports.reload(environment) }),
  why: ({ server, cwd }) => ports.why(server, cwd),
  list: ports.list,
  suggest: ports.suggest,
  sync: (_, signal) => ports.sync.look(orNever(signal)),
  'sync.accept': ({ registries }) => ports.sync.accept(registries),
  trust: ports.trust.report,
  'trust.accept': ({ servers, ...which }) => ports.trust.accept(which, servers),
  'trust.revoke': ports.trust.revoke,
  'server.restart': async ({ server }) => ({ stopped: await ports.restart(server) }),
  handover: async ({ withinSeconds = HANDOVER_SECONDS, ...successor }) => ({
    pid: ports.pid,
    waitingFor: ports.handOver(successor, withinSeconds * 1000),
  }),
  stop: async () => {
    // The answer must be on its way before the socket begins to close.
    setImmediate(ports.stop);
    return { pid: ports.pid };
  },
});
