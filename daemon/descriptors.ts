// How many files and sockets this process may still open: near the limit new work is refused, so that what runs goes on.
import { readdirSync, readFileSync } from 'node:fs';
import { MetadError } from '../schema/errors.ts';

/**
 * What must be left for each kind of work to begin. A server takes 8 for a moment and 4 for its life, a session one; who
 * only asks for the status should still be heard when neither can begin. The last 32 are for sandbox workers, logs and
 * the database.
 */
const RESERVE = { connection: 32, server: 44, session: 56 } as const;

export interface Descriptors {
  /** Open ones and the limit; null where the system does not tell, as outside of Linux. */
  now(): { readonly open: number; readonly limit: number } | null;
  /** @throws MetadError `limit` where too few are left for it. `what` begins the sentence: `No new session is taken`. */
  check(kind: keyof typeof RESERVE, what: string): void;
}

/** @param self the folder in which Linux tells of this process */
export const createDescriptors = (self = '/proc/self'): Descriptors => {
  let limit: number | undefined;
  try {
    const told = /^Max open files\s+(\d+)/m.exec(readFileSync(`${self}/limits`, 'utf8'))?.[1];
    limit = told === undefined ? undefined : Number(told);
  } catch {
    // Nobody tells.
  }
  const descriptors: Descriptors = {
    now() {
      if (limit === undefined) return null;
      try {
        return { open: readdirSync(`${self}/fd`).length - 1, limit }; // one of them is the look itself
      } catch {
        return { open: limit, limit };
      }
    },
    check(kind, what) {
      const now = descriptors.now();
      if (now === null || now.limit - now.open >= RESERVE[kind]) return;
      throw new MetadError(
        'limit',
        `${what}: metad has ${now.open} of at most ${now.limit} files and sockets open. End agents or servers that are ` +
          'not needed, or raise the limit (`ulimit -n`) and run `metad daemon restart` from there.',
      );
    },
  };
  return descriptors;
};
