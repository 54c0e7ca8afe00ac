import { describe, expect, it } from "vitest";
import { pageKindOf, type KindSigns } from "../../src/domain/page-kind.ts";

function kindOf(signs: Partial<KindSigns>) {
  return pageKindOf({ path: "/docs/page.html", title: "Sockets", markdown: ["Text."], ...signs });
}

const LINKS = Array.from({ length: 12 }, (_, i) => `- [Chapter ${i}](https://docs.example.org/c${i}.html) one`).join(
  "\n",
);

describe("the kind of a page", () => {
  it.each<[string, Partial<KindSigns>]>([
    ["guide", {}],
    ["guide", { title: "The index of a list", path: "/indexes.html" }],
    ["guide", { title: "Historical notes", path: "/releasing-memory.html" }],
    ["guide", { title: "A brief history", path: "/history.html" }],
    ["release-notes", { title: "What’s new in 3.4" }],
    ["release-notes", { path: "/whatsnew/3.4.html" }],
    ["release-notes", { path: "/docs/release-15-2.html" }],
    ["release-notes", { title: "Migrating from 1 to 2" }],
    ["changelog", { title: "Changelog" }],
    ["changelog", { title: "Changes" }],
    ["changelog", { path: "/docs/CHANGELOG.md" }],
    ["index", { title: "Table of Contents" }],
    ["index", { title: "Index" }],
    ["index", { path: "/3/genindex-A.html" }],
    ["index", { markdown: [LINKS] }],
    ["index", { title: "Class library", usual: "reference", markdown: [LINKS] }],
    ["guide", { markdown: [LINKS, "And much is said besides. ".repeat(40)] }],
    ["guide", { markdown: ["See [the other page](https://e.org/other.html)."] }],
    ["blog", { path: "/blog/2024/terns" }],
    ["blog", { types: new Set(["BlogPosting"]) }],
    ["tutorial", { title: "Tutorial: a first nest" }],
    ["tutorial", { path: "/tutorial/classes.html" }],
    ["tutorial", { breadcrumbs: ["Docs", "Getting started"] }],
    ["reference", { path: "/docs/reference/nests" }],
    ["reference", { title: "Nest API" }],
    ["reference", { title: "Command line reference" }],
    ["reference", { breadcrumbs: ["Guides", "API reference"] }],
    ["reference", { signatures: 4 }],
    ["reference", { isMarkedReference: true }],
    ["reference", { title: "History", usual: "reference", path: "/tern/Releases.html" }],
  ])("is %s for %j", (kind, signs) => {
    expect(kindOf(signs)).toBe(kind);
  });

  it("takes time in proportion to the text", () => {
    for (const unit of ["[", "[a](", "![", "[a]", "[a](b"]) {
      const started = process.cpuUsage();
      kindOf({ markdown: [unit.repeat(30_000)] });
      expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
    }
  });
});
