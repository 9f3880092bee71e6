// One script in its room: what it may reach of the host, when it computes, and how it ends.
import type { QuickJSHandle } from 'quickjs-emscripten-core';
import type { GuestHost } from '../guest/guest.ts';
import { LAZY_SOURCES } from '../guest/lazy/lazy.ts';
import {
  argumentsRefusal,
  callsRefusal,
  deadlockError,
  memoryError,
  type Position,
  SCRIPT_FILE,
  stackError,
  stopError,
  type Thrown,
  timeoutError,
  toRunError,
} from '../limits.ts';
import type { FromWorker, View, WorkerLimits } from '../messages.ts';
import type { RunError } from '../sandbox.ts';
import { refusalOf, undefinedName } from '../script/check.ts';
import type { Known } from '../script/known.ts';
import { prepare, ScriptSyntaxError } from '../script/prepare.ts';
import type { Prepared } from '../script/source.ts';
import { type Shared, STOP } from '../shared.ts';
import { createCalls } from './calls.ts';
import { type Engine, type Room, thrownOf } from './engine.ts';
import { createLogs } from './logs.ts';
import { createParts } from './parts.ts';
import { createTimers } from './timers.ts';
import { web } from './web.ts';

type End =
  | { readonly ok: true; readonly value?: string; readonly parts?: readonly string[] }
  | { readonly ok: false; readonly error: RunError };

export interface Start {
  readonly script: string;
  readonly limits: WorkerLimits;
  readonly view: View;
}

/** One use: a fresh context waits in it for one script. */
export interface Bridge {
  start(start: Start): void;
  /** Each is `call,1,result` or `call,0,failure`; the number of a service is below 0. */
  settle(results: readonly string[]): void;
  /** Look at the stop mark now. */
  stop(): void;
  /** Frees the context. Throws where the engine is broken. */
  dispose(): void;
}

/** There is no memory left to tell the guest something. */
class OutOfRoom extends Error {}

/** Jobs between two looks at the clock. */
const JOBS = 64;
const NOTHING: Thrown = { name: 'Error', message: '', stack: '' };
const tooLarge = (characters: number, memoryBytes: number): string =>
  JSON.stringify({
    message:
      `The result has ${characters.toLocaleString('en')} characters, which is too large for the memory ` +
      `that a script may have (execute.memoryMiB: ${Math.round(memoryBytes / 1024 / 1024)})`,
    code: 'limit',
  });

/**
 * Script time is what passes between `enter` and `leave`: parsing, computing and writing down the value. What arrives
 * from outside (a result, a timer) computes until no job is left.
 * @param expected the view that the script will most likely have: its globals are made before.
 * @param knowledge the names of a view; kept by the worker from script to script
 * @param ended called once; `broken` means that the engine must not be used again.
 */
export const createBridge = (
  engine: Engine,
  shared: Shared,
  expected: View,
  knowledge: (view: View) => Known,
  post: (message: FromWorker) => void,
  ended: (end: End, broken: boolean) => void,
): Bridge => {
  let view = expected;
  let started: Start | undefined;
  let over = false;
  const timers = createTimers((id) =>
    compute(() => {
      invoke(room.guest.fire, [room.context.newNumber(id)]);
      drain();
    }),
  );
  let said: { ok: boolean; json: string | undefined } | undefined;
  let original: Prepared['original'] = (place: Position) => place;
  let logs = createLogs(0, () => {});
  const calls = createCalls((made) => {
    logs.flush();
    post({ kind: 'calls', calls: made });
  });
  const parts = createParts((sent) => post({ kind: 'emit', parts: sent }));
  const known = (): Known => knowledge(view);

  const host: GuestHost = {
    call: (text) => started !== undefined && calls.make(text, started.limits.maxCalls),
    table: (ns) => view.tables[ns] ?? '[]',
    find: (ns, name) => {
      const tool = known().namespaces[ns]?.find(JSON.parse(name) as string);
      return tool === undefined ? '' : JSON.stringify([tool.at, tool.script, tool.raw]);
    },
    refusal: (characters) =>
      characters > 1_000_000 ? argumentsRefusal(characters) : callsRefusal(started?.limits.maxCalls ?? 0),
    log: (json) => logs.add(JSON.parse(json) as string),
    done: (ok, json) => {
      said ??= { ok, json };
    },
    emit: (json, hold) => parts.emit(json, hold),
    timer: (ms) => timers.add(ms),
    cancel: (id) => timers.cancel(id),
    lost: (json) => {
      if (over) return;
      const { name, message, line, column } = errorOf(JSON.parse(json) as Thrown);
      const where = line === undefined ? '' : ` (line ${line}, column ${column})`;
      logs.add(`metad: failed, and nothing awaited it: ${name}: ${message}${where}`);
    },
    library: (name) => LAZY_SOURCES.get(name) ?? 'undefined',
    web,
  };
  const room: Room = engine.room(host);

  const expired = (): boolean =>
    started !== undefined && (shared.stop() !== STOP.none || shared.scriptMs() > started.limits.timeoutMs);

  /** What the daemon is to know before the script goes on or waits. */
  const flush = (): void => {
    logs.flush();
    calls.flush();
  };

  const end = (result: End, broken = false): void => {
    if (over) return;
    over = true;
    timers.clear();
    flush();
    ended(result, broken);
  };
  const fail = (error: RunError, broken = false): void => end({ ok: false, error }, broken);
  const memoryBytes = (): number => started?.limits.memoryBytes ?? 0;

  const uncaught = (handle: QuickJSHandle): Thrown => thrownOf(room.context, handle);
  const errorOf = (thrown: Thrown): RunError => {
    const error = toRunError(thrown, memoryBytes(), original, started?.script ?? '');
    const missing = error.name === 'ReferenceError' ? /^'([^']+)' is not defined$/.exec(error.message)?.[1] : undefined;
    return missing === undefined ? error : { ...error, message: undefinedName(missing, known()) };
  };
  const failWith = (thrown: Thrown): void => {
    const error = errorOf(thrown);
    const { line, column } = error;
    const where = line === undefined || column === undefined ? {} : { line, column };
    if (shared.stop() !== STOP.none) fail(stopError(shared.stop(), 0));
    else if (expired()) fail({ ...timeoutError(started?.limits.timeoutMs ?? 0), ...where });
    else fail(error);
  };

  /** Calls into the guest and gives the handles back; false when the guest could not even take the call. */
  const invoke = (target: QuickJSHandle, args: QuickJSHandle[]): void => {
    const result = room.context.callFunction(target, room.context.undefined, ...args);
    for (const arg of args) arg.dispose();
    if (result.error) failWith(uncaught(result.error));
    else result.value.dispose();
  };

  const drain = (): void => {
    while (!over && said === undefined) {
      const jobs = room.runtime.executePendingJobs(JOBS);
      if (jobs.error) return void failWith(uncaught(jobs.error));
      if (said === undefined && expired()) return void failWith(NOTHING);
      if (jobs.value < JOBS) break;
    }
    if (over) return;
    if (said !== undefined) return void conclude(said);
    if (calls.open() === 0 && timers.open() === 0) fail(deadlockError());
    flush();
  };

  const conclude = ({ ok, json }: { ok: boolean; json: string | undefined }): void => {
    if (!ok) return void failWith(JSON.parse(json ?? '{"name":"Error","message":"","stack":""}') as Thrown);
    if (expired()) return void failWith(NOTHING);
    const held = parts.held();
    end({ ok: true, ...(json !== undefined && { value: json }), ...(held.length > 0 && { parts: held }) });
  };

  /** One stretch of script time. */
  const compute = (work: () => void): void => {
    if (over) return;
    shared.enter();
    calls.resumed();
    try {
      work();
    } catch (error) {
      // The engine itself failed: its state is unknown, and only a new worker is surely whole.
      if (error instanceof OutOfRoom || engine.isFull()) fail(memoryError(memoryBytes()), true);
      else if (error instanceof RangeError) fail(stackError(), true);
      else fail({ name: 'InternalError', message: `The sandbox failed: ${String(error).slice(0, 500)}` }, true);
    } finally {
      shared.leave();
    }
  };

  const text = (value: string): QuickJSHandle => {
    if (!engine.hasRoomFor(value)) throw new OutOfRoom();
    return room.context.newString(value);
  };
  invoke(room.guest.open, [text(view.names)]);

  const begin = (start: Start, prepared: Prepared): void => {
    original = prepared.original;
    if (start.view.id !== view.id) {
      view = start.view;
      invoke(room.guest.open, [text(view.names)]);
    }
    if (over) return;
    const refusal = refusalOf(prepared, known());
    if (refusal !== undefined) return void fail(refusal);
    if (!engine.hasRoomFor(prepared.source)) throw new OutOfRoom();
    const main = room.context.evalCode(prepared.source, SCRIPT_FILE);
    if (main.error) return void failWith(uncaught(main.error));
    invoke(room.guest.run, [main.value, prepared.callResult ? room.context.true : room.context.false]);
    drain();
  };

  /** It is no JavaScript. The library that reads TypeScript costs more than all the rest and comes only now. */
  const beginTyped = (start: Start): void => {
    import('../script/types.ts').then(
      ({ withoutTypes }) =>
        compute(() => {
          try {
            begin(start, prepare(start.script, withoutTypes));
          } catch (error) {
            if (!(error instanceof ScriptSyntaxError)) throw error;
            fail({ name: error.name, message: error.message, ...error.place });
          }
        }),
      (error: unknown) => fail({ name: 'InternalError', message: `The sandbox failed: ${String(error)}` }, true),
    );
  };

  return {
    start: (start) => {
      started = start;
      const { limits, script } = start;
      // The thread's native stack is so large (see thread.ts) that this one always ends first.
      room.runtime.setMaxStackSize(limits.stackBytes);
      logs = createLogs(limits.maxLogCharacters, (lines) => post({ kind: 'logs', lines }));
      // A script that computes for long has its calls made and its lines kept meanwhile.
      room.runtime.setInterruptHandler(() => {
        flush();
        return expired();
      });
      compute(() => {
        try {
          begin(start, prepare(script));
        } catch (error) {
          if (!(error instanceof ScriptSyntaxError)) throw error;
          beginTyped(start);
        }
      });
    },
    settle: (results) => {
      // An answer to the script before may be on its way while this one has not begun; the daemon sends none later.
      if (over || started === undefined) return;
      compute(() => {
        for (const result of results) {
          if (over) return;
          calls.settled();
          // It is held three times for a moment: on its way in, as a text and as a value.
          const fits = result.length < memoryBytes() / 4 && engine.hasRoomFor(result);
          const given = text(
            fits ? result : `${result.slice(0, result.indexOf(','))},0,${tooLarge(result.length, memoryBytes())}`,
          );
          // Without memory for it the text is no text but the engine's mark of an error, which no function may be given.
          if (room.context.typeof(given) !== 'string') throw new OutOfRoom();
          invoke(room.guest.settle, [given]);
        }
        drain();
      });
    },
    stop: () => {
      if (!over && expired()) failWith(NOTHING);
    },
    dispose: () => {
      over = true;
      timers.clear();
      room.runtime.removeInterruptHandler();
      room.dispose();
    },
  };
};
