// What the rest of the daemon knows of the sandbox: one script in, one outcome out.
import type { Content, Json, JsonObject } from '../../schema/tool.ts';

/** A global object that scripts see: `global.script(args)` and `global["raw"](args)` call `server`'s tool `raw`. */
export interface GuestNamespace {
  readonly server: string;
  readonly global: string;
  readonly tools: readonly { readonly script: string; readonly raw: string }[];
  /** Names of tools that it had once: using one says so. */
  readonly removed?: readonly string[];
  /** The tools are not known yet: every name may be called (a Proxy), and the host answers for it. */
  readonly open?: boolean;
}

export interface RunLimits {
  /** Time that the script itself may take; waiting for tools is not counted. */
  readonly timeoutMs: number;
  /** Time for everything. */
  readonly totalMs: number;
  readonly memoryBytes: number;
  /** Of the script's own calls and data; at most 1 MiB. Default 512 KiB. */
  readonly stackBytes?: number;
  readonly maxCalls: number;
  /** Characters of console output kept. */
  readonly maxLogCharacters: number;
}

export interface RunRequest {
  readonly script: string;
  /** Compared by reference: the same array for the same view, so that a worker is told of it once. */
  readonly namespaces: readonly GuestNamespace[];
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  /**
   * One tool call; what it resolves to is what the script gets, what it rejects with becomes an Error in the script
   * whose message is the rejection's.
   */
  readonly call: (server: string, tool: string, args: JsonObject, signal: AbortSignal) => Promise<Json>;
  /**
   * What scripts ask of metad itself: `store.get`, `store.set`, `store.delete`, `store.keys`, `result`. Gives JSON text,
   * or undefined for `undefined`. Not a call: neither counted nor traced.
   */
  readonly service?: Service;
}

export type Service = (name: string, args: readonly string[], signal: AbortSignal) => Promise<string | undefined>;

export interface RunError {
  /** `SyntaxError`, `TypeError`, `TimeoutError`, `MemoryError`, `ToolError`, … */
  readonly name: string;
  readonly message: string;
  /** Of the script as the agent wrote it; both from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** What is there however a run ends. */
interface Ended {
  readonly logs: readonly string[];
  /** What the script emitted, in order. */
  readonly emitted: readonly Content[];
  readonly calls: number;
}

export type RunOutcome = Ended &
  (
    | {
        readonly ok: true;
        readonly value: Json | undefined;
        /** The content parts whose labels stand in `value`, in order. */
        readonly parts: readonly Content[];
      }
    | { readonly ok: false; readonly error: RunError }
  );

export interface Sandbox extends AsyncDisposable {
  /** Never rejects for what the script does; rejects only when the sandbox itself is closed or broken. */
  run(request: RunRequest): Promise<RunOutcome>;
  /** Workers alive now, for status and tests. */
  workers(): number;
}
