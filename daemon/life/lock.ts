// The lock that makes one process the daemon: an exclusive SQLite transaction, held until the process ends.
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MetadError, messageOf } from '../../schema/errors.ts';
import { type Database, type Driver, loadDriver, sqlFaultOf } from '../sqlite.ts';
import { privateFolder } from './folder.ts';
import { type Owned, statusOf } from './inode.ts';

/** Keep it: what holds the lock is closed when it is collected. */
export interface Lock extends Owned, Disposable {}

export interface LockOptions {
  readonly driver?: Driver;
  readonly uid?: number;
}

/** Two that ask in the same instant may each meet the other's first step; without a short wait both would go away. */
const BUSY_MS = 100;

/** The inode at `path`, where an empty file is made if nothing is there. */
const present = (path: string): bigint => {
  const status = statusOf(path);
  if (status !== undefined) {
    if (status.isFile()) return status.ino;
    throw new MetadError('refused', `${path} is not a plain file, so it cannot be metad's lock. Move it away.`);
  }
  // Only a file made this instant is ever opened here: closing one that this process has locked would free the lock.
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  }
  return present(path);
};

const unusable = (path: string, error: unknown): MetadError =>
  sqlFaultOf(error) === 'damaged'
    ? new MetadError('refused', `${path} holds something that is not metad's lock. Move it away.`, { cause: error })
    : new MetadError(
        'unavailable',
        `The lock ${path} cannot be taken: ${messageOf(error)}. Its folder must be writable and on a local disk.`,
        { cause: error },
      );

/**
 * Takes the lock, or gives undefined where a living process holds it, within about 100 ms. The kernel frees it on any death.
 * Nothing else in this process may open the file.
 * @throws MetadError `refused` or `unavailable`, naming the path, where the lock can neither be taken nor be held by others.
 */
export const takeLock = (path: string, { driver = loadDriver(), uid }: LockOptions = {}): Lock | undefined => {
  privateFolder(dirname(path), uid);
  // Somebody may remove the file between its opening and its locking; then what was locked is not what others will see.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    let db: Database | undefined;
    try {
      const inode = present(path);
      db = driver.open(path, BUSY_MS);
      db.exec('BEGIN EXCLUSIVE');
      if (statusOf(path)?.ino === inode) {
        const held = db;
        return { path, inode, [Symbol.dispose]: () => held.close() };
      }
      db.close();
    } catch (error) {
      db?.close();
      if (sqlFaultOf(error) === 'busy') return undefined;
      throw error instanceof MetadError ? error : unusable(path, error);
    }
  }
  throw new MetadError('unavailable', `The lock ${path} cannot be taken: something keeps replacing the file.`);
};

const LOOK_MS = 25;

export interface WaitOptions extends LockOptions {
  /** The socket of whoever is the daemon: a new one means that somebody else has taken over. */
  readonly socket: string;
  readonly waitMs: number;
}

/**
 * As `takeLock`, but waits for a holder that is on its way out; undefined where it stays, or another one followed it.
 */
export const takeLockWithin = async (path: string, { socket, waitMs, ...options }: WaitOptions) => {
  const before = statusOf(socket)?.ino;
  for (const end = performance.now() + waitMs; ; await sleep(LOOK_MS)) {
    const lock = takeLock(path, options);
    if (lock !== undefined || performance.now() >= end) return lock;
    const now = statusOf(socket)?.ino;
    if (now !== undefined && now !== before) return undefined;
  }
};
