// The corpus as one caller's servers, and how good a ranking over it is.
import type { ViewServer } from '../../daemon/catalog/view.ts';
import type { Definition } from '../../schema/config.ts';
import type { Tool } from '../../schema/tool.ts';
import { readCorpus } from './corpus.ts';
import type { Labelled } from './queries.ts';

/** What a search reads of a server. */
export const viewServer = (name: string, tools: ViewServer['tools'], listed?: readonly Tool[]): ViewServer => ({
  definition: { name } as Definition,
  namespace: name,
  key: name,
  listing: {
    key: name,
    server: name,
    tools: listed ?? tools.map(({ tool }) => tool),
    freshness: 'confirmed',
    listedAt: 0,
    warnings: [],
  },
  tools,
});

export const corpusView = (): readonly ViewServer[] => readCorpus().map(({ name, tools }) => viewServer(name, tools));

/** A tool as labels name it. */
export interface Ranked {
  readonly server: string;
  readonly raw: string;
}

export interface Quality {
  /** Share of the queries with a labelled tool among the first five. */
  readonly recallAt5: number;
  readonly recallAt20: number;
  /** Mean of one through the place of the first labelled tool; 0 where none of fifty is. */
  readonly mrr: number;
}

/** The place of the first labelled tool, from 1; undefined where none is. */
export const placeOf = ({ server, tools }: Labelled, ranked: readonly Ranked[]): number | undefined => {
  const at = ranked.findIndex((one) => one.server === server && tools.includes(one.raw));
  return at < 0 ? undefined : at + 1;
};

const recallAt = (places: readonly (number | undefined)[], count: number): number =>
  places.filter((place) => place !== undefined && place <= count).length / places.length;

export const qualityOf = (places: readonly (number | undefined)[]): Quality => ({
  recallAt5: recallAt(places, 5),
  recallAt20: recallAt(places, 20),
  mrr: places.reduce<number>((sum, place) => sum + (place === undefined ? 0 : 1 / place), 0) / places.length,
});
