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
    // What pages say of themselves, parts of pages, and the anchors in passages. Both tables are made anew, for content must stay
    // the last column, and neither can be dropped while the other refers to it.
    `
    CREATE TABLE documents_new (
      id            INTEGER PRIMARY KEY AUTOINCREMENT,
      name          TEXT NOT NULL UNIQUE,
      revision      INTEGER NOT NULL UNIQUE,
      removed       INTEGER NOT NULL,         -- 1: a tombstone, without content and chunks
      uri           TEXT NOT NULL,
      source        TEXT NOT NULL,
      page          TEXT NOT NULL,            -- the name of the page that it is a part of; '' when it is the page
      title         TEXT NOT NULL,
      description   TEXT NOT NULL,
      language      TEXT NOT NULL,
      breadcrumbs   TEXT NOT NULL,            -- JSON array
      product       TEXT NOT NULL,
      version       TEXT NOT NULL,
      last_modified TEXT NOT NULL,            -- as the page says; when it last changed here is update_time
      canonical     TEXT NOT NULL,
      generator     TEXT NOT NULL,
      page_kind     TEXT NOT NULL,
      update_time   TEXT NOT NULL,
      hash          BLOB NOT NULL,            -- SHA-256 of title and content: twins have the same
      twin_of       INTEGER,                  -- the document that stands for it, when another page of the source is its twin
      content       TEXT NOT NULL             -- the last column: what stands behind it could not be read without it
    ) STRICT;
    INSERT INTO documents_new
      SELECT id, name, revision, removed, uri, source, '', title, description, language, '[]', '', '', '', '', '', 'guide',
        update_time, hash, twin_of, content
      FROM documents;
    CREATE TABLE chunks_new (
      row_id      INTEGER PRIMARY KEY AUTOINCREMENT,
      document_id INTEGER NOT NULL REFERENCES documents_new (id),
      ordinal     INTEGER NOT NULL,
      id          TEXT NOT NULL,
      content     TEXT NOT NULL,
      headings    TEXT NOT NULL,              -- JSON array
      anchor      TEXT NOT NULL,
      anchors     TEXT NOT NULL               -- JSON array of [id, place in content]
    ) STRICT;
    INSERT INTO chunks_new SELECT row_id, document_id, ordinal, id, content, headings, anchor, '[]' FROM chunks;
    -- Ids that are free again in the copies were given out once.
    DELETE FROM sqlite_sequence WHERE name IN ('documents_new', 'chunks_new');
    INSERT INTO sqlite_sequence (name, seq)
      SELECT name || '_new', seq FROM sqlite_sequence WHERE name IN ('documents', 'chunks');
    DROP TABLE chunks;
    DROP TABLE documents;
    ALTER TABLE documents_new RENAME TO documents;
    ALTER TABLE chunks_new RENAME TO chunks;
    CREATE INDEX documents_hash ON documents (hash);
    CREATE INDEX documents_source ON documents (source, name);
    CREATE INDEX documents_page ON documents (page) WHERE page <> '';
    CREATE INDEX chunks_document ON chunks (document_id, ordinal);
    ALTER TABLE runs ADD COLUMN index_pages INTEGER NOT NULL DEFAULT 0;
    `,
    // How long runs were at work, what they received, and what they omitted.
    `
    ALTER TABLE runs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN worked_ms INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN seen_at INTEGER;    -- until when worked_ms counts; milliseconds since 1970
    UPDATE runs SET worked_ms = round((julianday(ended_at) - julianday(started_at)) * 86400000) WHERE ended_at IS NOT NULL;
    CREATE TABLE omission_groups (
      run    INTEGER NOT NULL REFERENCES runs (id),
      kind   TEXT NOT NULL,
      reason TEXT NOT NULL,
      count  INTEGER NOT NULL,
      PRIMARY KEY (run, kind, reason)
    ) STRICT, WITHOUT ROWID;
    -- Of the latest runs of each source, and of each kind up to a limit: see omissions.ts.
    CREATE TABLE omissions (
      run    INTEGER NOT NULL REFERENCES runs (id),
      kind   TEXT NOT NULL,
      url    TEXT NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (run, kind, url)
    ) STRICT, WITHOUT ROWID;
    `,
    // Pages that conversion keeps out besides index pages.
    `
    ALTER TABLE runs ADD COLUMN kept_out INTEGER NOT NULL DEFAULT 0;
    `,
  ],
};
