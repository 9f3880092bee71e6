// All readers, in the order of the table of what is supported.
import type { Reader } from './reader.ts';

export const READERS: readonly Reader[] = [];
