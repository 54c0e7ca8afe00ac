import { inflateRawSync } from "node:zlib";
import type { Link, PageChange } from "../domain/page.ts";
import type { Archive, Clock, Frontier, FrontierLimits } from "../domain/ports.ts";
import type { Failure, Run } from "../domain/run.ts";
import { ARCHIVE_SCHEMA } from "./archive-schema.ts";
import { openStore, type Db } from "./database.ts";
import { openFrontier, URL_DONE } from "./frontier.ts";
import { nextRevision, revisionOf } from "./revision.ts";

/** Complete runs in a row that must get 404 or 410 before a page counts as removed. */
const GONE_RUNS_TO_REMOVE = 2;

/** Opens `archive.db`, and makes it when it is missing. @throws CarrelError `store`. */
export function openArchive(file: string, clock: Clock): Archive {
  const db = openStore(file, ARCHIVE_SCHEMA);
  return {
    revision: () => revisionOf(db),
    openFrontier: (run: Run, seeds: readonly Link[], limits: FrontierLimits): Frontier =>
      openFrontier(db, clock, run, seeds, limits),
    settle: (run, complete) => settle(db, run, complete),
    touch: (source) => touch(db, source),
    changesSince: (revision, limit) => changesSince(db, revision, limit),
    failures: (run) => failuresOf(db, run),
    close: () => db.close(),
  };
}

/**
 * Turns pages into tombstones: those that moved, once their new place has a page; and, when the run asked for everything,
 * those that were gone in two such runs. An incomplete run removes nothing, and "not linked any more" is not "gone".
 */
function settle(db: Db, run: Run, complete: boolean): void {
  const scope = { source: run.source, run: run.id, done: URL_DONE };
  const tombstone = db.prepare(
    `UPDATE pages SET removed = 1, body = NULL, etag = NULL, last_modified = NULL, hash = zeroblob(0), revision = :revision
     WHERE source = :source AND name = :name AND removed = 0`,
  );
  const settleRun = db.transaction(() => {
    const settled = db.prepare<{ run: number; source: string }>(
      "INSERT OR IGNORE INTO meta VALUES ('settled:' || :source, :run) ON CONFLICT (key) DO UPDATE SET value = :run WHERE value < :run",
    );
    // A run that was killed after it was settled must not count its 404s twice.
    if (!complete || settled.run({ source: run.source, run: run.id }).changes === 0) return;
    db.prepare(
      `UPDATE urls SET gone_runs = CASE outcome WHEN 'gone' THEN gone_runs + 1 ELSE 0 END
       WHERE source = :source AND run = :run AND state = :done`,
    ).run(scope);
    const leaving = db
      .prepare<typeof scope & { limit: number }, { name: string }>(
        `SELECT u.name FROM urls u JOIN pages p ON p.source = u.source AND p.name = u.name AND p.removed = 0
         WHERE u.source = :source AND u.run = :run AND u.state = :done AND (
           u.gone_runs >= :limit OR
           (u.outcome = 'moved' AND EXISTS (
             SELECT 1 FROM pages t WHERE t.source = u.source AND t.name = u.detail AND t.removed = 0)))
         ORDER BY u.name`,
      )
      .all({ ...scope, limit: GONE_RUNS_TO_REMOVE });
    for (const { name } of leaving) {
      tombstone.run({ source: run.source, name, revision: nextRevision(db) });
    }
  });
  settleRun.immediate();
}

function touch(db: Db, source: string): void {
  const names = db
    .prepare<[string], string>("SELECT name FROM pages WHERE source = ? AND removed = 0 ORDER BY name")
    .pluck();
  const renew = db.prepare("UPDATE pages SET revision = ? WHERE source = ? AND name = ?");
  db.transaction(() => {
    for (const name of names.all(source)) renew.run(nextRevision(db), source, name);
  }).immediate();
}

interface PageRow {
  readonly source: string;
  readonly name: string;
  readonly revision: number;
  readonly removed: number;
  readonly url: string;
  readonly status: number;
  readonly content_type: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly fetched_at: string;
  readonly body: Buffer | null;
}

function changesSince(db: Db, revision: number, limit: number): readonly PageChange[] {
  const rows = db
    .prepare<[number, number], PageRow>("SELECT * FROM pages WHERE revision > ? ORDER BY revision LIMIT ?")
    .all(revision, limit);
  return rows.map((row): PageChange => {
    if (row.removed === 1 || row.body === null) {
      return { kind: "removed", revision: row.revision, source: row.source, name: row.name };
    }
    return {
      kind: "page",
      revision: row.revision,
      page: {
        source: row.source,
        name: row.name,
        url: row.url,
        status: row.status,
        contentType: row.content_type,
        etag: row.etag ?? undefined,
        lastModified: row.last_modified ?? undefined,
        fetchedAt: row.fetched_at,
        body: inflateRawSync(row.body),
      },
    };
  });
}

function failuresOf(db: Db, run: Run): Iterable<Pick<Failure, "url" | "reason">> {
  return db
    .prepare<[string, number, number], Pick<Failure, "url" | "reason">>(
      `SELECT url, coalesce(detail, '') AS reason FROM urls
       WHERE source = ? AND run = ? AND state = ? AND outcome = 'failed' ORDER BY name`,
    )
    .iterate(run.source, run.id, URL_DONE);
}
