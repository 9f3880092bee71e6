// The hash under which a server of a workspace's file is trusted.
import { createHash } from 'node:crypto';

/** Raised when metad begins to read something in an entry that it did not read before: then everything is asked again. */
const READING = 1;

/** Equal for what is equal but for the order of keys. */
const ordered = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return { object: entries.map(([key, child]) => [key, ordered(child)]) };
};

/**
 * Of an entry as written, all its keys: white space, comments and the order of keys do not count, anything else does.
 * @param place the file, relative to the root: how it is read hangs on it
 */
export const trustHash = (place: string, server: string, entry: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([READING, place, server, ordered(entry)]))
    .digest('base64url');
