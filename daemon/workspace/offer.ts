// A server that a plugin declares, and when it applies.
import type { Definition } from '../../schema/config.ts';
import type { Predicate } from './predicate/predicate.ts';

export interface Offer {
  readonly definition: Definition;
  /** Name of the plugin. */
  readonly plugin: string;
  /** All of its levels; undefined: it always applies. */
  readonly gate: Predicate | undefined;
  /** The plugin is a workspace's own: it applies below that root alone. Undefined for a person's plugins. */
  readonly root?: string;
  /** Commands of the plugins' own predicates, by name. */
  readonly customs: ReadonlyMap<string, CustomPredicate>;
}

/** Run with its arguments and what stands between the parentheses; it holds where that ends with 0. */
export interface CustomPredicate {
  readonly command: string;
  readonly args: readonly string[];
}
