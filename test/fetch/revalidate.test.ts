import { expect, test } from "vitest";
import { crawl, reason } from "./support/crawl.ts";
import { page, startSite, type Answer } from "./support/site.ts";

const SAME: Answer = { status: 304 };

test("what is held is asked for by its validators first; what is new behind it is crawled", async () => {
  await using site = await startSite({
    "/": { body: page("Home", "a", "new") },
    "/a": SAME,
    "/b": { status: 404 },
    "/new": page("New", "newer"),
    "/newer": page("Newer"),
    "/plain": page("Plain"),
  });
  const known = [
    { url: site.url, etag: '"1"' },
    { url: `${site.url}plain` },
    { url: `${site.url}a`, lastModified: "Mon, 05 Jan 2026 00:00:00 GMT" },
    { url: `${site.url}b`, etag: '"2"' },
  ];
  const crawled = await crawl(site.url, { known });
  expect(crawled.pages()).toEqual(["", "new", "newer", "plain"]);
  expect(crawled.outcome("a")).toEqual({ kind: "unchanged" });
  expect(crawled.outcome("b")).toEqual({ kind: "gone", status: 404 });
  expect(site.paths().filter((path) => path === "/plain")).toHaveLength(1);
  expect(crawled.frontier.claimed()).toEqual([]);
});

test("what fails for a moment while it is asked for again is waited for and asked as often as any page", async () => {
  await using site = await startSite({
    "/": SAME,
    "/shaky": (_request, _response, nth) => (nth < 3 ? { status: 500 } : SAME),
    "/broken": { status: 502 },
    "/refused": { status: 403 },
  });
  const known = ["", "shaky", "broken", "refused"].map((path) => ({ url: site.url + path, etag: '"1"' }));
  const crawled = await crawl(site.url, { known });
  expect(crawled.outcome("shaky")).toEqual({ kind: "unchanged" });
  expect(reason(crawled.outcome("broken"))).toBe("answered 502 Bad Gateway (asked 4 times)");
  expect(reason(crawled.outcome("refused"))).toBe("answered 403 Forbidden");
  expect(site.paths().filter((path) => path === "/broken")).toHaveLength(4);
});

test("revalidation keeps the concurrency and the delay, and stops when it is told to", async () => {
  const known = (url: string) => Array.from({ length: 12 }, (_, n) => ({ url: `${url}p${n}`, etag: '"1"' }));
  await using slow = await startSite({}, () => SAME);
  await crawl(slow.url, { known: known(slow.url), limits: { concurrency: 3, delayMs: 20 } });
  const starts = slow.seen.map(({ at }) => at);
  expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(11 * 20 - 30);
  expect(slow.mostInFlight()).toBeLessThanOrEqual(3);

  const abort = new AbortController();
  await using site = await startSite({}, (request) => {
    if (request.url === "/p5") abort.abort();
    return SAME;
  });
  const crawled = await crawl(site.url, {
    known: known(site.url),
    limits: { concurrency: 1 },
    signal: abort.signal,
  });
  expect(crawled.frontier.outcomes.size).toBe(5);
});
