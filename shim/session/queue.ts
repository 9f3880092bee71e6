// What the agent wrote while no daemon could take it, in order, counted in bytes.
import type { Envelope } from '../line/envelope.ts';

export interface Waiting {
  readonly line: Buffer;
  readonly envelope: Envelope | undefined;
}

export interface Queue {
  readonly bytes: number;
  readonly length: number;
  push(line: Buffer, envelope: Envelope | undefined): void;
  unshift(waiting: readonly Waiting[]): void;
  /** Removes a request that its sender gave up; reports whether it was there. */
  drop(id: string): boolean;
  /** Empties the queue. */
  takeAll(): Waiting[];
}

export const createQueue = (): Queue => {
  let waiting: Waiting[] = [];
  let bytes = 0;
  const keep = (next: Waiting[]) => {
    waiting = next;
    bytes = next.reduce((sum, { line }) => sum + line.length, 0);
  };
  return {
    get bytes() {
      return bytes;
    },
    get length() {
      return waiting.length;
    },
    push: (line, envelope) => {
      // A line is a view of a read buffer, which must not be kept alive by it.
      waiting.push({ line: Buffer.from(line), envelope });
      bytes += line.length;
    },
    unshift: (first) => keep([...first, ...waiting]),
    drop: (id) => {
      const left = waiting.filter(({ envelope }) => envelope?.kind !== 'request' || envelope.id !== id);
      const found = left.length < waiting.length;
      if (found) keep(left);
      return found;
    },
    takeAll: () => {
      const all = waiting;
      keep([]);
      return all;
    },
  };
};
