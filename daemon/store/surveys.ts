// What the lockfiles of each workspace said last, as rows: a root that was seen before opens with no file read.
import type { Connection } from './connection.ts';

/** Workspaces kept: those surveyed last. */
const MOST = 300;

export interface Surveys {
  /** JSON, as it was saved by the same version of metad; undefined where nothing is known. */
  survey(root: string, version: string): string | undefined;
  saveSurvey(root: string, version: string, at: number, json: string): void;
}

export const createSurveys = (connection: Pick<Connection, 'read' | 'write'>): Surveys => ({
  survey: (root, version) => {
    const row = connection.read((db) =>
      db.prepare('SELECT body FROM surveys WHERE root = ? AND version = ?').get(root, version),
    );
    return row === undefined ? undefined : String(row['body']);
  },
  saveSurvey: (root, version, at, json) => {
    connection.write((db) => {
      db.prepare('INSERT OR REPLACE INTO surveys (root, version, at, body) VALUES (?, ?, ?, ?)').run(
        root,
        version,
        at,
        json,
      );
      db.prepare('DELETE FROM surveys WHERE root NOT IN (SELECT root FROM surveys ORDER BY at DESC LIMIT ?)').run(MOST);
    });
  },
});
