import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Chunk } from "../../src/domain/chunk.ts";
import { NO_FACTS } from "../../src/domain/document.ts";
import type { Corpus, CorpusWrite } from "../../src/domain/ports.ts";
import { openCorpus, openCorpusReader } from "../../src/store/corpus.ts";
import { tempFolder } from "../support/temp-folder.ts";

const COUNTS = {
  fetched: 3,
  unchanged: 0,
  moved: 0,
  gone: 0,
  skipped: 0,
  failed: 9,
  leftOut: 2,
  notDue: 1,
  bytes: 4_096,
};

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
  return { id, content, headings, anchor: id === "c1" ? "" : id, anchors: [] };
}

function write(path: string, chunks: readonly Chunk[], source = "site", title = path): CorpusWrite {
  const content = chunks.map((part) => part.content).join("\n\n");
  const name = `documents/docs.example.com/${path}`;
  const uri = `https://docs.example.com/${path}`;
  return {
    kind: "document",
    document: { name, uri, source, title, description: "", language: "en", ...NO_FACTS, content },
    chunks,
  };
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
    ...NO_FACTS,
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
      ordinal: 1,
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
  corpus.apply([{ kind: "remove", source: "other", name, movedTo: undefined }], 2);
  expect(corpus.document(name)).toBeDefined();
  corpus.apply([{ kind: "remove", source: "site", name, movedTo: undefined }], 3);
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
      { kind: "remove", source: "site", name: "documents/docs.example.com/none", movedTo: undefined },
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
    indexPages: 0,
    keptOut: 0,
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

it("lets the page with the shortest name stand for its twins, whatever their order", () => {
  const texts = [chunk("c1", "The same text.")];
  for (const order of [
    ["print/a", "a", "b"],
    ["b", "a", "print/a"],
  ]) {
    const { corpus } = open();
    for (const [i, path] of order.entries()) corpus.apply([write(path, texts, "site", "Same")], i);
    expect(corpus.stats()).toMatchObject({ documents: 1, chunks: 1 });
    for (const path of order) expect(corpus.document(`documents/docs.example.com/${path}`)?.uri).toMatch(/\.com\/a$/);
    const kinds = corpus.changesSince(0, 9).map((change) => (change.kind === "document" ? change.name : change.kind));
    expect(kinds.sort()).toEqual(["documents/docs.example.com/a", "removed", "removed"]);

    corpus.apply([write("a", [chunk("c2", "Another text.")], "site", "Same")], 9);
    expect(corpus.stats().documents).toBe(2);
    expect(corpus.document("documents/docs.example.com/print/a")?.uri).toMatch(/\.com\/b$/);
    corpus.apply([{ kind: "remove", source: "site", name: "documents/docs.example.com/b", movedTo: undefined }], 10);
    expect(corpus.document("documents/docs.example.com/print/a")?.uri).toMatch(/print\/a$/);
  }
});

it("lets the page that calls itself canonical stand for its twins, though its name is longer", () => {
  const canonical = "https://docs.example.com/guide/install";
  const twin = (path: string): CorpusWrite => {
    const made = write(path, [chunk("c1", "The same text.")], "site", "Same");
    return made.kind === "document" ? { ...made, document: { ...made.document, canonical } } : made;
  };
  for (const order of [
    ["go?x=1", "guide/install"],
    ["guide/install", "go?x=1"],
  ]) {
    const { corpus } = open();
    for (const [i, path] of order.entries()) corpus.apply([twin(path)], i);
    for (const path of order) expect(corpus.document(`documents/docs.example.com/${path}`)?.uri).toBe(canonical);
  }
});

it("does not take the pages of two sources for twins", () => {
  const { corpus } = open();
  corpus.apply([write("a", [chunk("c1", "Same.")], "v1", "Same"), write("b", [chunk("c1", "Same.")], "v2", "Same")], 1);
  expect(corpus.stats().documents).toBe(2);
});

it("follows the names of pages that moved, and no circle", () => {
  const { corpus } = open();
  const name = (path: string): string => `documents/docs.example.com/${path}`;
  const move = (from: string, to: string): CorpusWrite => ({
    kind: "remove",
    source: "site",
    name: name(from),
    movedTo: name(to),
  });
  corpus.apply([write("c", [chunk("c1", "Here.")]), move("a", "b"), move("b", "c"), move("x", "y"), move("y", "x")], 1);
  expect(corpus.document(name("a"))?.name).toBe(name("c"));
  expect(corpus.document(name("x"))).toBeUndefined();
  corpus.apply([write("b", [chunk("c1", "Back again.")])], 2);
  expect(corpus.document(name("a"))?.name).toBe(name("b"));
});

it("keeps what a run changed, with lines counted", () => {
  const { corpus } = open();
  corpus.apply([write("a", [chunk("c1", "One.\nTwo.")]), write("b", [chunk("c1", "B.")])], 1);
  const run = corpus.beginRun("site");
  corpus.apply(
    [write("a", [chunk("c1", "Two.\nThree.\nFour.")], "site", "New title"), write("n", [chunk("c1", "N.")])],
    2,
  );
  corpus.apply([{ kind: "remove", source: "site", name: "documents/docs.example.com/b", movedTo: undefined }], 3);
  const lines = corpus
    .changesOf(run.id)
    .map((c) => `${c.kind} ${c.titleBefore}>${c.title} +${c.linesAdded} -${c.linesRemoved}`);
  expect(lines).toEqual(["updated a>New title +2 -1", "removed b>b +0 -1", "added n>n +1 -0"]);
});

it("begins an archive that is new from its start", () => {
  const { corpus } = open();
  corpus.readArchive("first");
  corpus.apply([], 7);
  corpus.readArchive("first");
  expect(corpus.archiveRevision()).toBe(7);
  corpus.readArchive("second");
  expect(corpus.archiveRevision()).toBe(0);
  expect(corpus.id()).toMatch(/^[0-9A-F]{32}$/);
});
