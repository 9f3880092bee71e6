// The last words of a server's stderr, kept to be quoted when it fails.

export interface Tail {
  push(chunk: Buffer): void;
  /** The last lines, on one line of at most about 600 characters, or the empty string. */
  quote(): string;
}

const KEPT_BYTES = 4096;
const QUOTED_CHARACTERS = 600;
const QUOTED_LINES = 8;

export const createTail = (): Tail => {
  let kept = Buffer.alloc(0);
  return {
    push(chunk) {
      const last = chunk.subarray(-KEPT_BYTES);
      kept = Buffer.concat([kept.subarray(-(KEPT_BYTES - last.length) || kept.length), last]);
    },
    quote() {
      const lines = kept
        .toString('utf8')
        // Colours and other terminal commands mean nothing in a sentence.
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
        .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '')
        // Nor do other control and invisible characters, which could hide what a person should see.
        .replace(/[^\P{C}\n]/gu, ' ')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
      const text = lines.slice(-QUOTED_LINES).join(' ⏎ ');
      return text.length > QUOTED_CHARACTERS ? `…${text.slice(-QUOTED_CHARACTERS)}` : text;
    },
  };
};
