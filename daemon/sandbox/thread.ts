// One worker thread as the daemon sees it: it runs one script at a time until it retires or is terminated.
import { Worker } from 'node:worker_threads';
import { MetadError, messageOf } from '../../schema/errors.ts';
import type { Content, Json } from '../../schema/tool.ts';
import { createCalls } from './calls.ts';
import { type Guard, watch } from './guard.ts';
import { memoryError, stopError, timeoutError } from './limits.ts';
import type { FromWorker, ToWorker, View, WorkerSetup } from './messages.ts';
import type { RunError, RunOutcome, RunRequest } from './sandbox.ts';
import { openShared, STOP } from './shared.ts';

const MIB = 1024 * 1024;
/** What a script's stack is unless its limits say otherwise. */
const STACK_BYTES = 512 * 1024;
/** ms that a worker may take to be ready: at its start on a busy machine, and again after a script. */
const READY_WITHIN = 30_000;

export interface Thread {
  /** Resolves when a fresh context waits; rejects when the thread is gone. After each run it is a new promise. */
  ready(): Promise<void>;
  readonly memoryBytes: number;
  /** The id of the view that it knows. */
  viewId(): number;
  /** Only when ready. The thread may be gone afterwards: see `alive`. */
  run(request: RunRequest, view: View): Promise<RunOutcome>;
  alive(): boolean;
  /** Holds it much more memory than a new one would? */
  hasGrown(): boolean;
  terminate(): Promise<void>;
}

export interface ThreadOptions {
  readonly workerUrl: URL | string;
  readonly wasmModule: WebAssembly.Module;
  readonly memoryBytes: number;
}

interface Run {
  readonly onMessage: (message: Exclude<FromWorker, { kind: 'ready' | 'broken' }>) => void;
  readonly onExit: (cause: unknown) => void;
}

export const startThread = ({ workerUrl, wasmModule, memoryBytes }: ThreadOptions): Thread => {
  const shared = openShared();
  const setup: WorkerSetup = { wasmModule, shared: shared.buffer, memoryBytes };
  const worker = new Worker(workerUrl, {
    workerData: setup,
    name: 'sandbox',
    // Nothing of the daemon's own surroundings: no environment, no arguments, no standard streams.
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: {
      // Texts on their way between daemon and guest live on the thread's own heap.
      maxOldGenerationSizeMb: Math.ceil((memoryBytes / MIB) * 2) + 64,
      maxYoungGenerationSizeMb: 16,
      // Larger than QuickJS can need with its own limit: with 512 KiB there 8 and 12 MiB here overflowed for deeply
      // nested source, and 16 MiB held in all cases tried; this is for the most that may be set. Only what is used costs.
      stackSizeMb: 32,
    },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  const post = (message: ToWorker): void => worker.postMessage(message);

  let alive = true;
  let grown = false;
  let failure: unknown;
  let viewId = 0;
  let run: Run | undefined;
  let waiting = promise();

  const gone = (cause: unknown): void => {
    alive = false;
    failure ??= cause;
    run?.onExit(failure);
    waiting.reject(failure);
  };
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'ready') {
      grown = message.grown;
      waiting.resolve();
    } else if (message.kind === 'broken')
      gone(new MetadError('internal', `A sandbox worker broke: ${message.message}`));
    else run?.onMessage(message);
  });
  worker.on('error', gone);
  worker.on('exit', () => gone(new MetadError('internal', 'A sandbox worker ended unexpectedly.')));

  const terminate = async (): Promise<void> => {
    alive = false;
    await worker.terminate();
  };
  const deadline = (): void => {
    const timer = setTimeout(() => void terminate(), READY_WITHIN);
    timer.unref();
    waiting.promise.then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    );
  };
  deadline();
  // An idle worker keeps no process alive.
  worker.unref();

  return {
    ready: () => waiting.promise,
    memoryBytes,
    viewId: () => viewId,
    alive: () => alive,
    hasGrown: () => grown,
    terminate,
    run: (request, view) => {
      const { limits, signal } = request;
      shared.reset();
      waiting = promise();
      worker.ref();
      return new Promise<RunOutcome>((resolve) => {
        const logs: string[] = [];
        const emitted: Content[] = [];
        const calls = createCalls(request, post);
        let guard: Guard | undefined;
        const end = (
          outcome: { ok: true; value: Json | undefined; parts: Content[] } | { ok: false; error: RunError },
        ): void => {
          run = undefined;
          guard?.close();
          const left = calls.close();
          if (left.length > 0)
            logs.push(`metad: cancelled, since the script ended without awaiting it: ${left.join(', ')}`);
          if (alive) deadline();
          worker.unref();
          resolve({ ...outcome, logs, emitted, calls: calls.count() });
        };
        const stopped = (error: RunError): RunError => {
          const reason = shared.stop();
          if (reason === STOP.none) return error;
          const { line, column } = error;
          const where = line === undefined || column === undefined ? {} : { line, column };
          return { ...stopError(reason, limits.totalMs), ...where };
        };
        run = {
          onMessage: (message) => {
            if (message.kind === 'calls') {
              for (const call of message.calls) calls.make(call);
              return;
            }
            if (message.kind === 'logs') return void logs.push(...message.lines);
            if (message.kind === 'emit') return void emitted.push(...message.parts.map(partFrom));
            if (message.retire) alive = false;
            if (!message.ok) return end({ ok: false, error: stopped(message.error) });
            const { value, parts = [] } = message;
            end({
              ok: true,
              value: value === undefined ? undefined : (JSON.parse(value) as Json),
              parts: parts.map(partFrom),
            });
          },
          onExit: (cause) => {
            const code = cause !== null && typeof cause === 'object' && 'code' in cause ? cause.code : undefined;
            if (code === 'ERR_WORKER_OUT_OF_MEMORY') return end({ ok: false, error: memoryError(limits.memoryBytes) });
            end({ ok: false, error: stopped({ name: 'InternalError', message: messageOf(cause) }) });
          },
        };
        guard = watch(
          { limits, signal, shared },
          () => {
            post({ kind: 'stop' });
            calls.cancel();
          },
          () => {
            alive = false;
            const error = stopped(timeoutError(limits.timeoutMs));
            void worker.terminate().then(() => end({ ok: false, error }));
            run = undefined;
          },
        );
        const known = viewId === view.id;
        viewId = view.id;
        const { timeoutMs, memoryBytes, stackBytes = STACK_BYTES, maxCalls, maxLogCharacters } = limits;
        post({
          kind: 'run',
          script: request.script,
          limits: { timeoutMs, memoryBytes, stackBytes: Math.min(stackBytes, MIB), maxCalls, maxLogCharacters },
          ...(known ? {} : { view }),
        });
      });
    },
  };
};

const partFrom = (json: string): Content => JSON.parse(json) as Content;

const promise = (): { promise: Promise<void>; resolve(): void; reject(cause: unknown): void } => {
  let resolve = (): void => {};
  let reject = (_: unknown): void => {};
  const made = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Whether anybody waits is the pool's matter.
  made.catch(() => {});
  return { promise: made, resolve, reject };
};
