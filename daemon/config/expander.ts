// Expansion as the call path needs it: the same object again while nothing that it hangs on has changed.
import type { Definition } from '../../schema/config.ts';
import { expand, type Values } from './expand.ts';

/** @throws as `expand` */
export type Expander = (definition: Definition, root: string | null) => Definition;

/** Roots remembered of one definition. */
const REMEMBERED = 256;

/** @param variables gives another object whenever a variable may have changed */
export const createExpander = (variables: () => Values['variables']): Expander => {
  let known = new WeakMap<Definition, Map<string | null, Definition>>();
  let from: Values['variables'] | undefined;
  return (definition, root) => {
    const now = variables();
    if (now !== from) {
      from = now;
      known = new WeakMap();
    }
    const byRoot = known.get(definition) ?? new Map<string | null, Definition>();
    known.set(definition, byRoot);
    const expanded = byRoot.get(root) ?? expand(definition, { variables: now, workspaceFolder: root });
    if (byRoot.size >= REMEMBERED) byRoot.clear();
    byRoot.set(root, expanded);
    return expanded;
  };
};
