import { expect, test } from "vitest";
import { createFetcher } from "../../src/fetch/fetcher.ts";
import type { FetchOutcome } from "../../src/domain/page.ts";
import { DEFAULT_NAMES } from "../../src/domain/source.ts";
import { crawl, QUICK_RETRY, reason, USER_AGENT, webSource, type CrawlOptions } from "./support/crawl.ts";
import { page, redirect, startSite, type Answer } from "./support/site.ts";

/** A page in a language, with links. */
const inLanguage = (language: string, ...hrefs: string[]): string =>
  page(`In ${language}`, ...hrefs).replace('lang="en"', language === "" ? "" : `lang="${language}"`);

const as = (type: string, body: string | Uint8Array): Answer => ({ body, headers: { "content-type": type } });

const typeOf = (outcome: FetchOutcome | undefined): string | undefined =>
  outcome?.kind === "page" ? outcome.page.contentType : undefined;

test("pages in another language are out, by what they say and by their address; one that does not say is in", async () => {
  await using site = await startSite({
    "/": page("Home", "a", "b", "c", "d?hl=de", "de/a", "pt-br/a"),
    "/a": inLanguage("de-AT", "only-linked-here"),
    "/b": inLanguage(""),
    "/c": inLanguage("en-GB"),
  });
  const crawled = await crawl(site.url, { scope: { languages: ["en"] } });
  expect(reason(crawled.outcome("a"))).toBe("language de-AT as the page says (scope.languages: en)");
  expect(crawled.pages()).toEqual(["", "b", "c"]);
  expect(site.paths().sort()).toEqual(["/", "/a", "/b", "/c"]);
});

test("all languages are in when none is named", async () => {
  await using site = await startSite({ "/": page("Home", "de/a"), "/de/a": inLanguage("de") });
  expect((await crawl(site.url)).pages()).toEqual(["", "de/a"]);
});

test("a seed in another language is left out, and what it leads to is not", async () => {
  await using site = await startSite({ "/": inLanguage("fr", "a"), "/a": page("A") });
  expect((await crawl(site.url, { scope: { languages: ["en"] } })).pages()).toEqual(["a"]);
});

test("a parameter that chooses no page is not asked with, so no other rendering is kept under the page's name", async () => {
  await using site = await startSite({
    "/": page("Home", "a?hl=de", "b?print=1&x=2", "c?utm_source=n", "moved"),
    "/a": page("A"),
    "/a?hl=de": inLanguage("de"),
    "/b?x=2": page("B"),
    "/c": page("C"),
    "/moved": redirect("/d?hl=fr"),
    "/d": page("D"),
  });
  const crawled = await crawl(site.url);
  expect(site.paths().sort()).toEqual(["/", "/a", "/b?x=2", "/c", "/d", "/moved"]);
  expect(crawled.pages()).toEqual(["", "a", "b?x=2", "c", "d"]);
});

test("print twins in the path are asked for by the address that a rule makes of theirs", async () => {
  const rewrite = [{ pattern: "/\\/print\\/(\\w+)$/", replacement: "/$1" }];
  await using site = await startSite({ "/": page("Home", "print/a", "a"), "/a": page("A") });
  const crawled = await crawl(site.url, { source: { names: { ...DEFAULT_NAMES, rewrite } } });
  expect(site.paths()).toEqual(["/", "/a"]);
  expect(crawled.pages()).toEqual(["", "a"]);
});

test("names are those of the source's rules: slashes, loops, and redirects from one spelling to another", async () => {
  const names = { ...DEFAULT_NAMES, trailingSlash: "keep" } as const;
  await using site = await startSite({
    "/": page("Home", "a", "b/"),
    "/a": redirect("/a/"),
    "/a/": page("A"),
    "/b/": redirect("/b"),
    "/b": redirect("/b/"),
  });
  const crawled = await crawl(site.url, { source: { names } });
  expect([...crawled.frontier.outcomes.keys()].map((key) => key.replace(/^[^/]*/, "")).sort()).toEqual(
    ["", "/a", "/a/", "/b", "/b/"].sort(),
  );
  expect(crawled.outcome("a")).toMatchObject({ kind: "moved", to: `${site.url}a/` });
  expect([...crawled.frontier.outcomes.values()].map(({ kind }) => kind).sort()).toEqual(
    ["failed", "moved", "moved", "page", "page"].sort(),
  );
});

test("pages that hold all others are not followed, unless an include or a seed asks for them", async () => {
  const routes = {
    "/": page("Home", "print.html", "docs/_print/", "print_page/", "docs/a"),
    "/docs/a": page("A"),
    "/print.html": page("All"),
    "/docs/_print/": page("All of docs"),
  };
  await using site = await startSite(routes);
  expect((await crawl(site.url)).pages()).toEqual(["", "docs/a"]);
  const asked = await crawl(site.url, { scope: { include: ["**", "**/_print/"] } });
  expect(asked.pages()).toEqual(["", "docs/_print", "docs/a"]);
  expect((await crawl([site.url, `${site.url}print.html`])).pages()).toEqual(["", "docs/a", "print.html"]);
});

const RST = "Title\n=====\n\nText.\n";

test("every kind of document is taken by its type, or by its ending where the type says little", async () => {
  await using site = await startSite({
    "/": page("Home", "a.pdf", "b", "c.rst", "d.rst", "e.adoc", "f.ipynb", "g.ipynb", "h.pdf", "i.pdf"),
    "/a.pdf": as("application/octet-stream", "%PDF-1.7\n"),
    "/b": as("application/pdf", "%PDF-1.4\n"),
    "/c.rst": as("text/plain; charset=utf-8", RST),
    "/d.rst": as("text/x-rst", RST),
    "/e.adoc": as("text/plain", "= Title\n\nText.\n"),
    "/f.ipynb": as("application/json", '{"cells": []}'),
    "/g.ipynb": as("application/octet-stream", '{"cells": []}'),
    // A login page, and what is no PDF inside.
    "/h.pdf": as("application/pdf", page("Log in")),
    "/i.pdf": as("application/octet-stream", "no PDF"),
  });
  const crawled = await crawl(site.url);
  expect(
    ["a.pdf", "b", "c.rst", "d.rst", "e.adoc", "f.ipynb", "g.ipynb", "h.pdf"].map((path) =>
      typeOf(crawled.outcome(path)),
    ),
  ).toEqual([
    "application/pdf",
    "application/pdf",
    "text/x-rst; charset=utf-8",
    "text/x-rst",
    "text/asciidoc",
    "application/x-ipynb+json",
    "application/x-ipynb+json",
    "text/html",
  ]);
  expect(reason(crawled.outcome("i.pdf"))).toBe("application/octet-stream is no document");
});

const DATA = {
  "/": page("Home", "api.json", "api.yaml", "other.json", "notes.txt"),
  "/api.json": as("application/vnd.oai.openapi+json", '{"openapi": "3.1.0"}'),
  "/api.yaml": as("text/yaml", "openapi: 3.1.0\n"),
  "/other.json": as("application/json", "{}"),
  "/notes.txt": as("text/plain", "notes"),
};

test.each<[string, CrawlOptions["scope"] & object, string[]]>([
  ["by default", {}, [""]],
  ["a pattern with the ending", { include: ["**", "**/api.json", "/\\.ya?ml$/"] }, ["", "api.json", "api.yaml"]],
  ["a pattern that takes all", { include: ["**"] }, [""]],
  ["a list of types", { contentTypes: ["text/html", "application/json"] }, ["", "api.json", "other.json"]],
  ["text, too", { contentTypes: ["text/html", "text/plain"] }, ["", "notes.txt"]],
])("data and text are documents where they are asked for: %s", async (_, scope, pages) => {
  await using site = await startSite(DATA);
  const crawled = await crawl(site.url, { scope });
  expect(crawled.pages()).toEqual(pages);
  const types = pages.slice(1).map((path) => typeOf(crawled.outcome(path))?.split(";")[0]);
  for (const type of types) expect(["application/json", "application/yaml", "text/plain"]).toContain(type);
});

test("data that is listed as a seed is meant", async () => {
  await using site = await startSite(DATA);
  expect((await crawl([`${site.url}api.json`, `${site.url}api.yaml`])).pages()).toEqual(["api.json", "api.yaml"]);
});

test("what a list of types leaves out is skipped with its reason, and a PDF is not even asked for", async () => {
  await using site = await startSite({
    "/": page("Home", "a.pdf", "b", "c.md"),
    "/b": as("application/pdf", "%PDF-1.4\n"),
    "/c.md": as("text/markdown", "# C\n"),
  });
  const crawled = await crawl(site.url, { scope: { contentTypes: ["text/html"] } });
  expect(crawled.pages()).toEqual([""]);
  expect(reason(crawled.outcome("b"))).toBe("application/pdf is not in scope.contentTypes (text/html)");
  expect(reason(crawled.outcome("c.md"))).toBe("text/markdown is not in scope.contentTypes (text/html)");
  expect(site.paths().sort()).toEqual(["/", "/b", "/c.md"]);
});

test("a PDF beyond the cap is a failure: it is a document that could not be read", async () => {
  await using site = await startSite({
    "/": page("Home", "a.pdf", "b.json"),
    "/a.pdf": as("application/pdf", `%PDF-1.4${" ".repeat(2_000)}`),
    "/b.json": as("application/json", " ".repeat(2_000)),
  });
  const crawled = await crawl(site.url, { limits: { maxPageBytes: 1_000 } });
  expect(crawled.outcome("a.pdf")).toEqual({ kind: "failed", reason: "larger than 1000 bytes (limits.maxPageBytes)" });
  expect(crawled.outcome("b.json")?.kind).toBe("skipped");
});

test("the rule that keeps a URL out is said", async () => {
  const source = webSource(["https://docs.example.com/guide/"], {
    source: {
      rules: {
        obeyRobots: false,
        sitemaps: [],
        followLinks: true,
        markdown: { prefer: false, suffixes: [] },
        allowAddresses: [],
      },
    },
    scope: { languages: ["en"], versions: ["stable"], contentTypes: ["text/html"], type: "host" },
  });
  const fetcher = createFetcher({ userAgent: USER_AGENT, logger: { info() {}, warn() {} }, retry: QUICK_RETRY });
  const rules = async (...paths: string[]): Promise<string[]> =>
    (
      await fetcher.check(
        source,
        paths.map((path) => `https://docs.example.com/${path}`),
        new AbortController().signal,
      )
    ).map(({ isAsked, rule }) => `${isAsked} ${rule}`);
  expect(await rules("guide/", "guide/a?hl=de", "fr/guide/", "1.2/a", "guide/print.html", "a.pdf")).toEqual([
    "true type host",
    "false language de by hl (scope.languages: en)",
    "false language fr in the path (scope.languages: en)",
    "false version 1.2 in the path (scope.versions: stable)",
    "false print.html is a print of many pages, each of which is there by itself, unless a pattern of scope.include asks for it",
    "false application/pdf is not in scope.contentTypes (text/html)",
  ]);
});
