// Which well-known servers would be of use in a workspace and are not there yet. Pure.
import { SUGGESTED_SERVERS, type SuggestedServer } from '../../schema/config/suggestions.ts';
import type { Definition } from '../../schema/config.ts';
import type { Suggestion } from '../../schema/status.ts';
import type { Definitions } from './applied.ts';
import { evaluate, type Facts } from './predicate/evaluate.ts';
import { parseGate } from './predicate/parse.ts';

/** `@scope/name@latest` → `@scope/name`. */
const plain = (word: string): string => word.replace(/(?<=.)@[^@/]*$/, '');

/** What tells a server from others, whatever it is named: its address, or the words of its command that are no options. */
const marksOf = (entry: SuggestedServer['entry']): readonly string[] =>
  'url' in entry ? [entry.url] : [entry.command, ...entry.args].filter((word) => !word.startsWith('-')).map(plain);

const isThere = ({ name, entry }: SuggestedServer, definitions: readonly Definition[]): boolean =>
  definitions.some(({ name: other, reach }) => {
    if (other === name) return true;
    const words = reach.kind === 'stdio' ? [reach.command, ...reach.args].map(plain) : [reach.url];
    return marksOf(entry).every((mark) => words.includes(mark));
  });

const wordsOf = (entry: SuggestedServer['entry']): readonly string[] =>
  'url' in entry ? [entry.url] : [entry.command, ...entry.args];

/** Those whose condition holds, in the order of the data. @param facts without programs: none is run for a suggestion */
export const suggestionsFor = (
  facts: Facts,
  definitions: Definitions,
  servers: readonly SuggestedServer[] = SUGGESTED_SERVERS,
): readonly Suggestion[] => {
  const known = [...definitions.values()];
  return servers.flatMap((server): Suggestion[] => {
    if (isThere(server, known)) return [];
    const { name, about, dependsOn, predicates = [], entry, source } = server;
    const gate = parseGate(dependsOn, predicates);
    const { holds, atoms } = gate === undefined ? { holds: true, atoms: [] } : evaluate(gate, facts);
    if (!holds) return [];
    const because = atoms.filter((atom) => atom.holds && atom.text !== 'depends-on(*)').map((atom) => atom.because);
    const variables = [
      ...new Set([...JSON.stringify(entry).matchAll(/\$\{([A-Z][A-Z0-9_]*)\}/g)].map(([, one]) => one ?? '')),
    ];
    return [{ name, about, because, runs: wordsOf(entry), variables, source }];
  });
};
