declare namespace fx {
function plain(params?: { a?: string }): Promise<any>;
function tree(params?: Record<string, unknown>): Promise<Node>;
type Node = { id: string; kids?: Node[] };
}
