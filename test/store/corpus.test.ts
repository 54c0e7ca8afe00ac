import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Chunk } from "../../src/domain/chunk.ts";
import type { Corpus, CorpusWrite } from "../../src/domain/ports.ts";
import { openCorpus, openCorpusReader } from "../../src/store/corpus.ts";
import { tempFolder } from "../support/temp-folder.ts";

const COUNTS = { fetched: 3, unchanged: 0, moved: 0, gone: 0, skipped: 0, failed: 9, leftOut: 2 };

function open(file = join(tempFolder(), "corpus.db")): {
  corpus: Corpus;
  file: string;
  setTime: (iso: string) => void;
} {
  let now = new Date("2026-05-04T00:00:00Z");
  const corpus = openCorpus(file, () => now);
  onTestFinished(() => corpus.close());
  return { corpus, file, setTime: (iso) => (now = new Date(iso)) };
}

function chunk(id: string, content: string, headings: readonly string[] = []): Chunk {
  return { id, content, headings, anchor: id === "c1" ? "" : id };
}

function write(path: string, chunks: readonly Chunk[], source = "site", title = path): CorpusWrite {
  const content = chunks.map((part) => part.content).join("\n\n");
  const name = `documents/docs.example.com/${path}`;
  const uri = `https://docs.example.com/${path}`;
  return { kind: "document", document: { name, uri, source, title, description: "", language: "en", content }, chunks };
}

function chunkRows(corpus: Corpus, revision = 0): Record<string, number> {
  const [change] = corpus.changesSince(revision, 1);
  if (change?.kind !== "document") throw new Error("no document changed");
  return Object.fromEntries(change.chunks.map(({ id, rowId }) => [id, rowId]));
}

it("keeps documents and passages, and gives each change a revision", () => {
  const { corpus } = open();
  corpus.apply([write("a", [chunk("c1", "One."), chunk("c2", "Two.", ["Usage"])]), write("b", [chunk("c1", "B.")])], 7);
  expect(corpus.archiveRevision()).toBe(7);
  expect(corpus.revision()).toBe(2);
  expect(corpus.document("documents/docs.example.com/a")).toEqual({
    name: "documents/docs.example.com/a",
    uri: "https://docs.example.com/a",
    source: "site",
    title: "a",
    description: "",
    language: "en",
    content: "One.\n\nTwo.",
    updateTime: "2026-05-04T00:00:00.000Z",
  });
  const [first] = corpus.changesSince(0, 1);
  const rowId = chunkRows(corpus)["c2"] ?? 0;
  expect(first).toMatchObject({ kind: "document", revision: 1, source: "site" });
  const hit = { chunkRowId: rowId, documentId: first?.documentId ?? 0, score: 0.5 };
  expect(corpus.passages([{ ...hit, chunkRowId: 999 }, hit])).toEqual([
    {
      parent: "documents/docs.example.com/a",
      id: "c2",
      content: "Two.",
      title: "a",
      uri: "https://docs.example.com/a#c2",
      headings: ["Usage"],
      score: 0.5,
    },
  ]);
  expect(corpus.texts([rowId, 999])).toEqual([{ rowId, title: "a", headings: ["Usage"], content: "Two." }]);
  expect(corpus.stats()).toEqual({
    documents: 2,
    chunks: 3,
    revision: 2,
    sources: [{ source: "site", documents: 2, hosts: ["docs.example.com"] }],
  });
});

it("changes no revision and no time for what is equal", () => {
  const { corpus, setTime } = open();
  corpus.apply([write("a", [chunk("c1", "One.")])], 1);
  setTime("2027-01-01T00:00:00Z");
  corpus.apply([write("a", [chunk("c1", "One.")])], 2);
  expect(corpus.revision()).toBe(1);
  expect(corpus.archiveRevision()).toBe(2);
  expect(corpus.document("documents/docs.example.com/a")?.updateTime).toBe("2026-05-04T00:00:00.000Z");
});

it("keeps the rows of passages that stay, and never uses an id again", () => {
  const { corpus } = open();
  corpus.apply([write("a", [chunk("c1", "One."), chunk("c2", "Two."), chunk("c3", "Three.")])], 1);
  const before = chunkRows(corpus);
  corpus.apply([write("a", [chunk("c3", "Three."), chunk("c1", "One."), chunk("c4", "Four.")])], 2);
  const after = chunkRows(corpus, 1);
  expect(Object.keys(after)).toEqual(["c3", "c1", "c4"]);
  expect([after["c3"], after["c1"]]).toEqual([before["c3"], before["c1"]]);
  expect(Object.values(before)).not.toContain(after["c4"]);
});

it("removes a document for the source that it came from alone, and can have it again", () => {
  const { corpus } = open();
  const name = "documents/docs.example.com/a";
  corpus.apply([write("a", [chunk("c1", "One.")])], 1);
  corpus.apply([{ kind: "remove", source: "other", name }], 2);
  expect(corpus.document(name)).toBeDefined();
  corpus.apply([{ kind: "remove", source: "site", name }], 3);
  expect(corpus.document(name)).toBeUndefined();
  expect(corpus.stats()).toMatchObject({ documents: 0, chunks: 0 });
  expect(corpus.changesSince(1, 9)).toEqual([{ kind: "removed", revision: 2, documentId: 1 }]);
  corpus.apply([write("a", [chunk("c1", "One.")])], 4);
  expect(corpus.document(name)?.content).toBe("One.");
});

it("goes on with the run that was killed or stopped, and counts what its source changed", () => {
  const { corpus } = open();
  const run = corpus.beginRun("site");
  corpus.apply([write("a", [chunk("c1", "One.")]), write("x", [chunk("c1", "X.")], "other")], 1);
  expect(corpus.beginRun("site").id).toBe(run.id);
  const stopped = corpus.endRun(run, "stopped", COUNTS, "stopped");
  expect(stopped).toMatchObject({ status: "stopped", note: "stopped", endedAt: "2026-05-04T00:00:00.000Z" });
  const resumed = corpus.beginRun("site");
  expect(resumed).toMatchObject({ id: run.id, status: "running", endedAt: undefined });
  corpus.apply(
    [
      write("a", [chunk("c1", "Changed.")]),
      { kind: "remove", source: "site", name: "documents/docs.example.com/none" },
      { kind: "failure", source: "site", url: "https://docs.example.com/c", reason: "too deep" },
    ],
    2,
  );
  corpus.recordFailures(run, [{ url: "https://docs.example.com/d", stage: "fetch", reason: "HTTP 500" }]);
  expect(corpus.endRun(resumed, "partial", COUNTS, "2 pages failed").counts).toEqual({
    ...COUNTS,
    failed: 2,
    added: 1,
    updated: 1,
    removed: 0,
  });
  expect(corpus.failures(run.id).map(({ stage, reason }) => [stage, reason])).toEqual([
    ["convert", "too deep"],
    ["fetch", "HTTP 500"],
  ]);
  expect(corpus.beginRun("site").id).not.toBe(run.id);
  expect(corpus.runs(9).map(({ status }) => status)).toEqual(["running", "partial"]);
  expect(corpus.runs(9, "other")).toEqual([]);
});

it("shows a reader in another connection what was committed", () => {
  const { corpus, file } = open();
  const reader = openCorpusReader(file);
  onTestFinished(() => reader.close());
  expect(reader.revision()).toBe(0);
  corpus.apply([write("a", [chunk("c1", "One.")])], 1);
  corpus.noteSource("site", { title: "The site", fingerprint: "f" });
  expect(reader.revision()).toBe(1);
  expect([...reader.titles()]).toEqual([["site", "The site"]]);
  expect(corpus.source("site")).toEqual({ title: "The site", fingerprint: "f" });
  expect(corpus.source("none")).toBeUndefined();
});
