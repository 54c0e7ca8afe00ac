import { expect, test } from "vitest";
import { crawl, reason } from "./support/crawl.ts";
import { page, redirect, startSite } from "./support/site.ts";

test("a redirect to another spelling of the same page is followed, and the page has the final address", async () => {
  await using site = await startSite({
    "/": page("Home", "guide"),
    "/guide": redirect("/guide/"),
    "/guide/": page("Guide", "part.html"),
    "/guide/part.html": page("Part"),
  });
  const crawled = await crawl(site.url);
  expect(crawled.pages()).toEqual(["", "guide", "guide/part.html"]);
  expect(crawled.outcome("guide")).toMatchObject({
    page: { url: `${site.url}guide/` },
    links: [{ url: `${site.url}guide/part.html` }],
  });
});

test("a redirect to another page in scope is a move, and the target is as deep as the page", async () => {
  await using site = await startSite({
    "/": page("Home", "old.html"),
    "/old.html": redirect("new.html", 302),
    "/new.html": page("New"),
  });
  const crawled = await crawl(site.url);
  const to = `${site.url}new.html`;
  expect(crawled.outcome("old.html")).toEqual({ kind: "moved", to, links: [{ url: to, depth: 1 }] });
  expect(crawled.pages()).toEqual(["", "new.html"]);
});

test("a redirect out of scope is skipped, and said aloud when a seed does it", async () => {
  await using site = await startSite({
    "/docs/": page("Home", "login"),
    "/docs/login": redirect("/accounts/login?next=1"),
    "/en": redirect("/docs/"),
  });
  const crawled = await crawl(`${site.url}docs/`);
  expect(reason(crawled.outcome("docs/login"))).toContain(
    `redirects out of scope, to ${site.url}accounts/login?next=1`,
  );
  expect(site.paths()).toEqual(["/docs/", "/docs/login"]);
  const lost = await crawl(`${site.url}en`, { scope: { type: "page" } });
  expect(lost.log).toEqual([expect.stringContaining("redirects out of scope")]);
});

test("a redirect of a mirror is given its public name", async () => {
  await using site = await startSite({
    "/": page("Home", "old", "away", "itself"),
    "/old": redirect("/new"),
    "/away": redirect("https://docs.example.org/new"),
    "/itself": redirect("https://docs.example.org/itself"),
    "/new": page("New"),
  });
  const crawled = await crawl("https://docs.example.org/", {
    source: { aliases: [{ fetch: site.url, name: "https://docs.example.org/" }] },
  });
  expect(crawled.outcome("old")).toMatchObject({ kind: "moved", to: "https://docs.example.org/new" });
  expect(crawled.outcome("away")).toMatchObject({ kind: "moved", to: "https://docs.example.org/new" });
  expect(reason(crawled.outcome("itself"))).toBe("redirects in a loop: back to https://docs.example.org/itself");
  expect(crawled.pages()).toEqual(["", "new"]);
});

test("redirects in a loop are a failure, on one page or by way of several", async () => {
  await using site = await startSite({
    "/": page("Home", "self", "slash", "a"),
    "/self": redirect("/self#again"),
    "/slash": redirect("/slash/"),
    "/slash/": redirect("/slash"),
    "/a": redirect("/b"),
    "/b": redirect("/c"),
    "/c": redirect("/a"),
  });
  const crawled = await crawl(site.url);
  expect(reason(crawled.outcome("self"))).toContain("redirects in a loop");
  expect(reason(crawled.outcome("slash"))).toContain("redirects in a loop");
  const { kind: c } = crawled.outcome("c") ?? {};
  expect(c).toBe("failed");
  expect(reason(crawled.outcome("c"))).toContain("redirects in a loop");
});

test("endless redirects are a failure, on one page or from page to page", async () => {
  let pages = 0;
  await using site = await startSite({ "/": page("Home", "spin", "x0") }, (request) => {
    const [, spin = 0] = /utm_source=(\d+)/.exec(request.url ?? "") ?? [];
    if (request.url?.startsWith("/spin") === true) return redirect(`/spin?utm_source=${Number(spin) + 1}`);
    return redirect(`/x${++pages}`);
  });
  const crawled = await crawl(site.url);
  expect(reason(crawled.outcome("spin"))).toContain("more than 10 redirects");
  expect(reason([...crawled.frontier.outcomes.values()].at(-1))).toContain("more than 10 redirects");
  expect(pages).toBeLessThan(15);
});

test("a redirect to nowhere is a failure with its reason", async () => {
  await using site = await startSite({
    "/": page("Home", "none", "ftp", "bad"),
    "/none": { status: 302 },
    "/ftp": redirect("ftp://example.org/x"),
    "/bad": redirect("http://[bad"),
  });
  const crawled = await crawl(site.url);
  expect(reason(crawled.outcome("none"))).toBe("answered 302 Found without saying where to");
  expect(reason(crawled.outcome("ftp"))).toContain("only http and https are read");
  expect(reason(crawled.outcome("bad"))).toContain("which is no URL");
});

test("a location that is not escaped is read as UTF-8", async () => {
  await using site = await startSite({
    "/": page("Home", "caf"),
    "/caf": redirect(Buffer.from("/café", "utf8").toString("latin1")),
    "/caf%C3%A9": page("Coffee"),
  });
  expect((await crawl(site.url)).pages()).toEqual(["", "caf%C3%A9"]);
});

test("a stub that refreshes to another page is a move; inside noscript, after a while or out of scope it is a page", async () => {
  const stub = (content: string): string =>
    `<html><head><meta http-equiv="Refresh" content="${content}"></head><body>x</body></html>`;
  await using site = await startSite({
    "/": page("Home", "stub", "slow", "noscript", "away"),
    "/stub": stub("0; URL='new'"),
    "/slow": stub("5; url=new"),
    "/noscript": `<html><head><noscript><meta http-equiv=refresh content="0; url=/nojs"></noscript></head><body>x</body></html>`,
    "/away": stub("0;https://elsewhere.example/"),
    "/new": page("New"),
  });
  const crawled = await crawl(site.url);
  expect(crawled.outcome("stub")).toMatchObject({ kind: "moved", to: `${site.url}new` });
  expect(crawled.pages()).toEqual(["", "away", "new", "noscript", "slow"]);
});

test("a canonical address is followed, but takes no page's place", async () => {
  const routes: Record<string, string> = { "/v2/a.html": page("Newer") };
  await using site = await startSite(routes);
  routes["/v1/"] = `<html><head><link rel="canonical" href="${site.url}v2/a.html"></head><body>Older</body></html>`;
  const crawled = await crawl(`${site.url}v1/`, { scope: { type: "host" } });
  expect(crawled.pages()).toEqual(["v1", "v2/a.html"]);
});
