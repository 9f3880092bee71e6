// Which program a predicate is, where it is one. Pure.
import type { CustomPredicate } from './offer.ts';
import type { Predicate } from './predicate/predicate.ts';

/** The words to start; a sentence where there are none. */
export const programOf = (
  leaf: Predicate,
  customs: ReadonlyMap<string, CustomPredicate>,
): readonly [command: string, ...args: string[]] | string => {
  if (leaf.kind === 'shell') return ['/bin/sh', '-c', leaf.command];
  if (leaf.kind !== 'custom') return 'it is no command';
  const custom = customs.get(leaf.name);
  if (custom === undefined) return `no plugin has a predicate ${leaf.name}`;
  return [custom.command, ...custom.args, ...(leaf.argument === '' ? [] : [leaf.argument])];
};
