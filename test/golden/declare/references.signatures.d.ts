declare namespace fx {
function circles(params?: { a?: unknown; b?: string; c?: null; m?: M }): Promise<any>;
function local(params?: { a?: string; b?: string; c?: number; d?: { z?: boolean }; e?: null; f?: string }): Promise<any>;
function lost(params?: { a?: unknown; b?: unknown; c?: unknown; d?: unknown }): Promise<any>;
function same_tree_1(params?: { n?: T }): Promise<any>;
function same_tree_2(params?: { m?: T }): Promise<any>;
type M = { [key: string]: M };
type T = { v?: number; next?: T };
}
