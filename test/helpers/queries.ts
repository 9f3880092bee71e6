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

export const readQueries = (): readonly Labelled[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'golden', 'search', 'queries.json'), 'utf8')) as Labelled[];
