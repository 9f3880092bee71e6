// One running stdio server: its process, its stdout as messages, its stderr as a log, and why it ended.
import { StringDecoder } from 'node:string_decoder';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { messageOf } from '../../../schema/errors.ts';
import { settledWithin } from '../../scope.ts';
import { NotSent } from '../failure.ts';
import { readFrame } from './frame.ts';
import { createInbox } from './inbox.ts';
import { createLines, LINE_LIMIT } from './lines.ts';
import type { ServerLog } from './logs.ts';
import { type ChildOptions, startChild } from './process.ts';
import { createTail } from './tail.ts';

export interface LinkOptions extends ChildOptions {
  readonly log: ServerLog;
  /** A line on stdout that was no JSON-RPC. */
  readonly onNoise: () => void;
  /** Bytes that one line of stdout may have. Default 64 MiB. */
  readonly lineLimit?: number;
}

/** How far a line of stdout has come that has not ended yet. */
export interface Unfinished {
  readonly bytes: number;
  /** Lines that ended so far: equal at two moments means that none ended between them. */
  readonly lines: number;
}

export interface Link {
  readonly pid: number;
  /** Why it ended, as `exited with code 3` fits into a sentence; never rejects. */
  readonly ended: Promise<string>;
  alive(): boolean;
  /** A connection over this process. Closing it leaves the process alone; the newest one gets what arrives. */
  transport(): Transport;
  unfinished(): Unfinished;
  /** The last words on stderr, or the empty string. */
  tail(): string;
  /** Ends the connection for a fault of the server's, then the process. */
  fail(why: string): void;
  stop(): Promise<void>;
  /** Ends the process now, without its grace. */
  kill(): void;
}

/** A grandchild may hold the pipes open after the leader's exit; answers written before it get this long to arrive. */
const DRAIN_MS = 250;
/** Pieces in which stderr without newlines goes to the log. */
const PIECE = 8192;

const intoLog = (log: ServerLog, source: string) => {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (chunk: Buffer): void => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) log.line(source, line.trimEnd());
    if (rest.length > PIECE) {
      log.line(source, rest);
      rest = '';
    }
  };
};

const mebibytes = (bytes: number): string =>
  bytes % (1024 * 1024) === 0 ? `${bytes / (1024 * 1024)} MiB` : `${bytes} bytes`;

/**
 * Starts the process. Both its outputs are read from the first byte on, whether or not anybody listens.
 * @throws the system's error where it cannot be started.
 */
export const openLink = async (options: LinkOptions): Promise<Link> => {
  const child = await startChild(options);
  const tail = createTail();
  const limit = options.lineLimit ?? LINE_LIMIT;
  let current: Transport | undefined;
  let over = false;
  let corked = false;
  let lineCount = 0;
  let settle: (why: string) => void = () => {};
  const ended = new Promise<string>((resolve) => {
    settle = resolve;
  });

  const end = (why: string): void => {
    if (over) return;
    over = true;
    options.log.line('metad', `${child.pid} ${why}`);
    settle(why);
    const last = current;
    current = undefined;
    last?.onclose?.();
    void child.stop();
  };

  const noise = (text: string): void => {
    options.onNoise();
    options.log.line('stdout', text);
  };

  const take = createInbox((message) => {
    try {
      current?.onmessage?.(message);
    } catch (error) {
      // The SDK throws for some answers that nobody waits for (nested too deep to be told); it must end nothing else.
      options.log.line('metad', `a message could not be handled: ${messageOf(error)}`);
    }
  });
  const lines = createLines(
    limit,
    (line) => {
      lineCount += 1;
      const frame = readFrame(line);
      if (frame.noise !== '') noise(frame.noise);
      for (const message of frame.messages) if (!over) take(message);
    },
    (read) => end(`sent a line longer than the limit of ${mebibytes(limit)} (${read} bytes read) and was disconnected`),
  );
  child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
  const logged = intoLog(options.log, 'stderr');
  child.stderr.on('data', (chunk: Buffer) => {
    tail.push(chunk);
    logged(chunk);
  });
  const closed = Promise.all([child.stdout, child.stderr].map((s) => new Promise((done) => s.once('close', done))));

  void child.exited.then(async ({ code, signal }) => {
    await settledWithin(DRAIN_MS, closed);
    const left = lines.rest();
    if (left.trim() !== '' && !over) {
      const frame = readFrame(left);
      if (frame.noise !== '') noise(frame.noise);
      for (const message of frame.messages) take(message);
      // Let the inbox empty before the connection closes.
      await Promise.resolve();
    }
    end(signal === null ? `exited with code ${code}` : `was ended by ${signal}`);
    void child.stop();
  });

  const write = (message: JSONRPCMessage): Promise<void> =>
    new Promise((resolve, reject) => {
      if (over || !child.stdin.writable) {
        reject(new NotSent('its connection is closed'));
        return;
      }
      // What is sent in one round goes out in one write: each wakes the server, or finds it still busy with the last.
      if (!corked) {
        corked = true;
        child.stdin.cork();
        process.nextTick(() => {
          corked = false;
          child.stdin.uncork();
        });
      }
      child.stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (!error) return resolve();
        // The newline did not get through, so nobody has read a whole message.
        reject(new NotSent(error.message));
        // A process on its way out says so itself, with its exit code; one that merely closed its input never would.
        setTimeout(() => end('closed its standard input'), DRAIN_MS).unref();
      });
    });

  return {
    pid: child.pid,
    ended,
    alive: () => !over,
    transport() {
      const transport: Transport = {
        start: async () => {
          if (over) throw new NotSent('its connection is closed');
          current = transport;
        },
        send: write,
        close: async () => {
          if (current === transport) current = undefined;
          transport.onclose?.();
        },
      };
      return transport;
    },
    unfinished: () => ({ bytes: lines.pending(), lines: lineCount }),
    tail: () => tail.quote(),
    fail: end,
    stop: () => {
      end('was stopped');
      return child.stop();
    },
    kill: child.kill,
  };
};
