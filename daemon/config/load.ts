// The config in force: the last good reading of the file, frozen, and what is wrong with the file now.
import { lstat, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from '../../schema/config/problem.ts';
import type { Config, Definition } from '../../schema/config.ts';
import { messageOf } from '../../schema/errors.ts';

export interface Loaded {
  readonly config: Config;
  readonly problems: readonly Problem[];
  /** False when there is no file: everything has its default. */
  readonly exists: boolean;
}

export interface Loader {
  /** Reads the file again. Never rejects for what it finds; calls that overlap run one after the other. */
  load(): Promise<Loaded>;
  /** What the last `load` gave; undefined before the first. */
  current(): Loaded | undefined;
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

/** The file's bytes; undefined when there is no file. A link that leads nowhere is no missing file. */
const bytesOf = async (file: string): Promise<Uint8Array | undefined> => {
  try {
    return await readFile(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    const link = await lstat(file).catch(() => undefined);
    if (link !== undefined) throw new Error('it is a link to a file that does not exist', { cause: error });
    return undefined;
  }
};

const unreadable = (file: string, error: unknown): Problem => {
  const code = codeOf(error);
  const why =
    code === 'EISDIR'
      ? 'it is a folder'
      : code === 'EACCES' || code === 'EPERM'
        ? `you may not read it (${code})`
        : messageOf(error);
  const message = `The config cannot be read: ${why}.`;
  return { severity: 'error', file, line: 0, column: 0, path: '', message };
};

/** A server whose entry is wrong now keeps the definition that it had; the order is that of the file. */
const carried = (config: Config, names: readonly string[], last: Config): Config => {
  if (names.length === config.servers.size) return config;
  const servers = names.flatMap((name): [string, Definition][] => {
    const definition = config.servers.get(name) ?? last.servers.get(name);
    return definition === undefined ? [] : [[name, definition]];
  });
  return Object.freeze({ ...config, servers: new Map(servers) });
};

/**
 * A bad file changes nothing: `config` stays what it was and `problems` say where the file is bad. Before the first
 * good reading that is the defaults. No file means the defaults too; a file that cannot be read never does.
 * @param goneMs how long a file that was there must be away to count as removed: programs that replace it by renaming
 *   leave a moment without any
 */
export const createLoader = ({ file, goneMs = 1000 }: { readonly file: string; readonly goneMs?: number }): Loader => {
  let current: Loaded | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const patientBytes = async (): Promise<Uint8Array | undefined> => {
    const bytes = await bytesOf(file);
    if (bytes !== undefined || current?.exists !== true) return bytes;
    await sleep(goneMs, undefined, { ref: false });
    return bytesOf(file);
  };

  const read = async (): Promise<Loaded> => {
    // Loaded here, since the daemon binds its socket first.
    const [{ defaultConfig, readConfig }, bytes] = await Promise.all([
      import('../../schema/config/read.ts'),
      patientBytes().catch((error: unknown) => unreadable(file, error)),
    ]);
    const last = current?.config ?? defaultConfig();
    if (bytes === undefined) return { config: defaultConfig(), problems: [], exists: false };
    if (!(bytes instanceof Uint8Array)) return { config: last, problems: [bytes], exists: true };
    const { config, problems, names } = readConfig(bytes, file);
    return { config: config === undefined ? last : carried(config, names, last), problems, exists: true };
  };

  return {
    current: () => current,
    load: () => {
      const next = turn.then(async () => {
        current = Object.freeze(await read());
        return current;
      });
      turn = next.catch(() => {});
      return next;
    },
  };
};
