// What a surface needs from the rest of the daemon, and what it offers to a session.

import type { Content, Json, JsonObject, ToolResult } from '../../schema/tool.ts';
import type { InstanceState, RunCall } from '../../schema/wire.ts';
import type { Declare } from '../catalog/declarations.ts';
import type { Match } from '../catalog/search.ts';
import type { NamedTool, ScriptNamespace, View, ViewServer } from '../catalog/view.ts';
import type { RunHandle, RunWork } from '../run/contract.ts';

/** Why a server's tools are not known, or what happened to it last. */
export interface ServerState {
  readonly state: InstanceState;
  /** One sentence for a person, or null. */
  readonly reason: string | null;
}

/** One request of an agent: ends with it, and tells it how far things are. */
export interface CallScope {
  readonly signal: AbortSignal;
  /** Given where the agent asked to hear of progress; `done` counts steps and only grows. A function is asked at each report. */
  readonly progress?: (done: number, message: string | (() => string)) => void;
  /** False once nobody waits for the answer: then a server's question has nobody to go to. */
  readonly isAttended?: () => boolean;
}

/** One call of a run. */
export type TraceEntry = RunCall;

export interface ScriptError {
  readonly name: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** What is there however a run ended. */
interface Ended {
  readonly logs: readonly string[];
  /** What it emitted, in order. */
  readonly emitted?: readonly Content[];
}

export type ScriptOutcome = Ended &
  (
    | {
        readonly ok: true;
        readonly value: Json | undefined;
        /** The content parts whose labels stand in the value, in order. */
        readonly parts?: readonly Content[];
      }
    | { readonly ok: false; readonly error: ScriptError }
  );

/** What scripts ask of metad itself: `store.get`, `store.set`, `store.delete`, `store.keys`, `result`. Gives JSON text. */
export type Service = (name: string, args: readonly string[], signal: AbortSignal) => Promise<string | undefined>;

export interface ScriptRun {
  readonly script: string;
  readonly namespaces: readonly ScriptNamespace[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly call: (server: string, tool: string, args: JsonObject, signal: AbortSignal) => Promise<Json>;
  readonly service?: Service;
}

export type TypeNotes = (
  script: string,
  servers: readonly ViewServer[],
  signal: AbortSignal,
) => Promise<readonly string[]>;

export interface SurfacePorts {
  readonly view: () => View;
  /** Servers that the workspace itself declares and that wait for the person's trust. */
  readonly waiting?: () => number;
  /** The token budget of `list_tools`. */
  readonly budgetTokens: number;
  /** Seconds of script time: what applies without `timeout_seconds`, and the most that may be asked for. */
  readonly scriptSeconds: { readonly standard: number; readonly most: number };
  readonly maxOutputCharacters: number;
  /** Those whose tools are unknown, or that said their list has changed and were not listed anew yet. */
  readonly unlisted: (servers: readonly ViewServer[]) => readonly ViewServer[];
  /**
   * First contact: starts those servers whose tools are unknown, and lists those anew whose list has changed; resolves
   * when all are known or the wait is over.
   */
  readonly discover: (servers: readonly ViewServer[], signal: AbortSignal) => Promise<void>;
  readonly declare: Declare;
  /** Which of their tools a task in plain words is about, best first. */
  readonly search: (servers: readonly ViewServer[], query: string, count: number) => Promise<readonly Match[]>;
  readonly stateOf: (server: ViewServer) => ServerState;
  /** The one call path. Rejects with a MetadError where there is no result. */
  readonly call: (server: ViewServer, tool: NamedTool, args: JsonObject, scope: CallScope) => Promise<ToolResult>;
  readonly run: (run: ScriptRun) => Promise<ScriptOutcome>;
  /** Begins a run of the caller's: its own id, its own signal, its trace. */
  readonly beginRun: (work: RunWork, options: { readonly background: boolean }) => RunHandle;
  /** @throws MetadError `not-found` for what is no run of the caller's workspace. */
  readonly findRun: (id: string) => RunHandle;
  /** After so long `execute` answers, and the script goes on by itself. */
  readonly detachSeconds: number;
  /** Keeps JSON under the name of a run for scripts of the same workspace; false where it is too large for that. */
  readonly keepResult: (runId: string, body: string) => boolean;
  readonly service: Service;
  /** What the types of these servers' tools say of a script, one line each; undefined where that is not asked for. */
  readonly typeNotes?: TypeNotes | undefined;
}

/** A tool as metad itself lists it. */
export interface SurfaceTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations?: JsonObject;
  readonly _meta?: JsonObject;
}

/** What a session shows an agent. */
export interface SurfaceView {
  readonly instructions: () => string;
  readonly tools: () => readonly SurfaceTool[];
  /** @throws MetadError `not-found` for a name that is none of `tools()`. */
  readonly call: (name: string, args: JsonObject, scope: CallScope) => Promise<ToolResult>;
}
