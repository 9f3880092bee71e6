// From the text of config.json to what is wrong with it. A stand-in with the final signatures.
import { parse } from 'jsonc-parser';
import { configSchema } from '../config.ts';
import type { Problem } from './problem.ts';

export const readConfig = (source: Uint8Array | string, origin: string): { readonly problems: readonly Problem[] } => {
  const outcome = configSchema.safeParse(parse(String(source)));
  const problems = (outcome.error?.issues ?? []).map(({ path, message }): Problem => {
    const place = path.map(String).join('.');
    return { severity: 'error', file: origin, line: 1, column: 1, path: place, message: `${place}: ${message}` };
  });
  return { problems };
};
