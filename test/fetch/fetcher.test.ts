import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { crawl, linkUrls, reason, USER_AGENT } from "./support/crawl.ts";
import { memoryFrontier } from "./support/memory-frontier.ts";
import { page, startSite } from "./support/site.ts";

test("a site is followed from its seed, each page once, and says who asks", async () => {
  await using site = await startSite({
    "/": page("Home", "a.html", "b.html#part", "/a.html", "https://elsewhere.example/"),
    "/a.html": page("A", "b.html", "deep/c.html"),
    "/b.html": page("B", "./"),
    "/deep/c.html": page("C", "../a.html"),
  });
  const crawled = await crawl(site.url);
  expect(crawled.pages()).toEqual(["", "a.html", "b.html", "deep/c.html"]);
  expect(site.paths().sort()).toEqual(["/", "/a.html", "/b.html", "/deep/c.html"]);
  expect(new Set(site.seen.map(({ headers }) => headers["user-agent"]))).toEqual(new Set([USER_AGENT]));
  const home = crawled.outcome("");
  expect(home).toMatchObject({
    kind: "page",
    page: { url: site.url, status: 200, contentType: "text/html; charset=utf-8" },
    links: [
      { url: `${site.url}a.html`, depth: 1 },
      { url: `${site.url}b.html`, depth: 1 },
    ],
  });
  expect(crawled.outcome("deep/c.html")).toMatchObject({ links: [{ url: `${site.url}a.html`, depth: 3 }] });
  expect(crawled.log).toEqual([]);
});

test("nothing is written to a storage folder", async () => {
  await using site = await startSite({ "/": page("Home") });
  await crawl(site.url);
  expect(existsSync("storage")).toBe(false);
  expect(existsSync("apify_storage")).toBe(false);
});

test("validators are sent, either alone too, and 304 is unchanged", async () => {
  const seenBy = (etag: string | undefined, since: string | undefined) => ({ etag, since });
  const answers = new Map<string, unknown>();
  await using site = await startSite({}, (request) => {
    answers.set(request.url ?? "", seenBy(request.headers["if-none-match"], request.headers["if-modified-since"]));
    return { status: 304, headers: { "content-type": "" } };
  });
  const date = "Tue, 03 Jan 2023 10:00:00 GMT";
  const crawled = await crawl(site.url, {
    known: [
      { url: `${site.url}both`, etag: '"1"', lastModified: date },
      { url: `${site.url}etag`, etag: 'W/"2"' },
      { url: `${site.url}date`, lastModified: date },
      { url: `${site.url}neither` },
    ],
  });
  expect(answers.get("/both")).toEqual(seenBy('"1"', date));
  expect(answers.get("/etag")).toEqual(seenBy('W/"2"', undefined));
  expect(answers.get("/date")).toEqual(seenBy(undefined, date));
  for (const path of ["both", "etag", "date"]) expect(crawled.outcome(path)).toEqual({ kind: "unchanged" });
  expect(reason(crawled.outcome("neither"))).toContain("304 Not Modified to a request without conditions");
});

test("validators of a page are kept as sent", async () => {
  await using site = await startSite({
    "/": { body: page("Home"), headers: { etag: 'W/"abc"', "last-modified": "Tue, 03 Jan 2023 10:00:00 GMT" } },
  });
  const crawled = await crawl(site.url);
  expect(crawled.outcome("")).toMatchObject({
    page: { etag: 'W/"abc"', lastModified: "Tue, 03 Jan 2023 10:00:00 GMT" },
  });
});

test("404 and 410 are gone, other refusals are failures with their reason and asked once", async () => {
  await using site = await startSite({
    "/": page("Home", "gone", "missing", "secret", "teapot"),
    "/gone": { status: 410 },
    "/secret": { status: 403, body: page("Forbidden") },
    "/teapot": { status: 418 },
  });
  const crawled = await crawl(site.url);
  expect(crawled.outcome("gone")).toEqual({ kind: "gone", status: 410 });
  expect(crawled.outcome("missing")).toEqual({ kind: "gone", status: 404 });
  expect(crawled.outcome("secret")).toEqual({ kind: "failed", reason: "answered 403 Forbidden" });
  expect(crawled.outcome("teapot")).toEqual({ kind: "failed", reason: "answered 418 I'm a Teapot" });
  expect(site.paths()).toHaveLength(5);
});

test("what is fetched from a mirror is named by its public address, whichever way its pages link", async () => {
  const routes: Record<string, string> = {};
  await using site = await startSite(routes);
  routes["/m/"] = page(
    "Home",
    "relative.html",
    "/m/rooted.html",
    `${site.url}m/mirror.html`,
    "https://docs.example.org/3/public.html",
    "/outside.html",
  );
  for (const name of ["relative", "rooted", "mirror", "public"]) routes[`/m/${name}.html`] = page(name);
  routes["/m/rooted.html"] =
    `<html><head><base href="https://docs.example.org/3/sub/"></head><body><a href="based.html">x</a></body></html>`;
  routes["/m/sub/based.html"] = page("Based");
  const crawled = await crawl("https://docs.example.org/3/", {
    source: { aliases: [{ fetch: `${site.url}m/`, name: "https://docs.example.org/3/" }] },
  });
  expect(crawled.pages()).toEqual([
    "3",
    "3/mirror.html",
    "3/public.html",
    "3/relative.html",
    "3/rooted.html",
    "3/sub/based.html",
  ]);
  expect(JSON.stringify([...crawled.frontier.outcomes.values()].map((o) => ({ ...o, page: undefined })))).not.toContain(
    "127.0.0.1",
  );
  expect(crawled.outcome("3/mirror.html")).toMatchObject({ page: { url: "https://docs.example.org/3/mirror.html" } });
  expect(site.paths()).not.toContain("/outside.html");
});

test("only what the scope lets in is asked for", async () => {
  await using site = await startSite({
    "/docs/": page(
      "Home",
      "a.html",
      "genindex.html",
      "../blog/",
      "/docs/b.html?x=1",
      "mailto:me@example.org",
      "javascript:void(0)",
    ),
    "/docs/a.html": page("A"),
    "/docs/b.html?x=1": page("B"),
  });
  await crawl(`${site.url}docs/`, { scope: { exclude: ["**/genindex*"] } });
  expect(site.paths().sort()).toEqual(["/docs/", "/docs/a.html", "/docs/b.html?x=1"]);
});

test("pictures, archives and the pages' own sources are not asked for", async () => {
  await using site = await startSite({
    "/": page("Home", "logo.PNG", "all.tar.gz?v=1", "book.docx", "_sources/a.rst.txt", "os.path", "v1.2", ".zip/"),
    "/os.path": page("A module"),
    "/v1.2": page("A version"),
    "/.zip/": page("A topic"),
  });
  await crawl(site.url);
  expect(site.paths().sort()).toEqual(["/", "/.zip/", "/os.path", "/v1.2"]);
});

test("what is no document is skipped with its type, and its body is not stored", async () => {
  await using site = await startSite({
    "/": page("Home", "example", "notes", "data.json"),
    "/example": { body: "print(1)", headers: { "content-type": "text/x-python" } },
    "/notes": { body: "notes", headers: { "content-type": "text/plain" } },
    "/data.json": { body: "{}", headers: { "content-type": "application/json" } },
  });
  const crawled = await crawl(site.url);
  expect(crawled.outcome("example")).toEqual({ kind: "skipped", reason: "text/x-python is no document", links: [] });
  for (const [path, type] of [
    ["notes", "text/plain"],
    ["data.json", "application/json"],
  ]) {
    expect(crawled.outcome(path ?? "")).toMatchObject({
      kind: "skipped",
      reason: `${type} is no document, unless a pattern of scope.include or scope.contentTypes asks for it`,
    });
  }
});

test("Markdown is a document with links, whether it is sent as Markdown or as text", async () => {
  await using site = await startSite({
    "/": page("Home", "a.md", "b.md"),
    "/a.md": {
      body: "# A\n\nSee [c](c.md#x) and [d][d].\n\n[d]: sub/d.md 'D'\n",
      headers: { "content-type": "text/markdown" },
    },
    "/b.md": { body: "# B\n", headers: { "content-type": "text/plain; charset=utf-8" } },
    "/c.md": { body: "# C\n", headers: { "content-type": "text/markdown" } },
    "/sub/d.md": { body: "# D\n", headers: { "content-type": "text/markdown" } },
  });
  const crawled = await crawl(site.url);
  expect(crawled.pages()).toEqual(["", "a.md", "b.md", "c.md", "sub/d.md"]);
  expect(linkUrls(crawled.outcome("a.md"))).toEqual([`${site.url}c.md`, `${site.url}sub/d.md`]);
  expect(crawled.outcome("b.md")).toMatchObject({ page: { contentType: "text/markdown; charset=utf-8" } });
});

test("HTML that is sent as text, as bytes or as nothing is HTML all the same", async () => {
  await using site = await startSite({
    "/": page("Home", "text", "bytes", "nothing"),
    "/text": { body: page("T", "found"), headers: { "content-type": "text/plain; charset=iso-8859-1" } },
    "/bytes": { body: page("B"), headers: { "content-type": "application/octet-stream" } },
    "/nothing": { body: page("N"), headers: { "content-type": "" } },
    "/found": page("F"),
  });
  const crawled = await crawl(site.url);
  expect(crawled.pages()).toEqual(["", "bytes", "found", "nothing", "text"]);
  expect(crawled.outcome("text")).toMatchObject({ page: { contentType: "text/html; charset=iso-8859-1" } });
  expect(crawled.outcome("nothing")).toMatchObject({ page: { contentType: "text/html" } });
});

test("a text file that is listed as a seed is meant", async () => {
  await using site = await startSite({ "/notes.txt": { body: "notes", headers: { "content-type": "text/plain" } } });
  expect((await crawl(`${site.url}notes.txt`)).pages()).toEqual(["notes.txt"]);
});

test("the bytes are archived as they were sent, in whatever encoding", async () => {
  const body = Buffer.from(page("H\xe9llo", "caf\xe9.html"), "latin1");
  await using site = await startSite({
    "/": { body, headers: { "content-type": "text/html; charset=iso-8859-1" } },
    "/caf%C3%A9.html": page("Coffee"),
  });
  const crawled = await crawl(site.url);
  const home = crawled.outcome("");
  expect(home?.kind === "page" && Buffer.compare(Buffer.from(home.page.body), body)).toBe(0);
  expect(crawled.pages()).toContain("caf%C3%A9.html");
});

test("an unknown charset is no failure", async () => {
  await using site = await startSite({
    "/": { body: page("Home", "a"), headers: { "content-type": "text/html; charset=x-klingon" } },
    "/a": page("A"),
  });
  expect((await crawl(site.url)).pages()).toEqual(["", "a"]);
});

test("a fault of the frontier ends the crawl", async () => {
  await using site = await startSite({ "/": page("Home") });
  const frontier = {
    ...memoryFrontier([site.url]),
    record(): void {
      throw new Error("disk full");
    },
  };
  await expect(crawl(site.url, { frontier })).rejects.toThrow("disk full");
});
