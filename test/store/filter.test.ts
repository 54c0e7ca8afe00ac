import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { NO_FACTS } from "../../src/domain/document.ts";
import { parseFilter } from "../../src/domain/filter.ts";
import type { Filter } from "../../src/domain/filter.ts";
import type { Corpus, CorpusWrite } from "../../src/domain/ports.ts";
import { openCorpus } from "../../src/store/corpus.ts";
import { tempFolder } from "../support/temp-folder.ts";

let corpus: Corpus;

beforeEach(() => {
  let now = new Date(0);
  corpus = openCorpus(join(tempFolder(), "corpus.db"), () => now);
  const opened = corpus;
  onTestFinished(() => opened.close());
  const times = ["2026-01-01T00:00:00.000Z", "2026-02-01T12:00:00.500Z", "2026-03-01T00:00:00.000Z"];
  const writes = [
    write("https://a.example/", "one", "abc"),
    write("https://a.example:8080/x'y", "one", "größe"),
    write("https://b.example/guide", "two", ""),
  ];
  for (const [i, one] of writes.entries()) {
    now = new Date(times[i] ?? 0);
    corpus.apply([one], i + 1);
  }
});

function write(uri: string, source: string, content: string): CorpusWrite {
  const name = `documents/${uri.slice("https://".length).replace(/\/$/, "")}`;
  const document = { name, uri, source, title: "T", description: "", language: "en", ...NO_FACTS, content };
  return { kind: "document", document, chunks: [{ id: "c1", content, headings: [], anchor: "", anchors: [] }] };
}

function matching(filter: Filter | undefined): readonly number[] {
  if (filter === undefined) throw new Error("an empty filter");
  return [...corpus.matching(filter)].sort((a, b) => a - b);
}

describe("the documents that a filter means", () => {
  it.each([
    ['data_source = "a.example"', [1]],
    ['data_source = "a.example:8080"', [2]],
    ['data_source != "a.example"', [2, 3]],
    ['data_source = "a"', []],
    ['uri = "https://a.example/"', [1]],
    ['uri = "https://a.example"', []],
    [`uri = "https://a.example:8080/x'y"`, [2]],
    [`uri = "' OR 1=1 --"`, []],
    ["content_length_bytes = 7", [2]],
    ["content_length_bytes != 7", [1, 3]],
    ["content_length_bytes < 3", [3]],
    ["content_length_bytes >= 3", [1, 2]],
    ['update_time = "2026-01-01T01:00:00+01:00"', [1]],
    ['update_time > "2026-02-01T12:00:00.5Z"', [3]],
    ['update_time >= "2026-02-01T12:00:00.500000000Z"', [2, 3]],
    ['update_time > "2026-02-01T12:00:00.499999999Z"', [2, 3]],
    ['update_time <= "2026-02-01T12:00:00.500000001Z"', [1, 2]],
    ['update_time < "2026-02-01T12:00:00.5Z"', [1]],
    ['NOT data_source = "a.example" AND content_length_bytes > 0', [2]],
    ['data_source = "a.example" OR data_source = "b.example" AND content_length_bytes = 0', [3]],
    ['-(data_source = "a.example" OR content_length_bytes = 0)', [2]],
  ])("%s", (text, expected) => {
    expect(matching(parseFilter(text))).toEqual(expected);
  });

  it("are found by their source as well, and what was removed is none of them", () => {
    const one: Filter = { kind: "text", field: "source", operator: "=", value: "one" };
    expect(matching(one)).toEqual([1, 2]);
    corpus.apply([{ kind: "remove", source: "one", name: "documents/a.example", movedTo: undefined }], 9);
    expect(matching(one)).toEqual([2]);
  });
});

it("what is known of a document comes without its content", () => {
  expect(corpus.documentInfo("documents/a.example:8080/x'y")).toEqual({
    name: "documents/a.example:8080/x'y",
    uri: "https://a.example:8080/x'y",
    source: "one",
    title: "T",
    description: "",
    language: "en",
    ...NO_FACTS,
    updateTime: "2026-02-01T12:00:00.500Z",
    contentLengthBytes: 7,
  });
  expect(corpus.documentInfo("documents/nowhere.example")).toBeUndefined();
});

it("names below a folder are those directly in it", () => {
  const uris = [
    "https://c.example/a/one",
    "https://c.example/a/two",
    "https://c.example/a/b/three",
    "https://c.example/a0",
  ];
  corpus.apply(
    uris.map((uri) => write(uri, "one", uri)),
    5,
  );
  expect(corpus.namesBelow("documents/c.example/a/", 10)).toEqual([
    "documents/c.example/a/one",
    "documents/c.example/a/two",
  ]);
  expect(corpus.namesBelow("documents/c.example/a/", 1)).toHaveLength(1);
  expect(corpus.namesBelow("documents/c.example/", 10)).toEqual(["documents/c.example/a0"]);
});

it("chunks come in the order of their document", () => {
  expect(corpus.chunks("documents/a.example")).toEqual([
    { id: "c1", content: "abc", headings: [], anchor: "", anchors: [] },
  ]);
  expect(corpus.chunks("documents/nowhere.example")).toEqual([]);
});
