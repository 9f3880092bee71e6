// WebAssembly as Node has it: @types/node 20 knows the types but not the values.

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

interface Values {
  readonly Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
  compile(bytes: Uint8Array): Promise<WebAssembly.Module>;
}

const { WebAssembly: values } = globalThis as unknown as { WebAssembly: Values };

/** Both in pages of 64 KiB. */
export const newMemory = (initial: number, maximum: number): WasmMemory => new values.Memory({ initial, maximum });

/** Off the calling thread. */
export const compile = (bytes: Uint8Array): Promise<WebAssembly.Module> => values.compile(bytes);
