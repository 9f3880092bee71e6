// What one reader found, put together: direct dependencies first, then what the lockfile holds beside them.
import type { Dependency, Ecosystem } from '../../dependency.ts';

export interface Tally {
  /**
   * A manifest in the folder `member` names it; `versions` are what the lockfile has for it there, often one. Without any
   * it counts as of unknown version, unless it is named there once more with one.
   */
  direct(name: string, member: string, versions?: Iterable<string | null>): void;
  /** The lockfile holds it. */
  locked(name: string, version: string | null): void;
  /** Each direct dependency once a member and version, in the order found; then locked ones that are none of them. */
  list(): readonly Dependency[];
}

export const createTally = (ecosystem: Ecosystem): Tally => {
  const direct = new Map<string, Dependency>();
  const locked = new Map<string, Dependency>();
  /** Names with each version; the bare name too, which is what a lockfile without a version has to match. */
  const named = new Set<string>();
  /** Member and name of those whose version is known: one of unknown version would be in every range. */
  const versioned = new Set<string>();
  const key = (...parts: readonly string[]): string => parts.join('\0');
  return {
    direct: (name, member, versions = []) => {
      const known = [...versions];
      for (const version of known.length === 0 ? [null] : known) {
        direct.set(key(member, name, version ?? ''), { ecosystem, name, version, direct: true, member });
        if (version !== null) versioned.add(key(member, name));
        named.add(key(name, version ?? '')).add(key(name, ''));
      }
    },
    locked: (name, version) => {
      locked.set(key(name, version ?? ''), { ecosystem, name, version, direct: false, member: '' });
    },
    list: () => [
      ...[...direct.values()].filter(
        ({ name, version, member }) => version !== null || !versioned.has(key(member, name)),
      ),
      ...[...locked].filter(([id]) => !named.has(id)).map(([, dependency]) => dependency),
    ],
  };
};

/** Items by a key of theirs. */
export const groupBy = <K, T>(items: Iterable<T>, keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> => {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
};

/** Names to all versions that a lockfile holds of them. */
export type Versions = ReadonlyMap<string, ReadonlySet<string>>;

export const versionsOf = (packages: Iterable<readonly [name: string, version: string | null]>): Versions => {
  const found = new Map<string, Set<string>>();
  for (const [name, version] of packages) {
    const versions = found.get(name) ?? new Set();
    if (version !== null) versions.add(version);
    found.set(name, versions);
  }
  return found;
};
