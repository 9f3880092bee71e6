// What servers write beside the protocol, in one bounded file per server (and one before it).
import { createHash } from 'node:crypto';
import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of `NAME.log` at which it becomes `NAME.log.1`; so a server never has more than twice this. */
export const LOG_LIMIT = 1024 * 1024;
/** Bytes of one line that are kept, and bytes that may wait for the disk. */
const LINE_LIMIT = 8192;
const QUEUE_LIMIT = 1024 * 1024;

export interface ServerLog {
  /** One line, without newline. `source` says where it came from: stderr, stdout or metad itself. */
  line(source: string, text: string): void;
}

export interface ServerLogs {
  of(server: string): ServerLog;
  /** Everything that was given so far is on disk (or was given up). */
  flush(): Promise<void>;
}

/** A file name that holds no path: other characters become `_`, and a hash keeps two such names apart. */
export const logName = (server: string): string => {
  const plain = server
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^\./, '_')
    .slice(0, 80);
  const suffix = plain === server ? '' : `-${createHash('sha256').update(server).digest('hex').slice(0, 8)}`;
  return `${plain}${suffix}.log`;
};

/** A disk that cannot take them loses lines, never a server: writing neither waits nor throws. */
export const createServerLogs = (folder: string, limit = LOG_LIMIT): ServerLogs => {
  const writers = new Map<string, { log: ServerLog; done: () => Promise<void> }>();
  let ready: Promise<unknown> | undefined;

  const writer = (server: string) => {
    const file = join(folder, logName(server));
    let queue: string[] = [];
    let queued = 0;
    let dropped = 0;
    let size: number | undefined;
    let writing: Promise<void> | undefined;

    const write = async () => {
      ready ??= mkdir(folder, { recursive: true, mode: 0o700 });
      await ready;
      size ??= await stat(file).then(
        (found) => found.size,
        () => 0,
      );
      while (queue.length > 0 || dropped > 0) {
        const text = queue.join('') + (dropped > 0 ? `… ${dropped} lines dropped\n` : '');
        queue = [];
        queued = 0;
        dropped = 0;
        if (size > 0 && size + text.length > limit) {
          await rename(file, `${file}.1`);
          size = 0;
        }
        await appendFile(file, text, { mode: 0o600 });
        size += Buffer.byteLength(text);
      }
    };

    const log: ServerLog = {
      line(source, text) {
        if (queued > QUEUE_LIMIT / 2) {
          dropped += 1;
        } else {
          const kept = text.length > LINE_LIMIT ? `${text.slice(0, LINE_LIMIT)}… (${text.length} characters)` : text;
          const line = `${new Date().toISOString()} ${source} ${kept}\n`;
          queue.push(line);
          queued += line.length;
        }
        writing ??= write()
          .catch(() => {
            queue = [];
            queued = 0;
          })
          .finally(() => {
            writing = undefined;
          });
      },
    };
    return { log, done: async () => writing };
  };

  return {
    of(server) {
      const known = writers.get(server) ?? writer(server);
      writers.set(server, known);
      return known.log;
    },
    flush: async () => {
      await Promise.all([...writers.values()].map(({ done }) => done()));
    },
  };
};
