// What the rest of the daemon knows of backing servers: the pool and what goes in and out of it.
import type { Definition } from '../../schema/config.ts';
import type { Level } from '../../schema/level.ts';
import type { Json, JsonObject, Listing, ToolResult } from '../../schema/tool.ts';
import type { InstanceState } from '../../schema/wire.ts';
import type { How, Launch, Launcher } from './launch/contract.ts';
import type { Resources } from './resources/contract.ts';

/** For whom something is done: decides which instance serves it. */
export interface Owner {
  /** Id of the session. */
  readonly session: string;
  /** The session's workspace root, or null where it has none. */
  readonly root: string | null;
}

/** Whose definitions are meant: a session's, or those of whoever may come to a root. */
export interface Applicant {
  readonly session: string | null;
  readonly root: string | null;
}

/** The way back to the one agent whose call caused a server's question. */
export interface Asker {
  /** The capabilities that the agent declared, as it declared them. */
  readonly capabilities: JsonObject;
  /** Sends `elicitation/create` or `sampling/createMessage` to the agent and gives its result. */
  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly asker?: Asker;
  /** The tool may run twice: where the connection breaks during the call, it is sent once more. */
  readonly isRepeatable?: boolean;
}

/** What a server listed; the catalog adds the key. */
export type Listed = Omit<Listing, 'key'>;

export interface InstanceStatus {
  readonly server: string;
  /** The file that defines it: two workspaces may have servers of one name. */
  readonly origin: string;
  readonly state: InstanceState;
  readonly sharing: string;
  /** Workspace root or session id; null for sharing `user`. */
  readonly owner: string | null;
  /** Equal for instances that are the same for everybody: the definition after expansion. Holds no secret. */
  readonly identity: string;
  /** Live sessions that have used it. */
  readonly sessions: readonly string[];
  readonly pid: number | null;
  /** Milliseconds since the epoch at which it became ready. */
  readonly readyAt: number | null;
  readonly calls: number;
  readonly callsInFlight: number;
  /** It said that its list has changed, and the new one is not known yet. */
  readonly relisting?: boolean;
  /** One line for a person: what happened and what to do. */
  readonly lastError: string | null;
  /** Lines on stdout that were no JSON-RPC. */
  readonly noiseLines: number;
  /** How what runs was started. */
  readonly launch?: Pick<Launch, 'how' | 'resolved'>;
}

/** A start that went well. */
export interface Started {
  /** Milliseconds from spawn to ready; of a remote server, from the first request. */
  readonly ms: number;
  readonly how?: How;
}

export interface Pool extends AsyncDisposable {
  /** Starts the instance if need be and calls the tool by its raw name. Never repeats a call that may have run. */
  call(definition: Definition, owner: Owner, tool: string, args: JsonObject, options: CallOptions): Promise<ToolResult>;
  /** Starts the instance if need be; resolves with its current complete list. */
  list(definition: Definition, owner: Owner, signal: AbortSignal): Promise<Listed>;
  /**
   * The resources of the instance for that owner. `running`: undefined unless one runs or is starting, and the owner is
   * not counted among its users.
   */
  resources(definition: Definition, owner: Owner): Resources;
  resources(definition: Definition, owner: Owner, which: 'running'): Resources | undefined;
  /**
   * What no user of it has among its definitions any more, or has as another one, drains and stops; the rest runs on.
   * @param definitionsOf by name; of an instance without users the session is null
   */
  reconcile(definitionsOf: (owner: Applicant) => ReadonlyMap<string, Definition>): void;
  /** The packages of a workspace have changed: what runs for it is asked for its tools again. */
  relist(root: string): void;
  /** The session has another root now, or its agent says that its roots have changed. */
  rootsChanged(session: string, root: string | null): void;
  /** `levelOf` gives another level for that session. */
  levelChanged(session: string): void;
  /** The session is over: its own instances stop, its questions end. */
  endSession(session: string): void;
  /** Stops all instances of a server and clears back-off and `parked`; gives how many were stopped. */
  restart(server: string): Promise<number>;
  status(): readonly InstanceStatus[];
  callsInFlight(): number;
  /** SIGKILL to all that runs, with its groups: for an exit that waits for nothing. */
  kill(): void;
}

/** What the pool is given. */
export interface PoolOptions {
  readonly log: (event: string, fields?: Readonly<Record<string, unknown>>) => void;
  /**
   * Expands `${VAR}` in every field, for a session with this workspace root.
   * @throws MetadError `bad-config` naming field and variable.
   */
  readonly expand: (definition: Definition, root: string | null) => Definition;
  /** Called before each start. @throws MetadError where nothing may be started now. */
  readonly beforeStart?: (server: string) => void;
  /** The safe base environment that every child gets. */
  readonly baseEnvironment: () => Readonly<Record<string, string>>;
  /** The account's home: cwd of `user`-shared servers that name none. */
  readonly home: string;
  /** Folder of the bounded per-server logs of stderr and stdout noise. */
  readonly logs: string;
  /** The way to the agent of a session; undefined where it is gone or cannot be asked. */
  readonly askerOf?: (session: string) => Asker | undefined;
  /** A log message (`notifications/message`) of a server that these sessions use. */
  readonly onMessage?: (sessions: Iterable<string>, server: string, params: JsonObject) => void;
  /** A resource to which these sessions have subscribed has changed (`notifications/resources/updated`). */
  readonly onResourceUpdated?: (sessions: readonly string[], server: string, params: JsonObject) => void;
  /** How serious the log messages must be that a session wants; undefined: it wants none. */
  readonly levelOf?: (session: string) => Level | undefined;
  /** Tools by raw name, by identity of the definition, whose calls run for one session at a time on one connection. */
  readonly marks?: {
    marked(identity: string): ReadonlySet<string>;
    mark(identity: string, tools: Iterable<string>): void;
  };
  /** Writes down a process group that was started; what that gives is called when the whole group has ended. */
  readonly onGroup?: (server: string, group: number) => () => void;
  /** Knows the programs behind package runners; ends with the pool. Default: everything is started as written. */
  readonly launcher?: Launcher;
  /** Whether programs behind package runners are started directly, where a definition does not say. Default true. */
  readonly directStart?: () => boolean;
  readonly onStarted?: (definition: Definition, started: Started) => void;
  /** Called on every complete or partial list, at start and after `tools/list_changed`. */
  readonly onListed: (definition: Definition, owner: Owner, listed: Listed) => void;
  /** Something that `status` shows has changed; called at most once per turn of the event loop. */
  readonly onChange: () => void;
  /** Starts that may go on at once. Default 4. */
  readonly maxStarts?: number;
  readonly now?: () => number;
}

export type { Json };
