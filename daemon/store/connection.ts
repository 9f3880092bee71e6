// The way to the database file while there is one: attached, or off with a reason and a time to try again.
import type { Log } from '../log.ts';
import type { Database, Driver } from '../sqlite.ts';
import { sqlFaultOf } from '../sqlite.ts';
import { type Fault, inodeOf, openFile, type Problem, problemOf, rollBack, setAside } from './file.ts';

export interface ConnectionOptions {
  readonly path: string;
  readonly driver: Driver;
  readonly log: Log;
  readonly now: () => number;
  readonly later: (milliseconds: number, run: () => void) => () => void;
  readonly busyMs: number;
  /**
   * Reads what the file holds; called at every attachment. `isLast`: the file can only be read, and only now. May throw
   * SQLite's errors.
   */
  readonly load: (db: Database, isLast: boolean) => void;
  /** The file is there and can be written. */
  readonly onAttached: () => void;
}

export interface Connection extends Disposable {
  /** The first try; later ones happen by themselves. */
  attach(): void;
  readonly isOn: boolean;
  readonly health: string;
  /**
   * Runs `work` in one transaction; never throws. False where the file is off, or went off just now for what `work`
   * threw: nothing was written, and `onAttached` tells when to try again.
   */
  write(work: (db: Database) => void): boolean;
  /** undefined where the file is off. */
  read<T>(work: (db: Database) => T): T | undefined;
}

/** A lock may go at any moment; a disk is not freed that soon; a newer schema stays. */
const retryAfter = (fault: Fault, attempt: number): number | undefined => {
  if (fault === 'newer') return undefined;
  return fault === 'busy' ? Math.min(250 * 2 ** attempt, 30_000) : 60_000;
};

/** Whether the file is the trouble; else it is one statement: a row that breaks a rule of the schema. */
export const isOfFile = (error: unknown): boolean => {
  const fault = sqlFaultOf(error);
  return fault !== undefined && fault !== 'other';
};

export const connect = (options: ConnectionOptions): Connection => {
  const { path, driver, log, now, later, busyMs, load, onAttached } = options;
  let db: Database | undefined;
  let inode: bigint | undefined;
  let problem: Problem | undefined;
  let warned: Fault | undefined;
  let attempt = 0;
  let cancel = () => {};

  const turnOff = (found: Problem) => {
    db?.close();
    db = undefined;
    problem = found;
    // One warning for a disk that stays full, however often it is tried.
    if (warned !== found.fault) log('store-off', { reason: found.reason });
    warned = found.fault;
    const milliseconds = retryAfter(found.fault, attempt);
    attempt += 1;
    cancel();
    if (milliseconds !== undefined) cancel = later(milliseconds, attach);
  };

  /** Moves a damaged file away; false where that cannot be. */
  const makeRoom = (found: Problem): boolean => {
    try {
      const aside = setAside(path, inode, now());
      if (aside !== undefined) log('store-set-aside', { reason: found.reason, aside });
      return true;
    } catch (error) {
      log('store-set-aside-failed', { path, error });
      return false;
    }
  };

  /** One try to open and load. */
  const tryOpen = (): Problem | undefined => {
    inode = inodeOf(path);
    const opened = openFile({ driver, path, busyMs });
    inode ??= inodeOf(path);
    if (opened.migrated) log('store-migrated', { path });
    if (opened.db === undefined) return opened.problem;
    try {
      load(opened.db, opened.problem !== undefined);
    } catch (error) {
      opened.db.close();
      return problemOf(path, error);
    }
    if (opened.problem === undefined) db = opened.db;
    else opened.db.close();
    return opened.problem;
  };

  const attach = () => {
    let found = tryOpen();
    if (found?.fault === 'damaged' && makeRoom(found)) found = tryOpen();
    if (found !== undefined) return turnOff(found);
    problem = undefined;
    onAttached();
    // What waited may have shown that the disk is still full.
    if (db === undefined) return;
    attempt = 0;
    if (warned !== undefined) log('store-on', { path });
    warned = undefined;
  };

  /** Damage found in use: the file goes aside and a new one is filled from memory. */
  const onFault = (error: unknown) => {
    const found = problemOf(path, error);
    turnOff(found);
    if (found.fault !== 'damaged' || !makeRoom(found)) return;
    cancel();
    cancel = later(0, attach);
  };

  return {
    attach,
    get isOn() {
      return db !== undefined;
    },
    get health() {
      return problem === undefined ? 'disk' : problem.reason;
    },
    write(work) {
      const held = db;
      if (held === undefined) return false;
      try {
        held.exec('BEGIN IMMEDIATE');
        work(held);
        held.exec('COMMIT');
        return true;
      } catch (error) {
        rollBack(held);
        onFault(error);
        return false;
      }
    },
    read(work) {
      if (db === undefined) return undefined;
      try {
        return work(db);
      } catch (error) {
        onFault(error);
        return undefined;
      }
    },
    [Symbol.dispose]() {
      cancel();
      db?.close();
      db = undefined;
    },
  };
};
