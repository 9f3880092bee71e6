// Which call of ours a server's request belongs to, as far as the transport tells.

export interface Relations {
  /** The server's request of that id came on the response stream of that call. */
  note(request: string | number, call: string): void;
  /** The call, once; undefined where nothing tells. */
  take(request: string | number): string | undefined;
}

export const createRelations = (): Relations => {
  const calls = new Map<string | number, string>();
  return {
    note: (request, call) => void calls.set(request, call),
    take: (request) => {
      const call = calls.get(request);
      calls.delete(request);
      return call;
    },
  };
};
