// `metad config check|schema`: needs no daemon.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { jsonSchema, type Problem, readConfig } from '../../schema/config-file.ts';
import { messageOf } from '../../schema/errors.ts';
import { type CommonOptions, type Context, DONE, FAILED, note, print, printJson } from '../context.ts';
import { plural } from '../format.ts';
import { pathsFor } from '../reach.ts';

/** `file:line:column: severity: message`: a form that editors and terminals can jump to. */
const problemText = ({ severity, file, line, column, message }: Problem): string =>
  `${file}${line > 0 ? `:${line}:${column}` : ''}: ${severity}: ${message}`;

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Exit 1 when there is an error; warnings alone are fine. The problems are what was asked for: they go to stdout. */
export const check = async (context: Context, file: string | undefined, options: CommonOptions): Promise<number> => {
  const path = file === undefined ? pathsFor(context, options).configFile : resolve(context.cwd, file);
  let text: string | undefined;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (file !== undefined || !isMissing(error)) {
      note(context, `${path} cannot be read: ${messageOf(error)}.`);
      return FAILED;
    }
  }
  const problems = text === undefined ? [] : readConfig(text, path, { home: homedir() }).problems;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  if (options.json) printJson(context, { file: path, exists: text !== undefined, ok: errors === 0, problems });
  else {
    for (const problem of problems) print(context, problemText(problem));
    if (text === undefined)
      note(context, `There is no ${path}: every setting has its default, no server is configured.`);
    else
      note(
        context,
        problems.length === 0
          ? `${path} is fine.`
          : `${path}: ${plural(errors, 'error')}, ${plural(problems.length - errors, 'warning')}.`,
      );
  }
  return errors === 0 ? DONE : FAILED;
};

/** The JSON Schema of config.json, for editors. */
export const schema = async (context: Context): Promise<number> => {
  context.stdout.write(`${JSON.stringify(jsonSchema(), null, 2)}\n`);
  return DONE;
};
