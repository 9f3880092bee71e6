// The last calls as rows, bounded in number.
import type { CallStatus } from '../../schema/wire.ts';
import type { Database } from '../sqlite.ts';

export const writeCall = (db: Database, { at, session, server, tool, milliseconds, outcome }: CallStatus): void => {
  db.prepare('INSERT INTO calls (at, session, server, tool, milliseconds, outcome) VALUES (?, ?, ?, ?, ?, ?)').run(
    at,
    session,
    server,
    tool,
    milliseconds,
    outcome,
  );
};

export const trimCalls = (db: Database, keep: number): void => {
  db.prepare('DELETE FROM calls WHERE id <= (SELECT max(id) FROM calls) - ?').run(keep);
};

/** Newest first. */
export const readCalls = (db: Database, count: number): readonly CallStatus[] =>
  db
    .prepare('SELECT at, session, server, tool, milliseconds, outcome FROM calls ORDER BY id DESC LIMIT ?')
    .all(count)
    .map((row) => ({
      at: Number(row['at']),
      session: String(row['session']),
      server: String(row['server']),
      tool: String(row['tool']),
      milliseconds: row['milliseconds'] === null ? null : Number(row['milliseconds']),
      outcome: String(row['outcome']),
    }));

/** Calls held in memory while the database is off. */
const IN_MEMORY = 1_000;

export const remember = (calls: CallStatus[], call: CallStatus): void => {
  calls.push(call);
  // Trimmed now and then: once a call would cost a copy of all.
  if (calls.length > 2 * IN_MEMORY) calls.splice(0, calls.length - IN_MEMORY);
};
