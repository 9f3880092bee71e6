declare namespace fx {
function circles(params?: { a?: unknown; b?: string; c?: null; m?: M }): Promise<any>;
function local(params?: {
 /** an A */ a?: string;
 /** an A */ b?: string;
 c?: number;
 d?: { z?: boolean };
 e?: null;
 /** with text (length ≤ 3)
an A */ f?: string;
}): Promise<any>;
function lost(params?: {
 /** $ref #/$defs/none leads nowhere */ a?: unknown;
 /** $ref https://elsewhere.example/s.json#/x leads out of the schema */ b?: unknown;
 /** $ref file:///etc/passwd leads out of the schema */ c?: unknown;
 /** $ref ::bad:: leads out of the schema */ d?: unknown;
}): Promise<any>;
function same_tree_1(params?: { n?: T }): Promise<any>;
function same_tree_2(params?: { m?: T }): Promise<any>;
type M = { [key: string]: M };
/** 200 */
type T = { v?: number; next?: T };
}
