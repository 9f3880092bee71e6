// A folder that only this user may enter: made, checked, tightened, or refused with the reason.
import { type BigIntStats, chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { MetadError, messageOf } from '../../schema/errors.ts';
import { statusOf } from './inode.ts';

const STICKY = 0o1000n;

// The account of the process never changes, so this default is no hidden state.
const ownUid = (): number => process.geteuid?.() ?? -1;

/** Why something must not be used as a private folder; undefined where it may, once its mode is 0700. */
const objectionTo = (status: BigIntStats, uid: number): string | undefined => {
  if (status.isSymbolicLink()) return 'is a symbolic link; name the folder itself';
  if (!status.isDirectory()) return 'is not a folder; move it away';
  if (uid !== -1 && status.uid !== BigInt(uid))
    return `belongs to user ${status.uid} and metad runs as user ${uid}; remove it or choose another with --home`;
  if ((status.mode & STICKY) !== 0n) return 'is a folder that all users share; choose one inside it with --home';
  return undefined;
};

/**
 * Makes `path` and what is missing above it, mode 0700. Not by `recursive`: below a folder that takes none, such as
 * /proc, Node (20 and 24) then tries for ever.
 * @throws the system's error.
 */
export const makeFolder = (path: string): void => {
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const above = dirname(path);
    if (code !== 'ENOENT' || above === path || statusOf(above) !== undefined) throw error;
    makeFolder(above);
    mkdirSync(path, 0o700);
  }
};

/**
 * Makes `path` (and what is missing above it) with mode 0700, or tightens an existing one.
 * @param uid who must own it; -1 where the platform has no user ids.
 * @throws MetadError `refused`: a link, no folder, somebody else's, or shared by all (`/tmp`); `unavailable`: cannot be made.
 */
export const privateFolder = (path: string, uid: number = ownUid()): void => {
  try {
    // Looked at first: mkdir says no more than EEXIST about a file, and walks through a link.
    if (statusOf(path) === undefined) makeFolder(path);
    const status = statusOf(path);
    if (status === undefined) throw new Error('it went away');
    const objection = objectionTo(status, uid);
    if (objection !== undefined)
      throw new MetadError(
        'refused',
        `${path} ${objection}. Only a private folder is safe for metad's socket and lock.`,
      );
    if ((status.mode & 0o77n) !== 0n) chmodSync(path, 0o700);
  } catch (error) {
    if (error instanceof MetadError) throw error;
    throw new MetadError(
      'unavailable',
      `The folder ${path} cannot be used: ${messageOf(error)}. Make it writable, or choose another with --home.`,
      { cause: error },
    );
  }
};
