// What people ask for over the servers of test/corpus, and the tools that do it: the labels that search is measured by.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Labelled {
  /** A task in the words of a user or an agent, never the tool's name. */
  readonly query: string;
  /** The file of the corpus, without `.json`. */
  readonly server: string;
  /** Raw names, any of which does the task. */
  readonly tools: readonly string[];
}

/** The sets of test/golden/search, by file name; what each may be used for stands in the README there. */
export const QUERY_SETS = ['tuned', 'fresh', 'held-out'] as const;
export type QuerySet = (typeof QUERY_SETS)[number];

export const readQueries = (set: QuerySet): readonly Labelled[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'golden', 'search', `${set}.json`), 'utf8')) as Labelled[];
