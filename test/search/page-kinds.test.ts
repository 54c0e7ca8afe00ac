import { describe, expect, it } from "vitest";
import { asksFor, pageKind } from "../../src/search/page-kinds.ts";
import type { WrittenDocument } from "../contract/search-index.ts";
import { TestCorpus } from "../contract/search-index.ts";

function kindOf(written: Partial<WrittenDocument>) {
  const change = new TestCorpus().write(1, { title: "Sockets", passages: ["Text."], ...written });
  if (change.kind === "removed") throw new Error("a document was written");
  return pageKind(change);
}

describe("pageKind", () => {
  it.each([
    ["page", { pageKind: "guide" }],
    ["page", { pageKind: "reference", title: "What's new" }],
    ["news", { pageKind: "release-notes" }],
    ["news", { pageKind: "changelog" }],
    ["news", { pageKind: "blog" }],
    ["contents", { pageKind: "index", title: "Table of Contents" }],
    ["contents", { pageKind: "index", title: "Index" }],
    ["contents", { pageKind: "index", uri: "https://e.org/3/contents.html?x=1#y" }],
    ["links", { pageKind: "index", title: "Resources" }],
  ] as const)("is %s for %j", (kind, written) => {
    expect(kindOf(written)).toBe(kind);
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
