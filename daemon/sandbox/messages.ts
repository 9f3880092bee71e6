// What the daemon and one sandbox worker say to each other. A message wakes a thread, so what happens together goes in one.
import type { RunError } from './sandbox.ts';

/** The globals of one run as workers need them: `tables[i]` is JSON `[[script, raw], …, [removed], …]`, read when first used. */
export interface View {
  readonly id: number;
  /** JSON `[[global, server, open], …]`, the last 1 where the tools are unknown and any name is one. */
  readonly names: string;
  /** One per namespace; `null` for an open one, whose calls carry `[name, arguments]` as their arguments. */
  readonly tables: readonly string[];
}

/** `workerData` of a worker. */
export interface WorkerSetup {
  readonly wasmModule: WebAssembly.Module;
  readonly shared: SharedArrayBuffer;
  /** Memory that one script may have, about; WebAssembly's own maximum follows from it. */
  readonly memoryBytes: number;
}

export interface WorkerLimits {
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly stackBytes: number;
  readonly maxCalls: number;
  readonly maxLogCharacters: number;
}

export type ToWorker =
  | {
      readonly kind: 'run';
      readonly script: string;
      readonly limits: WorkerLimits;
      /** Left out when the worker's last run had the same one. */
      readonly view?: View;
    }
  /** Each as the guest reads it: `call,1,result` or `call,0,CallFailure`, the last as JSON; an empty one is `undefined`. */
  | { readonly kind: 'settle'; readonly results: readonly string[] }
  /** The shared stop mark is set: end now, even when nothing is being computed. */
  | { readonly kind: 'stop' };

/** What a failed tool call tells the script. */
export interface CallFailure {
  readonly message: string;
  readonly code?: string;
  readonly content?: unknown;
}

export type FromWorker =
  /** A fresh context waits for a script. `grown`: the worker holds much more memory than a new one would. */
  | { readonly kind: 'ready'; readonly grown: boolean }
  /** No fresh context could be made: this worker is of no more use. */
  | { readonly kind: 'broken'; readonly message: string }
  /**
   * Each as the guest wrote it: `call,namespace,tool,arguments`, three numbers and JSON. Namespace -1 is metad itself:
   * `-id,-1,0,[service, …texts]`.
   */
  | { readonly kind: 'calls'; readonly calls: readonly string[] }
  | { readonly kind: 'logs'; readonly lines: readonly string[] }
  /** Content parts for the agent, as JSON, in order; they were checked. */
  | { readonly kind: 'emit'; readonly parts: readonly string[] }
  /**
   * `value` is JSON or left out for `undefined`; `parts` are those whose labels stand in it. `retire`: this worker must
   * not be used again.
   */
  | {
      readonly kind: 'done';
      readonly ok: true;
      readonly value?: string;
      readonly parts?: readonly string[];
      readonly retire: boolean;
    }
  | { readonly kind: 'done'; readonly ok: false; readonly error: RunError; readonly retire: boolean };
