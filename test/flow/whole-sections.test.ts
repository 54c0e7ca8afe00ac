import { describe, expect, test } from "vitest";
import type { Chunk, Hit, Passage } from "../../src/domain/chunk.ts";
import { originLink } from "../../src/flow/origin.ts";
import type { QueryPorts } from "../../src/flow/queries.ts";
import { createQueries } from "../../src/flow/query.ts";
import { completeSections } from "../../src/flow/whole-sections.ts";
import { memoryCorpus } from "../server/support/memory-corpus.ts";

const PARENT = "documents/x.example/page";
const URI = "https://x.example/page";

/** Chunks by the heading that each stands under. */
function chunksOf(...sections: readonly (readonly [heading: string, content: string])[]): readonly Chunk[] {
  return sections.map(([heading, content], i) => {
    return { id: `c${i}`, content, headings: heading === "" ? [] : [heading], anchor: heading, anchors: [] };
  });
}

function passageAt(chunks: readonly Chunk[], ordinal: number, score = 1): Passage {
  const { id, content, headings } = chunks[ordinal] as Chunk;
  return { parent: PARENT, id, content, headings, title: "Page", uri: URI, ordinal, score };
}

const CHUNKS = chunksOf(["", "Intro."], ["A", "a1"], ["A", "a2"], ["A", "a3"], ["B", "b1"], ["B", "b2"]);

function complete(ordinals: readonly number[], room: number, chunks = CHUNKS): readonly string[] {
  const page = ordinals.map((ordinal, rank) => ({ passage: passageAt(chunks, ordinal), rank, chunks: 1 }));
  return completeSections({ chunks: () => chunks }, page, room).map(({ passage }) => passage.content);
}

describe("passages are completed to their sections", () => {
  test.each([
    ["as a whole", [2], 1_000, ["a1\n\na2\n\na3"]],
    ["with what comes before first, where the room is small", [2], 6, ["a1\n\na2"]],
    ["not without room", [2], 0, ["a2"]],
    ["the best two alone", [2, 5, 0], 1_000, ["a1\n\na2\n\na3", "b1\n\nb2", "Intro."]],
    ["with others of the section", [3, 0, 1], 10, ["a1\n\na2\n\na3", "Intro."]],
    ["which stay apart where there is no room for what is between them", [3, 0, 1], 9, ["a3", "Intro.", "a1"]],
  ] as const)("%s", (_, ordinals, room, expected) => {
    expect(complete(ordinals, room)).toEqual(expected);
  });

  test("but long sections are not, nor those of a page that has changed meanwhile", () => {
    const long = chunksOf(...Array.from({ length: 9 }, () => ["A", "word ".repeat(200)] as const));
    expect(complete([4], 100_000, long)).toEqual(["word ".repeat(200)]);
    const page = [{ passage: passageAt(CHUNKS, 2), rank: 0, chunks: 1 }];
    const other = chunksOf(["A", "x"], ["A", "y"], ["A", "z"]).map((chunk) => ({ ...chunk, id: `n${chunk.id}` }));
    expect(completeSections({ chunks: () => other }, page, 1_000)).toEqual(page);
  });
});

describe("a search", () => {
  /** Finds these chunks of one page, and then those of others. */
  function finding(ordinals: readonly number[], chunks = CHUNKS): QueryPorts {
    const ports = memoryCorpus([]);
    const hits = ordinals.map((ordinal, i): Hit => ({ chunkRowId: ordinal, documentId: 1, score: 1 - i / 100 }));
    return {
      corpus: {
        ...ports.corpus,
        chunks: () => chunks,
        passages: (asked) => asked.map(({ chunkRowId, score }) => passageAt(chunks, chunkRowId, score)),
      },
      index: { ...ports.index, search: (_, limit) => Promise.resolve(hits.slice(0, limit)) },
    };
  }

  test("names the sections in which more was found than the two passages that are given of a page", async () => {
    const chunks = chunksOf(...["A", "B", "C", "C", "D", ""].map((heading, i) => [heading, `text ${i}`] as const));
    const { passages, further } = await createQueries(finding([0, 4, 2, 5, 3, 1], chunks)).searchDocuments({
      query: "x",
    });
    expect(passages.map(({ content }) => content)).toEqual(["text 0", "text 4"]);
    expect(further).toEqual([{ name: PARENT, sections: ["C", "", "B"] }]);
  });

  test("does not where one passage more was found, nor behind the first page", async () => {
    expect((await createQueries(finding([0, 4, 2])).searchDocuments({ query: "x" })).further).toEqual([]);
    const queries = createQueries(finding([0, 4, 2, 3, 1]));
    const first = await queries.searchDocuments({ query: "x", pageSize: 1 });
    const pageToken = first.nextPageToken ?? "";
    expect((await queries.searchDocuments({ query: "x", pageSize: 1, pageToken })).further).toEqual([]);
  });

  test("gives passages without a limit as they are", async () => {
    const request = { query: "x", maxChars: Number.POSITIVE_INFINITY };
    const { passages } = await createQueries(finding([2])).searchDocuments(request);
    expect(passages.map(({ content }) => content)).toEqual(["a2"]);
  });
});

describe("the link to the place of a passage", () => {
  test.each([
    [
      { title: "os", headings: ["Files", "os.walk"], uri: `${URI}#os.walk` },
      "[os › Files › os.walk](https://x.example/page#os.walk)",
    ],
    [
      { title: "a](https://evil.example) [b", headings: ["c\nd"], uri: URI },
      "[a\\](https://evil.example) \\[b › c d](https://x.example/page)",
    ],
    [{ title: "", headings: [], uri: "https://x.example/a_(b)" }, "[](https://x.example/a_%28b%29)"],
  ])("of %j is one line that no title can break out of", (place, link) => {
    expect(originLink(place)).toBe(link);
  });

  test("is not long", () => {
    expect(originLink({ title: "word ".repeat(500), headings: [], uri: URI }).length).toBeLessThan(300);
  });
});
