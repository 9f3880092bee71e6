// Declarations of a server, made once per listing, detail and what was learned of its results.
import { type Declared, type Detail, declareServer } from '../../schema/declare/declare.ts';
import type { Listing } from '../../schema/tool.ts';
import type { NamedTool, ViewServer } from './view.ts';

export type Declare = (server: ViewServer, detail: Detail) => Declared;

export interface Declarations {
  readonly declare: Declare;
  /** What was odd about a server's tools, as far as they have been declared: asking costs nothing. */
  readonly warningsOf: (server: ViewServer) => readonly string[];
}

/** Return types by raw name, learned from results; another map once one of them is another. */
export type Observed = (listing: Listing, detail: Detail) => ReadonlyMap<string, string> | undefined;

interface Made {
  readonly declared: Declared;
  readonly observed: ReadonlyMap<string, string> | undefined;
}

/** Remembers by the tools array, which lives as long as its listing does. */
export const createDeclarations = (observedOf: Observed = () => undefined): Declarations => {
  const known = new WeakMap<readonly NamedTool[], Map<string, Made>>();
  return {
    declare: (server, detail) => {
      const { tools, namespace, listing } = server;
      const observed = listing && observedOf(listing, detail);
      const made = known.get(tools) ?? new Map<string, Made>();
      known.set(tools, made);
      const key = `${detail} ${namespace}`;
      const last = made.get(key);
      if (last !== undefined && last.observed === observed) return last.declared;
      const declared = declareServer({ namespace, tools, instructions: listing?.instructions, detail, observed });
      made.set(key, { declared, observed });
      return declared;
    },
    warningsOf: ({ tools }) => {
      const made = [...(known.get(tools)?.values() ?? [])].map(({ declared }) => declared);
      const unusable = made.flatMap((one) => one.unusable.map(({ raw, reason }) => `${raw} cannot be used: ${reason}`));
      return [...new Set([...unusable, ...made.flatMap(({ warnings }) => warnings)])];
    },
  };
};
