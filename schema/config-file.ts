// From the text of config.json to a config and what is wrong with it. A stand-in with the final signatures.
import { parse } from 'jsonc-parser';
import { z } from 'zod';
import { configSchema } from './config.ts';

export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
}

export const readConfig = (
  text: string,
  origin: string,
  _account: { readonly home: string },
): { readonly problems: readonly Problem[] } => {
  const outcome = configSchema.safeParse(parse(text));
  const problems = (outcome.error?.issues ?? []).map(({ path, message }): Problem => {
    const place = path.map(String).join('.');
    return { severity: 'error', file: origin, line: 1, column: 1, path: place, message: `${place}: ${message}` };
  });
  return { problems };
};

export const jsonSchema = (): unknown => z.toJSONSchema(configSchema, { io: 'input' });
