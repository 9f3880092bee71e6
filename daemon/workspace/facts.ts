// What predicates ask of the system about one root.
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Commands } from './commands.ts';
import type { Dependency } from './dependency.ts';
import type { Offer } from './offer.ts';
import type { Facts } from './predicate/evaluate.ts';
import { leavesOf, type Predicate } from './predicate/predicate.ts';

export interface FactsOptions {
  readonly root: string;
  readonly dependencies: readonly Dependency[];
  readonly environment: Readonly<Record<string, string>>;
  readonly commands: Commands;
}

/** As Symposium does: a name without `/` is looked for below the root, then as a program. */
const pathExists = (path: string, root: string, searchPath: string): boolean => {
  if (isAbsolute(path) || path.includes('/')) return existsSync(isAbsolute(path) ? path : join(root, path));
  return (
    existsSync(join(root, path)) ||
    searchPath.split(':').some((folder) => folder !== '' && existsSync(join(folder, path)))
  );
};

/** Each path is looked for once. */
export const factsOf = ({
  root,
  dependencies,
  environment,
  commands,
}: FactsOptions): ((offer: Pick<Offer, 'root' | 'customs'>) => Facts) => {
  const paths = new Map<string, boolean>();
  const exists = (path: string): boolean => {
    const known = paths.get(path) ?? pathExists(path, root, environment['PATH'] ?? '');
    paths.set(path, known);
    return known;
  };
  return (offer) => ({
    dependencies,
    environment,
    isMember: offer.root === root,
    pathExists: exists,
    ran: (leaf) => commands.ran(leaf, offer.customs),
  });
};

/** Paths below the root that a gate asks for. */
export const pathsAskedBy = (gates: readonly (Predicate | undefined)[]): readonly string[] =>
  gates
    .flatMap((gate) => (gate === undefined ? [] : leavesOf(gate)))
    .flatMap((leaf) => (leaf.kind === 'path-exists' && !isAbsolute(leaf.path) ? [leaf.path] : []));
