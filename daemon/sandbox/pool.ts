// The sandbox workers: two warm, more while scripts run, fewer when they rest.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { MetadError, messageOf } from '../../schema/errors.ts';
import type { Log } from '../log.ts';
import { missingWorkers } from './growth.ts';
import { cancelledError, totalError } from './limits.ts';
import type { RunError, RunOutcome, RunRequest, Sandbox } from './sandbox.ts';
import { startThread, type Thread } from './thread.ts';
import { createViews } from './views.ts';
import { compile } from './wasm.ts';

export interface SandboxOptions {
  readonly log: Log;
  /** Most scripts at once; more wait in order. */
  readonly maxWorkers: number;
  /** Workers kept when nothing runs. Default 2. */
  readonly warmWorkers?: number;
  /** ms of rest after which a worker beyond the warm ones is stopped, and one that has grown renewed. Default 60 s. */
  readonly idleMs?: number;
  /** The bundle of worker.ts. */
  readonly workerUrl: URL | string;
  /** What the first workers are made for. Default 64 MiB; later ones are made for what the last run was to have. */
  readonly memoryBytes?: number;
}

interface Waiter {
  readonly memoryBytes: number;
  take(thread: Thread): void;
  fail(cause: unknown): void;
}

/** Starts that may go on at once: each takes a core for tens of ms. */
const STARTS = 4;
/** ms after which those who wait are looked at again. */
const LOOK = 25;

/** Cheap: the engine is read and compiled, and the first workers started, only after this has returned. */
export const createSandbox = (options: SandboxOptions): Sandbox => {
  const { log, maxWorkers, workerUrl, warmWorkers = 2, idleMs = 60_000 } = options;
  const warm = Math.min(warmWorkers, maxWorkers);
  const viewOf = createViews();
  /** All that live, the starting ones too. */
  const threads = new Set<Thread>();
  /** The last to rest is the first to work, so that the others can go. */
  const idle: Thread[] = [];
  const timers = new Map<Thread, NodeJS.Timeout>();
  const waiters: Waiter[] = [];
  let memoryBytes = options.memoryBytes ?? 64 * 1024 * 1024;
  let module: Promise<WebAssembly.Module> | undefined;
  /** Since when each run goes on, and what a run takes on the average, in ms. */
  const since = new Map<Thread, number>();
  let averageMs = 10;
  let looking: NodeJS.Timeout | undefined;
  let starting = 0;
  let refreshing = 0;
  let busy = 0;
  let closed = false;

  const compiled = (): Promise<WebAssembly.Module> => {
    const path = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
    module ??= readFile(path).then(compile);
    return module;
  };

  const drop = async (thread: Thread): Promise<void> => {
    unrest(thread);
    threads.delete(thread);
    await thread.terminate();
  };
  const unrest = (thread: Thread): void => {
    clearTimeout(timers.get(thread));
    timers.delete(thread);
    const at = idle.indexOf(thread);
    if (at >= 0) idle.splice(at, 1);
  };

  /** A ready thread finds work or rests. */
  const offer = (thread: Thread): void => {
    if (closed || !thread.alive()) return void drop(thread).then(grow);
    const at = waiters.findIndex((waiter) => waiter.memoryBytes === thread.memoryBytes);
    const waiter = waiters[at];
    if (waiter !== undefined) {
      waiters.splice(at, 1);
      return void waiter.take(thread);
    }
    // It was made for other memory than those ask who wait.
    if (waiters.length > 0) return void drop(thread).then(grow);
    idle.push(thread);
    // A thread of its own gives back what its heap once needed; nothing else makes it.
    const leave = () => (threads.size > warm || thread.hasGrown()) && void drop(thread).then(grow);
    const timer = setTimeout(leave, idleMs);
    timer.unref();
    timers.set(thread, timer);
  };

  const start = async (): Promise<void> => {
    const wasmModule = await compiled();
    if (closed) return;
    const thread = startThread({ workerUrl, wasmModule, memoryBytes });
    threads.add(thread);
    try {
      await thread.ready();
    } catch (error) {
      await drop(thread);
      throw error;
    }
    offer(thread);
  };

  const missing = (): number => {
    const now = performance.now();
    const oldest = Math.max(0, ...[...since.values()].map((at) => now - at));
    return missingWorkers(waiters.length, averageMs, oldest);
  };
  const look = (): void => {
    looking = undefined;
    grow();
  };

  /** Starts what is missing: for those who wait, one to spare while others work, and the warm ones. */
  const grow = (): void => {
    const spare = busy > 0 ? 1 : 0;
    const wanted = Math.min(maxWorkers, Math.max(warm, busy + Math.max(missing(), spare)));
    if (waiters.length > 0 && !closed) looking ??= setTimeout(look, LOOK).unref();
    while (!closed && starting < STARTS && busy + idle.length + refreshing + starting < wanted) {
      starting += 1;
      start().then(
        () => {
          starting -= 1;
          grow();
        },
        (error: unknown) => {
          starting -= 1;
          if (closed) return;
          module = undefined;
          log('sandbox.start-failed', { error: messageOf(error) });
          // Not tried again by itself; whoever waits hears of it, and the next run tries.
          const cause = new MetadError('internal', 'No sandbox worker could be started.', { cause: error });
          for (const waiter of waiters.splice(0)) waiter.fail(cause);
        },
      );
    }
  };

  /** A thread that rests, one that knows the view first; undefined where none does. One made for other memory goes. */
  const take = (viewId: number, needed: number): Thread | undefined => {
    for (const thread of [...idle]) {
      if (!thread.alive() || thread.memoryBytes !== needed) void drop(thread).then(grow);
    }
    const thread = idle.findLast((one) => one.viewId() === viewId) ?? idle.at(-1);
    if (thread !== undefined) unrest(thread);
    return thread;
  };

  const acquire = (viewId: number, { limits, signal }: RunRequest): Promise<Thread | RunError> => {
    const thread = take(viewId, limits.memoryBytes);
    if (thread !== undefined) return Promise.resolve(thread);
    return new Promise((resolve, reject) => {
      const settle = (what: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        const at = waiters.indexOf(waiter);
        if (at >= 0) waiters.splice(at, 1);
        what();
      };
      const waiter: Waiter = {
        memoryBytes: limits.memoryBytes,
        take: (given) => settle(() => resolve(given)),
        fail: (cause) => settle(() => reject(cause)),
      };
      const cancel = (): void => settle(() => resolve(cancelledError()));
      const timer = setTimeout(() => settle(() => resolve(totalError(limits.totalMs))), limits.totalMs);
      signal.addEventListener('abort', cancel, { once: true });
      waiters.push(waiter);
      grow();
    });
  };

  const release = (thread: Thread): void => {
    busy -= 1;
    if (!thread.alive()) return void drop(thread).then(grow);
    refreshing += 1;
    thread.ready().then(
      () => {
        refreshing -= 1;
        offer(thread);
      },
      () => {
        refreshing -= 1;
        void drop(thread).then(grow);
      },
    );
  };

  const run = async (request: RunRequest): Promise<RunOutcome> => {
    if (closed) throw new MetadError('unavailable', 'The sandbox is closed.');
    const failed = (error: RunError): RunOutcome => ({ ok: false, error, logs: [], emitted: [], calls: 0 });
    if (request.signal.aborted) return failed(cancelledError());
    memoryBytes = request.limits.memoryBytes;
    const view = viewOf(request.namespaces);
    const thread = await acquire(view.id, request);
    if (!('run' in thread)) return failed(thread);
    busy += 1;
    const begun = performance.now();
    since.set(thread, begun);
    grow();
    try {
      const outcome = await thread.run(request, view);
      return closed && !outcome.ok ? { ...outcome, error: cancelledError() } : outcome;
    } finally {
      since.delete(thread);
      averageMs += (performance.now() - begun - averageMs) / 8;
      release(thread);
    }
  };

  setImmediate(grow);

  return {
    run,
    workers: () => threads.size,
    [Symbol.asyncDispose]: async () => {
      closed = true;
      clearTimeout(looking);
      const cause = new MetadError('unavailable', 'The sandbox is closed.');
      for (const waiter of waiters.splice(0)) waiter.fail(cause);
      await Promise.all([...threads].map(drop));
    },
  };
};
