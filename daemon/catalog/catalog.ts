// All tools of all backing servers at one moment; immutable. A change makes the next catalog.
import type { Listing, Tool } from '../../schema/tool.ts';

export interface Catalog {
  /** Grows by one whenever some server's tools really changed. */
  readonly revision: number;
  /** By catalog key. */
  readonly listings: ReadonlyMap<string, Listing>;
}

/** What changed in one server between two revisions; `names` are raw names. */
export interface Change {
  readonly key: string;
  readonly server: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly altered: readonly string[];
  /** True where no listing of this server was known before: nobody was shown another one. */
  readonly first: boolean;
}

export const catalogOf = (listings: Iterable<Listing>): Catalog => ({
  revision: 1,
  listings: new Map([...listings].map((listing) => [listing.key, listing])),
});

/** JSON with sorted keys: two definitions that differ in key order alone are the same text. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

const isSame = (one: Tool, other: Tool): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other) || canonical(one) === canonical(other);

/** What a server's agent-visible list gained, lost and changed; undefined where it is the same. */
export const changeBetween = (before: Listing | undefined, after: Listing): Change | undefined => {
  const old = new Map(before?.tools.map((tool) => [tool.name, tool]));
  const fresh = new Map(after.tools.map((tool) => [tool.name, tool]));
  const added = [...fresh.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !fresh.has(name));
  const altered = [...fresh].flatMap(([name, tool]) => {
    const was = old.get(name);
    return was === undefined || isSame(was, tool) ? [] : [name];
  });
  const same = added.length + removed.length + altered.length === 0;
  return same && before !== undefined
    ? undefined
    : { key: after.key, server: after.server, added, removed, altered, first: before === undefined };
};

/** Two changes of one server as one; undefined where the second took back the first. What went and came back is altered. */
export const merged = (first: Change, second: Change): Change | undefined => {
  const without = (names: readonly string[], others: readonly string[]) =>
    names.filter((name) => !others.includes(name));
  const added = [...without(first.added, second.removed), ...without(second.added, first.removed)];
  const removed = [...without(first.removed, second.added), ...without(second.removed, first.added)];
  const back = first.removed.filter((name) => second.added.includes(name));
  const touched = new Set([...first.altered, ...second.altered, ...back]);
  const altered = without([...touched], [...added, ...removed]);
  if (added.length + removed.length + altered.length === 0) return undefined;
  return { ...second, added, removed, altered, first: first.first };
};

/** A list that is empty or broke off never takes the place of a good one, which stays and is marked stale. */
const better = (before: Listing | undefined, listed: Listing): Listing => {
  const isWorse = listed.tools.length === 0 || listed.freshness === 'stale';
  if (before === undefined || !isWorse || before.tools.length <= listed.tools.length) return listed;
  return { ...before, freshness: 'stale', warnings: listed.warnings };
};

/** Most names of removed tools that are remembered for one server. */
const REMOVED = 100;

/** Remembers which tools a server had: models go on calling what they were once shown. */
const withRemoved = (before: Listing | undefined, listing: Listing): Listing => {
  if (before === undefined || before === listing) return listing;
  const present = new Set(listing.tools.map(({ name }) => name));
  const had = [...before.tools.map(({ name }) => name), ...(before.removed ?? [])];
  const removed = had.filter((name) => !present.has(name)).slice(0, REMOVED);
  const { removed: _, ...rest } = listing;
  return removed.length === 0 ? rest : { ...rest, removed };
};

/** The catalog with this listing in it, and what that changed. Freshness alone does not make a new revision. */
export const withListing = (
  catalog: Catalog,
  listed: Listing,
): { catalog: Catalog; listing: Listing; change: Change | undefined } => {
  const before = catalog.listings.get(listed.key);
  const listing = withRemoved(before, better(before, listed));
  const change = changeBetween(before, listing);
  const listings = new Map(catalog.listings).set(listing.key, listing);
  return { catalog: { revision: catalog.revision + (change ? 1 : 0), listings }, listing, change };
};

/** One line for an agent, e.g. `catalog 12 → 13: +3 −1 in sqlx`; undefined when nothing that it sees changed. */
export const changeLine = (from: number, to: number, changes: readonly Change[]): string | undefined => {
  if (changes.length === 0) return undefined;
  const sums = new Map<string, { plus: number; minus: number; changed: number }>();
  for (const { server, added, removed, altered } of changes) {
    const sum = sums.get(server) ?? { plus: 0, minus: 0, changed: 0 };
    sums.set(server, {
      plus: sum.plus + added.length,
      minus: sum.minus + removed.length,
      changed: sum.changed + altered.length,
    });
  }
  const parts = [...sums].map(([server, { plus, minus, changed }]) => {
    const counts = [plus && `+${plus}`, minus && `−${minus}`, changed && `~${changed}`].filter(Boolean);
    return `${counts.join(' ') || 'renewed'} in ${server}`;
  });
  return `catalog ${from} → ${to}: ${parts.join(', ')}`;
};
