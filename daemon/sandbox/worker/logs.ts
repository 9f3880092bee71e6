// The console output of one run: bounded, and with the daemon early enough to outlive its worker.
import { logsNote } from '../limits.ts';

export interface Logs {
  /** False when no more is kept. */
  add(line: string): boolean;
  flush(): void;
}

/** Lines that are sent one by one; later ones travel in batches of as many. */
const EAGER = 64;

/**
 * Keeps `maxCharacters`, each line counting one more than its text, then says once that the rest is left out.
 * The first lines are sent at once: a script may say where it is and then hang in one native operation for good.
 */
export const createLogs = (maxCharacters: number, send: (lines: readonly string[]) => void): Logs => {
  let left = maxCharacters;
  let sent = 0;
  let waiting: string[] = [];
  const flush = (): void => {
    if (waiting.length === 0) return;
    sent += waiting.length;
    send(waiting);
    waiting = [];
  };
  return {
    add: (line) => {
      if (left <= 0) return false;
      const kept = line.length < left ? line : `${line.slice(0, left)}…`;
      left -= line.length + 1;
      waiting.push(kept);
      if (left <= 0) waiting.push(logsNote(maxCharacters));
      if (sent < EAGER || waiting.length >= EAGER) flush();
      return left > 0;
    },
    flush,
  };
};
