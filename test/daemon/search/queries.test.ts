// The labelled sets themselves: real tools, enough of them, and no query that gives the name away.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type QuerySet, readQueries } from '../../helpers/queries.ts';

const CORPUS = join(import.meta.dirname, '..', '..', 'corpus');

/** `list_Bases` → `listbases`: the words of a text glued together. */
const glued = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('');

const namesOf = (server: string): ReadonlySet<string> => {
  const { tools } = JSON.parse(readFileSync(join(CORPUS, `${server}.json`), 'utf8')) as { tools: { name: string }[] };
  return new Set(tools.map(({ name }) => name));
};

const LEAST: readonly (readonly [QuerySet, number])[] = [
  ['tuned', 80],
  ['fresh', 75],
  ['held-out', 75],
];

describe.each(LEAST)('%s.json', (set, least) => {
  const queries = readQueries(set);

  test(`asks at least ${least} things of at least 30 servers, each once`, () => {
    expect(queries.length).toBeGreaterThanOrEqual(least);
    expect(new Set(queries.map(({ server }) => server)).size).toBeGreaterThanOrEqual(30);
    expect(new Set(queries.map(({ query }) => query)).size).toBe(queries.length);
  });

  test('labels one to three tools that exist', () => {
    const odd = queries.filter(
      ({ server, tools }) => tools.length < 1 || tools.length > 3 || tools.some((name) => !namesOf(server).has(name)),
    );
    expect(odd).toEqual([]);
  });

  test('never holds the name of a labelled tool, nor its words glued together', () => {
    const told = queries.filter(({ query, tools }) => tools.some((name) => glued(query).includes(glued(name))));
    expect(told).toEqual([]);
  });
});

test('no task is asked in two sets', () => {
  const all = LEAST.flatMap(([set]) => readQueries(set).map(({ query }) => query));
  expect(new Set(all).size).toBe(all.length);
});
