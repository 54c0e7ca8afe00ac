import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/search/orama.ts";
import { createOrama } from "../../src/search/orama.ts";
import type { IndexedChunk } from "../../src/search/segment.ts";

/** Keeps chunks in a map, and finds those whose body has the query. */
function mapEngine(): Engine & { readonly chunks: Map<number, IndexedChunk> } {
  const chunks = new Map<number, IndexedChunk>();
  return {
    chunks,
    add: (chunk) => void chunks.set(chunk.row, chunk),
    remove: (row) => chunks.delete(row),
    documentOf: (row) => chunks.get(row)?.document,
    count: () => chunks.size,
    rank: (query, allowed) =>
      [...chunks.values()]
        .filter((chunk) => chunk.bodyTerms.includes(query) && allowed?.has(chunk.document) !== false)
        .map((chunk) => [chunk.row, 1 / chunk.row]),
    select: ({ sources }) => new Set(sources.map(Number)),
  };
}

function chunk(row: number, body: string) {
  return { id: String(row), document: row * 10, body, headings: "A heading", title: "Title", path: "" };
}

describe("Orama with our components", () => {
  it("is the version whose private parts we know", () => {
    const require = createRequire(import.meta.url);
    const { version } = JSON.parse(readFileSync(require.resolve("@orama/orama/package.json"), "utf8")) as {
      version: string;
    };
    expect(version).toBe("3.1.18");
  });

  it("hands over each chunk once, with the terms of its fields", () => {
    const engine = mapEngine();
    createOrama(engine).insert([chunk(3, "alpha alpha"), chunk(70_000_000, "beta")]);
    expect([...engine.chunks.values()]).toEqual([
      {
        row: 3,
        document: 30,
        bodyTerms: ["alpha", "alpha"],
        headingTerms: ["a", "head"],
        titleTerms: ["titl"],
        pathTerms: [],
      },
      {
        row: 70_000_000,
        document: 700_000_000,
        bodyTerms: ["beta"],
        headingTerms: ["a", "head"],
        titleTerms: ["titl"],
        pathTerms: [],
      },
    ]);
  });

  it("searches, best first, within a limit and a condition", () => {
    const orama = createOrama(mapEngine());
    orama.insert(Array.from({ length: 20 }, (_, i) => chunk(i + 1, "alpha")));
    expect(orama.search("alpha", 3)).toEqual([
      { row: 1, document: 10, score: 1 },
      { row: 2, document: 20, score: 1 / 2 },
      { row: 3, document: 30, score: 1 / 3 },
    ]);
    expect(orama.search("alpha", 3, { sources: ["70"], sites: [] }).map(({ row }) => row)).toEqual([7]);
    expect(orama.search("beta", 3)).toEqual([]);
    expect(orama.search(" ", 3)).toEqual([]);
  });

  it("removes, and takes a row again", () => {
    const engine = mapEngine();
    const orama = createOrama(engine);
    orama.insert([chunk(1, "alpha"), chunk(2, "alpha")]);
    orama.remove(1);
    orama.remove(99);
    expect([...engine.chunks.keys()]).toEqual([2]);
    orama.insert([chunk(1, "beta")]);
    expect(orama.search("beta", 5).map(({ row }) => row)).toEqual([1]);
    expect(() => orama.insert([chunk(1, "gamma")])).toThrow(/already exists/);
  });
});
