// Whole lines out of chunks that are cut anywhere: bytes only, so that no character is ever torn.

const NEWLINE = 0x0a;

export interface Lines {
  /** Takes the next chunk; gives all lines that it completes as one block ending in a newline, or undefined. */
  push(chunk: Buffer): Buffer | undefined;
  /** The bytes of a line that is not complete yet. Empties it. */
  rest(): Buffer;
}

/**
 * Collects chunks into whole lines, in time linear in their size. A line over `limit` bytes is left out as it comes;
 * `tooLong` gets its first part once, so that somebody can be told.
 */
export const createLines = (limit: number, tooLong: (head: Buffer) => void): Lines => {
  let parts: Buffer[] = [];
  let held = 0;
  let skipping = false;
  const take = (): Buffer => {
    const [only] = parts;
    const whole = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts, held);
    parts = [];
    held = 0;
    return whole;
  };
  return {
    push: (chunk) => {
      let rest = chunk;
      if (skipping) {
        const first = rest.indexOf(NEWLINE);
        if (first === -1) return undefined;
        skipping = false;
        rest = rest.subarray(first + 1);
      }
      const cut = rest.lastIndexOf(NEWLINE) + 1;
      let block: Buffer | undefined;
      if (cut > 0) {
        parts.push(rest.subarray(0, cut));
        held += cut;
        block = take();
      }
      if (cut < rest.length) {
        parts.push(rest.subarray(cut));
        held += rest.length - cut;
      }
      if (held > limit) {
        skipping = true;
        tooLong(take());
      }
      return block;
    },
    rest: take,
  };
};

/** Calls `each` with every line of a block that ends in a newline, the newline included; empty lines are left out. */
export const eachLine = (block: Buffer, each: (line: Buffer) => void): void => {
  for (let from = 0; from < block.length; ) {
    const to = block.indexOf(NEWLINE, from) + 1;
    const end = to === 0 ? block.length : to;
    if (end - from > 1) each(from === 0 && end === block.length ? block : block.subarray(from, end));
    from = end;
  }
};
