// The JSON Schema of config.json, as `metad config schema` prints it and the package carries it.
import * as z from 'zod/mini';
import { configSchema } from '../config.ts';

/** JSON Schema 2020-12 with a description on every key. A new value on every call. */
export const jsonSchema = (): Record<string, unknown> => ({
  ...z.toJSONSchema(configSchema, { io: 'input' }),
  title: 'metad: config.json',
});
