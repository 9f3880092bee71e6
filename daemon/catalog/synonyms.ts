// What else a word of a task may be called in a tool's name or description.
import { GROUPS } from './synonym-groups.ts';
import { rootOf } from './words.ts';

const groups = GROUPS.trim()
  .split(/[·\n]/)
  .map((line) =>
    line
      .trim()
      .split(' ')
      .map((word) => word.replaceAll('-', ' ')),
  );

const TABLE: ReadonlyMap<string, ReadonlySet<string>> = groups.reduce((table, group) => {
  for (const word of group) {
    const others = table.get(rootOf(word)) ?? new Set();
    table.set(rootOf(word), others);
    for (const other of group) if (other !== word) others.add(other);
  }
  return table;
}, new Map<string, Set<string>>());

/** Other words for a word or phrase in lower case; itself is not among them. */
export const synonymsOf = (word: string): readonly string[] => [...(TABLE.get(rootOf(word)) ?? [])];
