import { copyFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { NO_FACTS, type Document, type DocumentFacts } from "../../src/domain/document.ts";
import { parseFilter } from "../../src/domain/filter.ts";
import type { Corpus, NewDocument } from "../../src/domain/ports.ts";
import { NO_COUNTS } from "../../src/domain/run.ts";
import { CORPUS_SCHEMA } from "../../src/store/corpus-schema.ts";
import { openCorpus, openCorpusReader } from "../../src/store/corpus.ts";
import { tempFolder } from "../support/temp-folder.ts";

let now = new Date("2026-05-04T00:00:00Z");

function open(file = join(tempFolder(), "corpus.db")): Corpus {
  now = new Date("2026-05-04T00:00:00Z");
  const corpus = openCorpus(file, () => now);
  onTestFinished(() => corpus.close());
  return corpus;
}

function made(path: string, facts: Partial<Document> = {}, source = "site"): NewDocument {
  const content = facts.content ?? `About ${path}.`;
  const name = `documents/docs.example.com/${path}`;
  const uri = `https://docs.example.com/${path}`;
  return {
    document: { name, uri, source, title: path, description: "", language: "en", ...NO_FACTS, ...facts, content },
    chunks: [
      {
        id: "c1",
        content,
        headings: [],
        anchor: "a",
        anchors: [
          ["a", 0],
          ["b", 3],
        ],
      },
    ],
  };
}

const write = (...of: Parameters<typeof made>) => ({ kind: "document", ...made(...of) }) as const;
const names = (corpus: Corpus): string[] =>
  corpus
    .namesBelow("documents/docs.example.com/", 99)
    .concat(corpus.namesBelow("documents/docs.example.com/api/operations/", 99));

const FACTS: DocumentFacts = {
  breadcrumbs: ["Docs", "Birds"],
  product: "Tern",
  version: "2.4.1",
  lastModified: "2024-05-01",
  canonical: "https://docs.example.com/latest/a",
  generator: "sphinx",
  pageKind: "reference",
};

describe("what a page says of itself", () => {
  it("is kept, and given with the document, its anchors with its passages", () => {
    const corpus = open();
    corpus.apply([write("a", FACTS)], 1);
    const name = "documents/docs.example.com/a";
    expect(corpus.document(name)).toMatchObject(FACTS);
    expect(corpus.documentInfo(name)).toMatchObject(FACTS);
    expect(corpus.changesSince(0, 9)).toMatchObject([
      {
        pageKind: "reference",
        chunks: [
          {
            anchors: [
              ["a", 0],
              ["b", 3],
            ],
          },
        ],
      },
    ]);
    expect(corpus.chunks(name)[0]?.anchors).toEqual([
      ["a", 0],
      ["b", 3],
    ]);
  });

  it("has the index told when it changes, but is no change to readers", () => {
    const corpus = open();
    const run = corpus.beginRun("site");
    corpus.apply([write("a")], 1);
    now = new Date("2026-06-01T00:00:00Z");
    corpus.apply([write("a", FACTS)], 2);
    expect(corpus.revision()).toBe(2);
    expect(corpus.document("documents/docs.example.com/a")).toMatchObject({
      ...FACTS,
      updateTime: "2026-05-04T00:00:00.000Z",
    });
    expect(corpus.run(run.id)?.counts).toMatchObject({ added: 1, updated: 0 });
    corpus.apply([write("a", { ...FACTS, content: "Other." })], 3);
    expect(corpus.document("documents/docs.example.com/a")?.updateTime).toBe("2026-06-01T00:00:00.000Z");
    expect(corpus.run(run.id)?.counts).toMatchObject({ added: 1, updated: 1 });
  });

  it("can be filtered by", () => {
    const corpus = open();
    corpus.apply(
      [
        write("a", { version: "3.11.2", language: "en-GB", pageKind: "reference" }),
        write("b", { version: "3.1", language: "de", pageKind: "tutorial" }),
        write("c", { language: "" }),
      ],
      1,
    );
    const found = (filter: string): string => {
      const parsed = parseFilter(filter);
      return parsed === undefined ? "" : [...corpus.matching(parsed)].sort((a, b) => a - b).join(" ");
    };
    expect(found('version = "3.11"')).toBe("1");
    expect(found('version = "v3.11.2"')).toBe("1");
    expect(found('version = "3.1"')).toBe("2");
    expect(found('version = "3"')).toBe("1 2");
    expect(found('version != "3"')).toBe("3");
    expect(found('version = ""')).toBe("3");
    expect(found('version = "3%"')).toBe("");
    expect(found('language = "EN"')).toBe("1");
    expect(found('language = "en-US"')).toBe("");
    expect(found('NOT language = "de"')).toBe("1 3");
    expect(found('kind = "tutorial" OR kind = "guide"')).toBe("2 3");
    expect(() => parseFilter('kind = "news"')).toThrow(/a kind of page is one of reference, guide/);
    expect(() => parseFilter('version > "3"')).toThrow(/after version one of = != is expected/);
  });
});

describe("parts of a page", () => {
  const parts = (...ids: string[]) => ids.map((id) => made(`api/operations/${id}`, { title: id }));
  const name = "documents/docs.example.com/api";

  it("are documents that come, change and go with it", () => {
    const corpus = open();
    const run = corpus.beginRun("site");
    corpus.apply([{ ...write("api"), parts: parts("get", "put") }, write("other")], 1);
    expect(names(corpus)).toEqual([
      name,
      "documents/docs.example.com/other",
      `${name}/operations/get`,
      `${name}/operations/put`,
    ]);
    corpus.apply([{ ...write("api"), parts: parts("put", "post") }], 2);
    expect(names(corpus).slice(2)).toEqual([`${name}/operations/post`, `${name}/operations/put`]);
    expect(corpus.run(run.id)?.counts).toMatchObject({ added: 5, removed: 1, updated: 0 });
    corpus.apply([write("api")], 3);
    expect(names(corpus)).toEqual([name, "documents/docs.example.com/other"]);
    corpus.apply([{ ...write("api"), parts: parts("get") }], 4);
    corpus.apply([{ kind: "remove", source: "site", name, movedTo: undefined }], 5);
    expect(names(corpus)).toEqual(["documents/docs.example.com/other"]);
  });

  it("are taken away by their own source alone, and stand for their twins as pages do", () => {
    const corpus = open();
    const same = { title: "Same", content: "Same." };
    corpus.apply([{ ...write("api"), parts: [made("api/operations/b", same), made("api/operations/a", same)] }], 1);
    expect(corpus.document(`${name}/operations/b`)?.name).toBe(`${name}/operations/a`);
    corpus.apply([{ kind: "remove", source: "elsewhere", name, movedTo: undefined }], 2);
    expect(corpus.stats()).toMatchObject({ documents: 2 });
    corpus.apply([{ ...write("api"), parts: [made("api/operations/b", same)] }], 3);
    expect(corpus.document(`${name}/operations/b`)?.name).toBe(`${name}/operations/b`);
  });
});

it("pages that are kept out are counted by the run, and listed with their reasons", () => {
  const corpus = open();
  const run = corpus.beginRun("site");
  const remove = (path: string, reason: string, isIndex: boolean) =>
    ({
      kind: "remove",
      source: "site",
      name: `documents/docs.example.com/${path}`,
      movedTo: undefined,
      ...(reason === "" ? {} : { keptOut: { url: `https://docs.example.com/${path}`, reason, isIndex } }),
    }) as const;
  const stub = (path: string) => remove(path, `it only leads on to https://docs.example.com/${path}/`, false);
  corpus.apply([write("a"), remove("genindex.html", "it is an index page", true), stub("old"), stub("older")], 1);
  corpus.apply([remove("gone.html", "", false)], 2);
  corpus.recordOmissions(run, [{ kind: "gone", url: "https://docs.example.com/b", reason: "404" }]);
  const ended = corpus.endRun(run, "complete", { ...NO_COUNTS, fetched: 3 }, "");
  expect(ended.counts).toMatchObject({ indexPages: 1, keptOut: 2, added: 1, removed: 0 });
  expect(corpus.runs(1)[0]?.counts).toMatchObject({ indexPages: 1, keptOut: 2 });
  expect(corpus.omissionGroups(run.id)).toEqual([
    { kind: "gone", reason: "404", count: 1 },
    { kind: "keptOut", reason: "it only leads on to …", count: 2 },
    { kind: "keptOut", reason: "it is an index page", count: 1 },
  ]);
  expect(corpus.omissions(run.id, "keptOut").map(({ url }) => url)).toEqual([
    "https://docs.example.com/genindex.html",
    "https://docs.example.com/old",
    "https://docs.example.com/older",
  ]);
});

it("a corpus of an older Carrel is brought up to date, with its rows and the ids that it gave out", () => {
  const file = join(tempFolder(), "corpus.db");
  const old = new Database(file);
  old.pragma("foreign_keys = ON");
  old.pragma(`application_id = ${CORPUS_SCHEMA.applicationId}`);
  old.exec(CORPUS_SCHEMA.migrations[0] ?? "");
  old.pragma("user_version = 1");
  const document = old.prepare(
    "INSERT INTO documents VALUES (?, ?, ?, 0, ?, 'site', 'T', 'D', 'en', '2026-01-01T00:00:00.000Z', zeroblob(32), NULL, ?)",
  );
  const chunk = old.prepare("INSERT INTO chunks VALUES (?, ?, 0, 'c1', ?, '[\"H\"]', 'x')");
  for (const id of [1, 2, 3]) {
    document.run(id, `documents/e.org/${id}`, id, `https://e.org/${id}`, `Text ${id}.`);
    chunk.run(id * 10, id, `Text ${id}.`);
  }
  old.exec("DELETE FROM chunks WHERE document_id = 3; DELETE FROM documents WHERE id = 3;");
  old.exec(
    "UPDATE meta SET value = 3 WHERE key = 'revision'; INSERT INTO runs (source, status, started_at) VALUES ('site', 'running', 't');",
  );
  old.close();
  copyFileSync(file, `${file}.old`);
  expect(() => openCorpusReader(`${file}.old`)).toThrow(/written by an older Carrel/);

  const corpus = open(file);
  expect(corpus.document("documents/e.org/2")).toEqual({
    name: "documents/e.org/2",
    uri: "https://e.org/2",
    source: "site",
    title: "T",
    description: "D",
    language: "en",
    ...NO_FACTS,
    content: "Text 2.",
    updateTime: "2026-01-01T00:00:00.000Z",
  });
  expect(corpus.chunks("documents/e.org/1")).toEqual([
    { id: "c1", content: "Text 1.", headings: ["H"], anchor: "x", anchors: [] },
  ]);
  expect(corpus.runs(1)[0]?.counts).toMatchObject({ indexPages: 0, keptOut: 0 });
  corpus.apply([write("new")], 1);
  const [change] = corpus.changesSince(3, 9);
  expect(change).toMatchObject({ documentId: 4, chunks: [{ rowId: 31 }] });
  const checked = new Database(file, { readonly: true });
  expect(checked.pragma("foreign_key_check")).toEqual([]);
  expect(checked.pragma("integrity_check", { simple: true })).toBe("ok");
  const columns = checked.pragma("table_info(documents)") as { name: string }[];
  expect(columns.at(-1)?.name).toBe("content");
  checked.close();
});
