// The store: memory first, the database behind it. Nothing that happens to the file fails a caller.
//
// metad.db holds what can be had again: listings and the history of calls. That is why a damaged one may be set aside
// and built anew. What only the user can give stands in a file of its own beside it, choices.db (see choices.ts), so that
// no fault of the cache, nor of its much greater traffic, ever touches it.
import type { Listing } from '../../schema/tool.ts';
import type { CallStatus } from '../../schema/wire.ts';
import type { Log } from '../log.ts';
import { type Database, type Driver, loadDriver } from '../sqlite.ts';
import { readCalls, remember, trimCalls, writeCall } from './calls.ts';
import { connect, isOfFile } from './connection.ts';
import { createWaits, type Later, timer } from './later.ts';
import { type Encoded, encode, readListings, removeListing, unusedSince, writeListing, writeSeen } from './listings.ts';
import { createMarks } from './marks.ts';
import { createResults } from './results.ts';
import { createRunQueue } from './runs/queue.ts';
import { interruptRuns } from './runs/runs.ts';
import { openPlainIndex } from './search/plain-index.ts';
import { openToolIndex } from './search/tool-index.ts';
import { readShapes, removeShape, type SavedShape, writeShape } from './shapes.ts';
import type { Store, ToolIndex } from './store.ts';
import { createSurveys } from './surveys.ts';
import { createWarmth } from './warmth.ts';

export interface StoreOptions {
  /** The database file; its folder is made. */
  readonly path: string;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly driver?: Driver;
  /** How long one statement may wait for another process's lock, with the event loop standing still. */
  readonly busyMs?: number;
  /** Rows of calls that are kept on disk. */
  readonly maxCalls?: number;
  /** Called when `listings()` has grown since the store was opened: the file could not be read then and now can. */
  readonly onListings?: () => void;
  readonly later?: Later;
}

const DAY = 86_400_000;
/** How long a listing is kept that nobody uses. */
const KEPT = 30 * DAY;
/** How long the history of calls and what was learned from them may lag behind on disk. */
const CALLS_WAIT_MS = 1000;

/** A driver may come without FTS5, or with one that is too old. */
const openIndex = (driver: Driver, log: Log): ToolIndex => {
  try {
    return openToolIndex(driver);
  } catch (error) {
    log('search-plain', { reason: `${driver.name} has no full-text index; search compares plain text`, error });
    return openPlainIndex();
  }
};

/**
 * Never throws for what the file is like: `health` says why it is not used, and a file that becomes usable later is
 * taken up then. Writes happen in one transaction after the current turn of the event loop.
 * @throws MetadError `unsupported` without any SQLite driver, where none is given.
 */
export const openStore = ({
  path,
  log,
  now = Date.now,
  driver = loadDriver(),
  busyMs = 50,
  maxCalls = 10_000,
  onListings = () => {},
  later = timer,
}: StoreOptions): Store => {
  const listings = new Map<string, Listing>();
  /** Hashes of what the file holds. */
  const saved = new Map<string, string>();
  const dirty = new Set<string>();
  /** What was learned in this life, or dropped (`shape` is undefined), by key and tool. */
  const shapes = new Map<string, { key: string; tool: string; shape: SavedShape | undefined }>();
  const dirtyShapes = new Set<string>();
  /** Keys in use, not noted in the file yet. */
  const used = new Set<string>();
  const calls: CallStatus[] = [];
  let unsaved: CallStatus[] = [];
  let [isOpen, isOpening, isUnread] = [true, true, false];
  let flushing: NodeJS.Immediate | undefined;
  let interrupted = false;
  let index: ToolIndex | undefined;

  /** What a first session does not need is read when somebody asks for it: many tools are many megabytes. */
  const load = (db: Database, isLast: boolean) => {
    isUnread = isOpening && !isLast;
    if (!isUnread) readAll(db);
  };

  const ensureRead = () => {
    if (!isUnread) return;
    isUnread = false;
    connection.read(readAll);
  };

  const readAll = (db: Database) => {
    const { good, bad } = readListings(db);
    const before = listings.size;
    if (bad.length > 0) log('store-rows-unreadable', { keys: bad });
    saved.clear();
    // What memory knows is newer than the file, and may be missing there.
    for (const key of listings.keys()) dirty.add(key);
    for (const id of shapes.keys()) dirtyShapes.add(id);
    for (const { listing, hash } of good) {
      saved.set(listing.key, hash);
      if (!listings.has(listing.key)) listings.set(listing.key, listing);
    }
    if (!isOpening && listings.size > before) onListings();
  };

  const onAttached = () => {
    // Whatever of this life waits is written after this, so all that runs there is of earlier ones.
    if (!interrupted) interrupted = connection.write(interruptRuns);
    flush();
  };
  const connection = connect({ path, driver, log, now, later, busyMs, load, onAttached });
  const results = createResults(connection, now);
  const { marked, mark } = createMarks(connection);
  const { survey, saveSurvey } = createSurveys(connection);

  /** What really has to be written. A listing that JSON cannot tell is left out. */
  const changesOf = (): readonly (readonly [Listing, Encoded])[] => {
    const changes: (readonly [Listing, Encoded])[] = [];
    for (const key of dirty) {
      const listing = listings.get(key);
      if (listing === undefined) continue;
      tolerate('store-listing-unwritable', () => {
        const encoded = encode(listing);
        if (encoded.hash !== saved.get(key)) changes.push([listing, encoded]);
      });
    }
    return changes;
  };

  /** One odd row costs that row only; trouble with the file goes on to the connection. */
  const tolerate = (event: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      if (isOfFile(error)) throw error;
      log(event, { error });
    }
  };

  const flush = () => {
    if (dirty.size > 0) ensureRead();
    if (!connection.isOn) return;
    const changes = changesOf();
    const isWaiting = results.isWaiting() || runs.isWaiting() || warmth.isWaiting();
    if (changes.length + unsaved.length + dirtyShapes.size + used.size > 0 || isWaiting) {
      const isDone = connection.write((db) => {
        for (const [listing, encoded] of changes)
          tolerate('store-listing-unwritable', () => {
            writeListing(db, listing, encoded);
            saved.set(listing.key, encoded.hash);
          });
        for (const id of dirtyShapes) tolerate('store-shape-unwritable', () => flushShape(db, id));
        for (const key of used) writeSeen(db, key, now(), now() - DAY);
        for (const call of unsaved) tolerate('store-call-unwritable', () => writeCall(db, call));
        trimCalls(db, maxCalls);
        if (results.isWaiting()) results.write(db);
        if (runs.isWaiting()) runs.write(db);
        if (warmth.isWaiting()) tolerate('store-warmth-unwritable', () => warmth.write(db));
      });
      if (!isDone) return;
    }
    dirty.clear();
    dirtyShapes.clear();
    used.clear();
    results.written();
    runs.written();
    warmth.written();
    unsaved = [];
  };

  const flushShape = (db: Database, id: string) => {
    const kept = shapes.get(id);
    if (kept === undefined) return;
    if (kept.shape === undefined) removeShape(db, kept.key, kept.tool);
    else writeShape(db, kept.shape);
  };

  const keepShape = (key: string, tool: string, shape: SavedShape | undefined) => {
    const id = `${key}\n${tool}`;
    shapes.set(id, { key, tool, shape });
    dirtyShapes.add(id);
    flushWithin(CALLS_WAIT_MS);
  };

  const waits = createWaits(later, () => flush());
  /** A script may make a thousand calls in a second; their history is worth one transaction, not a thousand. */
  const flushWithin = (milliseconds: number) => {
    if (isOpen) waits.within(milliseconds);
  };

  /** Off the path of whoever saves, and one transaction for all that one turn brings. */
  const flushSoon = () => {
    if (!isOpen) return;
    flushing ??= setImmediate(() => {
      flushing = undefined;
      flush();
    });
  };

  const runs = createRunQueue({ connection, flush: () => flush(), flushWithin, tolerate });
  const warmth = createWarmth(connection, flushWithin, CALLS_WAIT_MS);

  connection.attach();
  isOpening = false;

  const { nextRun, saveRun, saveRunCall, findRun, recentRuns } = runs;
  return {
    warmth,
    nextRun,
    saveRun,
    saveRunCall,
    findRun,
    recentRuns,
    get health() {
      return connection.health;
    },
    toolIndex() {
      index ??= openIndex(driver, log);
      return index;
    },
    listings() {
      ensureRead();
      return [...listings.values()];
    },
    saveListing(listing) {
      if (listings.get(listing.key) === listing) return;
      listings.set(listing.key, listing);
      dirty.add(listing.key);
      flushSoon();
    },
    useListings(keys) {
      for (const key of keys) used.add(key);
      if (used.size > 0) flushWithin(CALLS_WAIT_MS);
    },
    pruneListings() {
      flush();
      connection.write((db) => {
        for (const key of unusedSince(db, now() - KEPT)) {
          removeListing(db, key);
          listings.delete(key);
          saved.delete(key);
          for (const [id, shape] of shapes) if (shape.key === key) shapes.delete(id);
        }
      });
    },
    shapes(key) {
      const kept = new Map((connection.read((db) => readShapes(db, key)) ?? []).map((row) => [row.tool, row]));
      for (const { key: of, tool, shape } of shapes.values()) {
        if (of !== key) continue;
        if (shape === undefined) kept.delete(tool);
        else kept.set(tool, shape);
      }
      return [...kept.values()];
    },
    saveShape: (shape) => keepShape(shape.key, shape.tool, shape),
    marked,
    mark,
    survey,
    saveSurvey,
    removeShape: (key, tool) => keepShape(key, tool, undefined),
    keepResult: results.keep,
    result: results.read,
    recordCall(call) {
      remember(calls, call);
      remember(unsaved, call);
      flushWithin(CALLS_WAIT_MS);
    },
    recentCalls(count) {
      flush();
      return connection.read((db) => readCalls(db, count)) ?? calls.slice(-count).reverse();
    },
    [Symbol.dispose]() {
      if (!isOpen) return;
      isOpen = false;
      clearImmediate(flushing);
      waits.cancel();
      flush();
      connection[Symbol.dispose]();
      index?.[Symbol.dispose]();
    },
  };
};
