import type { StoreSchema } from "./database.ts";

/** `data/corpus.db`: the truth that is served, exported and backed up. */
export const CORPUS_SCHEMA: StoreSchema = {
  what: "the corpus",
  applicationId: 0x4372436f,
  migrations: [
    `
    CREATE TABLE documents (
      id          INTEGER PRIMARY KEY AUTOINCREMENT,
      name        TEXT NOT NULL UNIQUE,
      revision    INTEGER NOT NULL UNIQUE,
      removed     INTEGER NOT NULL,         -- 1: a tombstone, without content and chunks
      uri         TEXT NOT NULL,
      source      TEXT NOT NULL,
      title       TEXT NOT NULL,
      description TEXT NOT NULL,
      language    TEXT NOT NULL,
      content     TEXT NOT NULL,
      update_time TEXT NOT NULL
    ) STRICT;
    CREATE INDEX documents_source ON documents (source, name);

    -- AUTOINCREMENT: the id of a passage is never used again for another, for the index keeps it.
    CREATE TABLE chunks (
      row_id      INTEGER PRIMARY KEY AUTOINCREMENT,
      document_id INTEGER NOT NULL REFERENCES documents (id),
      ordinal     INTEGER NOT NULL,
      id          TEXT NOT NULL,
      content     TEXT NOT NULL,
      headings    TEXT NOT NULL,            -- JSON array
      anchor      TEXT NOT NULL
    ) STRICT;
    CREATE INDEX chunks_document ON chunks (document_id, ordinal);

    CREATE TABLE runs (
      id         INTEGER PRIMARY KEY AUTOINCREMENT,
      source     TEXT NOT NULL,
      status     TEXT NOT NULL,
      started_at TEXT NOT NULL,
      ended_at   TEXT,
      note       TEXT NOT NULL DEFAULT '',
      fetched    INTEGER NOT NULL DEFAULT 0,
      unchanged  INTEGER NOT NULL DEFAULT 0,
      moved      INTEGER NOT NULL DEFAULT 0,
      gone       INTEGER NOT NULL DEFAULT 0,
      skipped    INTEGER NOT NULL DEFAULT 0,
      left_out   INTEGER NOT NULL DEFAULT 0,
      added      INTEGER NOT NULL DEFAULT 0,
      updated    INTEGER NOT NULL DEFAULT 0,
      removed    INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE failures (
      run    INTEGER NOT NULL REFERENCES runs (id),
      url    TEXT NOT NULL,
      stage  TEXT NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (run, url, stage)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
    INSERT INTO meta VALUES ('revision', 0), ('archive_revision', 0);
    CREATE TABLE sources (id TEXT PRIMARY KEY, title TEXT NOT NULL, fingerprint TEXT NOT NULL) STRICT;
    `,
  ],
};
