// `metad exec FILE|-`: runs a script over the tools, as an agent's `execute` does.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MetadError, messageOf } from '../../schema/errors.ts';
import {
  type CommonOptions,
  type Context,
  DONE,
  FAILED,
  note,
  print,
  printJson,
  readInput,
  UsageError,
} from '../context.ts';
import { reach } from '../reach.ts';

export interface ExecOptions extends CommonOptions {
  readonly timeout?: string;
}

const secondsOf = (text: string): number => {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0) throw new UsageError(`--timeout takes seconds, not "${text}".`);
  return seconds;
};

export const exec = async (context: Context, file: string, options: ExecOptions): Promise<number> => {
  const limit = options.timeout === undefined ? {} : { timeoutSeconds: secondsOf(options.timeout) };
  const path = resolve(context.cwd, file);
  const script =
    file === '-'
      ? await readInput(context)
      : await readFile(path, 'utf8').catch((error: unknown) => {
          throw new MetadError('not-found', `The script ${path} cannot be read: ${messageOf(error)}.`);
        });
  const { client } = await reach(context, options);
  const result = await client.exec({ cwd: context.cwd, script, ...limit });
  if (options.json) printJson(context, result);
  else (result.isError ? note : print)(context, result.text);
  return result.isError ? FAILED : DONE;
};
