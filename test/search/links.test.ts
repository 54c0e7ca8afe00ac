import { describe, expect, it } from "vitest";
import { linksOf, pageKey, pageOf } from "../../src/search/links.ts";

function links(content: string) {
  return linksOf(pageKey("documents/e.org/own"), [{ id: "c1", anchor: "", anchors: [], headings: [], content }]);
}

const keys = (content: string): number[] => links(content).map(({ page }) => page);

const sorted = (...names: string[]): number[] => names.map(pageKey).sort((a, b) => a - b);

describe("linksOf", () => {
  it("gives each page and text once, by its document name", () => {
    const text = '[a](https://e.org/x/index.html#top) [A](https://E.org/x/) [c](http://e.org/y?utm_source=z "Y")';
    expect(keys(text)).toEqual(sorted("documents/e.org/x", "documents/e.org/y"));
  });

  it("gives what links say, without the signs of Markdown; of pictures and sentences nothing", () => {
    const long = "word ".repeat(20);
    const text = `[The \`open\`  call](https://e.org/a) [![x](https://e.org/b)](https://e.org/c) [${long}](https://e.org/d)`;
    const said = new Map(links(text).map((link) => [link.page, link.text]));
    expect(said).toEqual(
      new Map([
        [pageKey("documents/e.org/a"), "the open call"],
        [pageKey("documents/e.org/b"), ""],
        [pageKey("documents/e.org/c"), ""],
        [pageKey("documents/e.org/d"), ""],
      ]),
    );
  });

  it("takes time linear in the text", () => {
    const began = process.cpuUsage();
    links("](https://e.org/a".repeat(50_000));
    links("[".repeat(200_000) + "](https://e.org/a)".repeat(10_000));
    const { user } = process.cpuUsage(began);
    expect(user / 1e6).toBeLessThan(3);
  });

  it("leaves out the page itself, and what is no page", () => {
    expect(keys("[a](https://e.org/own#here) [b](mailto:a@e.org) [c](#d) [e](https://) a[b](c)")).toEqual([]);
  });
});

describe("pageOf", () => {
  it("is what links lead to, whatever the source's rules have made of the name", () => {
    const [linked] = keys("[a](https://e.org/guide/setup/?utm_source=z)");
    expect(pageOf({ name: "documents/e.org/guide/setup/", uri: "https://e.org/guide/setup/" })).toBe(linked);
    expect(pageOf({ name: "documents/e.org/guide/setup", uri: "https://e.org/guide/setup" })).toBe(linked);
  });

  it("is the name of a part of a page, and of what has no address", () => {
    const part = { name: "documents/e.org/api/operations/list", uri: "https://e.org/api#operation/list" };
    expect(pageOf(part)).toBe(pageKey(part.name));
    expect(pageOf({ name: "documents/notes/a", uri: "" })).toBe(pageKey("documents/notes/a"));
  });
});
