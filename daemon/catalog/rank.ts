// How well tools fit a task in plain words: BM25 over its words and their synonyms, more for those that cover more of it.
import type { Postings } from '../store/store.ts';
import { synonymsOf } from './synonyms.ts';
import { rootOf, STOP_WORDS, wordsOf, writtenIn } from './words.ts';

/** One thing that a task mentions. */
export interface Concept {
  readonly word: string;
  readonly synonyms: readonly string[];
}

const MOST_CHARACTERS = 2000;
const MOST_WORDS = 32;
const SYNONYM = 0.7;
/** A hit on part of a word, where the word itself is nobody's. */
const PART = 0.6;
const SHORTEST_PART = 4;
/** How much of the rarity of a word is covered by a synonym of it. */
const COVERED_BY_SYNONYM = 0.9;
/** A tool of a server that the task names counts this much more, and something even where no word of it fits. */
const NAMED_SERVER = 3;
const OF_NAMED_SERVER = 7;
const MOST_NAMED = 1.5;
/** A word that names at most so many servers has done its part by that: which of their tools, it hardly says. */
const FEW_SERVERS = 4;
const NAME_AS_WORD = 0.5;
/** How much it costs not to have all that the task mentions; 0 is nothing. */
const COVERAGE = 0.7;

const NOISE = new Set(['mcp', 'server', 'api', 'js', 'cli']);

/** Who does for what is done: a linter lints, a profiler profiles. */
const deedsOf = (word: string): readonly string[] =>
  /^[a-z]{4,}[eo]r$/.test(word) ? [word.slice(0, -2), word.slice(0, -1)] : [];

/** Its words without those that say nothing, or all where none does; pairs that are a phrase of the table beside them. */
export const conceptsOf = (query: string): readonly Concept[] => {
  const written = writtenIn(query.slice(0, MOST_CHARACTERS));
  const telling = written.filter(({ word }) => !STOP_WORDS.has(word));
  const pairs = written.slice(1).map(({ word }, at) => `${written[at]?.word} ${word}`);
  const concepts = new Map<string, Concept>();
  for (const word of pairs) if (synonymsOf(word).length > 0) concepts.set(word, { word, synonyms: synonymsOf(word) });
  for (const { word, parts } of telling.length > 0 ? telling : written) {
    const apart = parts.length > 1 ? [parts.join(' ')] : [];
    const others = [...apart, ...synonymsOf(word), ...deedsOf(word)];
    concepts.set(word, { word, synonyms: [...new Set(others)] });
  }
  return [...concepts.values()].slice(0, MOST_WORDS);
};

export interface Naming {
  /** For each name, how surely the task speaks of that server: a word that few names have says more. */
  readonly named: readonly number[];
  /** Words of the task, in their root, that name one or a few servers. */
  readonly words: ReadonlySet<string>;
}

export const namingOf = (names: readonly string[], query: string): Naming => {
  const wanted = new Set(
    wordsOf(query.slice(0, MOST_CHARACTERS))
      .filter((word) => !STOP_WORDS.has(word))
      .map(rootOf),
  );
  const words = names.map(
    (name) =>
      new Set(
        wordsOf(name)
          .filter((word) => !NOISE.has(word))
          .map(rootOf),
      ),
  );
  const having = new Map<string, number>();
  for (const own of words) for (const word of own) having.set(word, (having.get(word) ?? 0) + 1);
  const weight = (word: string) => Math.log(1 + names.length / (having.get(word) ?? 1)) / Math.log(1 + names.length);
  return {
    named: words.map((own) =>
      Math.min(
        MOST_NAMED,
        [...own].reduce((sum, word) => sum + (wanted.has(word) ? weight(word) : 0), 0),
      ),
    ),
    words: new Set([...wanted].filter((word) => (having.get(word) ?? Infinity) <= FEW_SERVERS)),
  };
};

/** For a word that nobody has: words that begin with it (`repo`), else the longest of its own beginnings that is one (`crontab`). */
const nearest = (word: string, postings: (term: string, isPrefix?: boolean) => Postings): Postings => {
  const begun = word.length < SHORTEST_PART ? postings(word) : postings(word, true);
  for (let length = Math.min(word.length - 1, 20); begun.ids.length === 0 && length >= SHORTEST_PART; length -= 1) {
    const part = postings(word.slice(0, length));
    if (part.ids.length > 0) return part;
  }
  return begun;
};

/** Numbers by id, 0 where there is none, and which ids have one: few of all, so that nobody walks through the rest. */
interface Scores {
  readonly of: Float64Array;
  readonly ids: number[];
}

const scoresFor = (last: number): Scores => ({ of: new Float64Array(last + 1), ids: [] });

const add = ({ of, ids }: Scores, id: number, score: number): void => {
  const before = of[id] ?? 0;
  if (before === 0 && score > 0) ids.push(id);
  of[id] = before + score;
};

const clear = ({ of, ids }: Scores): void => {
  for (const id of ids) of[id] = 0;
  ids.length = 0;
};

const addAll = (scores: Scores, postings: Postings, factor: number): void => {
  for (let at = 0; at < postings.ids.length; at += 1)
    add(scores, postings.ids[at] ?? 0, factor * (postings.scores[at] ?? 0));
};

const raiseAll = (scores: Scores, postings: Postings, factor: number): void => {
  for (let at = 0; at < postings.ids.length; at += 1) {
    const id = postings.ids[at] ?? 0;
    add(scores, id, Math.max(0, factor * (postings.scores[at] ?? 0) - (scores.of[id] ?? 0)));
  }
};

export interface RankOptions {
  readonly concepts: readonly Concept[];
  /** Of `namingOf`. */
  readonly naming: ReadonlySet<string>;
  readonly size: number;
  /** The greatest id there is: what is added up is kept by id. */
  readonly last: number;
  readonly postings: (term: string, isPrefix?: boolean) => Postings;
}

/** Scores by id, 0 where a tool has none of the words; before `withServer`. */
export const rank = ({ concepts, naming, size, last, postings }: RankOptions): Float64Array => {
  const sums = scoresFor(last);
  const scores = scoresFor(last);
  const covered = new Float64Array(last + 1);
  let whole = 0;
  for (const { word, synonyms } of concepts) {
    const own = postings(word);
    const others = synonyms.map((synonym) => postings(synonym)).filter(({ ids }) => ids.length > 0);
    const found = own.ids.length === 0 && others.length === 0 ? nearest(word, postings) : own;
    if (found.ids.length === 0 && others.length === 0) continue;
    clear(scores);
    for (const other of others) addAll(scores, other, SYNONYM);
    raiseAll(scores, found, found === own ? 1 : PART);
    const share = naming.has(rootOf(word)) ? NAME_AS_WORD : 1;
    const rarity = share * Math.log(1 + (size - own.ids.length + 0.5) / (own.ids.length + 0.5));
    whole += rarity;
    for (const id of scores.ids) {
      add(sums, id, share * (scores.of[id] ?? 0));
      covered[id] = (covered[id] ?? 0) + rarity * COVERED_BY_SYNONYM;
    }
    for (const id of own.ids) covered[id] = (covered[id] ?? 0) + rarity * (1 - COVERED_BY_SYNONYM);
  }
  for (const id of sums.ids) sums.of[id] = (sums.of[id] ?? 0) * ((covered[id] ?? 0) / whole) ** COVERAGE;
  return sums.of;
};

/** @param named what `namingOf` says of the tool's server */
export const withServer = (score: number, named: number): number =>
  score * (1 + NAMED_SERVER * named) + OF_NAMED_SERVER * named;
