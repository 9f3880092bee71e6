// `metad config check|schema`: needs no daemon.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { problemText } from '../../schema/config/problem.ts';
import { jsonSchema } from '../../schema/config/published.ts';
import { readConfig } from '../../schema/config/read.ts';
import { messageOf } from '../../schema/errors.ts';
import { type CommonOptions, type Context, DONE, FAILED, note, print, printJson } from '../context.ts';
import { plural } from '../format.ts';
import { pathsFor } from '../reach.ts';

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Exit 1 when there is an error; warnings alone are fine. The problems are what was asked for: they go to stdout. */
export const check = async (context: Context, file: string | undefined, options: CommonOptions): Promise<number> => {
  const path = file === undefined ? pathsFor(context, options).configFile : resolve(context.cwd, file);
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (file !== undefined || !isMissing(error)) {
      note(context, `${path} cannot be read: ${messageOf(error)}.`);
      return FAILED;
    }
  }
  const problems = bytes === undefined ? [] : readConfig(bytes, path).problems;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  if (options.json) printJson(context, { file: path, exists: bytes !== undefined, ok: errors === 0, problems });
  else {
    for (const problem of problems) print(context, problemText(problem));
    if (bytes === undefined)
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
