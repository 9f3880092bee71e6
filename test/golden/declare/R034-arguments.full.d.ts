declare namespace fx {
function closed(): Promise<any>;
function needed(params: { a: string }): Promise<any>;
function open(params?: Record<string, unknown>): Promise<any>;
function open_too(params?: Record<string, unknown>): Promise<any>;
function optional(params?: { a?: string }): Promise<any>;
}
