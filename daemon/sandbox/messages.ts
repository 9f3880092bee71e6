// What the daemon and one sandbox worker say to each other.
import type { RunError } from './sandbox.ts';

/** The globals of one run as workers need them: `tables[i]` is JSON `[[script, raw], …, [removed], …]`, read when first used. */
export interface View {
  readonly id: number;
  /** JSON `[[global, server], …]`. */
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
  /** `json` is the result, or for `ok: false` a `CallFailure`; an empty text is `undefined`. */
  | { readonly kind: 'settle'; readonly call: number; readonly ok: boolean; readonly json: string }
  /** The shared stop mark is set: end now, even when nothing is being computed. */
  | { readonly kind: 'stop' };

/** What a failed tool call tells the script. */
export interface CallFailure {
  readonly message: string;
  readonly code?: string;
  readonly content?: unknown;
}

export type FromWorker =
  /** A fresh context waits for a script. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'call'; readonly call: number; readonly ns: number; readonly tool: number; readonly args: string }
  | { readonly kind: 'logs'; readonly lines: readonly string[] }
  /** `value` is JSON or left out for `undefined`. `retire`: this worker must not be used again. */
  | { readonly kind: 'done'; readonly ok: true; readonly value?: string; readonly retire: boolean }
  | { readonly kind: 'done'; readonly ok: false; readonly error: RunError; readonly retire: boolean };
