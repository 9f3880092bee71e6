declare namespace fx {
function all(params: { a: string; b: number }): Promise<any>;
function constraints(params?: { n?: number; s?: string; l?: string[]; o?: Record<string, unknown>; x?: number }): Promise<any>; // Has limits
function many(params?: { c?: "value0" | "value1" | "value2" | "value3" | "value4" | "value5" | "value6" | "value7" | string /* 20 values */ }): Promise<any>;
function mixed(params?: { a?: "x" | null; b?: string | null; c?: 1 | 2; d?: "a" | "b"; e?: { k: 1 } | [1, "a"]; f?: unknown; g?: never; h?: { k?: string } & ({ x: number } | { y: number }); i?: (string | number)[] }): Promise<any>;
function objects(params?: { map?: Record<string, number>; open?: { a?: string; [key: string]: unknown }; both?: { a: string; b?: boolean; [key: string]: number | string | boolean | undefined }; pattern?: Record<string, string>; keys?: { p?: string; q?: string }; missing?: { a: string; b: unknown }; "odd name"?: string; ""?: string; "1a"?: string }): Promise<any>;
function tuples(params?: { pair?: [number, number]; old?: [string?, ...unknown[]]; none?: []; bare?: unknown[] }): Promise<any>;
}
