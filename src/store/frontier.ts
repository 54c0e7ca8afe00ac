import { documentName } from "../domain/document.ts";
import type { FetchOutcome, Link } from "../domain/page.ts";
import type { Clock, Frontier, FrontierCounts, FrontierEntry, FrontierLimits } from "../domain/ports.ts";
import type { Run } from "../domain/run.ts";
import type { Db } from "./database.ts";
import { isDue, listedChanges } from "./due.ts";
import { noteMove, pageWriter } from "./page-writer.ts";

// What `urls.state` means. 0 and 1 stand in the partial indexes of the schema too.
const URL_WAITING = 0;
const URL_IN_FLIGHT = 1;
/** Something came of it: see `urls.outcome`. */
export const URL_DONE = 2;
/** Known, and not asked for: beyond a limit, or out of scope as the source is listed today. */
const URL_LEFT_OUT = 3;
export const URL_OUT_OF_SCOPE = 4;
/** Known, and so long the same that it need not be asked for yet. */
const URL_NOT_DUE = 5;

/** Known URLs read at a time when a run begins. */
const KNOWN_PER_BATCH = 10_000;

/**
 * URLs taken, and answers of "unchanged" written, in one transaction. A run that is killed asks for these again; they had
 * no body to lose.
 */
const URLS_CLAIMED = 32;
/** Links that a run has seen are remembered up to here, so that a menu on every page is not looked up for each. */
const SEEN_LINKS_KEPT = 200_000;

/** Opens the frontier of a run on the archive's own table; see the port. */
export function openFrontier(db: Db, clock: Clock, run: Run, seeds: readonly Link[], limits: FrontierLimits): Frontier {
  const key = { source: run.source, run: run.id };
  // A run that is to ask for what failed alone leaves what is known alone.
  const requeue = limits.ask === "failed" ? 0 : 1;
  // Counted here, for Crawlee asks for each request whether anything is left, and a million rows take long to count.
  let queued = 0;
  let waiting = 0;
  let inFlight = 0;
  const seen = new Set<string>();

  const upsertLink = db.prepare(
    `INSERT INTO urls (source, name, url, depth, run, state) VALUES (:source, :name, :url, :depth, :run, :state)
     ON CONFLICT (source, name) DO UPDATE SET run = :run, state = :state, depth = :depth, outcome = NULL, detail = NULL
     WHERE (run <> :run AND :requeue = 1) OR (run = :run AND state = ${URL_LEFT_OUT} AND :state = ${URL_WAITING})`,
  );
  const waitingRows = db.prepare<[string, number], WaitingRow>(
    `SELECT u.id, u.name, u.url, u.depth, u.gone_runs > 0 OR p.name IS NOT NULL AS known, p.etag, p.last_modified, p.content_type
     FROM urls u LEFT JOIN pages p ON p.source = u.source AND p.name = u.name AND p.removed = 0
     WHERE u.source = ? AND u.state = ${URL_WAITING} ORDER BY u.id LIMIT ?`,
  );
  const claim = db.prepare(`UPDATE urls SET state = ${URL_IN_FLIGHT} WHERE id = ?`);
  const finish = db.prepare(
    `UPDATE urls SET state = ${URL_DONE}, outcome = :outcome, detail = :detail
     WHERE source = :source AND name = :name AND run = :run AND state = ${URL_IN_FLIGHT}`,
  );
  const writePage = pageWriter(db, clock, run.source);
  const noteCheck = db.prepare(
    `UPDATE urls SET checked_at = :now, changed_at = CASE WHEN :changed THEN :now ELSE coalesce(changed_at, :now) END
     WHERE source = :source AND name = :name`,
  );
  const checked = (name: string, changed: boolean): void => {
    noteCheck.run({ source: run.source, name, changed: changed ? 1 : 0, now: clock().getTime() });
  };

  /** @param again whether one that is known from an earlier run is asked for again. */
  function addLink(link: Link, again = requeue): void {
    if (seen.has(link.url)) return;
    const within = link.depth <= limits.maxDepth && queued < limits.maxPages;
    const state = within ? URL_WAITING : URL_LEFT_OUT;
    const name = documentName(link.url);
    const added = upsertLink.run({ ...key, name, url: link.url, depth: link.depth, state, requeue: again });
    if (within && added.changes > 0) {
      queued++;
      waiting++;
    }
    // One that was too deep may be found again nearer to a seed.
    if (!within) return;
    if (seen.size >= SEEN_LINKS_KEPT) seen.clear();
    seen.add(link.url);
  }

  let asksWhole = false;

  const open = db.transaction(() => {
    asksWhole = !isScopeSettled(db, run.source, limits.scopeKey);
    const resumed = db
      .prepare<[string, number], number>("SELECT 1 FROM urls WHERE source = ? AND run = ? LIMIT 1")
      .pluck();
    if (resumed.get(run.source, run.id) === undefined) {
      // What a run that was never ended left behind belongs to no run now.
      db.prepare("UPDATE urls SET state = ? WHERE source = ? AND state IN (?, ?)").run(
        URL_DONE,
        run.source,
        URL_WAITING,
        URL_IN_FLIGHT,
      );
      db.prepare("DELETE FROM incoming WHERE source = ?").run(run.source);
      // What a list of the site names is asked for when it is due, like all that is known.
      if (limits.ask !== "failed") for (const seed of seeds) addLink(seed, seed.depth === 0 ? requeue : 0);
      requeueKnown(listedChanges(seeds));
    } else {
      db.prepare("UPDATE urls SET state = ? WHERE source = ? AND state = ?").run(
        URL_WAITING,
        run.source,
        URL_IN_FLIGHT,
      );
      const count = db
        .prepare<[string, number, number], number>(
          "SELECT count(*) FROM urls WHERE source = ? AND run = ? AND state = ?",
        )
        .pluck();
      waiting = count.get(run.source, run.id, URL_WAITING) ?? 0;
      queued = waiting + (count.get(run.source, run.id, URL_DONE) ?? 0);
    }
  });

  /** Every known URL is asked again, whether it is linked or not: a 304 has no links. */
  function requeueKnown(listed: ReadonlyMap<string, number>): void {
    // The plus keeps SQLite from the index by source, with which it would sort all that is left for each batch.
    const known = db.prepare<[string, number, number, number], KnownRow>(
      `SELECT id, name, url, depth, outcome, checked_at, changed_at FROM urls
       WHERE +source = ? AND run <> ? AND id > ? ORDER BY id LIMIT ?`,
    );
    const requeue = db.prepare("UPDATE urls SET run = ?, state = ?, outcome = NULL, detail = NULL WHERE id = ?");
    const now = clock().getTime();
    for (let last = 0; ;) {
      const rows = known.all(run.source, run.id, last, KNOWN_PER_BATCH);
      for (const row of rows) {
        last = row.id;
        if (limits.ask === "failed" && row.outcome !== "failed") continue;
        let state = URL_WAITING;
        if (!limits.inScope(row.url)) state = URL_OUT_OF_SCOPE;
        else if (row.depth > limits.maxDepth || queued >= limits.maxPages) state = URL_LEFT_OUT;
        else if (limits.ask === "due" && !asksWhole && !isDue(row, listed.get(row.name), limits.maxRecheckMs, now))
          state = URL_NOT_DUE;
        requeue.run(run.id, state, row.id);
        if (state !== URL_WAITING) continue;
        queued++;
        waiting++;
      }
      if (rows.length < KNOWN_PER_BATCH) return;
    }
  }

  // A run in which nothing changed would else spend most of its time on two transactions for each URL.
  const claimed: WaitingRow[] = [];
  const unchanged: FrontierEntry[] = [];

  const claimSome = db.transaction(() => {
    for (const row of waitingRows.all(run.source, URLS_CLAIMED)) {
      claim.run(row.id);
      claimed.push(row);
    }
  });

  function finishEntry(entry: FrontierEntry, outcome: FetchOutcome): void {
    const row = { ...key, name: entry.name, outcome: outcome.kind, detail: detailOf(outcome) };
    // Recorded before, by a claim that was given back and taken again.
    if (finish.run(row).changes === 0) return;
    inFlight--;
    if (outcome.kind === "page") checked(entry.name, writePage(outcome.page));
    if (outcome.kind === "unchanged") checked(entry.name, false);
    if (outcome.kind === "moved") noteMove(db, run.source, entry, documentName(outcome.to));
    if ("links" in outcome) for (const link of outcome.links) addLink(link);
  }

  const record = db.transaction((entries: readonly FrontierEntry[], outcome: FetchOutcome) => {
    for (const entry of entries) finishEntry(entry, outcome);
  });

  function flush(): void {
    if (unchanged.length > 0) record.immediate(unchanged.splice(0), { kind: "unchanged" });
  }

  open.immediate();

  return {
    next() {
      if (claimed.length === 0) {
        flush();
        claimSome.immediate();
      }
      const row = claimed.shift();
      if (row === undefined) return undefined;
      waiting--;
      inFlight++;
      return {
        name: row.name,
        url: row.url,
        depth: row.depth,
        isKnown: row.known === 1,
        etag: asksWhole ? undefined : (row.etag ?? undefined),
        lastModified: asksWhole ? undefined : (row.last_modified ?? undefined),
        contentType: row.content_type ?? undefined,
      };
    },
    record(entry, outcome) {
      if (outcome.kind === "unchanged") unchanged.push(entry);
      else record.immediate([entry], outcome);
      if (unchanged.length >= URLS_CLAIMED) flush();
    },
    pending: () => ({ waiting, inFlight: inFlight - unchanged.length }),
    counts() {
      flush();
      return countOutcomes(db, run);
    },
  };
}

/** Whether a run has asked for everything since the scope is what it is now; notes the scope when it is another. */
function isScopeSettled(db: Db, source: string, scopeKey: string): boolean {
  const held = db
    .prepare<[string], { key: string; settled: number }>("SELECT key, settled FROM scopes WHERE source = ?")
    .get(source);
  if (held?.key === scopeKey) return held.settled === 1;
  db.prepare("INSERT OR REPLACE INTO scopes (source, key, settled) VALUES (?, ?, 0)").run(source, scopeKey);
  return false;
}

interface WaitingRow {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly depth: number;
  readonly known: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly content_type: string | null;
}

interface KnownRow {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly depth: number;
  readonly outcome: FetchOutcome["kind"] | null;
  readonly checked_at: number | null;
  readonly changed_at: number | null;
}

function countOutcomes(db: Db, run: Run): FrontierCounts {
  const rows = db
    .prepare<[string, number], { outcome: FetchOutcome["kind"] | null; state: number; n: number }>(
      "SELECT outcome, state, count(*) AS n FROM urls WHERE source = ? AND run = ? GROUP BY outcome, state",
    )
    .all(run.source, run.id);
  const of = (kind: FetchOutcome["kind"]): number =>
    rows.reduce((sum, row) => (row.state === URL_DONE && row.outcome === kind ? sum + row.n : sum), 0);
  const inState = (state: number): number => rows.reduce((sum, row) => (row.state === state ? sum + row.n : sum), 0);
  return {
    fetched: of("page"),
    unchanged: of("unchanged"),
    moved: of("moved"),
    gone: of("gone"),
    skipped: of("skipped"),
    failed: of("failed"),
    leftOut: inState(URL_LEFT_OUT),
    notDue: inState(URL_NOT_DUE),
  };
}

function detailOf(outcome: FetchOutcome): string | null {
  switch (outcome.kind) {
    case "moved":
      return documentName(outcome.to);
    case "gone":
      return String(outcome.status);
    case "skipped":
    case "failed":
      return outcome.reason;
    case "page":
    case "unchanged":
      return null;
  }
}
