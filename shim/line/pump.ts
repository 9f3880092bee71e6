// One end of the shim, the agent's or the daemon's: whole lines in, bytes out, and word when either side must wait.
import type { Readable, Writable } from 'node:stream';
import { createLines } from './lines.ts';

/** A longer line is not passed on: it would have to be held whole, since no half line may reach the other end. */
export const LINE_LIMIT = 256 * 1024 * 1024;

export interface EndParts {
  readonly source: Readable;
  readonly sink: Writable;
  /** Lines that arrived, as one block. */
  block(lines: Buffer): void;
  /** The first part of a line over LINE_LIMIT, which is left out. */
  tooLong(head: Buffer): void;
  /** The sink is full (true), or has room again (false): whoever feeds it waits. */
  full(isFull: boolean): void;
  /** Nothing more comes from the source, for whatever reason; `rest` is what came after the last newline. Called once. */
  ended(rest: Buffer): void;
  /** Writing is over for good. */
  broken(cause: Error): void;
}

export interface End {
  write(lines: Buffer): void;
  /** Takes bytes that were read from the source by somebody else. */
  take(chunk: Buffer): void;
  pause(): void;
  resume(): void;
}

/**
 * Joins source and sink to handlers. No pipeline(): that would end stdin or stdout with a dying socket. Writes go to
 * the system at once where it takes them, so a message leaves before anything is noted about it.
 */
export const createEnd = ({ source, sink, block, tooLong, full, ended, broken }: EndParts): End => {
  const lines = createLines(LINE_LIMIT, tooLong);
  let isFull = false;
  let isBroken = false;
  let isEnded = false;
  const end = () => {
    if (isEnded) return;
    isEnded = true;
    ended(lines.rest());
  };
  const take = (chunk: Buffer) => {
    const whole = lines.push(chunk);
    if (whole !== undefined) block(whole);
  };
  source.on('data', take);
  source.on('end', end);
  source.on('error', end);
  source.on('close', end);
  sink.on('error', (cause: Error) => {
    isBroken = true;
    broken(cause);
  });
  sink.on('drain', () => {
    isFull = false;
    full(false);
  });
  return {
    write: (bytes) => {
      if (isBroken || bytes.length === 0) return;
      if (sink.write(bytes) || isFull) return;
      isFull = true;
      full(true);
    },
    take,
    pause: () => void source.pause(),
    resume: () => void source.resume(),
  };
};
