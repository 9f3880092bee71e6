// Two versions meet: a client that is newer than this daemon brings the daemon that follows it.
import { isAbsolute } from 'node:path';
import gt from 'semver/functions/gt.js';
import valid from 'semver/functions/valid.js';
import { type Greeting, PROTOCOL, type Successor, VERSION } from '../../schema/wire.ts';
import type { Log } from '../log.ts';

/** By semver, pre-releases below their release; what is no version is newer than nothing. */
export const isNewer = (one: string, other: string): boolean =>
  valid(one) !== null && valid(other) !== null && gt(one, other);

/** A client that is served meanwhile loses nothing by waiting, so the longest script may end: `execute.totalSeconds`. */
const SERVED_MS = 600_000;
/**
 * One of a later protocol is not served before. Its shim gives up after 20 s, and the successor takes a while to come up.
 */
const UNSERVED_MS = 12_000;

/** How long the hand-over to a client's own daemon may wait; undefined where this daemon stays. Pure. */
export const handoverWithin = (
  { version, protocol, program, node }: Greeting,
  own: { readonly version: string; readonly protocol: number } = { version: VERSION, protocol: PROTOCOL },
): number | undefined => {
  if (program === undefined || node === undefined || !isAbsolute(program) || !isAbsolute(node)) return undefined;
  // Never back to an older one: two agents with two versions would change the daemon for ever.
  if (!isNewer(version, own.version) || protocol < own.protocol) return undefined;
  return protocol === own.protocol ? SERVED_MS : UNSERVED_MS;
};

export interface MeetingOptions {
  readonly plan: (successor: Successor, withinMs: number) => void;
  readonly log: Log;
}

/** What is done with every greeting. */
export const createMeeting =
  ({ plan, log }: MeetingOptions) =>
  (greeting: Greeting): void => {
    const { version, protocol, program, node } = greeting;
    if (version !== VERSION) log('version.other', { client: version, protocol });
    const within = handoverWithin(greeting);
    if (within !== undefined && program !== undefined && node !== undefined) plan({ version, program, node }, within);
  };
