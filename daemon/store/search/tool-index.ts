// Full-text index of tools: SQLite FTS5 in memory, and per term what BM25 says of each tool that has it.
import type { Database, Driver } from '../../sqlite.ts';
import type { Postings, ToolDocument, ToolIndex } from '../store.ts';

/**
 * Weights of name, title, first sentence, rest of the description, parameters. BM25 saturates, so a hit in a name would
 * count little more than one in a long text: names are scored a second time alone.
 */
const SCORE = '-(bm25(tools, 6, 4, 4, 1, 0.4) + 0.7 * bm25(tools, 1, 0.7, 0, 0, 0))';

/**
 * All hits in one row, the same cheap way with either driver: an object for each costs a third more. Materialized,
 * since SQLite refuses bm25() inside an aggregate.
 */
const MATCH = `WITH hits AS MATERIALIZED (
    SELECT rowid AS id, ${SCORE} AS score FROM tools WHERE tools MATCH ? AND rowid > ?
  ) SELECT json_group_array(id) AS ids, json_group_array(score) AS scores FROM hits`;

/** A word that at least this share of the documents has is common; so are its hits the most to score, about 1 µs each. */
const COMMON = 0.04;
const FEWEST_COMMON = 250;
/** Words are counted in one document of this many. */
const SAMPLE = 8;

/** Hits kept over all terms, for each document, 8 bytes each. */
const MOST_KEPT = 100;
const ALWAYS_KEPT = 100_000;
/** Scores depend a little on how many documents there are, and stay as they were until this share has come or gone. */
const MOST_CHANGED = 0.1;

interface Known extends Postings {
  /** The greatest id when it was asked for. */
  readonly upTo: number;
}

/** A phrase of FTS5; what its grammar gives meaning to stands inside quotes, where nothing has any. */
const quoted = (text: string): string => `"${text.replaceAll('"', ' ').replaceAll('\0', ' ')}"`;

const open = (driver: Driver): Database => {
  const db = driver.open(':memory:', 0);
  try {
    // Contentless: the texts are with the listings already.
    db.exec(`CREATE VIRTUAL TABLE tools USING fts5(
      name, title, lead, body, parameters,
      content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
    )`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

const joined = (before: Known | undefined, ids: readonly number[], scores: readonly number[], upTo: number): Known => ({
  ids: Int32Array.from([...(before?.ids ?? []), ...ids]),
  scores: Float32Array.from([...(before?.scores ?? []), ...scores]),
  upTo,
});

/** @throws what SQLite throws where it is built without FTS5 or is older than 3.43. */
export const openToolIndex = (driver: Driver): ToolIndex => {
  const db = open(driver);
  const insert = db.prepare('INSERT INTO tools (rowid, name, title, lead, body, parameters) VALUES (?, ?, ?, ?, ?, ?)');
  const erase = db.prepare('DELETE FROM tools WHERE rowid = ?');
  const match = db.prepare(MATCH);
  const known = new Map<string, Known>();
  const having = new Map<string, number>();
  let sampled = 0;
  let kept = 0;
  let last = 0;
  let size = 0;
  let changed = 0;

  /** As far as the sample tells. */
  const isCommon = (word: string): boolean => {
    const share = (having.get(word) ?? 0) / sampled;
    return share >= COMMON && share * size >= FEWEST_COMMON;
  };

  /** All, or those that are soon asked for again. */
  const forget = (what: 'all' | 'rare') => {
    for (const [term, { ids }] of known) {
      if (what === 'rare' && isCommon(term)) continue;
      known.delete(term);
      kept -= ids.length;
    }
  };

  /** One transaction; SQLite would make one of each row. */
  const change = (count: number, work: () => void) => {
    changed += count;
    if (changed > MOST_CHANGED * size) {
      changed = 0;
      forget('all');
    }
    db.exec('BEGIN');
    try {
      work();
    } finally {
      db.exec('COMMIT');
    }
  };

  const sample = ({ name, title, lead, body, parameters }: ToolDocument) => {
    sampled += 1;
    for (const word of new Set(`${name} ${title} ${lead} ${body} ${parameters}`.split(' ')))
      if (word !== '') having.set(word, (having.get(word) ?? 0) + 1);
  };

  /** What is new since `before`; ids are never used again, so what is known of others stays. */
  const ask = (expression: string, before: Known | undefined): Known => {
    const row = match.get(expression, before?.upTo ?? 0);
    const [ids, scores] = [row?.['ids'], row?.['scores']].map((list) => JSON.parse(String(list)) as number[]);
    return joined(before, ids ?? [], scores ?? [], last);
  };

  return {
    get size() {
      return size;
    },
    get last() {
      return last;
    },
    add(documents) {
      const ids: number[] = [];
      change(documents.length, () => {
        for (const document of documents) {
          const { name, title, lead, body, parameters } = document;
          insert.run(last + 1, name, title, lead, body, parameters);
          last += 1;
          size += 1;
          ids.push(last);
          if (last % SAMPLE === 0) sample(document);
        }
      });
      return ids;
    },
    remove(ids) {
      change(ids.length, () => {
        for (const id of ids) size -= Number(erase.run(id).changes);
      });
    },
    common: () => [...having.keys()].filter((word) => isCommon(word) && !known.has(word)),
    postings(term, isPrefix = false) {
      const star = isPrefix ? '*' : '';
      const before = known.get(`${term}${star}`);
      if (before?.upTo === last) return before;
      const found = ask(`${quoted(term)}${star}`, before);
      kept += found.ids.length - (before?.ids.length ?? 0);
      known.set(`${term}${star}`, found);
      if (kept > Math.max(MOST_KEPT * size, ALWAYS_KEPT)) forget('rare');
      return found;
    },
    [Symbol.dispose]: () => db.close(),
  };
};
