// What shim, terminal and daemon say to each other over the socket: types and constants, nothing else.
import type { Surface } from './config.ts';

export const VERSION = '0.1.0';

/** Raised when shim and daemon can no longer serve each other. */
export const PROTOCOL = 1;

/** The request line and header of a shim's Upgrade; its body is one `Hello` as JSON. */
export const SESSION_PATH = '/session';
export const UPGRADE = 'metad';

/** Control methods are `POST /control/METHOD` with the params as JSON; events are `GET /events` as SSE. */
export const CONTROL_PATH = '/control';
export const EVENTS_PATH = '/events';

/** Every reply of the daemon carries its version and protocol in these headers. */
export const VERSION_HEADER = 'metad-version';
export const PROTOCOL_HEADER = 'metad-protocol';

/** The only variables of an agent's environment that ever leave the shim. */
export const FORWARDED_VARIABLES = [
  'CLAUDE_PROJECT_DIR',
  'GOOSE_WORKING_DIR',
  'SSH_AUTH_SOCK',
  'NODE_EXTRA_CA_CERTS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
] as const;

/** What a client says of its own metad. These names and their meaning are the same in every protocol. */
export interface Greeting {
  readonly protocol: number;
  readonly version: string;
  /** Absolute path of the daemon that belongs to it, and of the Node that runs it: who follows, if it is newer. */
  readonly program?: string;
  readonly node?: string;
}

/** The daemon program that takes over from a running daemon, by absolute paths. */
export interface Successor {
  readonly version: string;
  readonly program: string;
  readonly node: string;
}

/** What a shim says of itself before the first JSON-RPC byte. */
export interface Hello extends Greeting {
  readonly pid: number;
  readonly cwd: string;
  /** What the shim was told (`--workspace`, then CLAUDE_PROJECT_DIR, then GOOSE_WORKING_DIR); else the daemon starts from cwd. */
  readonly workspace?: string;
  /** As given; the daemon refuses what it does not know, by name. */
  readonly surface?: string;
  readonly callTool?: boolean;
  /** Name of the process that started the shim, where it can be had; the protocol's clientInfo is better. */
  readonly agent?: string;
  readonly environment: Readonly<Record<string, string>>;
  /** True when the same shim was connected before and replays its opening. */
  readonly resumed?: boolean;
}

export type InstanceState = 'cold' | 'starting' | 'ready' | 'dead' | 'parked';

export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  readonly protocol: number;
  readonly uptimeSeconds: number;
  readonly home: string;
  readonly socket: string;
  readonly memoryBytes: number;
  readonly callsInFlight: number;
  /** What the event loop of the daemon holds, counted by Node's names: `Timeout`, `PipeWrap`, …; for finding leaks. */
  readonly resources: Readonly<Record<string, number>>;
  /** Files and sockets that it has open, and how many it may; null where the system does not tell. */
  readonly descriptors: { readonly open: number; readonly limit: number } | null;
  /** `disk`, or why the database is not used. */
  readonly store: string;
  /** The metad that takes over as soon as nothing runs any more, or null. */
  readonly successor: SuccessorStatus | null;
  /** What a person should know: config mistakes, name clashes, a store that works from memory. */
  readonly warnings: readonly string[];
}

/**
 * What sharing spares against every session having its own of each server that it uses: for each running instance its
 * process tree, as often as there are sessions beyond the first; less the daemon and the shims. Negative where few share.
 */
export interface Saved {
  readonly processes: number;
  readonly memoryBytes: number;
}

/** Why an instance is, or is not, shared. */
export interface Why {
  readonly server: string;
  readonly sharing: string;
  readonly sharedBy: string;
  readonly reason: string;
  readonly instances: readonly WhyInstance[];
  /** What keeps sessions from sharing one instance, a sentence each. */
  readonly apart: readonly string[];
  /** What would change that, a sentence each. */
  readonly advice: readonly string[];
  /** By this server alone, daemon and shims left out. */
  readonly saved: Saved;
}

export interface WhyInstance {
  readonly state: InstanceState;
  readonly owner: string | null;
  readonly pid: number | null;
  readonly processes: number | null;
  readonly memoryBytes: number | null;
  readonly sessions: readonly { readonly id: string; readonly agent: string; readonly workspace: string | null }[];
}

export interface SuccessorStatus {
  readonly version: string;
  readonly sinceSeconds: number;
  /** After so many seconds more it takes over in any case. */
  readonly withinSeconds: number;
  /** Calls and scripts that go on. */
  readonly waitingFor: number;
}

/** One row per instance; a definition without one is a row in state `cold` (or `parked` with its reason). */
export interface ServerStatus {
  readonly name: string;
  readonly state: InstanceState;
  readonly sharing: string;
  /** Why its sharing is what it is, as a sentence. */
  readonly sharingReason: string;
  /** Sessions that use it. */
  readonly sessions: readonly string[];
  /** The workspace root or the session that the instance belongs to. */
  readonly owner: string | null;
  readonly pid: number | null;
  /** Of the whole process tree; so are the processes. */
  readonly memoryBytes: number | null;
  readonly processes: number | null;
  readonly uptimeSeconds: number | null;
  readonly calls: number;
  readonly callsInFlight: number;
  readonly tools: number | null;
  readonly freshness: string | null;
  readonly lastError: string | null;
  readonly noiseLines: number;
  readonly warnings: readonly string[];
  /** What its last starts cost; null where none is known. Older daemons say nothing of this and the next two. */
  readonly start?: StartCost | null;
  /** Of what runs: `direct` is the program that a package runner would run, started without it; null: no such runner. */
  readonly how?: 'direct' | 'wrapper' | null;
  /** `name@1.2.3`: what the package runner runs; null where that is not known. */
  readonly resolved?: string | null;
}

/** Milliseconds from the spawn of a server's process to its being ready. */
export interface StartCost {
  readonly lastMs: number;
  /** Of the last starts, at most 5. */
  readonly medianMs: number;
  readonly count: number;
}

export interface SessionStatus {
  readonly id: string;
  readonly agent: string;
  readonly pid: number;
  /** Of the shim. */
  readonly version: string;
  readonly workspace: string | null;
  readonly surface: Surface;
  readonly protocol: string | null;
  readonly sinceSeconds: number;
  readonly calls: number;
}

export interface CallStatus {
  readonly at: number;
  readonly session: string;
  readonly server: string;
  readonly tool: string;
  readonly milliseconds: number | null;
  /** `running`, `ok`, `error`, `timeout` or `cancelled`. */
  readonly outcome: string;
}

/**
 * - `timeout`: script time or total time was over.
 * - `cancelled`: whoever waited gave up, or is gone.
 * - `interrupted`: the daemon ended before the run did.
 */
export type RunState = 'running' | 'done' | 'failed' | 'cancelled' | 'timeout' | 'interrupted';

/** One call of a run, in the order in which they were made. */
export interface RunCall {
  readonly server: string;
  /** Raw name. */
  readonly tool: string;
  /** Null while it goes on, and where it never ended. */
  readonly ms: number | null;
  readonly outcome: 'ok' | 'error' | 'timeout' | 'cancelled' | 'running';
  /** Size of the result: its texts in UTF-8, and base64 as it was sent. */
  readonly bytes: number;
  /** First line of what went wrong. */
  readonly error?: string;
  /** JSON, capped; only with `execute.traceArguments`. */
  readonly arguments?: string;
}

/** One script: `execute` of an agent or `metad exec`. */
export interface RunStatus {
  /** `r12`; a number is never used again. */
  readonly id: string;
  readonly session: string;
  readonly agent: string;
  readonly workspace: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly state: RunState;
  /** From its begin to its end, or to now; null where nobody knows when it ended. */
  readonly milliseconds: number | null;
  /** Calls made, whatever became of them. */
  readonly calls: number;
  /** Of these, those that failed, timed out or were cancelled. */
  readonly failed: number;
  /** `server.tool` that it waits for at this moment. */
  readonly now: string | null;
}

export interface Status {
  readonly schema: 1;
  readonly daemon: DaemonStatus | null;
  readonly servers: readonly ServerStatus[];
  readonly saved: Saved;
  readonly sessions: readonly SessionStatus[];
  readonly recentCalls: readonly CallStatus[];
  /** Newest first: all that are going on, and the last ones that ended. */
  readonly runs: readonly RunStatus[];
}

/** A place from which a person asks: definitions that apply are those of this folder's workspace. */
export interface Where {
  readonly cwd: string;
}

/** The control methods: what a client sends and what it gets. Handlers and client stubs share this map. */
export interface Methods {
  status: { params: Record<string, never>; result: Status };
  /** Declarations of these servers (all where empty), whole. */
  tools: { params: Where & { servers: readonly string[]; detail?: string }; result: { text: string } };
  call: {
    params: Where & { server: string; tool: string; arguments: Readonly<Record<string, unknown>> };
    result: { content: readonly unknown[]; structuredContent?: unknown; isError?: boolean };
  };
  exec: {
    params: Where & { script: string; timeoutSeconds?: number };
    /** `content` is all that an agent would get; in `text` parts that are no text stand by their labels. */
    result: {
      text: string;
      isError: boolean;
      content: readonly unknown[];
      run: string;
      trace: readonly RunCall[];
    };
  };
  /** Reads config again and says what it found; refreshes the environment snapshot. */
  reload: { params: { environment?: Readonly<Record<string, string>> }; result: { warnings: readonly string[] } };
  why: { params: { server: string }; result: Why };
  /** Stops one server's instances (they start again on need) and clears `parked`. */
  'server.restart': { params: { server: string }; result: { stopped: number } };
  /**
   * Hands over to another daemon program once nothing runs any more, or `withinSeconds` have passed; answered before
   * anything ends.
   */
  handover: {
    params: Successor & { readonly withinSeconds?: number };
    result: { pid: number; waitingFor: number };
  };
  /** Orderly end of the daemon; answered before it closes. */
  stop: { params: Record<string, never>; result: { pid: number } };
}

export type Method = keyof Methods;

export type Contract = {
  [M in Method]: (params: Methods[M]['params'], signal?: AbortSignal) => Promise<Methods[M]['result']>;
};

/** One event of the stream; the live screen asks for `status` again when it hears one that concerns it. */
export type ControlEvent =
  | { readonly kind: 'servers' }
  | { readonly kind: 'sessions' }
  | { readonly kind: 'calls' }
  | { readonly kind: 'catalog'; readonly revision: number }
  | { readonly kind: 'warnings' }
  | { readonly kind: 'closing' };
