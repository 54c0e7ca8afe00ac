import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createFetcher } from "../../src/fetch/fetcher.ts";
import { parseSitemap } from "../../src/fetch/sitemap.ts";
import { DEFAULT_RULES, QUICK_RETRY, USER_AGENT, webSource, type CrawlOptions } from "./support/crawl.ts";
import { redirect, startSite, type Answer } from "./support/site.ts";

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
  expect(parseSitemap(text)).toEqual({ pages: ["https://a.example/p"], sitemaps: [] });
  expect(
    parseSitemap(`<s:urlset xmlns:s="x"><s:url><s:loc><![CDATA[https://a.example/p?a&b]]></s:loc></s:url></s:urlset>`),
  ).toEqual({
    pages: ["https://a.example/p?a&b"],
    sitemaps: [],
  });
  expect(parseSitemap("<html><body>Not found</body></html>")).toEqual({ pages: [], sitemaps: [] });
  expect(parseSitemap("")).toEqual({ pages: [], sitemaps: [] });
});
