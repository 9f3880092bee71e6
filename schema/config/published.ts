// The JSON Schema of config.json. A stand-in with the final signatures.
import { z } from 'zod';
import { configSchema } from '../config.ts';

export const jsonSchema = (): Record<string, unknown> => ({ ...z.toJSONSchema(configSchema, { io: 'input' }) });
