import type { FetchOutcome, Link } from "../domain/page.ts";
import type { Clock, Frontier, FrontierCounts, FrontierEntry, FrontierLimits } from "../domain/ports.ts";
import type { Run } from "../domain/run.ts";
import type { Db } from "./database.ts";
import {
  abandonQueue,
  countRows,
  isOpened,
  isScopeSettled,
  keptBytes,
  listedChanges,
  measureBodies,
  requeueKnown,
  WITHOUT_PAGE,
} from "./known-urls.ts";
import { noteMove, pageWriter } from "./page-writer.ts";
import { OtherSpellings } from "./other-spellings.ts";
import { renameKnown } from "./rename-known.ts";
import { URL_DONE, URL_IN_FLIGHT, URL_LEFT_OUT, URL_NOT_DUE, URL_WAITING } from "./url-state.ts";

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
  const counts = { fetched: 0, unchanged: 0, moved: 0, gone: 0, skipped: 0, failed: 0, notDue: 0, bytes: 0 };
  let queued = 0;
  let waiting = 0;
  let inFlight = 0;
  const hasSizeLimit = Number.isFinite(limits.maxSiteBytes);
  /** Bytes of bodies that are kept, once this run is settled; 0 where they are not limited. */
  let kept = 0;
  let isFull = false;
  const seen = new Set<string>();
  const spellings = new OtherSpellings(db, run.source);

  const upsertLink = db.prepare(
    `INSERT INTO urls (source, name, url, depth, run, state, detail)
     VALUES (:source, :name, :url, :depth, :run, :state, :detail)
     ON CONFLICT (source, name) DO UPDATE SET run = :run, state = :state, depth = :depth, outcome = NULL, detail = :detail,
       received = NULL
     WHERE (run <> :run AND :requeue = 1) OR (run = :run AND state = ${URL_LEFT_OUT} AND :state = ${URL_WAITING})`,
  );
  const waitingRows = db.prepare<[string, number], WaitingRow>(
    `SELECT u.id, u.name, u.url, u.depth, u.gone_runs > 0 OR p.name IS NOT NULL AS known, p.name IS NOT NULL AS held,
       p.etag, p.last_modified, p.content_type
     FROM urls u LEFT JOIN pages p ON p.source = u.source AND p.name = u.name AND p.removed = 0
     WHERE u.source = ? AND u.state = ${URL_WAITING} ORDER BY u.id LIMIT ?`,
  );
  const claim = db.prepare(`UPDATE urls SET state = ${URL_IN_FLIGHT} WHERE id = ?`);
  const finish = db.prepare(
    `UPDATE urls SET state = ${URL_DONE}, outcome = :outcome, detail = :detail
     WHERE source = :source AND name = :name AND run = :run AND state = ${URL_IN_FLIGHT}`,
  );
  const writePage = pageWriter(db, clock, run.source);
  const noteUnchanged = db.prepare(
    `UPDATE urls SET checked_at = :now, changed_at = coalesce(changed_at, :now) WHERE source = :source AND name = :name`,
  );
  const notePage = db.prepare(
    `UPDATE urls SET checked_at = :now, received = :size,
       changed_at = CASE :written WHEN 'same' THEN coalesce(changed_at, :now) ELSE :now END,
       bytes = CASE :written WHEN 'waits' THEN bytes ELSE :size END
     WHERE source = :source AND name = :name`,
  );
  const bytesOf = db
    .prepare<[string, string], number | null>("SELECT bytes FROM urls WHERE source = ? AND name = ?")
    .pluck();
  const isHeld = db
    .prepare<[string, string], number>("SELECT 1 FROM pages WHERE source = ? AND name = ? AND removed = 0")
    .pluck();
  const leaveOut = db.prepare(`UPDATE urls SET state = ${URL_LEFT_OUT}, detail = 'maxSiteBytes' WHERE id = ?`);
  const countLeftOut = db
    .prepare<[string, number], number>(
      `SELECT count(*) FROM urls WHERE source = ? AND run = ? AND state = ${URL_LEFT_OUT}`,
    )
    .pluck();

  /** The limit that a link is beyond. */
  function limitOn(link: Link, name: string): string | null {
    if (link.depth > limits.maxDepth) return "maxDepth";
    if (queued >= limits.maxPages) return "maxPages";
    return isFull && isHeld.get(run.source, name) === undefined ? "maxSiteBytes" : null;
  }

  /** @param again whether one that is known from an earlier run is asked for again. */
  function addLink(link: Link, again = requeue, name = limits.nameOf(link.url)): void {
    const limit = limitOn(link, name);
    const state = limit === null ? URL_WAITING : URL_LEFT_OUT;
    const row = { ...key, name, url: link.url, depth: link.depth, state, detail: limit, requeue: again };
    const isNew = upsertLink.run(row).changes > 0;
    if (isNew && limit === null) {
      queued++;
      waiting++;
    } else if (!isNew && limit === null && spellings.note(name, link.url)) {
      waiting++;
      counts.gone--;
    }
    // One that was too deep may be found again nearer to a seed.
    if (limit !== null) return;
    if (seen.size >= SEEN_LINKS_KEPT) seen.clear();
    seen.add(link.url);
  }

  let asksWhole = false;

  const open = db.transaction(() => {
    const goesOn = isOpened(db, run);
    asksWhole = !isScopeSettled(db, run, limits, goesOn);
    if (!goesOn) {
      abandonQueue(db, run.source);
      db.prepare("DELETE FROM incoming WHERE source = ?").run(run.source);
    }
    if (hasSizeLimit) {
      measureBodies(db, run.source);
      kept = keptBytes(db, run);
    }
    isFull = kept >= limits.maxSiteBytes;
    if (asksWhole && !goesOn) renameKnown(db, run.source, limits);
    if (goesOn) {
      db.prepare(`UPDATE urls SET state = ${URL_WAITING} WHERE source = ? AND state = ${URL_IN_FLIGHT}`).run(
        run.source,
      );
    } else {
      const listed = listedChanges(db);
      const hasListed = addSeeds(listed.note);
      requeueKnown(db, clock, run, limits, { queued, isScopeSettled: !asksWhole, isFull, hasListed });
      listed.end();
    }
    countAll();
  });

  /** @returns whether some of them say when they changed. */
  function addSeeds(noteChange: (name: string, changedAt: number) => void): boolean {
    let hasListed = false;
    for (const seed of seeds) {
      const name = limits.nameOf(seed.url);
      if (seed.lastModified !== undefined) {
        noteChange(name, Date.parse(seed.lastModified));
        hasListed = true;
      }
      // What a list of the site names is asked for when it is due, like all that is known.
      if (limits.ask !== "failed") addLink(seed, seed.depth === 0 ? requeue : 0, name);
    }
    return hasListed;
  }

  function countAll(): void {
    waiting = queued = 0;
    for (const { state, outcome, n, received } of countRows(db, run)) {
      if (state === URL_WAITING) waiting += n;
      if (state === URL_WAITING || state === URL_DONE) queued += n;
      if (state === URL_NOT_DUE) counts.notDue += n;
      if (state !== URL_DONE || outcome === null) continue;
      counts[COUNT_OF[outcome as FetchOutcome["kind"]]] += n;
      counts.bytes += received ?? 0;
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
    const row = { ...key, name: entry.name, outcome: outcome.kind, detail: detailOf(outcome, limits) };
    // Recorded before, by a claim that was given back and taken again.
    if (finish.run(row).changes === 0) return;
    inFlight--;
    if (outcome.kind === "gone" && spellings.noteGone(entry.name, entry.url)) {
      waiting++;
      return;
    }
    if (outcome.kind !== "gone") spellings.forget(entry.name);
    counts[COUNT_OF[outcome.kind]]++;
    const checked = { source: run.source, name: entry.name, now: clock().getTime() };
    if (outcome.kind === "page") {
      const size = outcome.page.body.byteLength;
      const before = hasSizeLimit ? (bytesOf.get(run.source, entry.name) ?? 0) : 0;
      const written = writePage(outcome.page);
      notePage.run({ ...checked, size, written });
      counts.bytes += size;
      kept += size - before;
    }
    if (outcome.kind === "unchanged") noteUnchanged.run(checked);
    if (outcome.kind === "moved") noteMove(db, run.source, entry, limits.nameOf(outcome.to));
    if (hasSizeLimit && !isFull && kept >= limits.maxSiteBytes) leaveRestOut();
    if ("links" in outcome) for (const link of outcome.links) if (!seen.has(link.url)) addLink(link);
  }

  /** The source has as many bytes as it may have: of what waits, only the pages that are kept already are asked for. */
  function leaveRestOut(): void {
    isFull = true;
    seen.clear();
    const rest = db.prepare(
      `UPDATE urls SET state = ${URL_LEFT_OUT}, detail = 'maxSiteBytes'
       WHERE source = ? AND state = ${URL_WAITING} AND ${WITHOUT_PAGE}`,
    );
    waiting -= rest.run(run.source).changes;
    for (const row of claimed.splice(0)) {
      if (row.held === 1) claimed.push(row);
      else waiting -= leaveOut.run(row.id).changes;
    }
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
      return { ...counts, leftOut: countLeftOut.get(run.source, run.id) ?? 0 };
    },
  };
}

interface WaitingRow {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly depth: number;
  readonly known: number;
  readonly held: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly content_type: string | null;
}

const COUNT_OF = {
  page: "fetched",
  unchanged: "unchanged",
  moved: "moved",
  gone: "gone",
  skipped: "skipped",
  failed: "failed",
} as const satisfies Record<FetchOutcome["kind"], keyof FrontierCounts>;

function detailOf(outcome: FetchOutcome, { nameOf }: FrontierLimits): string | null {
  switch (outcome.kind) {
    case "moved":
      return nameOf(outcome.to);
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
