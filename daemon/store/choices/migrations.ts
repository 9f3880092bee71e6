// The schema of choices.db, one step an entry; `user_version` is the number of steps done. Never edit a released step.

/** In `application_id`: tells it from metad.db and from a stranger's. "metc" in ASCII. */
export const CHOICES_ID = 0x6d657463;

export const CHOICES_MIGRATIONS: readonly string[] = [
  `
  -- Bytes before the body: sums need not read what is long.
  CREATE TABLE script_values (
    workspace TEXT NOT NULL,
    key TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (workspace, key)
  );
  `,
  `
  -- Servers of workspaces' own files that a person trusted: this content under this name in this file of this root.
  CREATE TABLE trusted_servers (
    root TEXT NOT NULL,
    file TEXT NOT NULL,
    server TEXT NOT NULL,
    hash TEXT NOT NULL,
    trusted_at INTEGER NOT NULL,
    PRIMARY KEY (root, file, server, hash)
  );
  `,
  `
  -- The commit of a registry that a person said yes to; another source under that name has none.
  CREATE TABLE registry_pins (
    name TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    pinned_at INTEGER NOT NULL
  );
  `,
];
