import { describe, expect, it } from "vitest";
import { linkedPages, pageKey } from "../../src/search/links.ts";

function keys(content: string): number[] {
  return [
    ...linkedPages(pageKey("documents/e.org/own"), [{ id: "c1", anchor: "", anchors: [], headings: [], content }]),
  ];
}

const sorted = (...names: string[]): number[] => names.map(pageKey).sort((a, b) => a - b);

describe("linkedPages", () => {
  it("gives each page once, by its document name", () => {
    const text = '[a](https://e.org/x/index.html#top) [b](https://E.org/x/) [c](http://e.org/y?utm_source=z "Y")';
    expect(keys(text)).toEqual(sorted("documents/e.org/x", "documents/e.org/y"));
  });

  it("leaves out the page itself, and what is no page", () => {
    expect(keys("[a](https://e.org/own#here) [b](mailto:a@e.org) [c](#d) [e](https://) a[b](c)")).toEqual([]);
  });
});
