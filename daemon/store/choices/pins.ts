// The commit of each registry that a person said yes to, as rows.
import type { Database } from '../../sqlite.ts';
import type { Pins } from '../store.ts';

export interface PinsOptions {
  /** Both as `openChoices` has them: faults come out as MetadErrors, a change is all or nothing. */
  readonly use: <T>(work: (db: Database) => T) => T;
  readonly change: <T>(work: (db: Database) => T) => T;
}

export const createPins = ({ use, change }: PinsOptions): Pins => ({
  get: (name, source) => {
    const row = use((db) =>
      db.prepare('SELECT commit_id FROM registry_pins WHERE name = ? AND source = ?').get(name, source),
    );
    return row === undefined ? undefined : String(row['commit_id']);
  },
  set: (name, source, commit, at) =>
    change((db) => {
      db.prepare(
        `INSERT INTO registry_pins (name, source, commit_id, pinned_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET source = excluded.source, commit_id = excluded.commit_id, pinned_at = excluded.pinned_at`,
      ).run(name, source, commit, at);
    }),
  keep: (names) =>
    change((db) => {
      const held = db.prepare('SELECT name FROM registry_pins').all();
      const forget = db.prepare('DELETE FROM registry_pins WHERE name = ?');
      for (const { name } of held) if (!names.includes(String(name))) forget.run(String(name));
    }),
});
