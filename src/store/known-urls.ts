import { inflateRawSync } from "node:zlib";
import type { Clock, FrontierLimits } from "../domain/ports.ts";
import type { Run } from "../domain/run.ts";
import type { Db } from "./database.ts";
import { isDueSql } from "./due.ts";
import { URL_DONE, URL_IN_FLIGHT, URL_LEFT_OUT, URL_NOT_DUE, URL_OUT_OF_SCOPE, URL_WAITING } from "./url-state.ts";

/** Whether the frontier of a run was opened before: it goes on, then. Notes that it is open now. */
export function isOpened(db: Db, { source, id }: Run): boolean {
  const note = db.prepare(
    "INSERT INTO meta VALUES ('opened:' || ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value",
  );
  return note.run(source, id).changes === 0;
}

/**
 * Whether a run has asked for everything, and judged all that was known, since the scope is what it is now. Notes another
 * scope, and which run is the first with it; a run that began with another one cannot be that.
 * @param goesOn whether the run was begun before.
 */
export function isScopeSettled(db: Db, run: Run, { scopeKey, ask }: FrontierLimits, goesOn: boolean): boolean {
  const held = db
    .prepare<[string], { key: string; settled: number }>("SELECT key, settled FROM scopes WHERE source = ?")
    .get(run.source);
  const isSame = held?.key === scopeKey;
  // What failed alone is asked for: that judges nothing else.
  if (ask === "failed") return isSame && held.settled === 1;
  if (!isSame) {
    db.prepare("INSERT OR REPLACE INTO scopes (source, key, settled, run) VALUES (?, ?, 0, 0)").run(
      run.source,
      scopeKey,
    );
  }
  if (!goesOn) db.prepare("UPDATE scopes SET run = ? WHERE source = ?").run(run.id, run.source);
  return isSame && held.settled === 1;
}

/** Releases what a run that was never ended left behind. */
export function abandonQueue(db: Db, source: string): void {
  // One by one, and as literals: only so does SQLite use the partial indexes.
  for (const state of [URL_WAITING, URL_IN_FLIGHT]) {
    db.prepare(`UPDATE urls SET state = ${URL_DONE} WHERE source = ? AND state = ${state}`).run(source);
  }
}

/** Notes when pages last changed as the site's own lists say, for `requeueKnown`. */
export function listedChanges(db: Db): { note(name: string, changedAt: number): void; end(): void } {
  db.exec("CREATE TEMP TABLE IF NOT EXISTS listed (name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID");
  db.exec("DELETE FROM listed");
  const insert = db.prepare("INSERT OR REPLACE INTO listed VALUES (?, ?)");
  return {
    note: (name, changedAt) => void insert.run(name, changedAt),
    end: () => void db.exec("DELETE FROM listed"),
  };
}

/** What else decides which known URLs are asked for. */
export interface Requeueing {
  /** In the queue before: the seeds. */
  readonly queued: number;
  readonly isScopeSettled: boolean;
  /** Whether the source has as many bytes as it may have. */
  readonly isFull: boolean;
  /** Whether the site's lists say when pages changed: see `listedChanges`. */
  readonly hasListed: boolean;
}

/**
 * Puts every known URL into the queue of a run that begins, whether it is linked or not, for a 304 has no links; or says in
 * its state why not. All in a few statements, whatever the number of URLs.
 */
export function requeueKnown(db: Db, clock: Clock, run: Run, limits: FrontierLimits, more: Requeueing): void {
  const { inScope, ask, maxDepth, maxPages, maxRecheckMs } = limits;
  const own = `${scanOf(db, run.source)} = :source AND run <> :run${ask === "failed" ? " AND outcome = 'failed'" : ""}`;
  const outOfScope = more.isScopeSettled ? `state = ${URL_OUT_OF_SCOPE}` : "in_scope(url) = 0";
  if (!more.isScopeSettled) judgeScopeBy(db, inScope);
  const overSize = more.isFull ? WITHOUT_PAGE : "0";
  const listedAt = more.hasListed ? "(SELECT at FROM temp.listed WHERE listed.name = urls.name)" : "NULL";
  const isDue = ask === "due" && more.isScopeSettled ? isDueSql(listedAt) : "1";
  const parameters = {
    source: run.source,
    run: run.id,
    maxDepth: finite(maxDepth),
    now: clock().getTime(),
    maxRecheckMs: finite(maxRecheckMs),
  };

  const room = maxPages - more.queued;
  let lastId = Number.MAX_SAFE_INTEGER;
  if (countOf(db, run.source) > room) {
    const beyond = db.prepare<[typeof parameters & { room: number }], number>(
      `SELECT id FROM urls WHERE ${own} AND NOT (${outOfScope}) AND depth <= :maxDepth AND NOT (${overSize}) AND (${isDue})
       ORDER BY id LIMIT 1 OFFSET :room`,
    );
    lastId = (beyond.pluck().get({ ...parameters, room: Math.max(0, room) }) ?? lastId + 1) - 1;
  }
  db.prepare(
    `UPDATE urls SET run = :run, outcome = NULL, received = NULL,
       detail = CASE WHEN depth > :maxDepth THEN 'maxDepth' WHEN id > :lastId THEN 'maxPages' WHEN ${overSize} THEN 'maxSiteBytes' END,
       state = CASE
         WHEN ${outOfScope} THEN ${URL_OUT_OF_SCOPE}
         WHEN depth > :maxDepth OR id > :lastId OR ${overSize} THEN ${URL_LEFT_OUT}
         WHEN ${isDue} THEN ${URL_WAITING}
         ELSE ${URL_NOT_DUE}
       END
     WHERE ${own}`,
  ).run({ ...parameters, lastId });
}

/** SQL for a row of `urls` whose page is not kept. */
export const WITHOUT_PAGE =
  "NOT EXISTS (SELECT 1 FROM pages p WHERE p.source = urls.source AND p.name = urls.name AND p.removed = 0)";

/** What the rows of a run come to, in one look at each. */
export interface RowGroup {
  readonly state: number;
  readonly outcome: string | null;
  readonly n: number;
  readonly received: number | null;
}

/** Counts the URLs of a run by what they have come to. */
export function countRows(db: Db, run: Run): readonly RowGroup[] {
  return db
    .prepare<[string, number], RowGroup>(
      `SELECT state, outcome, count(*) AS n, sum(received) AS received FROM urls
       WHERE ${scanOf(db, run.source)} = ? AND run = ? GROUP BY state, outcome`,
    )
    .all(run.source, run.id);
}

/** Bytes of bodies that are kept of a source, with what the run that goes on has brought in their place. */
export function keptBytes(db: Db, run: Run): number {
  return (
    db
      .prepare<[number, string], number>(
        `SELECT sum(CASE WHEN run = ? AND state = ${URL_DONE} AND outcome = 'page' THEN received ELSE bytes END)
         FROM urls WHERE ${scanOf(db, run.source)} = ?`,
      )
      .pluck()
      .get(run.id, run.source) ?? 0
  );
}

/** Notes the sizes of bodies that were archived before sizes were noted; once for a source. */
export function measureBodies(db: Db, source: string): void {
  if (db.prepare("INSERT OR IGNORE INTO meta VALUES ('sized:' || ?, 1)").run(source).changes === 0) return;
  db.function("body_bytes", (body: unknown) => inflateRawSync(body as Buffer).byteLength);
  db.prepare(
    `UPDATE urls SET bytes = p.bytes FROM (SELECT name, body_bytes(body) AS bytes FROM pages WHERE source = ? AND removed = 0) p
     WHERE urls.source = ? AND urls.name = p.name AND urls.bytes IS NULL`,
  ).run(source, source);
}

/** A source that has more than this share of all URLs is read by reading the whole table. */
const SCAN_SHARE = 1 / 8;

/**
 * The column by which the rows of a source are found. Read through the index by name, in which neighbours lie far apart in
 * the table, a million rows take six times as long as the table from its start to its end: the plus keeps SQLite from it.
 */
export function scanOf(db: Db, source: string, column = "source"): string {
  const all = db.prepare<[], number>("SELECT max(id) FROM urls").pluck().get() ?? 0;
  return countOf(db, source) > all * SCAN_SHARE ? `+${column}` : column;
}

function countOf(db: Db, source: string): number {
  return db.prepare<[string], number>("SELECT count(*) FROM urls WHERE source = ?").pluck().get(source) ?? 0;
}

/** SQLite has no Infinity that compares as an integer. */
function finite(value: number): number {
  return Math.min(value, Number.MAX_SAFE_INTEGER);
}

const JUDGES = new WeakMap<Db, { inScope: (url: string) => boolean }>();

/** Lets SQL ask whether a URL is in scope; the function is made once, for it cannot be replaced while a statement runs. */
function judgeScopeBy(db: Db, inScope: (url: string) => boolean): void {
  const judge = JUDGES.get(db);
  if (judge !== undefined) {
    judge.inScope = inScope;
    return;
  }
  const own = { inScope };
  JUDGES.set(db, own);
  db.function("in_scope", (url: unknown) => (own.inScope(String(url)) ? 1 : 0));
}
