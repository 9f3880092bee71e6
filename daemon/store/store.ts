// What the daemon keeps in SQLite. Cache may be lost at any time; user data (choices) never.
import type { Listing } from '../../schema/tool.ts';
import type { CallStatus } from '../../schema/wire.ts';
import type { SavedShape } from './shapes.ts';

export interface Store extends Disposable {
  /** `disk`, or one sentence on why the daemon works from memory. */
  readonly health: string;
  /** Every listing of the cache, freshness `cached` (or `stale`, as it was saved). */
  listings(): readonly Listing[];
  /** Keeps a listing; does nothing in the database when nothing but `listedAt` and freshness differs from the saved one. */
  saveListing(listing: Listing): void;
  /** Forgets listings not in `keys` that are older than 30 days. */
  pruneListings(keys: ReadonlySet<string>): void;
  /** The learned return types of one listing's tools. */
  shapes(key: string): readonly SavedShape[];
  /** Keeps one in place of what was known of that tool; on disk within about a second. */
  saveShape(shape: SavedShape): void;
  removeShape(key: string, tool: string): void;
  recordCall(call: CallStatus): void;
  /** Newest first. */
  recentCalls(count: number): readonly CallStatus[];
}
