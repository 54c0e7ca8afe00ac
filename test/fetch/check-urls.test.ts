import { expect, test } from "vitest";
import { createFetcher } from "../../src/fetch/fetcher.ts";
import { DEFAULT_RULES, QUICK_RETRY, USER_AGENT, webSource, type CrawlOptions } from "./support/crawl.ts";
import { startSite } from "./support/site.ts";

async function check(seed: string, urls: readonly string[], options: CrawlOptions = {}) {
  const logger = { info() {}, warn() {} };
  const fetcher = createFetcher({ userAgent: USER_AGENT, logger, retry: { ...QUICK_RETRY, retries: 0 } });
  const verdicts = await fetcher.check(webSource([seed], options), urls, new AbortController().signal);
  return verdicts.map(({ isAsked, rule, robots }) => [isAsked, rule, robots]);
}

test("each URL has its verdict, with the rule that says so and the line of robots.txt; nothing else is asked", async () => {
  await using site = await startSite({ "/robots.txt": { body: "User-agent: *\nDisallow: /docs/private\n" } });
  const { url } = site;
  const asked = ["docs/a.html", "docs/private/x", "docs/old/x", "docs/logo.png", "blog/"].map((path) => url + path);
  expect(await check(`${url}docs/`, asked, { scope: { exclude: ["**/old/**"] } })).toEqual([
    [true, "type prefix", "allowed"],
    [false, "type prefix", expect.stringMatching(/^forbidden \(.*\/docs\/private/)],
    [false, "exclude **/old/**", "not asked"],
    [false, ".png is no document", "not asked"],
    [false, `not below ${url}docs/ (scope.type: prefix)`, "not asked"],
  ]);
  expect(site.paths()).toEqual(["/robots.txt"]);
});

test("a site that cannot be reached, and one's own, are told as what they are", async () => {
  await using site = await startSite({ "/robots.txt": { status: 503 } });
  const [unread] = await check(site.url, [site.url]);
  expect(unread).toEqual([false, "type prefix", expect.stringMatching(/robots\.txt could not be read/)]);
  const own = { source: { rules: { ...DEFAULT_RULES, obeyRobots: false } } };
  expect(await check(site.url, [site.url], own)).toEqual([[true, "type prefix", "not heeded (obeyRobots: false)"]]);
});

test("the name is that of the document, however the URL is written, and a mirror is asked by its own rules", async () => {
  await using site = await startSite({ "/m/robots.txt": { status: 404 } });
  const logger = { info() {}, warn() {} };
  const source = webSource(["https://docs.example.org/"], {
    source: { aliases: [{ fetch: `${site.url}m/`, name: "https://docs.example.org/" }] },
  });
  const written = "https://docs.example.org/a/index.html?utm_source=x#top";
  const [verdict] = await createFetcher({ userAgent: USER_AGENT, logger }).check(
    source,
    [written],
    new AbortController().signal,
  );
  expect(verdict).toMatchObject({ name: "documents/docs.example.org/a", isAsked: true, robots: "allowed" });
});
