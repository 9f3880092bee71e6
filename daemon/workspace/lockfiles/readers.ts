// All readers, in the order of the table of what is supported.
import { JAVASCRIPT } from './javascript/readers.ts';
import { OTHERS } from './others/readers.ts';
import { PYTHON } from './python/readers.ts';
import type { Reader } from './reader.ts';

export const READERS: readonly Reader[] = [...JAVASCRIPT, ...PYTHON, ...OTHERS];
