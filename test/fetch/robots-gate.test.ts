import { expect, test } from "vitest";
import { createFetcher } from "../../src/fetch/fetcher.ts";
import { DEFAULT_RULES, QUICK_RETRY, USER_AGENT, crawl, reason, webSource } from "./support/crawl.ts";
import { memoryFrontier } from "./support/memory-frontier.ts";
import { page, redirect, startSite, type Answer } from "./support/site.ts";

const robots = (body: string): Answer => ({ body, headers: { "content-type": "text/plain" } });

test("what robots.txt forbids is not asked for, not by link, seed or redirect, and the line is named", async () => {
  await using site = await startSite({
    "/robots.txt": robots("User-agent: *\nDisallow: /private/\n"),
    "/": page("Home", "private/a.html", "b.html", "moved"),
    "/b.html": page("B"),
    "/moved": redirect("/private/c.html"),
  });
  const crawled = await crawl([site.url, `${site.url}private/seed.html`], { scope: { type: "host" } });
  expect(crawled.pages()).toEqual(["", "b.html"]);
  expect(site.paths().filter((path) => path.startsWith("/private"))).toEqual([]);
  expect(site.paths().filter((path) => path === "/robots.txt")).toHaveLength(1);
  expect(crawled.outcome("private/a.html")).toEqual({
    kind: "skipped",
    reason: "robots.txt forbids it (Disallow: /private/)",
    links: [],
  });
  expect(crawled.log).toEqual([expect.stringContaining("private/seed.html: robots.txt forbids it")]);
});

test("one's own site may be crawled all the same", async () => {
  await using site = await startSite({
    "/robots.txt": robots("User-agent: *\nDisallow: /\n"),
    "/": { body: page("Home"), headers: { "x-robots-tag": "noindex" } },
  });
  const crawled = await crawl(site.url, { source: { rules: { ...DEFAULT_RULES, obeyRobots: false } } });
  expect(crawled.pages()).toEqual([""]);
  expect(site.paths()).toEqual(["/"]);
});

test("the rules of a mirror are those of the host that is asked", async () => {
  await using site = await startSite({
    "/robots.txt": robots("User-agent: carrel\nDisallow: /m/x\n"),
    "/m/": page("Home", "x.html", "y.html"),
    "/m/y.html": page("Y"),
  });
  const crawled = await crawl("https://docs.example.org/", {
    source: { aliases: [{ fetch: `${site.url}m/`, name: "https://docs.example.org/" }] },
  });
  expect(crawled.pages()).toEqual(["", "y.html"]);
});

test.each([
  ["403", { status: 403 }],
  ["404", { status: 404 }],
  ["410", { status: 410 }],
  ["a redirect to nothing", redirect("/nothing")],
  ["a redirect in a loop", redirect("/robots.txt")],
  ["a page", { body: page("Not found") }],
])("a robots.txt that is answered by %s allows everything", async (_, answer) => {
  await using site = await startSite({ "/robots.txt": answer, "/": page("Home") });
  expect((await crawl(site.url)).pages()).toEqual([""]);
});

test("a robots.txt that moved is read where it is", async () => {
  await using site = await startSite({
    "/robots.txt": redirect("/etc/robots.txt"),
    "/etc/robots.txt": robots("User-agent: *\nDisallow: /x"),
    "/": page("Home", "x"),
  });
  expect(reason((await crawl(site.url)).outcome("x"))).toContain("Disallow: /x");
});

test("a robots.txt that fails forbids everything, after it was asked again", async () => {
  await using site = await startSite({ "/robots.txt": { status: 500 }, "/": page("Home") });
  const crawled = await crawl([site.url, `${site.url}a`]);
  expect(reason(crawled.outcome("a"))).toBe(`not asked: ${site.url}robots.txt could not be read (answered 500)`);
  expect(site.paths()).toEqual(Array.from({ length: 4 }, () => "/robots.txt"));
  expect(crawled.log).toHaveLength(1);
});

test("a robots.txt that fails for a moment is waited for", async () => {
  await using site = await startSite({
    "/robots.txt": (_request, _response, nth) => (nth === 1 ? { status: 503 } : robots("User-agent: *\nDisallow: /x")),
    "/": page("Home", "x"),
  });
  expect((await crawl(site.url)).pages()).toEqual([""]);
});

test("only the beginning of a large robots.txt counts", async () => {
  const filler = `# ${"x".repeat(98)}\n`.repeat(5_200);
  await using site = await startSite({
    "/robots.txt": robots(`User-agent: *\nDisallow: /early\n${filler}Disallow: /late\n`),
    "/": page("Home", "early", "late"),
    "/late": page("Late"),
  });
  expect((await crawl(site.url)).pages()).toEqual(["", "late"]);
});

test("Crawl-delay is kept, whatever the concurrency", async () => {
  await using site = await startSite(
    { "/robots.txt": robots("User-agent: *\nCrawl-delay: 0.1"), "/": page("Home", "a", "b", "c", "d") },
    { body: page("P") },
  );
  await crawl(site.url);
  const starts = site.seen.map(({ at }) => at);
  expect(starts).toHaveLength(6);
  for (let i = 1; i < starts.length; i++) expect((starts[i] ?? 0) - (starts[i - 1] ?? 0)).toBeGreaterThan(80);
});

test("pages that ask not to be kept are not, but their links are followed, unless they ask for that too", async () => {
  const meta = (name: string, content: string, href: string): string =>
    `<html><head><meta name="${name}" content="${content}"></head><body><a href="${href}">x</a></body></html>`;
  const tagged = (tag: string, href: string): Answer => ({ body: page("T", href), headers: { "x-robots-tag": tag } });
  await using site = await startSite(
    {
      "/": page("Home", "h1", "h2", "h3", "h4", "m1", "m2", "m3", "m4"),
      "/h1": tagged("noindex", "from-h1"),
      "/h2": tagged("otherbot: noindex, nofollow", "from-h2"),
      "/h3": tagged("carrel: none", "from-h3"),
      "/h4": tagged("unavailable_after: 25 Jun 2030 15:00:00 PST, nofollow", "from-h4"),
      "/m1": meta("robots", "NoIndex", "from-m1"),
      "/m2": meta("ROBOTS", "nofollow", "from-m2"),
      "/m3": meta("Carrel", "noindex,nofollow", "from-m3"),
      "/m4": meta("googlebot", "noindex", "from-m4"),
    },
    { body: page("P") },
  );
  const crawled = await crawl(site.url);
  expect(crawled.pages()).toEqual(["", "from-h1", "from-h2", "from-m1", "from-m4", "h2", "h4", "m2", "m4"]);
  expect(reason(crawled.outcome("h1"))).toBe("the site asks not to keep it (noindex in X-Robots-Tag)");
  expect(reason(crawled.outcome("m3"))).toBe("the site asks not to keep it (noindex in meta robots)");
});

test.each([
  ["that answers", "User-agent: *\nCrawl-delay: 0.05\n", 200, 1],
  ["that is dead", "", 503, 1 + QUICK_RETRY.retries],
])("a host %s is asked what it allows once for the look at its lists and the crawl", async (_, body, status, times) => {
  await using site = await startSite({
    "/robots.txt": { ...robots(body), status },
    "/": page("Home", "a.html"),
    "/a.html": page("A"),
  });
  const logger = { info() {}, warn() {} };
  const fetcher = createFetcher({ userAgent: USER_AGENT, logger, retry: QUICK_RETRY });
  const source = webSource([site.url]);
  const { signal } = new AbortController();
  await fetcher.discover(source, signal);
  const before = site.seen.length;
  const frontier = memoryFrontier(source.seeds);
  await fetcher.crawl(source, frontier, signal);
  expect(site.paths().filter((path) => path === "/robots.txt")).toHaveLength(times);
  const outcomes = [...frontier.outcomes.values()].map(({ kind }) => kind);
  expect(outcomes).toEqual(status === 200 ? ["page", "page"] : ["failed"]);
  // What it asks for is kept by the crawl as well.
  const [first, second] = site.seen.slice(before);
  if (first !== undefined && second !== undefined) expect(second.at - first.at).toBeGreaterThan(45);
});
