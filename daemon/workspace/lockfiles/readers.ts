// All readers, in the order of the table of what is supported.
import { JAVASCRIPT } from './javascript.ts';
import { others } from './others.ts';
import { python } from './python.ts';
import type { Reader } from './reader.ts';

export const READERS: readonly Reader[] = [...JAVASCRIPT, ...python, ...others];
