import { expect, test } from "vitest";
import { trapOf, withoutSession } from "../../src/fetch/traps.ts";
import { crawl } from "./support/crawl.ts";
import { page, startSite } from "./support/site.ts";

test.each([
  ["Shift_JIS", "text/html; charset=Shift_JIS", "", [0x93, 0xfa, 0x96, 0x7b], "日本"],
  ["GBK", "text/html", '<meta charset="gbk">', [0xd6, 0xd0, 0xce, 0xc4], "中文"],
  [
    "windows-1251",
    "text/html",
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
    [0xec, 0xe8, 0xf0],
    "мир",
  ],
  ["UTF-8 by mark, against the header", "text/html; charset=iso-8859-1", "\uFEFF", [...Buffer.from("мир")], "мир"],
])("links are found in %s", async (_, type, head, name, text) => {
  const isUtf8 = head === "\uFEFF";
  const body = Buffer.concat([
    Buffer.from(`${head}<html><body><a href="/`, isUtf8 ? "utf8" : "latin1"),
    Buffer.from(name),
    Buffer.from(`.html">x</a>`),
  ]);
  const path = `${encodeURIComponent(text)}.html`;
  await using site = await startSite({ "/": { body, headers: { "content-type": type } }, [`/${path}`]: page("Found") });
  expect((await crawl(site.url)).pages()).toEqual(["", path]);
});

test("links are found in UTF-16", async () => {
  await using site = await startSite({
    "/": { body: Buffer.from(`\uFEFF${page("Home", "a.html")}`, "utf16le"), headers: { "content-type": "text/html" } },
    "/a.html": page("A"),
  });
  expect((await crawl(site.url)).pages()).toEqual(["", "a.html"]);
});

test("a path that feeds on itself comes to an end, and is said", async () => {
  await using site = await startSite({}, { body: page("Loop", "sub/") });
  const crawled = await crawl(site.url);
  expect(crawled.pages()).toEqual(["", "sub", "sub/sub", "sub/sub/sub"]);
  expect(crawled.log).toEqual([
    expect.stringContaining("some links were not followed: a path that repeats itself, such as"),
  ]);
});

test("an endless calendar ends at the depth that is set", async () => {
  await using site = await startSite({}, (request) => {
    const day = Number(/day=(\d+)/.exec(request.url ?? "")?.[1] ?? 0);
    return { body: page(`Day ${day}`, `?day=${day + 1}`) };
  });
  const frontierLimits = { maxPages: 1_000, maxDepth: 5 };
  const { memoryFrontier } = await import("./support/memory-frontier.ts");
  const crawled = await crawl(site.url, { frontier: memoryFrontier([site.url], [], frontierLimits) });
  expect(crawled.pages()).toHaveLength(6);
  expect(crawled.frontier.counts().leftOut).toBe(1);
});

test("a page with ten thousand links, and one with an address of thirty thousand characters", async () => {
  const many = Array.from({ length: 10_000 }, (_, n) => `p${n}`);
  await using site = await startSite({
    "/": page("Home", ...many, `long/${"x".repeat(30_000)}`, "?q=".concat("y".repeat(30_000))),
  });
  const abort = new AbortController();
  const { memoryFrontier } = await import("./support/memory-frontier.ts");
  const frontier = memoryFrontier([site.url], [], { maxPages: 100_000, maxDepth: 1 });
  const stopping = {
    ...frontier,
    record(...args: Parameters<typeof frontier.record>) {
      frontier.record(...args);
      abort.abort();
    },
  };
  const crawled = await crawl(site.url, { frontier: stopping, signal: abort.signal });
  expect(frontier.pending().waiting + frontier.pending().inFlight).toBe(10_000);
  expect(crawled.log).toEqual([expect.stringMatching(/longer than 2000 characters, such as .{1,250}$/)]);
});

test.each([
  ["https://a.example/a/a/a/", undefined],
  ["https://a.example/a/a/a/a/", "a path that repeats itself"],
  ["https://a.example/a/b/a/b/x", undefined],
  ["https://a.example/x/a/b/a/b/a/b", "a path that repeats itself"],
  ["https://a.example/archive/2011/11/11/", undefined],
  ["https://a.example////////x", undefined],
  [`https://a.example/${"a/b/c/d/e/f/".repeat(6)}`, "more than 30 path segments"],
  [`https://a.example/?q=${"/x".repeat(100)}`, undefined],
  ["https://a.example", undefined],
])("whether %s is a trap: %s", (url, trap) => {
  expect(trapOf(url)).toBe(trap);
});

test.each([
  ["https://a.example/x;jsessionid=A1B2?q=1", "https://a.example/x?q=1"],
  ["https://a.example/x?PHPSESSID=abc&q=1", "https://a.example/x?q=1"],
  ["https://a.example/x?jsessionid=abc", "https://a.example/x"],
  ["https://a.example/x?sid=4f2a&q=1", "https://a.example/x?q=1"],
  ["https://a.example/x?session_id=4f2a", "https://a.example/x"],
  ["https://a.example/inside?sidebar=1", "https://a.example/inside?sidebar=1"],
  ["https://a.example/sessions?session=list", "https://a.example/sessions?session=list"],
  ["https://a.example/x?q=1", "https://a.example/x?q=1"],
])("%s without a session is %s", (url, bare) => {
  expect(withoutSession(url)).toBe(bare);
});

test("session ids make no new pages", async () => {
  let session = 0;
  await using site = await startSite({}, () => ({
    body: page("P", `/a;jsessionid=${++session}`, `/b?PHPSESSID=${++session}`),
  }));
  expect((await crawl(site.url)).pages()).toEqual(["", "a", "b"]);
});
