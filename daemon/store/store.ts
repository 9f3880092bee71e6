// What the daemon keeps in SQLite. Cache may be lost at any time; user data (choices) never.
import type { Listing } from '../../schema/tool.ts';
import type { TrustedServer } from '../../schema/trust.ts';
import type { CallStatus, RunCall } from '../../schema/wire.ts';
import type { SavedRun } from './runs/runs.ts';
import type { SavedShape } from './shapes.ts';
import type { Surveys } from './surveys.ts';
import type { Warmth } from './warmth.ts';

export type { SavedUse, Warmth } from './warmth.ts';

/** What of a tool is searched: texts of words with spaces between them. */
export interface ToolDocument {
  readonly name: string;
  readonly title: string;
  /** The first sentence of the description. */
  readonly lead: string;
  /** The rest of it. */
  readonly body: string;
  readonly parameters: string;
}

/** Who has a term, and how much that says (BM25; more is better). The arrays belong together and are only read. */
export interface Postings {
  readonly ids: Int32Array;
  readonly scores: Float32Array;
}

/** In memory, built again in each life of the daemon. Synchronous: whoever adds much does so in parts. */
export interface ToolIndex extends Disposable {
  /** Documents in it. */
  readonly size: number;
  /** The greatest id so far. */
  readonly last: number;
  /** Gives their ids, in order, from 1; ids are never used again. */
  add(documents: readonly ToolDocument[]): readonly number[];
  remove(ids: readonly number[]): void;
  /** Words that many documents have and whose postings were not asked for yet: worth asking ahead, they take longest. */
  common(): readonly string[];
  /** Of any text: a word in any of its forms, or words in a row; a prefix where asked. Never throws. */
  postings(term: string, isPrefix?: boolean): Postings;
}

export interface Store extends Surveys, Disposable {
  /** What is known of starting servers; on disk within about a second. */
  readonly warmth: Warmth;
  /** Opened by whoever first asks, empty; closed with the store. */
  toolIndex(): ToolIndex;
  /** `disk`, or one sentence on why the daemon works from memory. */
  readonly health: string;
  /** Every listing of the cache, freshness `cached` (or `stale`, as it was saved). */
  listings(): readonly Listing[];
  /** Keeps a listing; does nothing in the database when nothing but `listedAt` and freshness differs from the saved one. */
  saveListing(listing: Listing): void;
  /** Notes that these are in use, which keeps them; on disk within about a second. */
  useListings(keys: Iterable<string>): void;
  /** Forgets listings that were neither listed nor used for 30 days. */
  pruneListings(): void;
  /** The learned return types of one listing's tools. */
  shapes(key: string): readonly SavedShape[];
  /** Keeps one in place of what was known of that tool; on disk within about a second. */
  saveShape(shape: SavedShape): void;
  removeShape(key: string, tool: string): void;
  /** Raw names of a definition's tools whose calls run for one session at a time: nobody knew whom they ask. */
  marked(key: string): ReadonlySet<string>;
  /** Keeps them as such, on disk when it returns. */
  mark(key: string, tools: Iterable<string>): void;
  recordCall(call: CallStatus): void;
  /** Newest first. */
  recentCalls(count: number): readonly CallStatus[];
  /** A number that no run ever had, in this life or, where the database is used, in an earlier one. */
  nextRun(): number;
  /** Keeps what is known of a run in place of what was; on disk within about 0.1 s. */
  saveRun(run: SavedRun): void;
  /** Keeps one call of a run; on disk within about a second. @param place in the run, from 0 */
  saveRunCall(run: string, place: number, call: RunCall): void;
  /** What the disk has of a run, written or still to be written. */
  findRun(id: string): { readonly run: SavedRun; readonly trace: readonly RunCall[] } | undefined;
  /** Newest first. */
  recentRuns(count: number): readonly SavedRun[];
  /** Keeps the result (JSON) of a run, on disk when it returns; false where it is larger than an entry may be. */
  keepResult(runId: string, workspace: string, body: string): boolean;
  /** JSON; undefined where that workspace has none under this number. */
  result(runId: string, workspace: string): string | undefined;
}

/** Values of scripts, as JSON, by key; each workspace (its root, empty for none) has its own. Every method throws MetadError. */
export interface Choices extends Disposable {
  /** JSON; undefined where nothing has that key. */
  get(workspace: string, key: string): string | undefined;
  /** On disk when it returns: it outlives the process however that ends; a power cut may take the last moments. */
  set(workspace: string, key: string, json: string): void;
  /** Whether there was one. */
  delete(workspace: string, key: string): boolean;
  /** Sorted by code units. */
  keys(workspace: string, prefix: string): readonly string[];
  readonly trusts: Trusts;
  readonly pins: Pins;
}

/** Commits of registries that a person said yes to. Every method throws MetadError. */
export interface Pins {
  /** Undefined where none of this source was ever taken. */
  get(name: string, source: string): string | undefined;
  /** @param at milliseconds since 1970 */
  set(name: string, source: string, commit: string, at: number): void;
  /** Forgets all others. */
  keep(names: readonly string[]): void;
}

/** What of workspaces' own files a person trusted. Every method throws MetadError. */
export interface Trusts {
  /** Several contents of one server may be there: branches differ. */
  of(root: string): readonly TrustedServer[];
  /** Adds these, all or none; on disk when it returns. */
  add(root: string, servers: readonly TrustedServer[]): void;
  /** Forgets all of a root; gives how many there were. */
  revoke(root: string): number;
}
