import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createFetcher } from "../../src/fetch/fetcher.ts";
import { latestMoment, parseSitemap } from "../../src/fetch/sitemap.ts";
import { crawl, DEFAULT_RULES, QUICK_RETRY, USER_AGENT, webSource, type CrawlOptions } from "./support/crawl.ts";
import { page, redirect, startSite, type Answer } from "./support/site.ts";

async function discovered(seed: string, options: CrawlOptions = {}): Promise<{ paths: string[]; log: string[] }> {
  const log: string[] = [];
  const logger = { info: (line: string) => log.push(line), warn: (line: string) => log.push(line) };
  const fetcher = createFetcher({ userAgent: USER_AGENT, logger, retry: QUICK_RETRY });
  const links = await fetcher.discover(webSource([seed], options), new AbortController().signal);
  for (const { depth } of links) expect(depth).toBe(1);
  return { paths: links.map(({ url }) => url.replace(seed, "")).sort(), log };
}

const urlset = (...locs: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs
    .map((loc) => `<url>\n<loc> ${loc} </loc><lastmod>2026-01-05</lastmod></url>`)
    .join("")}</urlset>`;
const index = (...locs: string[]): string =>
  `<sitemapindex>${locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join("")}</sitemapindex>`;
const xml = (body: string | Uint8Array): Answer => ({ body, headers: { "content-type": "application/xml" } });

test("sitemaps that robots.txt names are read: indexes, gzip, text, redirects; only what is in scope counts", async () => {
  const routes: Record<string, Answer> = {};
  await using site = await startSite(routes);
  const { url } = site;
  routes["/robots.txt"] = {
    body: `Sitemap: ${url}index.xml\nSitemap: /plain.txt\nUser-agent: *\nDisallow: /forbidden.xml`,
  };
  routes["/index.xml"] = xml(
    index(
      `${url}a.xml`,
      `${url}b.xml.gz`,
      `${url}moved.xml`,
      `${url}index.xml`,
      `${url}forbidden.xml`,
      `${url}missing.xml`,
    ),
  );
  routes["/a.xml"] = xml(
    urlset(
      `${url}docs/a.html`,
      `${url}docs/q.html?a=1&amp;b=2`,
      `${url}blog/x.html`,
      `${url}docs/picture.png`,
      "https://elsewhere.example/docs/",
    ),
  );
  routes["/b.xml.gz"] = {
    body: gzipSync(urlset(`${url}docs/b.html`)),
    headers: { "content-type": "application/gzip" },
  };
  routes["/moved.xml"] = redirect("/c.xml");
  routes["/c.xml"] = xml(urlset(`${url}docs/c.html`, `${url}docs/a.html#again`));
  routes["/plain.txt"] = { body: `${url}docs/d.html\r\n\r\nnot a url\n`, headers: { "content-type": "text/plain" } };
  const { paths, log } = await discovered(`${url}docs/`);
  expect(paths).toEqual(["a.html", "b.html", "c.html", "d.html", "q.html?a=1&b=2"]);
  expect(site.paths()).not.toContain("/forbidden.xml");
  expect(log).toEqual([
    expect.stringContaining("forbidden.xml cannot be read: robots.txt forbids it"),
    expect.stringContaining("missing.xml cannot be read: answered 404 Not Found"),
  ]);
});

test("a sitemap of the pipeline is read, by its public name, from the mirror", async () => {
  await using site = await startSite({
    "/m/map.xml": xml(urlset("https://docs.example.org/a.html", "https://docs.example.org/b.html")),
  });
  const { paths } = await discovered("https://docs.example.org/", {
    source: {
      aliases: [{ fetch: `${site.url}m/`, name: "https://docs.example.org/" }],
      rules: { ...DEFAULT_RULES, sitemaps: ["https://docs.example.org/map.xml"] },
    },
  });
  expect(paths).toEqual(["a.html", "b.html"]);
});

test("a site without sitemaps names no pages", async () => {
  await using site = await startSite({});
  expect(await discovered(site.url)).toEqual({ paths: [], log: [] });
});

test("the address of a page is told from those of its pictures and videos", () => {
  const text = `<urlset xmlns:image="x"><url><loc>https://a.example/p</loc><image:image><image:loc>https://a.example/i</image:loc></image:image><video:video><video:loc>v</video:loc></video:video></url></urlset>`;
  expect(parseSitemap(text)).toEqual({ pages: [{ address: "https://a.example/p" }], sitemaps: [] });
  expect(
    parseSitemap(`<s:urlset xmlns:s="x"><s:url><s:loc><![CDATA[https://a.example/p?a&b]]></s:loc></s:url></s:urlset>`),
  ).toEqual({
    pages: [{ address: "https://a.example/p?a&b" }],
    sitemaps: [],
  });
  expect(parseSitemap("<html><body>Not found</body></html>")).toEqual({ pages: [], sitemaps: [] });
  expect(parseSitemap("")).toEqual({ pages: [], sitemaps: [] });
});

test("lastmod is the latest moment that it can mean, and the latest of several lists counts", async () => {
  const routes: Record<string, Answer> = {};
  await using site = await startSite(routes);
  const { url } = site;
  const dated = (...pages: [string, string][]): Answer =>
    xml(
      `<urlset>${pages.map(([loc, at]) => `<url><lastmod>${at}</lastmod><loc>${url}${loc}</loc></url>`).join("")}</urlset>`,
    );
  routes["/robots.txt"] = { body: `Sitemap: ${url}1.xml\nSitemap: ${url}2.xml` };
  routes["/1.xml"] = dated(["a", "2026-01-05T10:00:00+02:00"], ["b", "2026-01-05"], ["c", "soon"], ["d", "2026-01-01"]);
  routes["/2.xml"] = dated(["d", "2026-02-01T00:00:00Z"], ["a", "2025-01-01"]);
  const fetcher = createFetcher({ userAgent: USER_AGENT, logger: { info() {}, warn() {} }, retry: QUICK_RETRY });
  const links = await fetcher.discover(webSource([url]), new AbortController().signal);
  expect(links.map((link) => [link.url.replace(url, ""), link.lastModified])).toEqual([
    ["a", "2026-01-05T08:00:00.000Z"],
    ["b", "2026-01-06T12:00:00.000Z"],
    ["c", undefined],
    ["d", "2026-02-01T00:00:00.000Z"],
  ]);
});

test.each([
  ["2026", "2027-01-01T12:00:00.000Z"],
  ["2026-02", "2026-03-01T12:00:00.000Z"],
  ["2026-12-31", "2027-01-01T12:00:00.000Z"],
  ["2026-01-05T10:00:00.5Z", "2026-01-05T10:00:00.500Z"],
  ["2026-01-05T10:00+01:00", "2026-01-05T09:00:00.000Z"],
  ["2026-01-05Tx:00", undefined],
  ["yesterday", undefined],
  ["", undefined],
])("a lastmod of %j is %j at the latest", (text, moment) => {
  expect(latestMoment(text)).toBe(moment);
});

test("a sitemap of more pages than a page may have links is read to its end", async () => {
  const routes: Record<string, Answer> = {};
  await using site = await startSite(routes);
  routes["/robots.txt"] = { body: `Sitemap: ${site.url}map.xml` };
  routes["/map.xml"] = xml(urlset(...Array.from({ length: 25_000 }, (_, n) => `${site.url}p${n}`)));
  expect((await discovered(site.url)).paths).toHaveLength(25_000);
});

test("sitemaps can be the only source of URLs", async () => {
  const routes: Record<string, Answer | string> = {
    "/": page("Home", "linked"),
    "/listed": page("Listed", "linked", "further"),
  };
  await using site = await startSite(routes);
  routes["/robots.txt"] = { body: `Sitemap: ${site.url}map.xml` };
  routes["/map.xml"] = xml(urlset(`${site.url}listed`));
  const source = { rules: { ...DEFAULT_RULES, followLinks: false } };
  expect((await discovered(site.url, { source })).paths).toEqual(["listed"]);
  const crawled = await crawl([site.url, `${site.url}listed`], { source });
  expect(crawled.pages()).toEqual(["", "listed"]);
  expect(site.paths()).not.toContain("/linked");
});

test("a source that follows no links and has no list says so", async () => {
  await using site = await startSite({});
  const { paths, log } = await discovered(site.url, { source: { rules: { ...DEFAULT_RULES, followLinks: false } } });
  expect(paths).toEqual([]);
  expect(log).toEqual([expect.stringMatching(/only the seeds are asked for/)]);
});

const LLMS = { "content-type": "text/plain; charset=utf-8" };

test("llms.txt of the host and of the seed's directory names pages; only what is in scope counts", async () => {
  const routes: Record<string, Answer | string> = {};
  await using site = await startSite(routes);
  routes["/llms.txt"] = {
    body: `# Site\n\n- [A](/docs/a): the A\n- [Blog](/blog/x)\n- <${site.url}docs/b>\n`,
    headers: LLMS,
  };
  routes["/docs/llms.txt"] = {
    body: "# Docs\n\n- [C](c.html)\n- [A](a#part)",
    headers: { "content-type": "text/markdown" },
  };
  expect((await discovered(`${site.url}docs/`)).paths).toEqual(["a", "b", "c.html"]);
});

test("an llms.txt that is really a page names nothing", async () => {
  await using site = await startSite({
    "/llms.txt": { body: page("Home", "a"), headers: LLMS },
    "/docs/llms.txt": page("Home", "a"),
  });
  expect((await discovered(`${site.url}docs/`)).paths).toEqual([]);
});

test("an llms.txt of Markdown twins names their pages, when these are there, and the Markdown when not", async () => {
  const body = "- [A](/a.md)\n- [B](/b/index.md)\n- [C](/c.html.md.txt)\n- [D](/d)";
  await using twins = await startSite({ "/llms.txt": { body, headers: LLMS }, "/a": page("A") });
  expect((await discovered(twins.url)).paths).toEqual(["a", "b/", "c.html", "d"]);
  await using markdown = await startSite({ "/llms.txt": { body, headers: LLMS } });
  expect((await discovered(markdown.url)).paths).toEqual(["a.md", "b/index.md", "d"]);
});
