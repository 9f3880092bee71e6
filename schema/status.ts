// What `metad status` and `metad why` say of the daemon, as JSON: types alone.
import type { Surface } from './config.ts';

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
  /** Servers that open workspaces might want, by name. Older daemons say nothing of it. */
  readonly suggestions?: readonly { readonly workspace: string; readonly names: readonly string[] }[];
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
  /** Where plugins offer it: open workspaces, and that of whoever asks. Older daemons say nothing of it. */
  readonly applies?: readonly Applies[];
}

/** Whether what a plugin offers applies in a workspace, and which parts of its condition decided that. */
export interface Applies {
  readonly workspace: string;
  readonly plugin: string;
  /** The manifest. */
  readonly origin: string;
  readonly holds: boolean;
  readonly atoms: readonly { readonly text: string; readonly holds: boolean; readonly because: string }[];
}

export interface WhyInstance {
  readonly state: InstanceState;
  readonly owner: string | null;
  readonly pid: number | null;
  readonly processes: number | null;
  readonly memoryBytes: number | null;
  readonly sessions: readonly { readonly id: string; readonly agent: string; readonly workspace: string | null }[];
}

/** A definition that applies somewhere. */
export interface ListedServer {
  readonly name: string;
  /** The file that declares it. */
  readonly origin: string;
  readonly sharing: string;
  readonly disabled: boolean;
  /** Of an instance that sessions of this workspace use; `cold` where there is none. */
  readonly state: InstanceState;
  /** Its command with arguments, or its address; as written, so that no secret is in it that is not in the file. */
  readonly runs: readonly string[];
}

/** A well-known server that would be of use in a workspace. */
export interface Suggestion {
  readonly name: string;
  readonly about: string;
  /** What of the workspace says so. */
  readonly because: readonly string[];
  /** Its command with arguments, or its address. */
  readonly runs: readonly string[];
  /** Variables that a person has to set for it. */
  readonly variables: readonly string[];
  /** Where this is known from. */
  readonly source: string;
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
