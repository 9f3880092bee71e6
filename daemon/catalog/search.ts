// Which tools a task in plain words is about: keeps the index up to what callers see, and ranks for one of them.
import type { Tool } from '../../schema/tool.ts';
import type { ToolIndex } from '../store/store.ts';
import { documentOf } from './document.ts';
import { conceptsOf, namingOf, rank, withServer } from './rank.ts';
import type { NamedTool, ViewServer } from './view.ts';

export interface Match {
  readonly server: ViewServer;
  readonly tool: NamedTool;
  readonly score: number;
}

export interface SearchOptions {
  /** Called at the first search. */
  readonly index: () => ToolIndex;
  /** Lets others go on; awaited after every few tools that are indexed. */
  readonly pause: () => Promise<void>;
}

export interface Search {
  /** Best first, at most `count`; equal scores in order of server and name. Nothing but what is in `servers`. */
  (servers: readonly ViewServer[], query: string, count: number): Promise<readonly Match[]>;
  /** A listing was taken: indexed now where an older one of its key is, else when somebody searches it. */
  renew(key: string, tools: readonly Tool[]): Promise<void>;
}

interface Indexed {
  readonly tools: readonly Tool[];
  readonly idOf: ReadonlyMap<string, number>;
  /** The ids of a view's tools, in its order: a look at each name of ten thousand would cost more than all the rest. */
  readonly idsOf: WeakMap<readonly NamedTool[], Int32Array>;
}

/** A few milliseconds of work. */
const AT_ONCE = 20;

/** An agent may know the name already. */
const EXACT = 1_000_000;

const isNamed = ({ raw, script }: NamedTool, query: string): boolean =>
  (raw.length === query.length && raw.toLowerCase() === query) ||
  (script.length === query.length && script.toLowerCase() === query);

/** Behind all that are as good. */
const insert = (best: Match[], match: Match, count: number): void => {
  const place = best.findIndex(({ score }) => score < match.score);
  best.splice(place < 0 ? best.length : place, 0, match);
  if (best.length > count) best.pop();
};

export const createSearch = ({ index: open, pause }: SearchOptions): Search => {
  const indexed = new Map<string, Indexed>();
  let isWarm = false;
  let queue: Promise<unknown> = Promise.resolve();

  const put = async (key: string, tools: readonly Tool[]): Promise<void> => {
    const before = indexed.get(key);
    if (before?.tools === tools) return;
    const index = open();
    const idOf = new Map<string, number>();
    for (let at = 0; at < tools.length; at += AT_ONCE) {
      const some = tools.slice(at, at + AT_ONCE);
      const ids = index.add(some.map(documentOf));
      for (const [place, { name }] of some.entries()) idOf.set(name, ids[place] ?? 0);
      await pause();
    }
    isWarm = false;
    indexed.set(key, { tools, idOf, idsOf: new WeakMap() });
    if (before !== undefined) index.remove([...before.idOf.values()]);
  };

  /** So that no query waits for the words that many tools have: these take longest to look up. */
  const warm = async (): Promise<void> => {
    if (isWarm) return;
    const index = open();
    isWarm = true;
    for (const word of index.common()) {
      index.postings(word);
      await pause();
    }
  };

  const idsOf = ({ key, tools }: ViewServer): Int32Array => {
    const of = indexed.get(key);
    const ids = of?.idsOf.get(tools) ?? Int32Array.from(tools, ({ raw }) => of?.idOf.get(raw) ?? 0);
    of?.idsOf.set(tools, ids);
    return ids;
  };

  /** One after the other: two searches that begin together index a server once. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  };

  const search = async (servers: readonly ViewServer[], query: string, count: number): Promise<readonly Match[]> => {
    await inTurn(async () => {
      for (const { key, listing } of servers) if (listing !== undefined) await put(key, listing.tools);
      await warm();
    });
    const index = open();
    const { named, words: naming } = namingOf(
      servers.map(({ definition }) => definition.name),
      query,
    );
    const scores = rank({
      concepts: conceptsOf(query),
      naming,
      size: index.size,
      last: index.last,
      postings: (term, isPrefix) => index.postings(term, isPrefix),
    });
    const wanted = query.trim().toLowerCase();
    const best: Match[] = [];
    let least = 0;
    for (const [at, server] of servers.entries()) {
      const ids = idsOf(server);
      for (const [place, tool] of server.tools.entries()) {
        const found = withServer(scores[ids[place] ?? 0] ?? 0, named[at] ?? 0);
        const score = found + (isNamed(tool, wanted) ? EXACT : 0);
        if (score > least) {
          insert(best, { server, tool, score }, count);
          least = best.length < count ? 0 : (best.at(-1)?.score ?? 0);
        }
      }
    }
    return best;
  };

  return Object.assign(search, {
    renew: async (key: string, tools: readonly Tool[]) => {
      if (indexed.has(key)) await inTurn(() => put(key, tools));
    },
  });
};
