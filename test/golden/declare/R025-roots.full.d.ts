declare namespace fx {
function beside(params: {
 slug?: string;
 /** integer */ code?: number;
} & ({ slug: unknown } | { code: unknown })): Promise<any>;
function choice(params: { slug: unknown } | { code: unknown }): Promise<any>;
function maybe(params?: { a?: string }): Promise<any>;
function other(params?: Record<string, unknown>): Promise<any>;
// list cannot be called: its inputSchema is of type array; arguments are always an object
// word cannot be called: its inputSchema is of type string; arguments are always an object
}
