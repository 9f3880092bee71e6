// All workspaces: which definitions apply at each root, and which of them are watched.
import { messageOf } from '../../schema/errors.ts';
import type { Suggestion } from '../../schema/status.ts';
import type { Log } from '../log.ts';
import { settledWithin } from '../scope.ts';
import type { Applied, Definitions, IsSame, Sources } from './applied.ts';
import type { Dependency } from './dependency.ts';
import type { Own } from './own.ts';
import type { Finding } from './survey/survey.ts';
import type { Surveyor } from './survey/surveyor.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export interface WorkspacesOptions {
  readonly surveyor: Surveyor;
  /** What was found at a root in an earlier life. */
  readonly kept: (root: string) => readonly Finding[];
  readonly save: (root: string, findings: readonly Finding[]) => void;
  readonly sources: () => Omit<Sources, 'own'>;
  readonly ownOf: (root: string) => Own;
  readonly isSame: (root: string) => IsSame;
  readonly environment: () => Readonly<Record<string, string>>;
  /** The lockfiles or manifests of a root say something else than before. */
  readonly onFiles: (root: string) => void;
  /** Something else applies at some root. */
  readonly onChange: (root: string) => void;
  /** The system has no more watches to give. */
  readonly onPolling: (reason: string) => void;
  readonly log: Log;
}

export interface Workspaces extends AsyncDisposable {
  /** From memory. The same object while nothing changed. Without a root: those of the config. */
  definitions(root: string | null): Definitions;
  applied(root: string): Applied;
  dependencies(root: string): readonly Dependency[];
  /** Servers of a root's own that wait for the person's trust, as far as its files were read. */
  waiting(root: string | null): number;
  /** Well-known servers that would be of use there, from memory. */
  suggestions(root: string): readonly Suggestion[];
  /** Resolves when what applies at a root is known, or after `milliseconds`. */
  known(root: string | null, milliseconds: number): Promise<void>;
  /** Resolves when no predicate of a root waits for its command any more. */
  settled(root: string): Promise<void>;
  /** Watches a root as long as somebody holds it, from a moment after on. A holder has one root at a time. */
  hold(holder: string, root: string | null): void;
  release(holder: string): void;
  /** Reads the files of a root again. */
  refresh(root: string): Promise<void>;
  /** Of the roots that somebody holds; a sentence each. */
  problems(): readonly string[];
  /** Each root once. */
  held(): readonly string[];
}

/** Roots remembered that nobody holds. */
const REMEMBERED = 64;
/** The agent's first questions are answered before its files are looked after: both need the same cores. */
const AFTER_MS = 500;

export const createWorkspaces = (options: WorkspacesOptions & { readonly config: () => Definitions }): Workspaces => {
  const { config, log } = options;
  const places = new Map<string, Workspace>();
  const rootOf = new Map<string, string>();
  const starting = new Map<string, NodeJS.Timeout>();
  let closed = false;

  const isHeld = (root: string): boolean => [...rootOf.values()].includes(root);

  const forgetSome = (): void => {
    for (const [root, place] of places) {
      if (places.size <= REMEMBERED + rootOf.size) return;
      if (isHeld(root)) continue;
      places.delete(root);
      void place[Symbol.asyncDispose]();
    }
  };

  const placeOf = (root: string): Workspace => {
    const found = places.get(root);
    if (found !== undefined) return found;
    const place = createWorkspace({
      root,
      surveyor: options.surveyor,
      kept: options.kept(root),
      save: (findings) => options.save(root, findings),
      sources: options.sources,
      own: options.ownOf(root),
      isSame: options.isSame(root),
      environment: options.environment,
      onFiles: () => closed || options.onFiles(root),
      onChange: () => closed || options.onChange(root),
      onPolling: options.onPolling,
      log,
    });
    places.set(root, place);
    forgetSome();
    return place;
  };

  const quietly = (root: string, work: Promise<unknown>): void =>
    void work.catch((error: unknown) => log('workspace.failed', { root, error: messageOf(error) }));

  const begin = (root: string): void => {
    const timer = setTimeout(() => {
      starting.delete(root);
      quietly(root, placeOf(root).watch());
    }, AFTER_MS);
    starting.set(root, timer.unref());
  };

  const release = (holder: string): void => {
    const root = rootOf.get(holder);
    if (root === undefined) return;
    rootOf.delete(holder);
    if (isHeld(root)) return;
    clearTimeout(starting.get(root));
    starting.delete(root);
    quietly(root, placeOf(root).rest());
  };

  return {
    definitions: (root) => (root === null ? config() : placeOf(root).applied().definitions),
    applied: (root) => placeOf(root).applied(),
    dependencies: (root) => placeOf(root).dependencies(),
    waiting: (root) => (root === null ? 0 : placeOf(root).waiting()),
    suggestions: (root) => placeOf(root).suggestions(),
    known: async (root, milliseconds) => {
      if (root !== null) await settledWithin(milliseconds, placeOf(root).known());
    },
    hold: (holder, root) => {
      if (closed || rootOf.get(holder) === root) return;
      release(holder);
      if (root === null) return;
      const isFirst = !isHeld(root);
      rootOf.set(holder, root);
      if (isFirst) begin(root);
    },
    release,
    settled: (root) => placeOf(root).settled(),
    refresh: (root) => placeOf(root).refresh(),
    problems: () => [...new Set(rootOf.values())].flatMap((root) => placeOf(root).problems()),
    held: () => [...new Set(rootOf.values())],
    [Symbol.asyncDispose]: async () => {
      closed = true;
      for (const timer of starting.values()) clearTimeout(timer);
      await options.surveyor[Symbol.asyncDispose]();
      await Promise.all([...places.values()].map((place) => place[Symbol.asyncDispose]()));
    },
  };
};
