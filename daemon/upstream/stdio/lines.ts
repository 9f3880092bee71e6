// Bytes in, whole lines out.

/** The longest line that a server may send, in bytes. Far over any sane result; it keeps one server from eating the memory. */
export const LINE_LIMIT = 64 * 1024 * 1024;

export interface Lines {
  push(chunk: Buffer): void;
  /** Bytes of the line that has not ended yet. */
  pending(): number;
  /** Gives what is left without a newline, once nothing more will come. */
  rest(): string;
}

const NEWLINE = 0x0a;

/**
 * Splits on newlines as bytes and decodes each line whole, so a character that was split between reads is right again.
 * A line that outgrows `limit` is given up: `onLimit` hears how many bytes were read, and nothing more comes out.
 */
export const createLines = (
  limit: number,
  onLine: (line: string) => void,
  onLimit: (bytesRead: number) => void,
): Lines => {
  let parts: Buffer[] = [];
  let pending = 0;
  let over = false;

  const take = (last: Buffer): string => {
    const line = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    pending = 0;
    return line.toString('utf8');
  };

  return {
    push(chunk) {
      let from = 0;
      while (!over && from < chunk.length) {
        const to = chunk.indexOf(NEWLINE, from);
        const part = chunk.subarray(from, to === -1 ? chunk.length : to);
        if (pending + part.length > limit) {
          over = true;
          parts = [];
          onLimit(pending + part.length);
          return;
        }
        if (to === -1) {
          // A copy: a small tail would otherwise keep the whole read buffer alive.
          parts.push(Buffer.from(part));
          pending += part.length;
          return;
        }
        onLine(take(part));
        from = to + 1;
      }
    },
    pending: () => pending,
    rest: () => take(Buffer.alloc(0)),
  };
};
