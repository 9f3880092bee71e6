declare namespace fx {
function bool_property(params?: { a?: unknown; b?: never; c?: string }): Promise<any>;
function fine(params: { q: string }): Promise<any>;
function no_input(params?: Record<string, unknown>): Promise<any>;
function null_input(params?: Record<string, unknown>): Promise<any>;
function null_output(params?: Record<string, unknown>): Promise<any>;
function odd_parts(params?: { a?: string; b?: unknown; c?: unknown; d?: unknown; e?: unknown; f?: unknown; g?: unknown; h?: Record<string, unknown>; i?: Record<string, unknown>; j?: unknown; k?: unknown; l?: unknown[] }): Promise<any>;
function properties_list(params?: Record<string, unknown>): Promise<any>;
function untyped_output(params?: Record<string, unknown>): Promise<{ x?: number }>;
}
