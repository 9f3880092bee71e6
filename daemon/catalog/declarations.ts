// Declarations of a server, made once per listing and detail.
import { type Declared, type Detail, declareServer } from '../../schema/declare/declare.ts';
import type { NamedTool, ViewServer } from './view.ts';

export type Declare = (server: ViewServer, detail: Detail) => Declared;

export interface Declarations {
  readonly declare: Declare;
  /** What was odd about a server's tools, as far as they have been declared: asking costs nothing. */
  readonly warningsOf: (server: ViewServer) => readonly string[];
}

/** Remembers by the tools array, which lives as long as its listing does. */
export const createDeclarations = (): Declarations => {
  const known = new WeakMap<readonly NamedTool[], Map<string, Declared>>();
  return {
    declare: (server, detail) => {
      const { tools, namespace, listing } = server;
      const made = known.get(tools) ?? new Map<string, Declared>();
      known.set(tools, made);
      const key = `${detail} ${namespace}`;
      const declared =
        made.get(key) ?? declareServer({ namespace, tools, instructions: listing?.instructions, detail });
      made.set(key, declared);
      return declared;
    },
    warningsOf: ({ tools }) => {
      const made = [...(known.get(tools)?.values() ?? [])];
      const unusable = made.flatMap((one) => one.unusable.map(({ raw, reason }) => `${raw} cannot be used: ${reason}`));
      return [...new Set([...unusable, ...made.flatMap(({ warnings }) => warnings)])];
    },
  };
};
