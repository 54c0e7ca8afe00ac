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
      update_time TEXT NOT NULL,
      hash        BLOB NOT NULL,            -- SHA-256 of title and content: twins have the same
      twin_of     INTEGER,                  -- the document that stands for it, when another page of the source is its twin
      content     TEXT NOT NULL             -- the last column: what stands behind it could not be read without it
    ) STRICT;
    CREATE INDEX documents_hash ON documents (hash);
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

    -- Names that lead to a document's name: pages that moved.
    CREATE TABLE aliases (
      name   TEXT PRIMARY KEY,
      source TEXT NOT NULL,
      target TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

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
      not_due    INTEGER NOT NULL DEFAULT 0,
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

    CREATE TABLE changes (
      run           INTEGER NOT NULL REFERENCES runs (id),
      name          TEXT NOT NULL,
      kind          TEXT NOT NULL,
      title         TEXT NOT NULL,
      title_before  TEXT NOT NULL,
      lines_added   INTEGER NOT NULL,
      lines_removed INTEGER NOT NULL,
      PRIMARY KEY (run, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
    INSERT INTO meta VALUES ('revision', 0), ('archive_revision', 0);
    CREATE TABLE identity (own TEXT NOT NULL, archive TEXT NOT NULL) STRICT;
    INSERT INTO identity VALUES (hex(randomblob(16)), '');
    CREATE TABLE sources (id TEXT PRIMARY KEY, title TEXT NOT NULL, fingerprint TEXT NOT NULL) STRICT;
    `,
  ],
};
