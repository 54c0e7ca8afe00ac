import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import { MEANING_SCHEMA, MEANING_TABLES } from "./lsa/tables.ts";

/** "CRLi": marks the file as a Carrel index, so that no other database is ever emptied. */
const APPLICATION_ID = 0x43524c69;

/** Larger than SQLite's own, for postings are blobs of some kilobytes; must be set before the first table. */
const PAGE_BYTES = 8192;

const BUSY_TIMEOUT_MS = 30_000;

/** The write-ahead log is cut back to this after a checkpoint; a merge makes it as large as the index. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;

const SCHEMA = `
  CREATE TABLE state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    fingerprint TEXT NOT NULL,
    epoch TEXT NOT NULL,
    revision INTEGER NOT NULL,
    commits INTEGER NOT NULL,
    next_segment INTEGER NOT NULL
  );
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL,
    host TEXT NOT NULL,
    address TEXT NOT NULL,
    source TEXT NOT NULL,
    language TEXT NOT NULL,
    version TEXT NOT NULL,
    signature BLOB NOT NULL,
    kind TEXT NOT NULL,
    rows BLOB NOT NULL,
    links BLOB NOT NULL
  );
  CREATE INDEX documents_by_source ON documents (source);
  CREATE INDEX documents_by_host ON documents (host);
  CREATE TABLE linked (page INTEGER PRIMARY KEY, pages INTEGER NOT NULL);
  CREATE TABLE link_texts (
    page INTEGER NOT NULL,
    key INTEGER NOT NULL,
    text TEXT NOT NULL,
    pages INTEGER NOT NULL,
    PRIMARY KEY (page, key)
  ) WITHOUT ROWID;
  CREATE TABLE segments (
    id INTEGER PRIMARY KEY,
    rows BLOB NOT NULL,
    documents BLOB NOT NULL,
    length_codes BLOB NOT NULL,
    bound_mean REAL NOT NULL
  );
  CREATE TABLE deletions (segment INTEGER PRIMARY KEY, ordinals BLOB NOT NULL);
  CREATE TABLE term_pages (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE first_terms (
    segment INTEGER NOT NULL,
    term BLOB NOT NULL,
    page INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (segment, term)
  ) WITHOUT ROWID;
  ${MEANING_SCHEMA}
`;

/** Those of today, and of older indexes. */
const TABLES = [
  "state",
  "documents",
  "linked",
  "link_texts",
  "segments",
  "deletions",
  "term_pages",
  "first_terms",
  "postings",
  ...MEANING_TABLES,
];

/**
 * Opens `index.db`. For writing, the folder and the tables are made, and an index by other rules is dropped; for
 * reading, the file must be there.
 * @throws CarrelError `unavailable` when there is no index to read, or when one was made by other rules; `store` when the
 * file is damaged or something else.
 */
export function openIndexFile(file: string, readonly: boolean, fingerprint: string): Database.Database {
  if (readonly && !existsSync(file)) {
    throw new CarrelError("unavailable", `There is no index at ${file}; run \`carrel index\` to make it.`);
  }
  return guarded(file, () => {
    if (!readonly) mkdirSync(dirname(file), { recursive: true });
    const db = new Database(file, { readonly, timeout: BUSY_TIMEOUT_MS });
    try {
      if (readonly) checkReadable(db, file, fingerprint);
      else prepareForWriting(db, file, fingerprint);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

function checkReadable(db: Database.Database, file: string, fingerprint: string): void {
  const id = db.pragma("application_id", { simple: true });
  if (id !== APPLICATION_ID) {
    if (id === 0 && isEmpty(db)) throw unmade(file);
    throw notAnIndex(file);
  }
  const state = db.prepare<[], { fingerprint: string }>("SELECT fingerprint FROM state").get();
  if (state === undefined) throw unmade(file);
  checkFingerprint(file, state.fingerprint, fingerprint);
}

/** @throws CarrelError `unavailable` when the index was made by other rules, by an older or a newer Carrel, or from another corpus. */
export function checkFingerprint(file: string, found: string, expected: string): void {
  if (found === expected) return;
  throw new CarrelError(
    "unavailable",
    `The index ${file} was made by another version of Carrel or from another corpus; run \`carrel index\` to make it again from the corpus.`,
  );
}

function prepareForWriting(db: Database.Database, file: string, fingerprint: string): void {
  const id = db.pragma("application_id", { simple: true });
  if (id !== APPLICATION_ID && !(id === 0 && isEmpty(db))) throw notAnIndex(file);
  if (id === 0) {
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma("auto_vacuum = INCREMENTAL");
  }
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = NORMAL");
  db.pragma(`journal_size_limit = ${MAX_LOG_BYTES}`);
  db.transaction(() => {
    if (!isEmpty(db)) {
      const state = db.prepare<[], { fingerprint: string }>("SELECT fingerprint FROM state").get();
      if (state?.fingerprint === fingerprint) return;
      for (const table of TABLES) db.exec(`DROP TABLE IF EXISTS ${table}`);
    }
    db.exec(SCHEMA);
    db.prepare("INSERT INTO state VALUES (1, ?, ?, 0, 0, 1)").run(fingerprint, randomUUID());
    db.pragma(`application_id = ${APPLICATION_ID}`);
  }).immediate();
}

function isEmpty(db: Database.Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
}

function unmade(file: string): CarrelError {
  return new CarrelError("unavailable", `The index ${file} is empty; run \`carrel index\` to make it.`);
}

function notAnIndex(file: string): CarrelError {
  return new CarrelError(
    "store",
    `${file} is a database, but not an index of Carrel's; move it away and run \`carrel index\`.`,
  );
}

/** Runs what uses the file, and says in words what went wrong with it. */
export function guarded<T>(file: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw explained(file, error);
  }
}

function explained(file: string, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const cause = { cause: error };
  if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code)) {
    return new CarrelError(
      "store",
      `The index ${file} is damaged (${reasonOf(error)}). Nothing is lost: run \`carrel index --rebuild\`, which makes it again from the corpus.`,
      cause,
    );
  }
  if (error.code.startsWith("SQLITE_BUSY")) {
    return new CarrelError("busy", `Another process is writing the index ${file}; try again when it has ended.`, cause);
  }
  if (error.code.startsWith("SQLITE_FULL")) {
    return new CarrelError(
      "unavailable",
      `There is no room on the disk for the index ${file}; free some and run again.`,
      cause,
    );
  }
  if (/^SQLITE_(?:CANTOPEN|READONLY|IOERR|PERM|AUTH)/.test(error.code)) {
    return new CarrelError(
      "unavailable",
      `The index ${file} cannot be opened (${reasonOf(error)}); check the path and its permissions.`,
      cause,
    );
  }
  return error;
}
