// Listings as rows: JSON text and its hash. Knows the columns, nothing of when they are written.
import { createHash } from 'node:crypto';
import type { Listing } from '../../schema/tool.ts';
import type { Database } from '../sqlite.ts';

/** What is compared and kept of a listing; when it was listed and how fresh it is stand beside it. */
export interface Encoded {
  readonly body: string;
  readonly hash: string;
}

export const encode = ({ key: _key, freshness: _freshness, listedAt: _listedAt, ...rest }: Listing): Encoded => {
  const body = JSON.stringify(rest);
  return { body, hash: createHash('sha256').update(body).digest('base64url') };
};

export interface SavedListing {
  readonly listing: Listing;
  readonly hash: string;
}

/** undefined for a row that is no listing: a later version's, or one that a fault changed. */
const decode = (row: Readonly<Record<string, unknown>>): SavedListing | undefined => {
  const { key, hash, freshness, listed_at: listedAt, body } = row;
  if (typeof key !== 'string' || typeof hash !== 'string' || typeof body !== 'string') return undefined;
  try {
    const rest = JSON.parse(body) as Omit<Listing, 'key' | 'freshness' | 'listedAt'> | null;
    if (!Array.isArray(rest?.tools) || !Array.isArray(rest.warnings)) return undefined;
    const listing: Listing = {
      ...rest,
      key,
      freshness: freshness === 'stale' ? 'stale' : 'cached',
      listedAt: Number(listedAt),
    };
    return { listing, hash };
  } catch {
    return undefined;
  }
};

/** @returns what can be used, and the keys of rows that cannot. */
export const readListings = (db: Database) => {
  const rows = db.prepare('SELECT * FROM listings ORDER BY rowid').all();
  const good: SavedListing[] = [];
  const bad: string[] = [];
  for (const row of rows) {
    const saved = decode(row);
    if (saved === undefined) bad.push(String(row['key']));
    else good.push(saved);
  }
  return { good, bad };
};

export const writeListing = (db: Database, { key, freshness, listedAt }: Listing, { body, hash }: Encoded): void => {
  db.prepare(
    `INSERT INTO listings (key, hash, freshness, listed_at, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET hash = excluded.hash, freshness = excluded.freshness,
       listed_at = excluded.listed_at, body = excluded.body`,
  ).run(key, hash, freshness === 'stale' ? 'stale' : 'cached', listedAt, body);
  writeSeen(db, key, listedAt);
};

/** Notes a listing as in use, unless that was noted after `before`. One that the file does not have is left alone. */
export const writeSeen = (db: Database, key: string, at: number, before = at): void => {
  db.prepare(
    `INSERT INTO seen (key, at) SELECT key, ? FROM listings WHERE key = ?
     ON CONFLICT (key) DO UPDATE SET at = excluded.at WHERE seen.at < ?`,
  ).run(at, key, before);
};

/** Keys of listings that were neither listed nor used since then. */
export const unusedSince = (db: Database, at: number): readonly string[] =>
  db
    .prepare('SELECT key FROM listings LEFT JOIN seen USING (key) WHERE max(listed_at, coalesce(seen.at, 0)) < ?')
    .all(at)
    .map(({ key }) => String(key));

export const removeListing = (db: Database, key: string): void => {
  db.prepare('DELETE FROM listings WHERE key = ?').run(key);
  db.prepare('DELETE FROM seen WHERE key = ?').run(key);
  db.prepare('DELETE FROM shapes WHERE key = ?').run(key);
};
