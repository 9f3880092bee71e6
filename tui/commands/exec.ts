// `metad exec FILE|-`: runs a script over the tools, as an agent's `execute` does.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MetadError, messageOf } from '../../schema/errors.ts';
import type { Methods } from '../../schema/wire.ts';
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
import { plural } from '../format.ts';
import { reach } from '../reach.ts';
import { lineText, table } from '../table.ts';
import { traceColumns } from '../trace.ts';

export interface ExecOptions extends CommonOptions {
  readonly timeout?: string;
  /** Print the calls that the script made. */
  readonly trace?: boolean;
}

const secondsOf = (text: string): number => {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0) throw new UsageError(`--timeout takes seconds, not "${text}".`);
  return seconds;
};

const traceText = ({ run, trace }: Methods['exec']['result']): string => {
  const rows = trace.length === 0 ? ['No calls.'] : table(traceColumns, trace, Number.POSITIVE_INFINITY).map(lineText);
  return [`Run ${run} (${plural(trace.length, 'call')})`, ...rows].join('\n');
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
  else {
    (result.isError ? note : print)(context, result.text);
    if (options.trace) note(context, traceText(result));
  }
  return result.isError ? FAILED : DONE;
};
