// Where the daemon's log lines go: JSON lines in a bounded set of files, or stderr while no file can be written.
import { appendFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { messageOf } from '../schema/errors.ts';
import type { Log } from './log.ts';
import { toLine } from './log-line.ts';

export interface JournalOptions {
  /** Folder of the log files; made with mode 0700. */
  readonly folder: string;
  /** Takes the lines that no file takes. */
  readonly stderr: Writable;
  readonly pid: number;
  readonly now?: () => number;
  /** Applied to every whole line. */
  readonly redact?: (line: string) => string;
  /** After which a file is put by; one batch of at most 1 MiB may go over it. */
  readonly maxBytes?: number;
  /** Files in all: `daemon.log`, `daemon.log.1`, … */
  readonly files?: number;
}

export interface Journal {
  /** Never throws and never waits. */
  readonly log: Log;
  readonly file: string;
  /** Resolves when all lines are written; later ones go to stderr. */
  close(): Promise<void>;
  /** For an exit that waits for nothing: puts lines not yet written into the file, some perhaps twice. */
  flushSync(): void;
}

/** Characters that may wait while the disk is slow; what comes then is counted instead of kept. */
const MOST_WAITING = 2 ** 20;
/** How long stderr is used before the file is tried again. */
const RETRY_MS = 60_000;

/** One open file series; `write` rejects with the reason when the disk refuses. */
const openSeries = async (folder: string, name: string, maxBytes: number, files: number) => {
  // Here, since start-up does not wait for log lines, and so need not wait for the library.
  const { createStream } = await import('rotating-file-stream');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stream = createStream(name, { path: folder, size: `${maxBytes}B`, rotate: files - 1, mode: 0o600 });
  let cause: unknown;
  stream.on('error', (error) => {
    cause = error;
  });
  const settled = (start: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      stream.once('error', reject);
      start((error) => {
        stream.off('error', reject);
        if (error) reject(cause ?? error);
        else resolve();
      });
    });
  return {
    write: (text: string) => settled((done) => stream.write(text, done)),
    end: () => settled((done) => stream.end(() => done())),
  };
};

/** The file is opened by the first line. What it cannot take goes to stderr, with one warning. */
export const openJournal = ({
  folder,
  stderr,
  pid,
  now = Date.now,
  redact = (line) => line,
  maxBytes = 5 * 2 ** 20,
  files = 3,
}: JournalOptions): Journal => {
  const name = 'daemon.log';
  const file = join(folder, name);
  let series: Awaited<ReturnType<typeof openSeries>> | undefined;
  let waiting = '';
  let leaving = '';
  let dropped = 0;
  let offSince: number | undefined;
  let isWarned = false;
  let isClosed = false;
  let pumping: Promise<void> | undefined;

  // A terminal or pipe that went away must not end the daemon, and there is no better place to say so.
  stderr.on('error', () => {});

  const lineOf: (...event: Parameters<Log>) => string = (event, fields) => redact(toLine(now(), pid, event, fields));

  const toStderr = (error: unknown) => {
    series = undefined;
    offSince = now();
    if (!isWarned) stderr.write(lineOf('log-file-unusable', { file, reason: messageOf(error) }));
    isWarned = true;
    stderr.write(leaving + waiting);
    leaving = '';
    waiting = '';
  };

  const pump = async () => {
    try {
      while (waiting !== '' || dropped > 0) {
        leaving = waiting;
        waiting = '';
        if (dropped > 0) leaving += lineOf('log-lines-dropped', { count: dropped });
        dropped = 0;
        series ??= await openSeries(folder, name, maxBytes, files);
        await series.write(leaving);
        leaving = '';
        isWarned = false;
        offSince = undefined;
      }
    } catch (error) {
      toStderr(error);
    }
  };

  /** A wall clock that was set back must not keep the file off. */
  const isOff = () => offSince !== undefined && now() >= offSince && now() - offSince < RETRY_MS;

  const pumpSoon = () => {
    pumping ??= new Promise<void>((resolve) => setImmediate(resolve)).then(pump).finally(() => {
      pumping = undefined;
      if (waiting !== '') pumpSoon();
    });
  };

  return {
    file,
    log(event, fields) {
      const line = lineOf(event, fields);
      if (isClosed || isOff()) {
        stderr.write(line);
        return;
      }
      if (waiting.length + line.length > MOST_WAITING) dropped += 1;
      else waiting += line;
      pumpSoon();
    },
    async close() {
      while (pumping !== undefined) await pumping;
      isClosed = true;
      await series?.end().catch(toStderr);
    },
    flushSync() {
      isClosed = true;
      const rest = leaving + waiting;
      leaving = '';
      waiting = '';
      if (rest === '') return;
      try {
        appendFileSync(file, rest, { mode: 0o600 });
      } catch {
        stderr.write(rest);
      }
    },
  };
};
