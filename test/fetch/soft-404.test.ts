import { expect, test } from "vitest";
import { learnNotFoundPage } from "../../src/fetch/not-found-page.ts";
import { pageTexts } from "../../src/fetch/page-texts.ts";
import { PROBE_NAME } from "../../src/fetch/soft-404.ts";
import { crawl } from "./support/crawl.ts";
import { MADE_UP, page, redirect, startSite, type Route } from "./support/site.ts";

const MENU = `<nav><a href="/">Home</a> <a href="/install">Installation guide</a> <a href="/api/">API</a></nav>`;

function html(title: string, body: string): string {
  return `<!DOCTYPE html><html lang="en"><head><title>${title}</title></head><body>${MENU}<main>${body}</main></body></html>`;
}

/** Answers 200 with a page that says "not found" in words, repeats the address, and is never twice the same. */
const notFound: Route = (request, _, nth) => ({
  body: html(
    `${request.url ?? ""} - Widget`,
    `<h1>Page not found</h1><p>There is nothing at <code>${request.url ?? ""}</code>.</p><p>Request ${nth * 7919}</p>`,
  ),
});

test("a page that answers 200 with the text of the not-found page is gone, whatever address it repeats", async () => {
  await using site = await startSite(
    {
      "/": html("Widget", `<h1>Widget</h1><p>Welcome.</p><a href="/removed-page.html">x</a><a href="/api/old">y</a>`),
      "/install": html("Install - Widget", "<h1>Install</h1><p>Run the installer.</p>"),
      "/api/": html("API - Widget", "<h1>API</h1>"),
      [MADE_UP]: notFound,
    },
    notFound,
  );
  const crawled = await crawl(site.url);
  expect(crawled.pages()).toEqual(["", "api", "install"]);
  expect(crawled.outcome("removed-page.html")).toEqual({ kind: "gone", status: "soft 404" });
  expect(crawled.outcome("api/old")).toEqual({ kind: "gone", status: "soft 404" });
});

test("learning takes one request for each depth of directories where missing pages answer 404", async () => {
  let probes = 0;
  await using site = await startSite({
    "/": page("Home", "a", "b", "api/x", "api/y"),
    "/a": page("A"),
    "/b": page("B"),
    "/api/x": page("X"),
    "/api/y": page("Y"),
    [MADE_UP]: () => {
      probes++;
      return { status: 404 };
    },
  });
  await crawl(site.url);
  expect(probes).toBe(2);
});

test("nothing is asked for when no page has changed", async () => {
  await using site = await startSite({
    "/": { status: 304 },
    [MADE_UP]: notFound,
  });
  await crawl(site.url, { known: [{ url: site.url, etag: '"1"' }] });
  expect(site.paths()).toEqual(["/"]);
});

test("pages that are all alike are kept, when only their few words differ", async () => {
  const stub = (name: string): string => html(`${name} - Widget`, `<h1>${name}</h1><p>No description.</p>`);
  const names = ["alpha", "beta", "gamma", "delta"];
  const links = names.map((name) => `<a href="${name}">${name}</a>`).join("");
  await using site = await startSite({
    "/": html("Widget", links),
    ...Object.fromEntries(names.map((name) => [`/${name}`, stub(name)])),
    "/install": stub("install"),
    "/api/": stub("api"),
    [MADE_UP]: (request) => ({ body: html("Oops - Widget", `<h1>Oops</h1><p>${request.url ?? ""}</p>`) }),
  });
  expect((await crawl(site.url)).pages()).toEqual(["", "alpha", "api", "beta", "delta", "gamma", "install"]);
});

test("a site that answers every address with one shell is kept, and says that it cannot be told apart", async () => {
  const shell = `<html><head><title>Docs</title></head><body><a href="/a">A</a><a href="/b">B</a><div id="app"></div></body></html>`;
  await using site = await startSite({ [MADE_UP]: shell }, shell);
  const crawled = await crawl(site.url);
  expect(crawled.pages()).toEqual(["", "a", "b"]);
  expect(crawled.log).toEqual([expect.stringMatching(/answers made-up addresses like its pages/)]);
});

test("an empty shell for missing pages takes no page that has any text besides", async () => {
  await using site = await startSite({
    "/": html("Widget", `<h1>Widget</h1><p>Welcome to it.</p><a href="/empty">e</a>`),
    "/install": html("Widget", "<p>Hi</p>"),
    "/api/": html("Widget", "<p>A</p>"),
    "/empty": html("Widget", ""),
    [MADE_UP]: html("Widget", ""),
  });
  const crawled = await crawl(site.url);
  expect(crawled.pages()).toEqual(["", "api", "install"]);
  expect(crawled.outcome("empty")?.kind).toBe("gone");
});

test("a page that redirects where made-up addresses redirect is gone; other redirects are moves", async () => {
  await using site = await startSite({
    "/": page("Home", "removed", "renamed", "walled"),
    "/removed": redirect("/sorry?from=%2Fremoved"),
    "/renamed": redirect("/new"),
    "/new": page("New"),
    [MADE_UP]: (request) => redirect(`/sorry?from=${encodeURIComponent(request.url ?? "")}`, 302),
  });
  const crawled = await crawl(site.url);
  expect(crawled.outcome("removed")).toEqual({ kind: "gone", status: "soft 404" });
  expect(crawled.outcome("renamed")?.kind).toBe("moved");
});

test("a blanket redirect that keeps the rest of the address is a move", async () => {
  await using site = await startSite({
    "/": page("Home", "old/a"),
    "/old/a": redirect("/new/a"),
    "/new/a": page("A"),
    [MADE_UP]: (request) => redirect((request.url ?? "").replace("/old/", "/new/")),
  });
  const crawled = await crawl(site.url);
  expect(crawled.outcome("old/a")?.kind).toBe("moved");
  expect(crawled.pages()).toContain("new/a");
});

test("a site whose made-up addresses fail is crawled all the same", async () => {
  await using site = await startSite({ "/": page("Home", "a"), "/a": page("A"), [MADE_UP]: { status: 500 } });
  expect((await crawl(site.url)).pages()).toEqual(["", "a"]);
});

test("what is learnt: texts that differ between two answers may differ, and a page that is there is none", () => {
  const texts = (path: string, body: string) => pageTexts(html("T", body), `https://a.example${path}`);
  const first = texts(`/${PROBE_NAME}1`, "<p>Sorry!</p><p>Try: apples</p>");
  const second = texts(`/${PROBE_NAME}2`, "<p>Sorry!</p><p>Try: oranges</p>");
  const there = texts("/", "<p>Welcome</p>");
  const learnt = learnNotFoundPage(first, second, there);
  expect(learnt?.common).toContain("sorry!");
  expect(learnt?.common).not.toContain("try: apples");
  expect(learnNotFoundPage(there, there, there)).toBeUndefined();
});
