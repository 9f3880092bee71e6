// Messages as a language server frames them: a header with `Content-Length`, an empty line, JSON.

/** Largest message that is read, in bytes: parsing it must not hold up the daemon. */
export const MOST_BYTES = 2 * 1024 * 1024;
const MOST_HEADER = 4096;

export const framed = (message: object): string => {
  const text = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

/** Takes chunks and gives the messages that are complete. @throws where the stream is none of this, or too large */
export const createUnframer = (): ((chunk: Buffer) => readonly unknown[]) => {
  let chunks: Buffer[] = [];
  let held = 0;
  let needed = 0;
  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    if (held < needed) return [];
    let rest = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    const messages: unknown[] = [];
    needed = 0;
    for (;;) {
      const end = rest.subarray(0, MOST_HEADER).indexOf('\r\n\r\n');
      if (end < 0) {
        if (rest.length >= MOST_HEADER) throw new Error('a header without an end');
        break;
      }
      const length = Number(/content-length: *(\d+)/i.exec(rest.toString('latin1', 0, end))?.[1]);
      if (!(length <= MOST_BYTES)) throw new Error(`a message of ${length} bytes`);
      const whole = end + 4 + length;
      if (rest.length < whole) {
        needed = whole;
        break;
      }
      messages.push(JSON.parse(rest.toString('utf8', end + 4, whole)));
      rest = rest.subarray(whole);
    }
    chunks = rest.length === 0 ? [] : [rest];
    held = rest.length;
    return messages;
  };
};
