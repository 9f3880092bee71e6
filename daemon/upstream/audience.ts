// Who uses one instance: the live sessions that have called it, with the workspace root of each. Pure.
import type { Owner } from './contract.ts';

export interface Audience {
  readonly size: number;
  has(session: string): boolean;
  sessions(): readonly string[];
  /** The same with their roots. */
  owners(): readonly Owner[];
  /** Each root once, in the order in which they came. */
  roots(): readonly string[];
  /** True where `roots` gives others than before. */
  set(session: string, root: string | null): boolean;
  /** Likewise. */
  delete(session: string): boolean;
}

const distinct = (roots: Iterable<string | null>): readonly string[] => [
  ...new Set([...roots].filter((root) => root !== null)),
];

export const createAudience = (): Audience => {
  const rootOf = new Map<string, string | null>();
  const changes = (change: () => void): boolean => {
    const before = distinct(rootOf.values());
    change();
    const after = distinct(rootOf.values());
    return before.length !== after.length || before.some((root) => !after.includes(root));
  };
  return {
    get size() {
      return rootOf.size;
    },
    has: (session) => rootOf.has(session),
    sessions: () => [...rootOf.keys()],
    owners: () => [...rootOf].map(([session, root]) => ({ session, root })),
    roots: () => distinct(rootOf.values()),
    set: (session, root) => changes(() => rootOf.set(session, root)),
    delete: (session) => changes(() => rootOf.delete(session)),
  };
};
