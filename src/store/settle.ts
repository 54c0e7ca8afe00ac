import type { RunReview } from "../domain/ports.ts";
import type { Run } from "../domain/run.ts";
import type { Db } from "./database.ts";
import { URL_DONE, URL_OUT_OF_SCOPE } from "./frontier.ts";
import { nextRevision } from "./revision.ts";

/** Complete runs in a row that must get 404, 410 or something that is no documentation before a page is removed. */
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
export function reviewRun(db: Db, run: Run, complete: boolean): RunReview {
  const count = (sql: string): number => db.prepare<[string], number>(sql).pluck().get(run.source) ?? 0;
  const refused = db.prepare<[string, number, number], number>(
    `SELECT count(*) FROM urls u JOIN pages p ON p.source = u.source AND p.name = u.name AND p.removed = 0
     WHERE u.source = ? AND u.run = ? AND u.state = ? AND u.outcome = 'skipped'`,
  );
  const skipped = refused.pluck().get(run.source, run.id, URL_DONE) as number;
  return {
    live: count("SELECT count(*) FROM pages WHERE source = ? AND removed = 0"),
    changed: count("SELECT count(*) FROM incoming WHERE source = ?"),
    leaving: complete ? leaving(db, run, 0).length - skipped : 0,
    refused: skipped,
  };
}

/**
 * Takes over what a run brought: pages that are other than before; and, when it asked for everything, tombstones for those
 * that moved, once their new place has a page; for those that were gone, or no documentation any more, in two such runs; and
 * for those that its pipeline puts out of scope. "Not linked any more" is not "gone".
 * @param accepted removes at once what is gone: a person has looked at it.
 */
export function settleRun(db: Db, run: Run, complete: boolean, accepted: boolean): void {
  const settle = db.transaction(() => {
    takeIncoming(db, run.source);
    db.prepare("UPDATE scopes SET settled = 1 WHERE source = ?").run(run.source);
    const settled = db.prepare<{ run: number; source: string }>(
      "INSERT INTO meta VALUES ('settled:' || :source, :run) ON CONFLICT (key) DO UPDATE SET value = :run WHERE value < :run",
    );
    // A run that was killed after it was settled must not count its 404s twice.
    if (!complete || settled.run({ source: run.source, run: run.id }).changes === 0) return;
    db.prepare(
      `UPDATE urls SET gone_runs = CASE WHEN outcome IN ('gone', 'skipped') THEN gone_runs + 1 ELSE 0 END
       WHERE source = ? AND run = ? AND state = ?`,
    ).run(run.source, run.id, URL_DONE);
    const tombstone = db.prepare(
      `UPDATE pages SET removed = 1, moved_to = :movedTo, body = NULL, etag = NULL, last_modified = NULL,
         hash = zeroblob(0), revision = :revision
       WHERE source = :source AND name = :name AND removed = 0`,
    );
    for (const { name, movedTo } of leaving(db, run, accepted ? 1 : GONE_RUNS_TO_REMOVE)) {
      tombstone.run({ source: run.source, name, movedTo, revision: nextRevision(db) });
    }
  });
  settle.immediate();
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
  for (const name of names) take.run(nextRevision(db), source, name);
  db.prepare("DELETE FROM incoming WHERE source = ?").run(source);
}

function leaving(db: Db, run: Run, goneRuns: number): readonly Leaving[] {
  return db
    .prepare<{ source: string; run: number; done: number; outOfScope: number; goneRuns: number }, Leaving>(
      `SELECT u.name, CASE u.outcome WHEN 'moved' THEN u.detail END AS movedTo
       FROM urls u JOIN pages p ON p.source = u.source AND p.name = u.name AND p.removed = 0
       WHERE u.source = :source AND u.run = :run AND (u.state = :outOfScope OR u.state = :done AND (
         (u.outcome IN ('gone', 'skipped') AND u.gone_runs >= :goneRuns) OR
         (u.outcome = 'moved' AND EXISTS (
           SELECT 1 FROM pages t WHERE t.source = u.source AND t.name = u.detail AND t.removed = 0))))
       ORDER BY u.name`,
    )
    .all({ source: run.source, run: run.id, done: URL_DONE, outOfScope: URL_OUT_OF_SCOPE, goneRuns });
}
