import type { FrontierLimits } from "../domain/ports.ts";
import type { Db } from "./database.ts";
import { nextRevision } from "./revision.ts";

/** Rows read at a time. */
const ROWS_PER_BATCH = 10_000;

interface KnownRow {
  readonly id: number;
  readonly name: string;
  readonly url: string;
}

/**
 * Gives what is known of a source the names that its rules of today make: pages keep what was sent, the old name leads to the
 * new one, and where two names have become one, the page that had it already stays. Nothing is lost if the run that comes
 * then fails, for no page waits to be fetched under its new name.
 */
export function renameKnown(db: Db, source: string, { nameOf, urlOf }: Pick<FrontierLimits, "nameOf" | "urlOf">): void {
  const rows = db.prepare<[string, number, number], KnownRow>(
    "SELECT id, name, url FROM urls WHERE +source = ? AND id > ? ORDER BY id LIMIT ?",
  );
  const isTaken = db.prepare<[string, string], number>("SELECT 1 FROM urls WHERE source = ? AND name = ?").pluck();
  const rename = db.prepare("UPDATE urls SET name = ?, url = ? WHERE id = ?");
  const respell = db.prepare("UPDATE urls SET url = ? WHERE id = ?");
  const forget = db.prepare("DELETE FROM urls WHERE id = ?");
  const movePage = pageMover(db, source);
  for (let last = 0; ;) {
    const batch = rows.all(source, last, ROWS_PER_BATCH);
    for (const { id, name, url } of batch) {
      last = id;
      const now = nameOf(url);
      if (now === name) {
        const asked = urlOf(url);
        if (asked !== url) respell.run(asked, id);
        continue;
      }
      if (isTaken.get(source, now) === undefined) rename.run(now, urlOf(url), id);
      else forget.run(id);
      movePage(name, now);
    }
    if (batch.length < ROWS_PER_BATCH) return;
  }
}

/** What moves a page to another name, unless there is one, and leaves a tombstone that leads there. */
function pageMover(db: Db, source: string): (from: string, to: string) => void {
  const isLive = db
    .prepare<[string, string], number>("SELECT 1 FROM pages WHERE source = ? AND name = ? AND removed = 0")
    .pluck();
  const copy = db.prepare(
    `INSERT OR REPLACE INTO pages
       (source, name, revision, removed, url, status, content_type, etag, last_modified, fetched_at, hash, body)
     SELECT source, :to, :revision, 0, url, status, content_type, etag, last_modified, fetched_at, hash, body
     FROM pages WHERE source = :source AND name = :from`,
  );
  const leave = db.prepare(
    `UPDATE pages SET removed = 1, moved_to = :to, body = NULL, etag = NULL, last_modified = NULL, hash = zeroblob(0),
       revision = :revision
     WHERE source = :source AND name = :from`,
  );
  return (from, to) => {
    if (isLive.get(source, from) === undefined) return;
    // The old name is left first, so that nobody sees two documents with one text.
    const left = nextRevision(db);
    if (isLive.get(source, to) === undefined) copy.run({ source, from, to, revision: nextRevision(db) });
    leave.run({ source, from, to, revision: left });
  };
}
