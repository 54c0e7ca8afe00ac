import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { NO_FACTS } from "../../src/domain/document.ts";
import type { Corpus, CorpusWrite, FrontierCounts } from "../../src/domain/ports.ts";
import { OMISSIONS_KEPT, RUNS_WITH_OMISSIONS, type Omission } from "../../src/domain/run.ts";
import { openCorpus } from "../../src/store/corpus.ts";
import { CORPUS_SCHEMA } from "../../src/store/corpus-schema.ts";
import { tempFolder } from "../support/temp-folder.ts";

const START = Date.parse("2026-05-04T00:00:00Z");
const COUNTS: FrontierCounts = {
  fetched: 3,
  unchanged: 0,
  moved: 0,
  gone: 0,
  skipped: 0,
  failed: 0,
  leftOut: 0,
  notDue: 0,
  bytes: 5_000,
};

function open(file = join(tempFolder(), "corpus.db")): { corpus: Corpus; at: (seconds: number) => void } {
  let now = START;
  const corpus = openCorpus(file, () => new Date(now));
  onTestFinished(() => corpus.close());
  return { corpus, at: (seconds) => (now = START + seconds * 1000) };
}

function document(name: string, source = "site"): CorpusWrite {
  const text = { title: name, description: "", language: "", content: name, ...NO_FACTS };
  const full = `documents/docs.example.com/${name}`;
  return { kind: "document", document: { name: full, uri: `https://${name}`, source, ...text }, chunks: [] };
}

it("counts the time at work: not what lies between a stop or a kill and going on", () => {
  const { corpus, at } = open();
  const run = corpus.beginRun("site");
  at(10);
  expect(corpus.endRun(run, "stopped", COUNTS, "").durationMs).toBe(10_000);
  at(1_000);
  corpus.beginRun("site");
  at(1_004);
  corpus.noteProgress(run, () => COUNTS);
  at(1_007);
  corpus.noteProgress(run, () => ({ ...COUNTS, fetched: 4, bytes: 6_000 }));
  // Killed here: the last that is known of it.
  expect(corpus.run(run.id)).toMatchObject({ status: "running", durationMs: 14_000, counts: { fetched: 3 } });
  at(9_000);
  corpus.beginRun("site");
  at(9_001);
  const ended = corpus.endRun(run, "complete", { ...COUNTS, fetched: 5, bytes: 7_000 }, "");
  expect(ended).toMatchObject({
    startedAt: "2026-05-04T00:00:00.000Z",
    durationMs: 15_000,
    counts: { fetched: 5, bytes: 7_000 },
  });
});

it("takes no time away when the clock is set back", () => {
  const { corpus, at } = open();
  const run = corpus.beginRun("site");
  at(-3_600);
  expect(corpus.endRun(run, "complete", COUNTS, "").durationMs).toBe(0);
});

it("keeps what a run omitted: how many for each reason, and which", () => {
  const { corpus } = open();
  const run = corpus.beginRun("site");
  const image = (n: number): Omission => ({
    kind: "skipped",
    url: `https://a.org/${n}`,
    reason: "image/png is no document",
  });
  const redirect = (to: string): Omission => ({
    kind: "skipped",
    url: `https://a.org/${to}`,
    reason: `redirects out of scope, to https://b.org/${to} (type prefix)`,
  });
  const gone: Omission = { kind: "gone", url: "https://a.org/gone", reason: "answered 404" };
  corpus.recordOmissions(run, [image(2), image(1), gone, redirect("x"), redirect("y"), image(3)]);
  expect(corpus.omissionGroups(run.id)).toEqual([
    { kind: "gone", reason: "answered 404", count: 1 },
    { kind: "skipped", reason: "image/png is no document", count: 3 },
    { kind: "skipped", reason: "redirects out of scope, to … (type prefix)", count: 2 },
  ]);
  expect(corpus.omissions(run.id, "gone")).toEqual([gone]);
  expect(corpus.omissions(run.id, "skipped").map(({ url }) => url.slice(14))).toEqual(["1", "2", "3", "x", "y"]);
  expect(corpus.omissions(run.id, "leftOut")).toEqual([]);
  // A run that goes on has all of it again.
  corpus.recordOmissions(run, [gone]);
  expect(corpus.omissionGroups(run.id)).toHaveLength(1);
});

it("keeps URLs up to a limit and of the last runs, and how many there were of all", () => {
  const { corpus } = open();
  const many = Array.from({ length: OMISSIONS_KEPT + 5 }, (_, i): Omission => ({
    kind: "gone",
    url: `u${i}`,
    reason: "",
  }));
  const first = corpus.beginRun("site");
  corpus.recordOmissions(first, many);
  expect(corpus.omissions(first.id, "gone")).toHaveLength(OMISSIONS_KEPT);
  expect(corpus.omissionGroups(first.id)).toEqual([{ kind: "gone", reason: "", count: OMISSIONS_KEPT + 5 }]);
  const other = corpus.beginRun("other");
  corpus.recordOmissions(other, many.slice(0, 1));
  corpus.endRun(first, "complete", COUNTS, "");
  for (let i = 0; i < RUNS_WITH_OMISSIONS; i++) {
    const run = corpus.beginRun("site");
    corpus.recordOmissions(run, many.slice(0, 2));
    corpus.endRun(run, "complete", COUNTS, "");
  }
  expect(corpus.omissions(first.id, "gone")).toEqual([]);
  expect(corpus.omissionGroups(first.id)).toEqual([{ kind: "gone", reason: "", count: OMISSIONS_KEPT + 5 }]);
  expect(corpus.omissions(first.id + 2, "gone")).toHaveLength(2);
  expect(corpus.omissions(other.id, "gone")).toHaveLength(1);
});

it("groups what differs in every URL, so that a hostile site cannot fill the table", () => {
  const { corpus } = open();
  const run = corpus.beginRun("site");
  const odd = Array.from({ length: 500 }, (_, i): Omission => ({
    kind: "skipped",
    url: `u${i}`,
    reason: `x/${i} is no document`,
  }));
  corpus.recordOmissions(run, odd);
  const groups = corpus.omissionGroups(run.id);
  expect(groups.length).toBeLessThan(300);
  expect(groups[0]).toMatchObject({ reason: "other reasons" });
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(500);
});

it("removes what is left of a source, and keeps its runs", () => {
  const { corpus } = open();
  corpus.apply([document("a"), document("b", "other")], 7);
  corpus.noteSource("site", { title: "Site", fingerprint: "" });
  corpus.noteSource("other", { title: "Other", fingerprint: "" });
  corpus.endRun(corpus.beginRun("site"), "complete", COUNTS, "");
  const run = corpus.beginRun("site");
  corpus.removeSource("site");
  expect(corpus.endRun(run, "complete", COUNTS, "").counts.removed).toBe(1);
  expect(corpus.stats().sources.map(({ source }) => source)).toEqual(["other"]);
  expect([...corpus.titles().keys()]).toEqual(["other"]);
  expect(corpus.archiveRevision()).toBe(7);
  expect(corpus.runs(9, "site")).toHaveLength(2);
  expect(corpus.changesOf(run.id)).toMatchObject([{ kind: "removed", name: "documents/docs.example.com/a" }]);
});

it("gives the runs of the version before the time from their start to their end", () => {
  const file = join(tempFolder(), "corpus.db");
  const old = new Database(file);
  old.pragma(`application_id = ${CORPUS_SCHEMA.applicationId}`);
  old.exec(CORPUS_SCHEMA.migrations[0] ?? "");
  old.pragma("user_version = 1");
  old.exec(
    `INSERT INTO runs (source, status, started_at, ended_at, fetched)
     VALUES ('site', 'complete', '2026-01-01T00:00:00.000Z', '2026-01-01T00:01:30.500Z', 7),
            ('site', 'running', '2026-01-02T00:00:00.000Z', NULL, 0)`,
  );
  old.close();
  const { corpus } = open(file);
  expect(corpus.run(1)).toMatchObject({ durationMs: 90_500, counts: { fetched: 7, bytes: 0 } });
  expect(corpus.beginRun("site")).toMatchObject({ id: 2, durationMs: 0 });
  expect(corpus.omissionGroups(1)).toEqual([]);
});
