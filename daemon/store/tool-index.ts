// Full-text index of tools: SQLite FTS5 in memory, and per term what BM25 says of each tool that has it.
import type { Database, Driver } from '../sqlite.ts';
import type { Postings, ToolDocument, ToolIndex } from './store.ts';

/**
 * Weights of name, title, first sentence, rest of the description, parameters. BM25 saturates, so a hit in a name would
 * count little more than one in a long text: names are scored a second time alone.
 */
const SCORE = '-(bm25(tools, 8, 4, 4, 1, 0.4) + bm25(tools, 1, 0.7, 0, 0, 0))';

/** Hits kept over all terms, 12 bytes each; beyond that all are forgotten. */
const MOST_KEPT = 1_000_000;

/** A phrase of FTS5; what its grammar gives meaning to stands inside quotes, where nothing has any. */
const quoted = (text: string): string => `"${text.replaceAll('"', ' ').replaceAll('\0', ' ')}"`;

const open = (driver: Driver): Database => {
  const db = driver.open(':memory:', 0);
  // Contentless: the texts are with the listings already.
  db.exec(`CREATE VIRTUAL TABLE tools USING fts5(
    name, title, lead, body, parameters,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  )`);
  return db;
};

/** @throws what SQLite throws where it is built without FTS5; both drivers have it. */
export const openToolIndex = (driver: Driver): ToolIndex => {
  const db = open(driver);
  const insert = db.prepare('INSERT INTO tools (rowid, name, title, lead, body, parameters) VALUES (?, ?, ?, ?, ?, ?)');
  const erase = db.prepare('DELETE FROM tools WHERE rowid = ?');
  const match = db.prepare(`SELECT rowid AS id, ${SCORE} AS score FROM tools WHERE tools MATCH ?`);
  const known = new Map<string, Postings>();
  let kept = 0;
  let last = 0;
  let size = 0;

  const forget = () => {
    known.clear();
    kept = 0;
  };

  /** One transaction; SQLite would make one of each row. */
  const change = (work: () => void) => {
    forget();
    db.exec('BEGIN');
    try {
      work();
    } finally {
      db.exec('COMMIT');
    }
  };

  const ask = (expression: string): Postings => {
    const rows = match.all(expression);
    return {
      ids: Int32Array.from(rows, (row) => Number(row['id'])),
      scores: Float64Array.from(rows, (row) => Number(row['score'])),
    };
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
      change(() => {
        for (const { name, title, lead, body, parameters } of documents satisfies readonly ToolDocument[]) {
          insert.run(last + 1, name, title, lead, body, parameters);
          last += 1;
          size += 1;
          ids.push(last);
        }
      });
      return ids;
    },
    remove(ids) {
      change(() => {
        for (const id of ids) size -= Number(erase.run(id).changes);
      });
    },
    postings(term, isPrefix = false) {
      const expression = `${quoted(term)}${isPrefix ? '*' : ''}`;
      const found = known.get(expression) ?? ask(expression);
      if (known.has(expression)) return found;
      if (kept + found.ids.length > MOST_KEPT) forget();
      kept += found.ids.length;
      known.set(expression, found);
      return found;
    },
    [Symbol.dispose]: () => db.close(),
  };
};
