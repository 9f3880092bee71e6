// What Poetry, PDM and pylock.toml have in common: a list of packages with names and versions, and one project.

import type { Dependency } from '../../../dependency.ts';
import type { Thinning } from '../../parts/documents.ts';
import { createTally, versionsOf } from '../../parts/tally.ts';
import { listAt, textAt } from '../../parts/values.ts';
import type { Files } from '../../reader.ts';
import { normalize } from './pypi.ts';

const LOCKS = /^(?:(?:uv|poetry|pdm|Pipfile)\.lock|pylock(?:\.[^.]+)?\.toml)$/;

/** Archives of packages, and their hashes: most of each of these lockfiles. */
export const withoutArchives = (): Thinning => (line) => {
  if (line.startsWith('sdist = ')) return 'line';
  return line.startsWith('wheels = [') || line.startsWith('files = [') ? 'list' : 'keep';
};

/** Whether a lockfile lies in the root: beside it, manifests and lists of requirements alone say less, or what was once. */
export const isPythonLocked = (files: Files): boolean => files.names('').some((name) => LOCKS.test(name));

/** Packages of a list of tables, names by PEP 503. PDM repeats a package for its extras. */
export const packagesIn = (lock: unknown, key: string): readonly (readonly [name: string, version: string | null])[] =>
  listAt(lock, key).flatMap((entry) => {
    const name = textAt(entry, 'name');
    return name === undefined ? [] : [[normalize(name), textAt(entry, 'version') ?? null] as const];
  });

/** Dependencies of a root without members: `needs` are direct, with every version that the lock has of them. */
export const withDirect = (
  packages: readonly (readonly [name: string, version: string | null])[],
  needs: Iterable<string>,
): readonly Dependency[] => {
  const versions = versionsOf(packages);
  const tally = createTally('pypi');
  for (const need of needs) tally.direct(need, '', versions.get(need));
  for (const [name, version] of packages) tally.locked(name, version);
  return tally.list();
};
