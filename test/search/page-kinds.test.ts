import { describe, expect, it } from "vitest";
import { asksFor, pageKind } from "../../src/search/page-kinds.ts";
import type { WrittenDocument } from "../contract/search-index.ts";
import { TestCorpus } from "../contract/search-index.ts";

function kindOf(written: Partial<WrittenDocument>) {
  const change = new TestCorpus().write(1, { title: "Sockets", passages: ["Text."], ...written });
  if (change.kind === "removed") throw new Error("a document was written");
  return pageKind(change);
}

const LINKS = Array.from({ length: 12 }, (_, i) => `- [Chapter ${i}](https://docs.example.org/c${i}.html) one`).join(
  "\n",
);

describe("pageKind", () => {
  it.each([
    ["page", { title: "Sockets" }],
    ["page", { title: "The index of a list", uri: "https://e.org/indexes.html" }],
    ["page", { title: "Historical notes", uri: "https://e.org/releasing-memory.html" }],
    ["news", { title: "What’s new in 3.4" }],
    ["news", { title: "Changelog" }],
    ["news", { uri: "https://e.org/whatsnew/3.4.html" }],
    ["news", { uri: "https://e.org/docs/release-15-2.html" }],
    ["contents", { title: "Table of Contents" }],
    ["contents", { title: "Index" }],
    ["contents", { uri: "https://e.org/3/genindex-A.html" }],
    ["contents", { uri: "https://e.org/3/contents.html?x=1#y" }],
    ["links", { passages: [LINKS] }],
    ["page", { passages: [LINKS, "And much is said besides. ".repeat(40)] }],
    ["page", { passages: ["See [the other page](https://e.org/other.html)."] }],
  ] as const)("is %s for %j", (kind, written) => {
    expect(kindOf(written)).toBe(kind);
  });

  it("takes time in proportion to the text", () => {
    for (const unit of ["[", "[a](", "![", "[a]", "[a](b"]) {
      const started = process.cpuUsage();
      kindOf({ passages: [unit.repeat(30_000)] });
      expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
    }
  });
});

describe("asksFor", () => {
  it("knows when a kind of page is what is asked for", () => {
    expect(asksFor("news", "what's new in 3.4")).toBe(true);
    expect(asksFor("news", "open a socket")).toBe(false);
    expect(asksFor("contents", "list of chapters")).toBe(true);
    expect(asksFor("links", "open a socket")).toBe(false);
    expect(asksFor("page", "open a socket")).toBe(true);
  });
});
