import { expect, test } from "vitest";
import { pageOfTwin } from "../../src/fetch/llms-txt.ts";
import { twinUrl } from "../../src/fetch/markdown-twins.ts";
import { isAsRich, richnessOfHtml } from "../../src/fetch/richness.ts";
import { crawl, DEFAULT_RULES, linkUrls, type Crawled } from "./support/crawl.ts";
import { page, startSite, type Answer, type Route, type Site } from "./support/site.ts";

const PREFER = {
  rules: { ...DEFAULT_RULES, markdown: { prefer: true, suffixes: [".md", ".md.txt", "/index.md"] } },
};
const TEXT = "Widgets are put together from parts, which is told here at some length.";

function html(title: string, links: readonly string[] = [], head = ""): string {
  const items = links.map((href) => `<a href="${href}">${href}</a>`).join(" ");
  return `<!DOCTYPE html><html><head><title>${title} | Site</title>${head}</head><body><nav>${items}</nav>
<main><h1>${title}</h1><p>${TEXT}</p><h2>Use</h2><pre>run ${title}</pre></main></body></html>`;
}
function markdown(title: string, etag = `"md-${title}"`): Answer {
  return {
    body: `# ${title}\n\n${TEXT}\n\n## Use\n\n\`\`\`sh\nrun ${title}\n\`\`\`\n`,
    headers: { "content-type": "text/markdown; charset=utf-8", etag },
  };
}
/** Answers 304 to whoever has it. */
function cached(answer: Answer): Route {
  return (request) =>
    request.headers["if-none-match"] === answer.headers?.["etag"] ? { ...answer, status: 304, body: "" } : answer;
}
function typeOf(crawled: Crawled, path: string): string {
  const outcome = crawled.outcome(path);
  return outcome?.kind === "page" ? outcome.page.contentType : (outcome?.kind ?? "nothing");
}
const markdownRequests = (site: Site): string[] => site.paths().filter((path) => path.includes(".md"));

test.each([
  ["beside the page", ".md", "a.md"],
  ["as text", ".md.txt", "a.md.txt"],
])(
  "Markdown %s takes the place of the HTML, under the name and with the links of the page",
  async (_, suffix, twin) => {
    const asText = suffix.endsWith(".txt") ? { headers: { "content-type": "text/plain" } } : {};
    await using site = await startSite({
      "/": html("Home", ["a", "b"]),
      [`/index${suffix}`]: { ...markdown("Home"), ...asText },
      "/a": html("A", ["c"]),
      [`/${twin}`]: { ...markdown("A"), ...asText },
      "/b": html("B"),
      "/c": html("C"),
      [`/c${suffix}`]: { ...markdown("C"), ...asText },
    });
    const crawled = await crawl(site.url, { source: PREFER });
    expect(crawled.pages()).toEqual(["", "a", "b", "c"]);
    expect([typeOf(crawled, ""), typeOf(crawled, "a"), typeOf(crawled, "c")].map((type) => type.split(";")[0])).toEqual(
      ["text/markdown", "text/markdown", "text/markdown"],
    );
    expect(crawled.outcome("a")).toMatchObject({ page: { url: `${site.url}a`, name: expect.stringMatching(/\/a$/) } });
    // B has none.
    expect(typeOf(crawled, "b")).toContain("text/html");
  },
);

test("Markdown that the page names is found, is no page of its own, and teaches the form", async () => {
  const alternate = (href: string): string => `<link rel="alternate" type="text/markdown" href="${href}">`;
  await using site = await startSite({
    "/": html("Home", ["guide/", "raw/home.md"], alternate("raw/home.md")),
    "/raw/home.md": markdown("Home"),
    "/guide/": html("Guide", ["index.md"], alternate("index.md")),
    "/guide/index.md": markdown("Guide"),
  });
  const crawled = await crawl(site.url, { source: PREFER });
  expect(crawled.pages()).toEqual(["", "guide"]);
  expect(typeOf(crawled, "")).toContain("text/markdown");
  expect(typeOf(crawled, "guide")).toContain("text/markdown");
  expect(linkUrls(crawled.outcome(""))).toEqual([`${site.url}guide/`]);
  // Even where Markdown is not preferred, it is no page of its own.
  expect((await crawl(site.url)).pages()).toEqual(["", "guide"]);
});

test("Markdown by the Accept header is taken", async () => {
  const either =
    (title: string, ...links: string[]): Route =>
    (request) =>
      request.headers.accept?.startsWith("text/markdown") === true ? markdown(title) : { body: html(title, links) };
  await using site = await startSite({ "/": either("Home", "a"), "/a": either("A") });
  const crawled = await crawl(site.url, { source: PREFER });
  expect([typeOf(crawled, ""), typeOf(crawled, "a")].every((type) => type.includes("text/markdown"))).toBe(true);
});

test("thinner, missing, blank and false Markdown leaves the HTML in place", async () => {
  const md = (body: string, type = "text/markdown"): Answer => ({ body, headers: { "content-type": type } });
  await using site = await startSite({
    "/": html("Home", ["thin", "blank", "html", "other", "type", "relative/page", "error"]),
    "/index.md": markdown("Home"),
    "/thin": html("Thin"),
    "/thin.md": md("# Thin\n\nSee the site."),
    "/blank": html("Blank"),
    "/blank.md": md(" \n"),
    "/html": html("Html"),
    "/html.md": md(html("Html")),
    "/other": html("Other"),
    "/other.md": { ...markdown("Not found") },
    "/type": html("Type"),
    "/type.md": md(String(markdown("Type").body), "application/pdf"),
    "/relative/page": html("Relative"),
    "/relative/page.md": markdown("Relative"),
    "/error": html("Error"),
    "/error.md": { status: 500 },
  });
  const crawled = await crawl(site.url, { source: PREFER });
  for (const path of ["thin", "blank", "html", "other", "type", "error"]) {
    expect([path, typeOf(crawled, path)]).toEqual([path, "text/html; charset=utf-8"]);
  }
  expect(typeOf(crawled, "relative/page")).toContain("text/markdown");
});

test("a Markdown directory file with relative links cannot stand for a page that is not in that directory", async () => {
  const links = { ...markdown("Guide"), body: `${String(markdown("Guide").body)}\nSee [more](more.md).\n` };
  await using site = await startSite({
    "/": html("Home", ["guide"]),
    "/guide": html("Guide"),
    "/guide/index.md": links,
  });
  const rules = { ...DEFAULT_RULES, markdown: { prefer: true, suffixes: ["/index.md"] } };
  expect(typeOf(await crawl(site.url, { source: { rules } }), "guide")).toContain("text/html");
});

test("a host without Markdown is asked for it on three pages and no more", async () => {
  const names = Array.from({ length: 20 }, (_, n) => `p${n}`);
  await using site = await startSite({
    "/": html("Home", names),
    ...Object.fromEntries(names.map((name) => [`/${name}`, html(name)])),
  });
  const crawled = await crawl(site.url, { source: PREFER, limits: { concurrency: 1 } });
  expect(crawled.pages()).toHaveLength(21);
  expect(markdownRequests(site)).toHaveLength(9);
});

test("Markdown that is held is asked for by its own validators, and nothing else is asked when it is unchanged", async () => {
  const routes: Record<string, Route> = {
    "/": cached({ body: html("Home", ["a"]), headers: { etag: '"html-home"' } }),
    "/index.md": cached(markdown("Home")),
    "/a": cached({ body: html("A"), headers: { etag: '"html-a"' } }),
    "/a.md": cached(markdown("A")),
    "/b": cached({ body: html("B"), headers: { etag: '"html-b"' } }),
  };
  await using site = await startSite(routes);
  const type = { contentType: "text/markdown; charset=utf-8" };
  const known = [
    { url: site.url, etag: '"md-Home"', ...type },
    { url: `${site.url}a`, etag: '"md-A"', ...type },
    { url: `${site.url}b`, etag: '"html-b"', contentType: "text/html" },
  ];
  const second = await crawl(site.url, { source: PREFER, known });
  // The first of a host is asked for whole, which teaches where the Markdown is.
  expect(second.outcome("")?.kind).toBe("page");
  expect(second.outcome("a")).toEqual({ kind: "unchanged" });
  expect(second.outcome("b")).toEqual({ kind: "unchanged" });
  expect(site.paths()).not.toContain("/a");

  routes["/a.md"] = cached(markdown("A", '"new"'));
  const third = await crawl(site.url, { source: PREFER, known });
  expect(third.outcome("a")).toMatchObject({ kind: "page", page: { etag: '"new"' } });
});

test("where the Markdown of a page is, and whose Markdown a URL is", () => {
  const suffix = (page: string, suffix: string): string => twinUrl(page, { kind: "suffix", suffix });
  expect(suffix("https://a.example/x", ".md")).toBe("https://a.example/x.md");
  expect(suffix("https://a.example/x.html?q=1", ".md.txt")).toBe("https://a.example/x.html.md.txt?q=1");
  expect(suffix("https://a.example/x/", ".md")).toBe("https://a.example/x/index.md");
  expect(suffix("https://a.example/x", "/index.md")).toBe("https://a.example/x/index.md");
  expect(suffix("https://a.example/", "/index.md")).toBe("https://a.example/index.md");
  expect(pageOfTwin("https://a.example/x/index.md#top")).toBe("https://a.example/x/");
  expect(pageOfTwin("https://a.example/x.md")).toBe("https://a.example/x");
  expect(pageOfTwin("https://a.example/x.MD.txt")).toBe("https://a.example/x");
  expect(pageOfTwin("https://a.example/x.html")).toBeUndefined();
});

test("what Markdown has is held against the main part of its page", () => {
  const rich = richnessOfHtml(html("Widget"));
  expect(rich).toMatchObject({ headings: 2, codeBlocks: 1, title: "widget" });
  const body = String(markdown("Widget").body);
  expect(isAsRich(body, rich)).toBe(true);
  expect(isAsRich(`---\ntitle: Widget\n---\n${body.replace("# Widget\n", "")}`, rich)).toBe(true);
  expect(isAsRich(body.replaceAll("```", ""), rich)).toBe(false);
  expect(isAsRich(body.replace("# Widget", "# Error"), richnessOfHtml("<h1>Widget</h1>"))).toBe(true);
  expect(richnessOfHtml(page("No main", "a", "b"))).toMatchObject({ headings: 1, title: "nomain" });
});
