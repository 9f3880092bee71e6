// Servers of workspaces' own files that a person trusted, as rows.
import type { TrustedServer } from '../../../schema/trust.ts';
import type { Database } from '../../sqlite.ts';
import type { Trusts } from '../store.ts';

/** Contents of one server that stay trusted, the newest: branches that come back need not ask again. */
const CONTENTS = 20;

export interface TrustsOptions {
  /** Both as `openChoices` has them: faults come out as MetadErrors, a change is all or nothing. */
  readonly use: <T>(work: (db: Database) => T) => T;
  readonly change: <T>(work: (db: Database) => T) => T;
}

export const createTrusts = ({ use, change }: TrustsOptions): Trusts => ({
  of: (root) =>
    use((db) =>
      db
        .prepare('SELECT file, server, hash, trusted_at FROM trusted_servers WHERE root = ? ORDER BY trusted_at')
        .all(root),
    ).map(
      (row): TrustedServer => ({
        file: String(row['file']),
        server: String(row['server']),
        hash: String(row['hash']),
        at: Number(row['trusted_at']),
      }),
    ),
  add: (root, servers) =>
    change((db) => {
      const insert = db.prepare(
        `INSERT INTO trusted_servers (root, file, server, hash, trusted_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (root, file, server, hash) DO UPDATE SET trusted_at = excluded.trusted_at`,
      );
      const prune = db.prepare(
        `DELETE FROM trusted_servers WHERE root = ? AND file = ? AND server = ? AND hash NOT IN (
           SELECT hash FROM trusted_servers WHERE root = ? AND file = ? AND server = ?
           ORDER BY trusted_at DESC LIMIT ${CONTENTS})`,
      );
      for (const { file, server, hash, at } of servers) {
        insert.run(root, file, server, hash, at);
        prune.run(root, file, server, root, file, server);
      }
    }),
  revoke: (root) => change((db) => Number(db.prepare('DELETE FROM trusted_servers WHERE root = ?').run(root).changes)),
});
