// The end of a log file, and what is written to it from then on.
import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const BLOCK = 64 * 1024;
const NEWLINE = 10;

/** The last `count` lines and the offset behind them. A line still being written counts as one. */
export const lastLines = async (path: string, count: number): Promise<{ lines: string[]; end: number }> => {
  const file = await open(path, 'r');
  try {
    const { size: end } = await file.stat();
    const blocks: Buffer[] = [];
    let newlines = 0;
    // One more than asked for: the first line of what is read may have begun before.
    for (let from = end; from > 0 && newlines <= count; ) {
      const length = Math.min(BLOCK, from);
      from -= length;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      const block = buffer.subarray(0, bytesRead);
      blocks.unshift(block);
      newlines += block.reduce((sum, byte) => sum + (byte === NEWLINE ? 1 : 0), 0);
    }
    const lines = Buffer.concat(blocks).toString('utf8').split('\n');
    if (lines.at(-1) === '') lines.pop();
    return { lines: count === 0 ? [] : lines.slice(-count), end };
  } finally {
    await file.close();
  }
};

/** Lines written after `end`, whole ones only; a file that was put in its place is read from its start. Until `signal`. */
export async function* newLines(path: string, end: number, signal: AbortSignal, everyMs = 250): AsyncGenerator<string> {
  let at = end;
  let inode = (await stat(path).catch(() => undefined))?.ino;
  let rest = Buffer.alloc(0);
  while (!signal.aborted) {
    const now = await stat(path).catch(() => undefined);
    if (now && (now.ino !== inode || now.size < at)) {
      inode = now.ino;
      at = 0;
      rest = Buffer.alloc(0);
    }
    if (now && now.size > at) {
      const file = await open(path, 'r');
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(now.size - at), 0, now.size - at, at);
        at += bytesRead;
        rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      } finally {
        await file.close();
      }
      for (let cut = rest.indexOf(NEWLINE); cut >= 0; cut = rest.indexOf(NEWLINE)) {
        yield rest.subarray(0, cut).toString('utf8');
        rest = rest.subarray(cut + 1);
      }
    } else await sleep(everyMs, undefined, { signal }).catch(() => {});
  }
}
