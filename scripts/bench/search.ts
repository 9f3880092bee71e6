// How well and how fast tools are found by what they do: over the labelled set, and over ever more tools.
import { setImmediate } from 'node:timers/promises';
import { createSearch } from '../../daemon/catalog/search.ts';
import type { ViewServer } from '../../daemon/catalog/view.ts';
import { loadDriver } from '../../daemon/sqlite.ts';
import { openToolIndex } from '../../daemon/store/search/tool-index.ts';
import { type Labelled, QUERY_SETS, type QuerySet, readQueries } from '../../test/helpers/queries.ts';
import { corpusView, placeOf, qualityOf, type Ranked, viewServer } from '../../test/helpers/ranking.ts';
import { type Measure, quantile, type Row, timed } from './harness.ts';

const PLACES = 50;

const KNOWN: Readonly<Record<QuerySet, string>> = {
  tuned: 'known while the synonyms were written',
  fresh: 'written blind, then tuned on',
  'held-out': 'written before tuning and never tuned on',
};

/** How many of the words of a task stand anywhere in the name or the description. */
const bySubstring = (servers: readonly ViewServer[], query: string): readonly Ranked[] => {
  const words = query.toLowerCase().split(/\s+/);
  return servers
    .flatMap(({ definition, tools }) =>
      tools.map(({ raw, tool }) => {
        const text = `${raw} ${tool.description ?? ''}`.toLowerCase();
        return { server: definition.name, raw, hits: words.filter((word) => text.includes(word)).length };
      }),
    )
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits)
    .slice(0, PLACES);
};

/** The corpus again and again under other names, until there are this many tools. */
const repeated = (servers: readonly ViewServer[], count: number): readonly ViewServer[] => {
  const result: ViewServer[] = [];
  let left = count;
  for (let round = 0; left > 0; round += 1) {
    for (const { definition, tools } of servers) {
      if (left <= 0) break;
      const some = tools.slice(0, left);
      left -= some.length;
      result.push(viewServer(round === 0 ? definition.name : `${definition.name}-${round}`, some));
    }
  }
  return result;
};

const measureSize = async (servers: readonly ViewServer[], queries: readonly Labelled[], count: number) => {
  using index = openToolIndex(loadDriver());
  let since = performance.now();
  let stretch = 0;
  const pause = async () => {
    stretch = Math.max(stretch, performance.now() - since);
    await setImmediate();
    since = performance.now();
  };
  const search = createSearch({ index: () => index, pause });
  const view = repeated(servers, count);
  const build = await timed(() => search(view, '', 1));
  const run = async () => {
    const took: number[] = [];
    for (const { query } of queries) took.push(await timed(() => search(view, query, 20)));
    return took;
  };
  // The index remembers what it was asked: the first round is the one that counts.
  return { build, stretch, first: await run(), again: await run() };
};

export const measure: Measure = async (say) => {
  const servers = corpusView();
  const total = servers.reduce((sum, { tools }) => sum + tools.length, 0);
  using index = openToolIndex(loadDriver());
  const search = createSearch({ index: () => index, pause: () => setImmediate() });
  const ways: Readonly<Record<string, (query: string) => Promise<readonly Ranked[]> | readonly Ranked[]>> = {
    index: async (query) =>
      (await search(servers, query, PLACES)).map(({ server, tool }) => ({
        server: server.definition.name,
        raw: tool.raw,
      })),
    substring: (query) => bySubstring(servers, query),
  };
  const rows: Row[] = [];
  for (const set of QUERY_SETS) {
    const queries = readQueries(set);
    for (const [way, find] of Object.entries(ways)) {
      say(`${queries.length} ${set} queries, by ${way}`);
      const places: (number | undefined)[] = [];
      for (const labelled of queries) places.push(placeOf(labelled, await find(labelled.query)));
      const { recallAt5, recallAt20, mrr } = qualityOf(places);
      const what = `${queries.length} tasks (${set}) over the ${total} tools of the corpus, by ${way}`;
      rows.push({
        id: `search-recall-${set}-${way}`,
        what: `${what}: recall@5`,
        unit: '',
        value: recallAt5,
        note: `${KNOWN[set]}; recall@20 ${recallAt20.toFixed(2)}`,
      });
      rows.push({ id: `search-mrr-${set}-${way}`, what: `${what}: MRR`, unit: '', value: mrr });
    }
  }
  const queries = QUERY_SETS.flatMap(readQueries);
  for (const count of [1_000, 10_000, 40_000]) {
    say(`${count} tools`);
    const { build, stretch, first, again } = await measureSize(servers, queries, count);
    const note = `p50 ${quantile(first, 0.5).toFixed(1)} ms; asked again: p50 ${quantile(again, 0.5).toFixed(1)}, p95 ${quantile(again, 0.95).toFixed(1)} ms; longest ${Math.max(...first).toFixed(1)} ms`;
    rows.push(
      {
        id: `search-${count}`,
        what: `search over ${count} tools, p95`,
        unit: 'ms',
        value: quantile(first, 0.95),
        note,
      },
      {
        id: `search-build-${count}`,
        what: `indexing ${count} tools, per 1,000`,
        unit: 'ms',
        value: (build / count) * 1000,
        note: `longest stretch that others waited ${stretch.toFixed(1)} ms`,
      },
    );
  }
  return rows;
};
