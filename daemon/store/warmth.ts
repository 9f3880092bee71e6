// What is known of starting servers: what each start cost, which program a package runner runs, what each workspace used.
// Cache, bounded; memory first, like everything in this file's database.
import type { Database } from '../sqlite.ts';
import type { Connection } from './connection.ts';

/** One start that went well. */
export interface SavedStart {
  readonly server: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds from the spawn of its process (or the first request to its address) to the end of the opening. */
  readonly ms: number;
  /** `direct`, `wrapper`, or empty where there is no package runner. */
  readonly how: string;
}

export interface SavedUse {
  /** The workspace root; empty for sessions without one. */
  readonly workspace: string;
  readonly server: string;
  readonly at: number;
}

/** As daemon/upstream/launch has it. */
export interface SavedResolution {
  readonly key: string;
  readonly server: string;
  readonly program: string;
  readonly package: string;
  readonly version: string;
  readonly newest: string;
  readonly learnedAt: number;
  readonly checkedAt: number;
}

export interface Warmth {
  recordStart(start: SavedStart): void;
  /** Newest first, at most `WARMTH_LIMITS.startsOfOne`. */
  starts(server: string): readonly SavedStart[];
  recordUse(use: SavedUse): void;
  /** Newest first. */
  uses(workspace: string): readonly SavedUse[];
  resolution(key: string): SavedResolution | undefined;
  /** The newest one of a server. */
  resolutionOf(server: string): SavedResolution | undefined;
  saveResolution(resolution: SavedResolution): void;
  removeResolution(key: string): void;
}

/** Rows; the oldest go first. */
export const WARMTH_LIMITS = { startsOfOne: 5, starts: 1000, uses: 2000, resolutions: 500 } as const;

/** Uses that are so close to each other count as one: a script may make a thousand calls. */
const SAME_USE_MS = 60_000;

interface Queue extends Warmth {
  /** Writes what came since the last time; inside a transaction. */
  write(db: Database): void;
  written(): void;
  isWaiting(): boolean;
}

const placeOf = ({ workspace, server }: Pick<SavedUse, 'workspace' | 'server'>): string =>
  JSON.stringify([workspace, server]);

const startsIn = (db: Database): readonly SavedStart[] =>
  db
    .prepare('SELECT server, at, ms, how FROM starts ORDER BY id')
    .all()
    .map((row) => ({
      server: String(row['server']),
      at: Number(row['at']),
      ms: Number(row['ms']),
      how: String(row['how']),
    }));

const usesIn = (db: Database): readonly SavedUse[] =>
  db
    .prepare('SELECT workspace, server, at FROM uses')
    .all()
    .map((row) => ({ workspace: String(row['workspace']), server: String(row['server']), at: Number(row['at']) }));

const resolutionsIn = (db: Database): readonly SavedResolution[] =>
  db
    .prepare('SELECT key, server, program, package, version, newest, learned_at, checked_at FROM resolutions')
    .all()
    .map((row) => ({
      key: String(row['key']),
      server: String(row['server']),
      program: String(row['program']),
      package: String(row['package']),
      version: String(row['version']),
      newest: String(row['newest']),
      learnedAt: Number(row['learned_at']),
      checkedAt: Number(row['checked_at']),
    }));

/** @param flushWithin writes within so many milliseconds */
export const createWarmth = (
  connection: Pick<Connection, 'read'>,
  flushWithin: (milliseconds: number) => void,
  waitMs: number,
): Queue => {
  const starts = new Map<string, SavedStart[]>();
  const uses = new Map<string, SavedUse>();
  const resolutions = new Map<string, SavedResolution>();
  let newStarts: SavedStart[] = [];
  const newUses = new Set<string>();
  const newResolutions = new Set<string>();
  let isRead = false;

  const keepStart = (start: SavedStart): void => {
    const all = [...(starts.get(start.server) ?? []), start];
    starts.set(start.server, all.slice(-WARMTH_LIMITS.startsOfOne));
  };

  /** Once, when something is asked for; the tables are small. What memory knows by then is newer. */
  const ensureRead = (): void => {
    if (isRead) return;
    const found = connection.read((db) => ({
      starts: startsIn(db),
      uses: usesIn(db),
      resolutions: resolutionsIn(db),
    }));
    if (found === undefined) return;
    isRead = true;
    const own = [...starts.values()].flat();
    starts.clear();
    for (const start of [...found.starts, ...own]) keepStart(start);
    for (const use of found.uses) if (!uses.has(placeOf(use))) uses.set(placeOf(use), use);
    for (const one of found.resolutions)
      if (!resolutions.has(one.key) && !newResolutions.has(one.key)) resolutions.set(one.key, one);
  };

  return {
    recordStart(start) {
      ensureRead();
      keepStart(start);
      newStarts.push(start);
      newStarts = newStarts.slice(-WARMTH_LIMITS.starts);
      flushWithin(waitMs);
    },
    starts(server) {
      ensureRead();
      return [...(starts.get(server) ?? [])].reverse();
    },
    recordUse(use) {
      ensureRead();
      const id = placeOf(use);
      const before = uses.get(id);
      if (before !== undefined && Math.abs(use.at - before.at) < SAME_USE_MS) return;
      // At the end, as the newest.
      uses.delete(id);
      uses.set(id, use);
      for (const [old] of uses) if (uses.size > WARMTH_LIMITS.uses && !newUses.has(old)) uses.delete(old);
      newUses.add(id);
      flushWithin(waitMs);
    },
    uses(workspace) {
      ensureRead();
      return [...uses.values()].filter((use) => use.workspace === workspace).sort((one, other) => other.at - one.at);
    },
    resolution(key) {
      ensureRead();
      return resolutions.get(key);
    },
    resolutionOf(server) {
      ensureRead();
      return [...resolutions.values()]
        .filter((one) => one.server === server)
        .sort((one, other) => other.learnedAt - one.learnedAt)[0];
    },
    saveResolution(resolution) {
      ensureRead();
      resolutions.set(resolution.key, resolution);
      newResolutions.add(resolution.key);
      flushWithin(waitMs);
    },
    removeResolution(key) {
      ensureRead();
      resolutions.delete(key);
      newResolutions.add(key);
      flushWithin(waitMs);
    },
    write(db) {
      for (const { server, at, ms, how } of newStarts)
        db.prepare('INSERT INTO starts (server, at, ms, how) VALUES (?, ?, ?, ?)').run(server, at, ms, how);
      for (const id of newUses) {
        const use = uses.get(id);
        if (use !== undefined)
          db.prepare('INSERT OR REPLACE INTO uses (workspace, server, at) VALUES (?, ?, ?)').run(
            use.workspace,
            use.server,
            use.at,
          );
      }
      for (const key of newResolutions) {
        const one = resolutions.get(key);
        db.prepare('DELETE FROM resolutions WHERE key = ?').run(key);
        if (one !== undefined)
          db.prepare(
            `INSERT INTO resolutions (key, server, program, package, version, newest, learned_at, checked_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          ).run(key, one.server, one.program, one.package, one.version, one.newest, one.learnedAt, one.checkedAt);
      }
      trim(db);
    },
    written() {
      newStarts = [];
      newUses.clear();
      newResolutions.clear();
    },
    isWaiting: () => newStarts.length + newUses.size + newResolutions.size > 0,
  };
};

const trim = (db: Database): void => {
  db.prepare(
    `DELETE FROM starts WHERE id NOT IN (
       SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY server ORDER BY id DESC) AS place FROM starts)
       WHERE place <= ? ORDER BY id DESC LIMIT ?
     )`,
  ).run(WARMTH_LIMITS.startsOfOne, WARMTH_LIMITS.starts);
  db.prepare(
    `DELETE FROM uses WHERE (workspace, server) NOT IN (SELECT workspace, server FROM uses ORDER BY at DESC LIMIT ?)`,
  ).run(WARMTH_LIMITS.uses);
  db.prepare(
    'DELETE FROM resolutions WHERE key NOT IN (SELECT key FROM resolutions ORDER BY learned_at DESC LIMIT ?)',
  ).run(WARMTH_LIMITS.resolutions);
};
