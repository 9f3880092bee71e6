// What stands in for the full-text index where SQLite has none: who holds the text of a term, and no more than that.
import type { Postings, ToolDocument, ToolIndex } from '../store.ts';

const IN_NAME = 3;
const ELSEWHERE = 1;

/** Looks at every document for every term: slower, and blind to forms of words, but it finds. */
export const openPlainIndex = (): ToolIndex => {
  const texts = new Map<number, { readonly name: string; readonly rest: string }>();
  let last = 0;
  const add = ({ name, title, lead, body, parameters }: ToolDocument): number => {
    last += 1;
    texts.set(last, { name, rest: `${title} ${lead} ${body} ${parameters}` });
    return last;
  };
  const postings = (term: string): Postings => {
    const ids: number[] = [];
    const scores: number[] = [];
    for (const [id, { name, rest }] of term === '' ? [] : texts) {
      const score = (name.includes(term) ? IN_NAME : 0) + (rest.includes(term) ? ELSEWHERE : 0);
      if (score === 0) continue;
      ids.push(id);
      scores.push(score);
    }
    return { ids: Int32Array.from(ids), scores: Float32Array.from(scores) };
  };
  return {
    get size() {
      return texts.size;
    },
    get last() {
      return last;
    },
    add: (documents) => documents.map(add),
    remove(ids) {
      for (const id of ids) texts.delete(id);
    },
    common: () => [],
    postings,
    [Symbol.dispose]: () => texts.clear(),
  };
};
