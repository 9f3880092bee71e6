// `metad logs [SERVER]`: reads the log files; the daemon need not run.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MetadError } from '../../schema/errors.ts';
import { type CommonOptions, type Context, DONE, note, print, UsageError } from '../context.ts';
import { pathsFor } from '../reach.ts';
import { lastLines, newLines } from '../tail.ts';
import { clean } from '../text.ts';

export interface LogsOptions extends CommonOptions {
  readonly follow?: boolean;
  readonly lines?: string;
}

interface Found {
  /** `daemon`, or the server as its log names it. */
  readonly name: string;
  readonly path: string;
}

/** Newest place first: the daemon's own log, then what it said before it had one. */
const DAEMON_LOGS = ['daemon.log', 'daemon-start.log'];

const listing = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Server logs are `NAME.log`; a name that is no file name was made one and carries eight digits that keep it apart. */
const isLogOf = (file: string, server: string): boolean => {
  const plain = server
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^\./, '_')
    .slice(0, 80);
  return plain === server ? file === `${server}.log` : file.startsWith(`${plain}-`) && /-[0-9a-f]{8}\.log$/.test(file);
};

const findLog = async (folder: string, server: string | undefined): Promise<Found> => {
  const own = await listing(folder);
  if (server === undefined) {
    const file = DAEMON_LOGS.find((name) => own.includes(name));
    if (file) return { name: 'daemon', path: join(folder, file) };
    throw new MetadError('not-found', `There is no log yet in ${folder}: no daemon has run there.`);
  }
  const servers = join(folder, 'servers');
  const files = [
    ...(await listing(servers)).map((file) => ({ file, path: join(servers, file) })),
    ...own.filter((file) => !DAEMON_LOGS.includes(file)).map((file) => ({ file, path: join(folder, file) })),
  ];
  const found = files.find(({ file }) => isLogOf(file, server));
  if (found) return { name: server, path: found.path };
  const known = files.flatMap(({ file }) => (file.endsWith('.log') ? [file.slice(0, -4)] : []));
  const there = known.length === 0 ? `There are none in ${folder}` : `There are logs of ${known.sort().join(', ')}`;
  throw new MetadError('not-found', `There is no log of a server "${server}". ${there}.`);
};

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A JSON line as `time event key=value …`; any other line as it stands. */
export const readableLine = (line: string): string => {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return clean(line);
  }
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return clean(line);
  const {
    time,
    event,
    msg,
    level: _level,
    pid: _pid,
    hostname: _hostname,
    ...fields
  } = entry as Record<string, unknown>;
  const when = typeof time === 'number' ? new Date(time).toISOString() : time;
  const parts = [when, event ?? msg].flatMap((part) => (part === undefined ? [] : [valueText(part)]));
  return clean([...parts, ...Object.entries(fields).map(([key, value]) => `${key}=${valueText(value)}`)].join(' '));
};

const countOf = (text: string): number => {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 0) throw new UsageError(`-n takes a number of lines, not "${text}".`);
  return count;
};

export const logs = async (context: Context, server: string | undefined, options: LogsOptions): Promise<number> => {
  const count = countOf(options.lines ?? '50');
  const { path } = await findLog(pathsFor(context, options).logs, server);
  const show = (line: string) => print(context, options.json ? line : readableLine(line));
  note(context, path);
  const { lines, end } = await lastLines(path, count);
  for (const line of lines) show(line);
  // Until Ctrl-C ends the process, or nobody reads any more.
  if (options.follow) for await (const line of newLines(path, end, new AbortController().signal)) show(line);
  return DONE;
};
