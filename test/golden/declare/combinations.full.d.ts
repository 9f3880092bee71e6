declare namespace fx {
function all(params: { a: string; b: number }): Promise<any>;
/** Has limits. */
function constraints(params?: {
 /** How many. (integer, 1–10, default 5) */ n?: number;
 /** length 1–9, pattern ^a*\/$, email, e.g. "c", "a", "b" */ s?: string;
 /** ≥ 1 items, unique items */ l?: (/** one tag */ string)[];
 /** default {"a":1}, deprecated */ o?: Record<string, unknown>;
 /** > 0, multiple of 0.5 */ x?: number;
}): Promise<any>;
function many(params?: { c?: "value0" | "value1" | "value2" | "value3" | "value4" | "value5" | "value6" | "value7" | "value8" | "value9" | "value10" | "value11" | "value12" | "value13" | "value14" | "value15" | "value16" | "value17" | "value18" | "value19" }): Promise<any>;
function mixed(params?: {
 a?: "x" | null;
 b?: string | null;
 c?: /** one */ 1 | 2;
 d?: "a" | "b";
 e?: { k: 1 } | [1, "a"];
 f?: unknown;
 g?: never;
 h?: { k?: string } & ({ x: number } | { y: number });
 i?: (string | number)[];
}): Promise<any>;
function objects(params?: { map?: Record<string, number>; open?: { a?: string; [key: string]: unknown }; both?: { a: string; b?: boolean; [key: string]: number | string | boolean | undefined }; pattern?: Record<string, string>; keys?: { p?: string; q?: string }; missing?: { a: string; b: unknown }; "odd name"?: string; ""?: string; "1a"?: string }): Promise<any>;
function tuples(params?: {
 /** ≥ 2 items */ pair?: [number, number];
 old?: [string?, ...unknown[]];
 none?: [];
 bare?: unknown[];
}): Promise<any>;
}
