import type { StoreSchema } from "./database.ts";

/** `data/archive.db`: what was sent, and which URLs are known. */
export const ARCHIVE_SCHEMA: StoreSchema = {
  what: "the archive",
  applicationId: 0x43724172,
  migrations: [
    `
    -- Every URL that is known, and what came of it in the last run that queued it: the frontier of that run.
    CREATE TABLE urls (
      id         INTEGER PRIMARY KEY,
      source     TEXT NOT NULL,
      name       TEXT NOT NULL,
      url        TEXT NOT NULL,             -- as it was found: what is asked for
      depth      INTEGER NOT NULL,
      run        INTEGER NOT NULL,
      state      INTEGER NOT NULL,          -- see url-state.ts
      outcome    TEXT,                      -- kind of FetchOutcome, once it is done
      detail     TEXT,                      -- the reason, or the name that it moved to
      gone_runs  INTEGER NOT NULL DEFAULT 0,  -- complete runs in a row that got 404 or 410
      checked_at INTEGER,                   -- when it last answered with a page or 304; milliseconds since 1970
      changed_at INTEGER,                   -- when its page was last other than before; likewise
      UNIQUE (source, name)
    ) STRICT;
    CREATE INDEX urls_waiting ON urls (source, id) WHERE state = 0;
    CREATE INDEX urls_in_flight ON urls (source) WHERE state = 1;

    CREATE TABLE pages (
      source        TEXT NOT NULL,
      name          TEXT NOT NULL,
      revision      INTEGER NOT NULL UNIQUE,
      removed       INTEGER NOT NULL,       -- 1: a tombstone, without a body
      moved_to      TEXT,                   -- of a tombstone: the name under which the page lives on
      url           TEXT NOT NULL,
      status        INTEGER NOT NULL,
      content_type  TEXT NOT NULL,
      etag          TEXT,
      last_modified TEXT,
      fetched_at    TEXT NOT NULL,
      hash          BLOB NOT NULL,          -- SHA-256 of the body as sent
      body          BLOB,                   -- raw deflate
      PRIMARY KEY (source, name)
    ) STRICT;

    -- Pages that are other than before, until their run has been looked at: see Archive.settle.
    CREATE TABLE incoming (
      source        TEXT NOT NULL,
      name          TEXT NOT NULL,
      url           TEXT NOT NULL,
      status        INTEGER NOT NULL,
      content_type  TEXT NOT NULL,
      etag          TEXT,
      last_modified TEXT,
      fetched_at    TEXT NOT NULL,
      hash          BLOB NOT NULL,
      body          BLOB NOT NULL,
      PRIMARY KEY (source, name)
    ) STRICT;

    CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
    INSERT INTO meta VALUES ('revision', 0);
    -- What decided which links were followed, and whether a run has asked for everything since.
    CREATE TABLE scopes (source TEXT PRIMARY KEY, key TEXT NOT NULL, settled INTEGER NOT NULL) STRICT;
    CREATE TABLE identity (own TEXT NOT NULL, corpus TEXT NOT NULL) STRICT;
    INSERT INTO identity VALUES (hex(randomblob(16)), '');
    `,
    `
    -- Of the body as sent, expanded: what is kept, and what came in the run that the URL is of. NULL: not known, or nothing.
    ALTER TABLE urls ADD COLUMN bytes INTEGER;
    ALTER TABLE urls ADD COLUMN received INTEGER;
    CREATE INDEX urls_left_out ON urls (source, run) WHERE state = 3;
    -- The first run with this scope.
    ALTER TABLE scopes ADD COLUMN run INTEGER NOT NULL DEFAULT 0;
    -- The last run of each source whose frontier was opened: one that was killed goes on.
    INSERT INTO meta SELECT 'opened:' || source, max(run) FROM urls GROUP BY source HAVING max(run) > 0;
    UPDATE scopes SET run = coalesce((SELECT value FROM meta WHERE key = 'opened:' || source), 0);
    `,
    // When sources are due: see DueTime. Times in milliseconds since 1970.
    `
    CREATE TABLE schedules (
      source     TEXT PRIMARY KEY,
      schedule   TEXT NOT NULL,             -- what it was worked out from
      nominal_at INTEGER NOT NULL,          -- by the schedule alone
      due_at     INTEGER NOT NULL,          -- with jitter, or after a failure
      ran_at     INTEGER,                   -- when the last run by the schedule ended
      failures   INTEGER NOT NULL           -- in a row
    ) STRICT, WITHOUT ROWID;
    `,
  ],
};
