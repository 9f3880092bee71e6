// Which definitions apply at a root, and why: config first, then the workspace's own files, then plugins. Pure.
import type { Definition } from '../../schema/config.ts';
import type { Offer } from './offer.ts';
import { type Atom, evaluate, type Facts } from './predicate/evaluate.ts';

export type Definitions = ReadonlyMap<string, Definition>;

export interface Sources {
  /** Of config.json. */
  readonly config: Definitions;
  /** Of files of the workspace that the user trusts. */
  readonly own: readonly Definition[];
  /** Of plugins, in the order in which they were registered. */
  readonly offers: readonly Offer[];
}

export type IsSame = (one: Definition, other: Definition) => boolean;

/** What became of one offer. */
export interface Decision {
  readonly definition: Definition;
  readonly plugin: string;
  readonly holds: boolean;
  readonly atoms: readonly Atom[];
}

export interface Applied {
  readonly definitions: Definitions;
  readonly decisions: readonly Decision[];
  /** A sentence for each name that two sources have with different meanings. */
  readonly clashes: readonly string[];
}

/**
 * @param factsOf of the plugin that makes an offer
 * @param isSame whether two definitions of one name are one server: then it does not matter whose entry is used
 */
export const appliedOf = (
  { config, own, offers }: Sources,
  factsOf: (offer: Offer) => Facts,
  isSame: IsSame,
): Applied => {
  const definitions = new Map(config);
  const clashes: string[] = [];
  const add = (definition: Definition): void => {
    const first = definitions.get(definition.name);
    if (first === undefined) definitions.set(definition.name, definition);
    else if (!isSame(first, definition))
      clashes.push(
        `Two servers are named ${definition.name}: the one of ${first.origin} is used, that of ${definition.origin} is not.`,
      );
  };
  for (const definition of own) add(definition);
  const decisions = offers.map((offer): Decision => {
    const { definition, plugin, gate } = offer;
    const { holds, atoms } = gate === undefined ? { holds: true, atoms: [] } : evaluate(gate, factsOf(offer));
    if (holds) add(definition);
    return { definition, plugin, holds, atoms };
  });
  return { definitions, decisions, clashes };
};

/** The same entries in the same order: then the old object stays, so that whoever compares by reference sees that too. */
export const isUnchanged = (before: Definitions, after: Definitions): boolean => {
  const others = [...after];
  return (
    before.size === after.size &&
    [...before].every(([name, one], at) => others[at]?.[0] === name && others[at]?.[1] === one)
  );
};
