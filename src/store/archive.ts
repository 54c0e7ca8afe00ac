import { inflateRawSync } from "node:zlib";
import type { ArchivedPage, Link, PageChange } from "../domain/page.ts";
import type { Archive, Clock, Frontier, FrontierLimits } from "../domain/ports.ts";
import type { Failure, Omission, Run } from "../domain/run.ts";
import { ARCHIVE_SCHEMA } from "./archive-schema.ts";
import { guardedStore, openStore, type Db } from "./database.ts";
import { openFrontier } from "./frontier.ts";
import { scanOf } from "./known-urls.ts";
import { nextRevision, revisionOf } from "./revision.ts";
import { removeSource, reviewRun, settleRun } from "./settle.ts";
import { URL_DONE, URL_LEFT_OUT, URL_OUT_OF_SCOPE } from "./url-state.ts";

/** Opens `archive.db`, and makes it when it is missing. @throws CarrelError `store`. */
export function openArchive(file: string, clock: Clock): Archive {
  const db = openStore(file, ARCHIVE_SCHEMA);
  return guardedStore<Archive>(file, ARCHIVE_SCHEMA, {
    id: () => db.prepare<[], string>("SELECT own FROM identity").pluck().get() ?? "",
    serveCorpus: (corpusId) => serveCorpus(db, corpusId),
    revision: () => revisionOf(db),
    openFrontier: (run: Run, seeds: readonly Link[], limits: FrontierLimits): Frontier =>
      guardedStore(file, ARCHIVE_SCHEMA, openFrontier(db, clock, run, seeds, limits)),
    review: (run, isTelling) => reviewRun(db, run, isTelling),
    incoming: (source) => incomingOf(db, source),
    settle: (run, isTelling, accepted = false) => settleRun(db, run, isTelling, accepted),
    touch: (source) => touch(db, source),
    changesSince: (revision, limit) => changesSince(db, revision, limit),
    page: (name, source) => pageOf(db, name, source),
    removeSource: (source) => removeSource(db, source),
    failures: (run) => failuresOf(db, run),
    omissions: (run) => omissionsOf(db, run),
    close: () => db.close(),
  });
}

function serveCorpus(db: Db, corpusId: string): void {
  const serve = db.transaction(() => {
    if (db.prepare("UPDATE identity SET corpus = ? WHERE corpus <> ?").run(corpusId, corpusId).changes === 0) return;
    // What is out of scope stays so: it is judged again only when the scope is another.
    db.prepare("UPDATE urls SET run = 0, state = ? WHERE state <> ?").run(URL_DONE, URL_OUT_OF_SCOPE);
    db.prepare("UPDATE urls SET run = 0 WHERE state = ?").run(URL_OUT_OF_SCOPE);
    db.exec("DELETE FROM incoming; DELETE FROM meta WHERE key LIKE 'settled:%' OR key LIKE 'opened:%'");
  });
  serve.immediate();
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

interface SentRow {
  readonly source: string;
  readonly name: string;
  readonly url: string;
  readonly status: number;
  readonly content_type: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly fetched_at: string;
  readonly body: Buffer | null;
}

interface PageRow extends SentRow {
  readonly revision: number;
  readonly removed: number;
  readonly moved_to: string | null;
}

function changesSince(db: Db, revision: number, limit: number): readonly PageChange[] {
  const rows = db
    .prepare<[number, number], PageRow>("SELECT * FROM pages WHERE revision > ? ORDER BY revision LIMIT ?")
    .all(revision, limit);
  return rows.map((row): PageChange => {
    const { revision, source, name } = row;
    if (row.removed === 1) return { kind: "removed", revision, source, name, movedTo: row.moved_to ?? undefined };
    return { kind: "page", revision, page: toPage(row) };
  });
}

function pageOf(db: Db, name: string, source?: string): ArchivedPage | undefined {
  // The key begins with the source, so each is looked into.
  const sources =
    source === undefined ? db.prepare<[], string>("SELECT DISTINCT source FROM pages").pluck().all() : [source];
  const find = db.prepare<[string, string], SentRow>(
    "SELECT * FROM pages WHERE source = ? AND name = ? AND removed = 0",
  );
  for (const one of sources) {
    const row = find.get(one, name);
    if (row !== undefined) return toPage(row);
  }
  return undefined;
}

function* incomingOf(db: Db, source: string): Iterable<ArchivedPage> {
  const names = db
    .prepare<[string], string>("SELECT name FROM incoming WHERE source = ? ORDER BY name")
    .pluck()
    .all(source);
  const find = db.prepare<[string, string], SentRow>("SELECT * FROM incoming WHERE source = ? AND name = ?");
  for (const name of names) {
    const row = find.get(source, name);
    if (row !== undefined) yield toPage(row);
  }
}

function toPage(row: SentRow): ArchivedPage {
  return {
    source: row.source,
    name: row.name,
    url: row.url,
    status: row.status,
    contentType: row.content_type,
    etag: row.etag ?? undefined,
    lastModified: row.last_modified ?? undefined,
    fetchedAt: row.fetched_at,
    body: row.body === null ? new Uint8Array() : inflateRawSync(row.body),
  };
}

function failuresOf(db: Db, run: Run): Iterable<Pick<Failure, "url" | "reason">> {
  return db
    .prepare<[string, number, number], Pick<Failure, "url" | "reason">>(
      `SELECT url, coalesce(detail, '') AS reason FROM urls
       WHERE ${scanOf(db, run.source)} = ? AND run = ? AND state = ? AND outcome = 'failed' ORDER BY name`,
    )
    .iterate(run.source, run.id, URL_DONE);
}

function omissionsOf(db: Db, run: Run): Iterable<Omission> {
  return db
    .prepare<{ source: string; run: number; done: number; leftOut: number }, Omission>(
      `SELECT CASE WHEN state = :leftOut THEN 'leftOut' ELSE outcome END AS kind, url,
         CASE WHEN detail = 'soft 404' THEN 'answered 200 OK with the page for addresses that are not there'
           WHEN outcome = 'gone' THEN 'answered ' || detail ELSE coalesce(detail, '') END AS reason
       FROM urls
       WHERE ${scanOf(db, run.source)} = :source AND run = :run
         AND (state = :leftOut OR state = :done AND outcome IN ('moved', 'gone', 'skipped'))
       ORDER BY kind, url`,
    )
    .iterate({ source: run.source, run: run.id, done: URL_DONE, leftOut: URL_LEFT_OUT });
}
