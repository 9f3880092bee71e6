// What every lockfile of npm's clients comes down to, and how it is put together with manifests.
import type { Dependency } from '../../../dependency.ts';
import { EMPTY, type Manifest } from './manifest.ts';
import { homeOf, isLocal, nameBehind, type Package } from './package.ts';

export interface Lock {
  /**
   * The folders of the workspace with what each asks for, the root's under the empty path, where the lockfile keeps
   * copies of their manifests; else undefined, and the manifests are read.
   */
  readonly members: ReadonlyMap<string, Manifest> | undefined;
  /** What a member's `"name": "range"` was resolved to; undefined where the lockfile does not say. */
  resolve(member: string, name: string, range: string): Package | undefined;
  /** All that it holds, what is direct too. */
  readonly held: readonly Package[];
}

export const NO_LOCK: Lock = { members: undefined, resolve: () => undefined, held: [] };

const directOf = (member: string, manifest: Manifest, lock: Lock): readonly Package[] => {
  const found: Package[] = [];
  for (const [name, range] of manifest.wanted) {
    const real = nameBehind(name, range);
    found.push((isLocal(range) ? undefined : lock.resolve(member, name, range)) ?? { name: real, version: null });
  }
  for (const [name, range] of manifest.peers) {
    if (manifest.wanted.has(name) || isLocal(range)) continue;
    const resolved = lock.resolve(member, name, range);
    if (resolved !== undefined && resolved.version !== null) found.push(resolved); // else nobody installed it
  }
  return found;
};

const keyOf = ({ name, version }: Package): string => `${name}@${version}`;

/** By code units, so that no locale decides. */
const compare = ([left]: readonly [string, Package], [right]: readonly [string, Package]): number =>
  left < right ? -1 : left > right ? 1 : 0;

/**
 * Direct dependencies member by member, then what is held beside them, each once and sorted.
 * @param manifests what each folder asks for, the root under the empty path
 */
export const dependenciesOf = (manifests: ReadonlyMap<string, Manifest>, lock: Lock): readonly Dependency[] => {
  const named = new Set<string>();
  const all: Dependency[] = [];
  const add = (found: readonly Package[], direct: boolean, member: string): void => {
    const unique = new Map(found.map((one) => [keyOf(one), one]));
    for (const [, one] of [...unique].sort(compare))
      all.push({ ...homeOf(one.name), version: one.version, direct, member });
  };
  const members = [...manifests.keys()].sort();
  for (const member of members) {
    const direct = directOf(member, manifests.get(member) ?? EMPTY, lock);
    for (const one of direct) named.add(keyOf(one));
    add(direct, true, member);
  }
  add(
    lock.held.filter((one) => !named.has(keyOf(one))),
    false,
    '',
  );
  return all;
};
