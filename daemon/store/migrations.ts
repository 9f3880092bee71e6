// The schema of metad.db, one step an entry; `user_version` is the number of steps done. Never edit a released step.

/** In `application_id`: tells metad's file from a stranger's. "metd" in ASCII. */
export const APPLICATION_ID = 0x6d657464;

export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE listings (
    key TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    freshness TEXT NOT NULL,
    listed_at REAL NOT NULL,
    body TEXT NOT NULL
  );
  -- Apart from the bodies, since touching a row rewrites all of it.
  CREATE TABLE seen (key TEXT PRIMARY KEY, at REAL NOT NULL);
  CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    session TEXT NOT NULL,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    milliseconds REAL,
    outcome TEXT NOT NULL
  );
  `,
  `
  -- Return types learned from results. Keys and kinds alone: no value of a result is ever written here.
  CREATE TABLE shapes (
    key TEXT NOT NULL,
    tool TEXT NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (key, tool)
  ) WITHOUT ROWID;
  `,
  `
  -- Results that were too long to show. Bytes before the body: sums need not read what is long.
  CREATE TABLE results (
    run INTEGER PRIMARY KEY,
    workspace TEXT NOT NULL,
    at REAL NOT NULL,
    bytes INTEGER NOT NULL,
    body TEXT NOT NULL
  );
  `,
  `
  CREATE TABLE run_numbers (last INTEGER NOT NULL);
  INSERT INTO run_numbers (last) VALUES (0);
  CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    workspace TEXT,
    at REAL NOT NULL,
    ended REAL,
    state TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL
  );
  -- With ids of its own, so that the oldest rows can go first, whatever run they belong to.
  CREATE TABLE run_calls (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    place INTEGER NOT NULL,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    ms REAL,
    outcome TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    error TEXT,
    arguments TEXT,
    UNIQUE (run, place)
  );
  `,
  `
  -- Tools whose server asked while calls of several sessions were in flight.
  CREATE TABLE marks (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    tool TEXT NOT NULL,
    UNIQUE (key, tool)
  );
  `,
  `
  -- What starts cost, by server; which program a package runner runs; what each workspace used, and when last.
  CREATE TABLE starts (id INTEGER PRIMARY KEY, server TEXT NOT NULL, at REAL NOT NULL, ms REAL NOT NULL, how TEXT NOT NULL);
  CREATE TABLE uses (
    workspace TEXT NOT NULL,
    server TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (workspace, server)
  ) WITHOUT ROWID;
  CREATE TABLE resolutions (
    key TEXT PRIMARY KEY,
    server TEXT NOT NULL,
    program TEXT NOT NULL,
    package TEXT NOT NULL,
    version TEXT NOT NULL,
    newest TEXT NOT NULL,
    learned_at REAL NOT NULL,
    checked_at REAL NOT NULL
  ) WITHOUT ROWID;
  `,
  `
  -- What the lockfiles of a workspace said, and which files that was read from, with their hashes.
  CREATE TABLE surveys (root TEXT PRIMARY KEY, version TEXT NOT NULL, at REAL NOT NULL, body TEXT NOT NULL);
  `,
];
