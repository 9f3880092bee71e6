// Learned return types as rows: one for each tool, dropped with its listing. Keys and kinds, never a value.
import type { Database } from '../sqlite.ts';

export interface SavedShape {
  /** Of the listing. */
  readonly key: string;
  /** Raw name. */
  readonly tool: string;
  /** Of the tool's definition. */
  readonly hash: string;
  readonly body: string;
}

export const readShapes = (db: Database, key: string): readonly SavedShape[] =>
  db
    .prepare('SELECT tool, hash, body FROM shapes WHERE key = ?')
    .all(key)
    .map((row) => ({ key, tool: String(row['tool']), hash: String(row['hash']), body: String(row['body']) }));

export const writeShape = (db: Database, { key, tool, hash, body }: SavedShape): void => {
  db.prepare('INSERT OR REPLACE INTO shapes (key, tool, hash, body) VALUES (?, ?, ?, ?)').run(key, tool, hash, body);
};

export const removeShape = (db: Database, key: string, tool: string): void => {
  db.prepare('DELETE FROM shapes WHERE key = ? AND tool = ?').run(key, tool);
};
