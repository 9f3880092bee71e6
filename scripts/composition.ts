// The program that the demo and the end-to-end suite run: work over two servers of which only a table comes back.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Three notes to work on. */
const NOTES = {
  'harbour.md': 'Mira moved the boat to the north pier. Jonas has the spare key.\n',
  'garden.md': 'Jonas planted beans. Mira wants a fence before June. Ask Ola about the wood.\n',
  'market.md': 'Ola sells honey on Saturdays. Bring the empty jars.\n',
} as const;

/** Writes the notes into `folder`, which is created. */
export const writeNotes = (folder: string): void => {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(NOTES)) writeFileSync(join(folder, name), text);
};

/** Lists `folder`, reads its files side by side, keeps who is mentioned where in memory, and returns one row a person. */
export const composition = (folder: string): string => `
const folder = ${JSON.stringify(folder)};
const listing = await files.list_directory({ path: folder });
const names = listing.content.split('\\n').filter((line) => line.startsWith('[FILE] ')).map((line) => line.slice(7)).sort();
const texts = await Promise.all(names.map((name) => files.read_text_file({ path: folder + '/' + name })));

const people = new Map();
texts.forEach(({ content }, at) => {
  for (const person of new Set(content.match(/\\b(?:Mira|Jonas|Ola)\\b/g)))
    people.set(person, [...(people.get(person) ?? []), names[at]]);
});

await memory.create_entities({
  entities: [...people].map(([name, notes]) => ({
    name,
    entityType: 'person',
    observations: notes.map((note) => 'is mentioned in ' + note),
  })),
});
const graph = await memory.read_graph({});
return [...people].sort().map(([person, notes]) => ({
  person,
  notes: notes.join(', '),
  remembered: graph.entities.some((entity) => entity.name === person),
}));
`;

/** What the program returns. */
export const TABLE = [
  { person: 'Jonas', notes: 'garden.md, harbour.md', remembered: true },
  { person: 'Mira', notes: 'garden.md, harbour.md', remembered: true },
  { person: 'Ola', notes: 'garden.md, market.md', remembered: true },
] as const;
