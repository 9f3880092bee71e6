// Tools whose server may ask somebody during a call, as rows: written when it turned out that nobody knew whom to ask.
import type { Connection } from './connection.ts';

/** Rows kept; a server that makes up tool names must not fill the disk. */
const MOST = 5_000;

export interface Marks {
  /** Raw names of the marked tools of one definition. */
  marked(key: string): ReadonlySet<string>;
  mark(key: string, tools: Iterable<string>): void;
}

export const createMarks = (connection: Pick<Connection, 'read' | 'write'>): Marks => {
  /** Read once; from then on memory is as new as the file. */
  const known = new Map<string, Set<string>>();

  const marked = (key: string): Set<string> => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const rows = connection.read((db) => db.prepare('SELECT tool FROM marks WHERE key = ?').all(key)) ?? [];
    const tools = new Set(rows.map(({ tool }) => String(tool)));
    known.set(key, tools);
    return tools;
  };

  return {
    marked,
    mark(key, tools) {
      const kept = marked(key);
      const fresh = [...tools].filter((tool) => !kept.has(tool));
      if (fresh.length === 0) return;
      for (const tool of fresh) kept.add(tool);
      connection.write((db) => {
        for (const tool of fresh) db.prepare('INSERT OR IGNORE INTO marks (key, tool) VALUES (?, ?)').run(key, tool);
        db.prepare('DELETE FROM marks WHERE id <= (SELECT max(id) FROM marks) - ?').run(MOST);
      });
    },
  };
};
