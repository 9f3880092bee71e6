// What a command needs of the process that runs it; main.ts alone reads `process`.
import { MetadError } from '../schema/errors.ts';
import { cleanLines } from './text.ts';

export interface Context {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly execPath: string;
  /** The daemon's program, beside the command's own. */
  readonly daemonProgram: string;
}

/** What every command takes. */
export interface CommonOptions {
  readonly home?: string;
  readonly json?: boolean;
}

/** Exit codes, the same for every command. */
export const DONE = 0;
export const FAILED = 1;
export const MISUSED = 2;

/** The command line itself is wrong: exit 2. The sentence says what would be right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Data: to stdout, with a line break at its end. On a terminal, what could steer it is taken out. */
export const print = ({ stdout }: Context, text: string): void => {
  const shown = stdout.isTTY ? cleanLines(text) : text;
  stdout.write(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
};

export const printJson = ({ stdout }: Context, value: unknown): void => {
  stdout.write(`${JSON.stringify(value, null, stdout.isTTY ? 2 : 0)}\n`);
};

/** Everything that is no data. */
export const note = ({ stderr }: Context, text: string): void => {
  stderr.write(`${cleanLines(text)}\n`);
};

/** All of stdin as text. */
export const readInput = async ({ stdin }: Context): Promise<string> => {
  if (stdin.isTTY) throw new UsageError('Nothing is piped in: `-` reads from stdin, e.g. `metad exec - < script.js`.');
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
};

/** A plain error in a whole sentence as one of ours, so that it is shown as it stands. */
export const sentence = (cause: unknown): MetadError =>
  cause instanceof MetadError
    ? cause
    : new MetadError('unavailable', cause instanceof Error ? cause.message : String(cause), { cause });
