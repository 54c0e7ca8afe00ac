import { expect, test } from "vitest";
import { indexingWishes } from "../../src/fetch/indexing.ts";
import { crawl } from "./support/crawl.ts";
import { page, startSite } from "./support/site.ts";

const NOW = Date.UTC(2026, 0, 1);

test.each<[header: string | string[], noindex: boolean, nofollow: boolean]>([
  ["noindex", true, false],
  ["NoIndex , NOFOLLOW", true, true],
  ["none", true, true],
  ["all", false, false],
  ["index, follow", false, false],
  ["noarchive, nosnippet", false, false],
  ["index, noindex", true, false],
  [["nofollow", "noindex"], true, true],
  ["carrel: noindex", true, false],
  ["Carrel : none", true, true],
  ["otherbot: noindex, nofollow", false, false],
  ["otherbot: noindex, carrel: nofollow", false, true],
  ["carrel: nofollow, otherbot: noindex", false, true],
  [["otherbot: none", "noindex"], true, false],
  ["nofollow, otherbot: noindex", false, true],
  ["max-snippet: -1, noindex", true, false],
  ["max-image-preview:large, nofollow", false, true],
  ["unavailable_after: 25 Jun 2010 15:00:00 PST", true, false],
  ["unavailable_after: Friday, 25 Jun 2010 15:00:00 GMT, nofollow", true, true],
  ["unavailable_after: 2025-12-31", true, false],
  ["unavailable_after: 25 Jun 2030 15:00:00 PST", false, false],
  ["unavailable_after: soon", false, false],
  ["otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST", false, false],
  ["", false, false],
])("X-Robots-Tag %j: noindex %s, nofollow %s", (header, noindex, nofollow) => {
  expect(indexingWishes({ "x-robots-tag": header }, [], "Carrel", NOW)).toEqual({
    noindex: noindex ? "X-Robots-Tag" : undefined,
    nofollow,
  });
});

test.each<[metas: string[], noindex: boolean, nofollow: boolean]>([
  [["noindex"], true, false],
  [["noindex,nofollow"], true, true],
  [["noindex nofollow"], true, true],
  [["NONE"], true, true],
  [["index,follow", "noindex"], true, false],
  [["max-snippet:20, unavailable_after: 2020-01-01"], true, false],
  [["noodp"], false, false],
])("meta robots %j: noindex %s, nofollow %s", (metas, noindex, nofollow) => {
  expect(indexingWishes({}, metas, "Carrel", NOW)).toEqual({ noindex: noindex ? "meta robots" : undefined, nofollow });
});

test("a link with rel=nofollow is followed: it says what the site thinks of the target, not who may read it", async () => {
  await using site = await startSite({
    "/": `<html><body><a rel="nofollow noopener" href="a">A</a></body></html>`,
    "/a": page("A"),
  });
  expect((await crawl(site.url)).pages()).toEqual(["", "a"]);
});

test("a page in parts is followed by rel=next, as an element of its head and as a link", async () => {
  await using site = await startSite({
    "/": `<html><head><link rel="next" href="2"></head><body>One</body></html>`,
    "/2": `<html><body>Two <a rel="next" href="3">on</a></body></html>`,
    "/3": page("Three"),
  });
  expect((await crawl(site.url)).pages()).toEqual(["", "2", "3"]);
});

test("wishes are read from HTML whatever its case, and from the headers of Markdown", async () => {
  await using site = await startSite({
    "/": page("Home", "meta", "md"),
    "/meta": `<HTML><HEAD><META NAME="Robots" CONTENT="NOINDEX"></HEAD><BODY>x</BODY></HTML>`,
    "/md": { body: "# Md", headers: { "content-type": "text/markdown", "x-robots-tag": "noindex" } },
  });
  const crawled = await crawl(site.url);
  expect(crawled.outcome("meta")?.kind).toBe("skipped");
  expect(crawled.outcome("md")?.kind).toBe("skipped");
});
