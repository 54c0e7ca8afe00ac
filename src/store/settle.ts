import type { RunReview } from "../domain/ports.ts";
import type { Run } from "../domain/run.ts";
import type { Db } from "./database.ts";
import { scanOf } from "./known-urls.ts";
import { nextRevision } from "./revision.ts";
import { URL_DONE, URL_OUT_OF_SCOPE } from "./url-state.ts";

/** Telling runs in a row that must get 404, 410 or something that is no documentation before a page is removed. */
const GONE_RUNS_TO_REMOVE = 2;

interface Leaving {
  readonly name: string;
  /** Where it moved; null for one that is gone. */
  readonly movedTo: string | null;
}

/**
 * What a run would cost, were all that it did not find removed. A page that is gone for the first time counts as well: that
 * most of a site is gone is worth knowing the first night.
 */
export function reviewRun(db: Db, run: Run, isTelling: boolean): RunReview {
  const count = (sql: string): number => db.prepare<[string], number>(sql).pluck().get(run.source) ?? 0;
  const refused = db.prepare<[string, number, number], number>(
    `SELECT count(*) FROM urls u JOIN pages p ON p.source = u.source AND p.name = u.name AND p.removed = 0
     WHERE ${scanOf(db, run.source, "u.source")} = ? AND u.run = ? AND u.state = ? AND u.outcome = 'skipped'`,
  );
  const skipped = refused.pluck().get(run.source, run.id, URL_DONE) as number;
  return {
    live: count("SELECT count(*) FROM pages WHERE source = ? AND removed = 0"),
    changed: count("SELECT count(*) FROM incoming WHERE source = ?"),
    leaving: isTelling ? leaving(db, run, 0).length - skipped : 0,
    refused: skipped,
  };
}

/**
 * Takes over what a run brought: pages that are other than before; and, when it is telling, tombstones for those that moved,
 * once their new place has a page; for those that were gone, or no documentation any more, in two such runs; and for those
 * that its pipeline puts out of scope. "Not linked any more" is not "gone".
 * @param isTelling whether the site answered as a whole, so that what was not found is taken for gone; see flow.
 * @param accepted removes at once what is gone: a person has looked at it.
 */
export function settleRun(db: Db, run: Run, isTelling: boolean, accepted: boolean): void {
  const settle = db.transaction(() => {
    const own = scanOf(db, run.source);
    takeIncoming(db, run.source);
    db.prepare("INSERT OR REPLACE INTO meta VALUES ('taken:' || ?, ?)").run(run.source, run.id);
    db.prepare("UPDATE scopes SET settled = 1 WHERE source = ? AND run = ?").run(run.source, run.id);
    // A page that is there is not gone, whatever else the run is worth; one that failed may be either.
    db.prepare(
      `UPDATE urls SET gone_runs = 0
       WHERE ${own} = ? AND run = ? AND state = ? AND gone_runs > 0 AND outcome IN ('page', 'unchanged', 'moved')`,
    ).run(run.source, run.id, URL_DONE);
    // A run that was killed after it was settled must not count its 404s twice.
    if (!isTelling || !noteSettled(db, run)) return;
    db.prepare(
      `UPDATE urls SET gone_runs = gone_runs + 1
       WHERE ${own} = ? AND run = ? AND state = ? AND outcome IN ('gone', 'skipped')`,
    ).run(run.source, run.id, URL_DONE);
    const bury = burier(db);
    for (const { name, movedTo } of leaving(db, run, accepted ? 1 : GONE_RUNS_TO_REMOVE)) {
      bury(run.source, name, movedTo);
    }
  });
  settle.immediate();
}

/** Tombstones all pages of a source, and forgets what is known of its URLs. */
export function removeSource(db: Db, source: string): void {
  const remove = db.transaction(() => {
    const live = db.prepare<[string], string>("SELECT name FROM pages WHERE source = ? AND removed = 0 ORDER BY name");
    const bury = burier(db);
    for (const name of live.pluck().all(source)) bury(source, name, null);
    for (const table of ["urls", "incoming", "scopes", "schedules"])
      db.prepare(`DELETE FROM ${table} WHERE source = ?`).run(source);
    db.prepare(
      "DELETE FROM meta WHERE key IN ('settled:' || :source, 'opened:' || :source, 'sized:' || :source, 'taken:' || :source)",
    ).run({
      source,
    });
  });
  remove.immediate();
}

/** @returns whether the run was not settled before. */
function noteSettled(db: Db, run: Run): boolean {
  const settled = db.prepare<{ run: number; source: string }>(
    "INSERT INTO meta VALUES ('settled:' || :source, :run) ON CONFLICT (key) DO UPDATE SET value = :run WHERE value < :run",
  );
  return settled.run({ source: run.source, run: run.id }).changes > 0;
}

/**
 * What makes a tombstone of a page. Where other sources keep a page of that name, theirs come after it again: the document
 * was made of one of them alone.
 */
function burier(db: Db): (source: string, name: string, movedTo: string | null) => void {
  const tombstone = db.prepare(
    `UPDATE pages SET removed = 1, moved_to = :movedTo, body = NULL, etag = NULL, last_modified = NULL,
       hash = zeroblob(0), revision = :revision
     WHERE source = :source AND name = :name AND removed = 0`,
  );
  const forgetSize = db.prepare("UPDATE urls SET bytes = NULL WHERE source = ? AND name = ?");
  const sources = db.prepare<[], string>("SELECT source FROM scopes ORDER BY source").pluck().all();
  const kept = db
    .prepare<[string, string], number>("SELECT 1 FROM pages WHERE source = ? AND name = ? AND removed = 0")
    .pluck();
  const touch = db.prepare("UPDATE pages SET revision = ? WHERE source = ? AND name = ?");
  return (source, name, movedTo) => {
    tombstone.run({ source, name, movedTo, revision: nextRevision(db) });
    forgetSize.run(source, name);
    for (const other of sources) {
      if (other !== source && kept.get(other, name) !== undefined) touch.run(nextRevision(db), other, name);
    }
  };
}

function takeIncoming(db: Db, source: string): void {
  const names = db
    .prepare<[string], string>("SELECT name FROM incoming WHERE source = ? ORDER BY name")
    .pluck()
    .all(source);
  const take = db.prepare(
    `INSERT OR REPLACE INTO pages
       (source, name, revision, removed, url, status, content_type, etag, last_modified, fetched_at, hash, body)
     SELECT source, name, ?, 0, url, status, content_type, etag, last_modified, fetched_at, hash, body
     FROM incoming WHERE source = ? AND name = ?`,
  );
  const takeSize = db.prepare("UPDATE urls SET bytes = received WHERE source = ? AND name = ?");
  for (const name of names) {
    take.run(nextRevision(db), source, name);
    takeSize.run(source, name);
  }
  db.prepare("DELETE FROM incoming WHERE source = ?").run(source);
}

function leaving(db: Db, run: Run, goneRuns: number): readonly Leaving[] {
  return db
    .prepare<{ source: string; run: number; done: number; outOfScope: number; goneRuns: number }, Leaving>(
      `SELECT u.name, CASE u.outcome WHEN 'moved' THEN u.detail END AS movedTo
       FROM urls u CROSS JOIN pages p ON p.source = u.source AND p.name = u.name AND p.removed = 0
       WHERE ${scanOf(db, run.source, "u.source")} = :source AND u.run = :run AND (u.state = :outOfScope OR u.state = :done AND (
         (u.outcome IN ('gone', 'skipped') AND u.gone_runs >= :goneRuns) OR
         (u.outcome = 'moved' AND (
           EXISTS (SELECT 1 FROM pages t WHERE t.source = u.source AND t.name = u.detail AND t.removed = 0) OR
           EXISTS (SELECT 1 FROM incoming t WHERE t.source = u.source AND t.name = u.detail)))))
       ORDER BY u.name`,
    )
    .all({ source: run.source, run: run.id, done: URL_DONE, outOfScope: URL_OUT_OF_SCOPE, goneRuns });
}
