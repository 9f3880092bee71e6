// The command inside the test's own process: same program, streams that can be looked at.
import { PassThrough } from 'node:stream';
import type { Context } from '../../tui/context.ts';
import { runProgram } from '../../tui/program.ts';
import type { Ran } from './cli.ts';

export interface RunOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether stdin and stdout are a person's terminal. */
  readonly isTerminal?: boolean;
  readonly columns?: number;
}

export const runHere = async (args: readonly string[], options: RunOptions = {}): Promise<Ran> => {
  const { input = '', environment = {}, isTerminal = false, columns = 80 } = options;
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const said = { stdout: '', stderr: '' };
  stdout.on('data', (chunk) => {
    said.stdout += String(chunk);
  });
  stderr.on('data', (chunk) => {
    said.stderr += String(chunk);
  });
  stdin.end(input);
  const context: Context = {
    stdin: Object.assign(stdin, { isTTY: isTerminal }) as unknown as NodeJS.ReadStream,
    stdout: Object.assign(stdout, { isTTY: isTerminal, columns }) as unknown as NodeJS.WriteStream,
    stderr: Object.assign(stderr, { isTTY: isTerminal, columns }) as unknown as NodeJS.WriteStream,
    environment,
    cwd: process.cwd(),
    execPath: process.execPath,
    daemonProgram: '/no/daemon/here.js',
  };
  const code = await runProgram(args, context);
  await new Promise((resolve) => setImmediate(resolve));
  return { code, ...said };
};
