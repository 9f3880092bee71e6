// QuickJS inside one worker: one WebAssembly instance, and in it one fresh runtime and context for each script.
import * as released from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSEmscriptenModule,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { GUEST_SOURCE, type Guest, type GuestHost } from '../guest/guest.ts';
import type { Thrown } from '../limits.ts';
import { newMemory } from '../wasm.ts';

const PAGE = 65_536;
const MIB = 1024 * 1024;
/** What the engine has before any script, in bytes; a multiple of PAGE. */
const INITIAL = 16 * MIB;

// The package declares itself as CommonJS and loads as ESM: its types see one `default` more than there is.
const releaseSync = released.default as unknown as QuickJSSyncVariant;

/** A context that has run nothing yet, with the guest's functions in it. */
export interface Room {
  readonly context: QuickJSContext;
  readonly runtime: QuickJSRuntime;
  readonly guest: { readonly [name in keyof Guest]: QuickJSHandle };
  /** Throws where the engine is broken; the worker is then of no more use. */
  dispose(): void;
}

/** What a host function throws in the guest. */
interface VmFailure {
  readonly error: QuickJSHandle;
}

interface Heap {
  _malloc(bytes: number): number;
  _free(place: number): void;
}

export interface Engine {
  room(host: GuestHost): Room;
  /** Bytes of WebAssembly memory; it never shrinks. */
  memoryBytes(): number;
  /** Has it grown to all that it may have? */
  isFull(): boolean;
  /** To be asked before a text of any length is given to the guest. */
  hasRoomFor(text: string): boolean;
}

/**
 * The memory limit is WebAssembly's own maximum. QuickJS has a limit too, but built for WebAssembly it counts only
 * the overhead of each allocation. Stack, static data and the guest's own code take about OWN bytes.
 */
const OWN = 8 * MIB;
const ceilingOf = (memoryBytes: number): number =>
  Math.min(Math.max(INITIAL, Math.ceil((memoryBytes + OWN) / PAGE) * PAGE), 32_768 * PAGE);

/** Has this worker grown so much that a new one is better than keeping its memory? */
export const isBloated = (bytes: number): boolean => bytes > 2 * INITIAL;

/** @throws when the module and quickjs-emscripten do not fit together. */
export const openEngine = async (wasmModule: WebAssembly.Module, memoryBytes: number): Promise<Engine> => {
  const ceiling = ceilingOf(memoryBytes);
  const wasmMemory = newMemory(INITIAL / PAGE, ceiling / PAGE);
  let heap: Heap | undefined;
  const silent = (): void => {};
  const base: QuickJSSyncVariant = {
    ...releaseSync,
    importModuleLoader: async () => {
      const loaded = (await releaseSync.importModuleLoader()) as (given?: object) => Promise<QuickJSEmscriptenModule>;
      return async (given) => {
        const module = await loaded(given);
        heap = module as unknown as Heap;
        return module;
      };
    },
  };
  const variant = newVariant(base, {
    wasmModule,
    wasmMemory,
    // An engine that aborts writes to stderr first; what it has to say comes with the error too.
    emscriptenModule: { print: silent, printErr: silent } as object,
  });
  const quickjs = await newQuickJSWASMModuleFromVariant(variant as QuickJSSyncVariant);
  // quickjs-emscripten does not look whether it got memory for a text before it writes it there.
  const hasRoomFor = (text: string): boolean => {
    const place = heap?._malloc(text.length * 3 + 64) ?? 0;
    if (place !== 0) heap?._free(place);
    return place !== 0;
  };
  return {
    memoryBytes: () => wasmMemory.buffer.byteLength,
    isFull: () => wasmMemory.buffer.byteLength >= ceiling,
    hasRoomFor,
    room: (host) => {
      const runtime = quickjs.newRuntime();
      const context = runtime.newContext();
      const guest = install(context, host, hasRoomFor);
      return {
        context,
        runtime,
        guest,
        dispose: () => {
          for (const handle of Object.values(guest)) handle.dispose();
          context.dispose();
          runtime.dispose();
        },
      };
    },
  };
};

const install = (context: QuickJSContext, host: GuestHost, hasRoomFor: (text: string) => boolean): Room['guest'] => {
  const number = (handle: QuickJSHandle | undefined): number => (handle === undefined ? 0 : context.getNumber(handle));
  const string = (handle: QuickJSHandle | undefined): string => (handle === undefined ? '' : context.getString(handle));
  const given = (text: string): QuickJSHandle | VmFailure => {
    if (hasRoomFor(text)) return context.newString(text);
    return { error: context.newError({ name: 'InternalError', message: 'out of memory' }) };
  };
  const yes = (is: boolean): QuickJSHandle => (is ? context.true : context.false);
  const functions: Record<keyof GuestHost, (...args: QuickJSHandle[]) => QuickJSHandle | VmFailure | undefined> = {
    call: (text) => yes(host.call(string(text))),
    table: (ns) => given(host.table(number(ns))),
    find: (ns, name) => given(host.find(number(ns), string(name))),
    refusal: (characters) => given(host.refusal(number(characters))),
    log: (json) => yes(host.log(string(json))),
    done: (ok, json) => {
      const isText = json !== undefined && context.typeof(json) === 'string';
      host.done(ok !== undefined && context.dump(ok) === true, isText ? string(json) : undefined);
      return undefined;
    },
    emit: (json, hold) => context.newNumber(host.emit(string(json), hold !== undefined && context.dump(hold) === true)),
    lost: (json) => void host.lost(string(json)),
    timer: (ms) => context.newNumber(host.timer(number(ms))),
    cancel: (timer) => void host.cancel(number(timer)),
    library: (name) => given(host.library(string(name))),
    web: (json) => given(host.web(string(json))),
  };
  const object = context.newObject();
  for (const [name, body] of Object.entries(functions)) {
    context.newFunction(name, (...args) => body(...args)).consume((handle) => context.setProp(object, name, handle));
  }
  const factory = context.unwrapResult(context.evalCode(`(${GUEST_SOURCE})`, 'metad'));
  const made = context.unwrapResult(context.callFunction(factory, context.undefined, object));
  const member = (name: keyof Guest): QuickJSHandle => context.getProp(made, name);
  const guest = {
    open: member('open'),
    settle: member('settle'),
    run: member('run'),
    fire: member('fire'),
  };
  for (const handle of [made, factory, object]) handle.dispose();
  return guest;
};

/** What the engine threw past all handlers of the guest. The handle is given back. */
export const thrownOf = (context: QuickJSContext, handle: QuickJSHandle): Thrown => {
  const thrown = context.dump(handle) as Partial<Thrown> | null;
  handle.dispose();
  // With no memory left for an error object the engine throws null.
  if (thrown === null) return { name: 'InternalError', message: 'out of memory', stack: '' };
  if (typeof thrown !== 'object') return { name: 'InternalError', message: String(thrown), stack: '' };
  const { name = 'Error', message = '', stack = '' } = thrown;
  return { name: String(name), message: String(message), stack: String(stack) };
};
