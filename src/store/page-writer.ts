import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import type { Page } from "../domain/page.ts";
import type { Clock, FrontierEntry } from "../domain/ports.ts";
import type { Db } from "./database.ts";
import { nextRevision } from "./revision.ts";

/** Deflate level: 6 makes bodies 8 % smaller, and takes twice the time. */
const BODY_COMPRESSION_LEVEL = 3;

/**
 * Writes what was sent. While nothing of a source has been taken over yet, a page goes straight into `pages`; later, one that
 * is new or other than before waits in `incoming` until its run has been looked at, for the page that a login wall leads to is
 * new. One that is byte for byte what is there keeps its revision, so that nothing is converted again.
 * @returns what writes one page, and says what became of it.
 */
export function pageWriter(db: Db, clock: Clock, source: string): (page: Page) => "new" | "waits" | "same" {
  const held = db.prepare<[string, string], { hash: Buffer; content_type: string; url: string; removed: number }>(
    "SELECT hash, content_type, url, removed FROM pages WHERE source = ? AND name = ?",
  );
  const refresh = db.prepare(
    `UPDATE pages SET status = :status, etag = :etag, last_modified = :lastModified, fetched_at = :fetchedAt
     WHERE source = :source AND name = :name`,
  );
  const insert = db.prepare(
    `INSERT OR REPLACE INTO pages
       (source, name, revision, removed, url, status, content_type, etag, last_modified, fetched_at, hash, body)
     VALUES (:source, :name, :revision, 0, :url, :status, :contentType, :etag, :lastModified, :fetchedAt, :hash, :body)`,
  );
  const stage = db.prepare(
    `INSERT OR REPLACE INTO incoming
       (source, name, url, status, content_type, etag, last_modified, fetched_at, hash, body)
     VALUES (:source, :name, :url, :status, :contentType, :etag, :lastModified, :fetchedAt, :hash, :body)`,
  );
  const isFirst = db.prepare("SELECT 1 FROM meta WHERE key = 'taken:' || ?").get(source) === undefined;
  return (page) => {
    const hash = createHash("sha256").update(page.body).digest();
    const row = {
      source,
      name: page.name,
      status: page.status,
      etag: page.etag ?? null,
      lastModified: page.lastModified ?? null,
      fetchedAt: clock().toISOString(),
    };
    const before = held.get(source, page.name);
    const isLive = before?.removed === 0;
    if (isLive && before.url === page.url && before.content_type === page.contentType && before.hash.equals(hash)) {
      refresh.run(row);
      return "same";
    }
    const body = deflateRawSync(page.body, { level: BODY_COMPRESSION_LEVEL });
    const whole = { ...row, url: page.url, contentType: page.contentType, hash, body };
    if (isLive || !isFirst) {
      stage.run(whole);
      return "waits";
    }
    insert.run({ ...whole, revision: nextRevision(db) });
    return "new";
  };
}

/** Notes where a name that never had a page leads, so that who asks for it is given the page. */
export function noteMove(db: Db, source: string, entry: FrontierEntry, to: string): void {
  const held = db
    .prepare<[string, string], { removed: number; moved_to: string | null }>(
      "SELECT removed, moved_to FROM pages WHERE source = ? AND name = ?",
    )
    .get(source, entry.name);
  // A page that is there stays until the run is settled.
  if (held?.removed === 0 || held?.moved_to === to) return;
  db.prepare(
    `INSERT OR REPLACE INTO pages
       (source, name, revision, removed, moved_to, url, status, content_type, fetched_at, hash)
     VALUES (?, ?, ?, 1, ?, ?, 301, '', '', zeroblob(0))`,
  ).run(source, entry.name, nextRevision(db), to, entry.url);
}
