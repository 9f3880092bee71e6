// What shim, terminal and daemon say to each other over the socket: types and constants, nothing else.
import type { ListedServer, RunCall, Status, Suggestion, Why } from './status.ts';
import type { RegistryReport, SyncedRegistry, SyncResult } from './sync.ts';
import type { TrustedServer, TrustReport } from './trust.ts';

export type * from './status.ts';
export type * from './sync.ts';
export type * from './trust.ts';

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

/** A place from which a person asks: definitions that apply are those of this folder's workspace. */
export interface Where {
  readonly cwd: string;
}

/** A workspace as a shim names it: that folder itself where one is given, else the root that `cwd` lies in. */
export interface WhichWorkspace extends Where {
  readonly workspace?: string;
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
  /** `cwd`: a folder whose workspace is looked at too. */
  why: { params: { server: string; cwd?: string }; result: Why };
  /** What applies in the workspace, or without one, in the order in which it is offered. */
  list: {
    params: WhichWorkspace;
    result: { workspace: string | null; servers: readonly ListedServer[] };
  };
  /** Servers of metad's own list that would be of use in the workspace; null where the folder belongs to none. */
  suggest: {
    params: WhichWorkspace;
    result: { workspace: string | null; suggestions: readonly Suggestion[] };
  };
  /** Fetches registries and says what would change; uses nothing of it. */
  sync: { params: Record<string, never>; result: { registries: readonly RegistryReport[] } };
  /**
   * Takes exactly what was shown, all or nothing (`refused` where it is another by now), and gives sessions with
   * `autoSync` off what applies now.
   */
  'sync.accept': { params: { registries: readonly SyncedRegistry[] }; result: SyncResult };
  /** What the workspace's own files declare, and what of it is trusted. Starts and contacts nothing. */
  trust: { params: WhichWorkspace; result: TrustReport };
  /**
   * Trusts these servers with the content that was shown, all or none: `refused` where one of them is another by now.
   * Gives how things stand then.
   */
  'trust.accept': {
    params: WhichWorkspace & { servers: readonly Pick<TrustedServer, 'file' | 'server' | 'hash'>[] };
    result: TrustReport;
  };
  /** Forgets everything that was trusted in the workspace. */
  'trust.revoke': { params: WhichWorkspace; result: { workspace: string | null; revoked: number } };
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
