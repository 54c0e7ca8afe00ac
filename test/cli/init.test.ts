import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { loadPipelines } from "../../src/config/pipelines.ts";
import type { Source, WebSource } from "../../src/domain/source.ts";
import { redirect, startSite, type Answer, type Route } from "../fetch/support/site.ts";
import { carrelHere, type Finished } from "../support/command-line.ts";
import { tempFolder } from "../support/temp-folder.ts";

let pipelines: string;

beforeEach(() => {
  pipelines = join(tempFolder(), "pipelines");
});

function init(where: string, ...flags: string[]): Promise<Finished> {
  return carrelHere(["init", where, "--pipelines", pipelines, ...flags]);
}

/** The source that was written, as a refresh reads it, and what was said. */
async function initialised(
  where: string,
  ...flags: string[]
): Promise<{ readonly source: Source; readonly said: string; readonly text: string }> {
  const { code, stdout, stderr } = await init(where, "--id", "tern", ...flags);
  expect(`${code} ${stderr}`).toBe("0 ");
  const [source] = loadPipelines(pipelines);
  if (source === undefined) throw new Error("nothing is listed");
  return { source, said: stdout, text: readFileSync(join(pipelines, "tern.yaml"), "utf8") };
}

const text = (body: string, type = "text/plain"): Answer => ({ headers: { "content-type": type }, body });
const xml = (body: string): Answer => text(`<?xml version="1.0"?>${body}`, "application/xml");
const urlset = (urls: readonly string[]): Answer =>
  xml(
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`,
  );

interface PageParts {
  readonly head?: string;
  readonly lang?: string;
  readonly links?: readonly string[];
  readonly body?: string;
}

const WORDS = "A tern lays its eggs in a nest, and whoever wants to know how many looks here. ".repeat(6);

function html(title: string, { head = "", lang = "en", links = [], body = `<p>${WORDS}</p>` }: PageParts = {}): string {
  const anchors = links.map((href) => `<li><a href="${href}">${href}</a></li>`).join("");
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body><nav><ul>${anchors}</ul></nav><main><h1>${title}</h1>${body}</main></body></html>`;
}

/** A site whose routes know where it is served. */
async function site(routes: (url: string) => Readonly<Record<string, Route>>): ReturnType<typeof startSite> {
  const table: Record<string, Route> = {};
  const served = await startSite(table);
  Object.assign(table, routes(served.url));
  return served;
}

describe("a pipeline is written by looking", () => {
  it("at DevSite: languages, print twins, blogs, and the size by some of many sitemaps", async () => {
    await using served = await site((url) => {
      const parts = Array.from({ length: 9 }, (_, i) => `${url}sitemap_${i}_of_9.xml`);
      const listed = (i: number) =>
        [`guide/${i}`, `guide/${i}?hl=de`, `blog/${i}`, `private/${i}`].map((path) => url + path);
      return {
        "/": `<!doctype html><html lang="en"><head><title>Tern &nbsp;|&nbsp; Tern for Developers</title><link rel="alternate" hreflang="en" href="${url}"><link rel="alternate" hreflang="de" href="${url}?hl=de"></head><body><devsite-header></devsite-header><article class="devsite-article"><h1 class="devsite-page-title">Tern</h1><div class="devsite-article-body"><p>${WORDS}</p></div></article></body></html>`,
        "/robots.txt": text(`User-agent: *\nDisallow: /private/\nSitemap: ${url}sitemap.xml\n`),
        "/sitemap.xml": xml(
          `<sitemapindex>${parts.map((part) => `<sitemap><loc>${part}</loc></sitemap>`).join("")}</sitemapindex>`,
        ),
        ...Object.fromEntries(parts.map((part, i) => [new URL(part).pathname, urlset(listed(i))])),
      };
    });
    const { source, said, text: written } = await initialised(served.url);
    expect(source).toMatchObject({ kind: "web", seeds: [served.url], scope: { type: "host", languages: ["en"] } });
    expect(source.scope.exclude).toContain("/\\/blog(?:[\\/?]|$)/");
    expect(said).toMatch(/^ {2}generator +DevSite$/m);
    expect(said).toMatch(/^ {2}language +en; also there: de$/m);
    expect(said).toMatch(/^ {2}sitemap +http:\S+\/sitemap\.xml, about 36 pages: 5 more sitemaps were not read$/m);
    expect(said).toMatch(/^ {2}sections +guide\/ 8, blog\/ 4, private\/ 4$/m);
    expect(said).toMatch(/^A refresh would ask for 5 pages of the 17 that were read, of about 36:$/m);
    expect(said).toMatch(/^ {2}4: language de by hl \(scope\.languages: en\), such as \S+\?hl=de$/m);
    expect(said).toMatch(/^ {2}4: exclude \S+blog\S+, such as \S+\/blog\/0$/m);
    expect(said).toMatch(/^ {2}4: robots\.txt: Disallow: \/private\/, such as \S+\/private\/0$/m);
    expect(written).toContain("# Also there: de");
    // robots.txt is not among what this site counts.
    expect(said).toContain(
      `Looked at ${served.url} with ${served.seen.length + (served.paths().includes("/robots.txt") ? 0 : 1)} requests:`,
    );
    expect(served.seen.length).toBeLessThan(14);
  });

  it("at Sphinx behind a redirect: what lies below the version to which it leads", async () => {
    await using served = await site(() => ({
      "/": redirect("/en/stable/"),
      "/en/stable/": html("Tern 2.4 documentation", {
        head: '<meta name="generator" content="Docutils 0.21">',
        links: ["guide.html", "genindex.html", "../latest/", "/de/stable/"],
        body: `<div class="body" role="main"><p>${WORDS}</p></div>`,
      }),
    }));
    const { source, said } = await initialised(served.url);
    expect(source).toMatchObject({ seeds: [`${served.url}en/stable/`], scope: { type: "prefix" } });
    expect(source.scope.languages).toBeUndefined();
    expect(source.scope.exclude).toContain("**/_modules/**");
    expect(said).toMatch(/^ {2}leads to +\S+\/en\/stable\/$/m);
    expect(said).toMatch(/^ {2}robots\.txt +none$/m);
    expect(said).toMatch(
      /No list of its pages was found, so links lead further; of 5 addresses on the first page a refresh would ask for 3:/,
    );
  });

  it("at versions side by side: the one that most want, and which others there are", async () => {
    await using served = await site((url) => ({
      "/": html("Tern", {
        head: '<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.6.1">',
        links: ["1.9/", "1.10/", "latest/"],
      }),
      "/sitemap.xml": urlset(["1.9/a/", "1.10/a/", "latest/a/", "latest/b/"].map((path) => url + path)),
    }));
    const { source, said, text: written } = await initialised(served.url);
    expect(source.scope.versions).toEqual(["latest"]);
    // robots.txt does not name it.
    expect((source as WebSource).rules.sitemaps).toEqual([`${served.url}sitemap.xml`]);
    expect(written).toContain("# Also there: 1.9, 1.10");
    expect(said).toContain("Of several versions one is kept, latest; scope.versions says which.");
    expect(said).toMatch(/^ {2}1: version 1\.9 in the path/m);
  });

  it("at /docs without a slash: what lies below it, and not the shop beside it", async () => {
    await using served = await site(() => ({
      "/docs": html("Tern docs", { links: ["/docs/start", "/docs/api", "/shop", "/"] }),
    }));
    const { source } = await initialised(`${served.url}docs#top`);
    expect(source).toMatchObject({
      seeds: [`${served.url}docs`],
      scope: { type: "host", include: [`${served.url}docs`, `${served.url}docs/**`] },
    });
  });

  it("at the front page of a product: where its documentation is", async () => {
    await using served = await site((url) => ({
      "/": html("Buy a tern", { links: ["/pricing", "/docs/"] }),
      "/sitemap.xml": urlset(["pricing", "docs/a", "docs/b", "jobs/x"].map((path) => url + path)),
    }));
    const { said } = await initialised(served.url);
    expect(said).toContain(
      `Note: This takes the whole host. For what lies below docs/ alone: carrel init ${served.url}docs/`,
    );
  });

  it("at a site that a script builds: that it needs a browser", async () => {
    await using served = await site(() => ({
      "/": '<!doctype html><html lang="en"><head><title>Tern</title><script src="/app.js"></script></head><body><app-root></app-root></body></html>',
    }));
    const { source, said } = await initialised(served.url);
    expect((source as WebSource).rules.render).toEqual({ pages: "empty", origins: [] });
    expect(said).toContain("Its pages hold no text until a script has run: a refresh needs a browser on this machine");
  });

  it("at a site with Markdown twins, an llms.txt, and no generator that is known", async () => {
    const markdown = `# Tern\n\n${WORDS}\n`;
    await using served = await site((url) => ({
      "/guide/": html("Tern", { links: ["/guide/nest"] }),
      "/guide/nest": html("Nest"),
      "/guide/index.md": text(markdown, "text/markdown"),
      "/llms.txt": text(`# Tern\n\n- [Nest](${url}guide/nest.md)\n- [Egg](${url}guide/egg.md)\n`),
    }));
    const { source, said } = await initialised(`${served.url}guide/`);
    expect((source as WebSource).rules.markdown.prefer).toBe(true);
    expect(said).toMatch(/^ {2}llms\.txt +names 2 pages$/m);
    expect(said).toMatch(/^ {2}Markdown +\S+\/guide\/index\.md$/m);
  });

  it("at a site that has moved: it is named by its new address", async () => {
    await using served = await site((url) => ({ "/old/": redirect(`${url}new/`), "/new/": html("Tern") }));
    const { source, said } = await initialised(`${served.url.replace("127.0.0.1", "localhost")}old/`);
    expect(source).toMatchObject({ seeds: [`${served.url}new/`] });
    expect(said).toMatch(/Note: The site has moved from localhost:\d+ to 127\.0\.0\.1:\d+/);
  });

  it("at a site that wants time between two requests: with three requests", async () => {
    await using served = await site(() => ({
      "/": html("Tern"),
      "/robots.txt": text("User-agent: *\nCrawl-delay: 2.1\n"),
    }));
    const { said } = await initialised(served.url);
    expect(said).toContain("with 3 requests:");
    expect(said).toMatch(/^ {2}robots\.txt +forbids nothing, wants 2\.1 s between two requests, which is heeded$/m);
    expect(said).toMatch(/^ {2}Markdown +not asked for, to ask the site for little$/m);
  });

  it("at a single PDF: that document alone", async () => {
    await using served = await site(() => ({ "/tern.pdf": text("%PDF-1.4\n%%EOF", "application/pdf") }));
    const { source } = await initialised(`${served.url}tern.pdf`);
    expect(source).toMatchObject({ seeds: [`${served.url}tern.pdf`], scope: { type: "page" } });
  });

  it("at hostile words: they stay where they belong", async () => {
    const title = "Tern: \"a #1\" 'b'\u2028seeds: [x]\u0007 {y} *z";
    await using served = await site((url) => ({
      "/": html(title, { links: ["/a\nseeds: [http://evil.example/]"], lang: "en\nx: y" }),
      "/sitemap.xml": urlset([`${url}a&#10;seeds: [http://evil.example/]`]),
    }));
    const { source } = await initialised(served.url);
    expect((source as WebSource).seeds).toEqual([served.url]);
    expect(source.title).toContain('Tern: "a #1"');
  });
});

describe("an address that is nothing to begin with is told why", () => {
  const PRIVATE = 'write a pipeline with "auth"';
  it.each<[string, Readonly<Record<string, Route>>, string, number, string]>([
    [
      "a missing page",
      {},
      "docs/x.html",
      3,
      "answered 404 Not Found: there is no such page. Check the address, or begin further up: carrel init",
    ],
    [
      "one for some",
      { "/docs/": { status: 401 } },
      "docs/",
      2,
      `answered 401 Unauthorized: it is not for everyone. If it is private documentation, ${PRIVATE}`,
    ],
    [
      "a redirect to a login",
      { "/docs/": redirect("/users/sign_in?next=secret") },
      "docs/",
      2,
      "/users/sign_in. If it is private",
    ],
    [
      "a login in place of the page",
      { "/": '<form><input type="password"></form>' },
      "",
      2,
      "with a field for a password and little else",
    ],
    [
      "what is no documentation",
      { "/a.png": text("x", "image/png") },
      "a.png",
      2,
      "is image/png, which is no documentation that Carrel reads",
    ],
    [
      "a sitemap",
      { "/sitemap.xml": urlset(["http://x/a"]) },
      "sitemap.xml",
      2,
      "is a sitemap. Name the page at which readers begin",
    ],
    [
      "what robots.txt forbids",
      { "/robots.txt": text("User-agent: *\nDisallow: /docs/"), "/docs/": html("x") },
      "docs/",
      2,
      "forbids http://127.0.0.1:",
    ],
    ["a site that is down", { "/": { status: 503 } }, "", 3, "cannot be read: answered 503 Service Unavailable"],
    ["a loop", { "/": redirect("/a"), "/a": redirect("/") }, "", 3, "leads from one address to the next"],
  ])("%s", async (_, routes, path, code, message) => {
    await using served = await startSite(routes);
    const done = await init(served.url + path);
    expect([done.code, done.stderr]).toEqual([code, expect.stringContaining(message)]);
    expect(done.stderr).not.toContain("secret");
    expect(existsSync(pipelines)).toBe(false);
  });

  it.each([
    ["http://127.0.0.1:1/", 3, "the host refused the connection"],
    ["nobody.invalid/docs", 3, "https://nobody.invalid/docs cannot be read"],
    ["ftp://docs.example.com/", 2, "is not an http or https URL"],
    ["https://me:pw@docs.example.com/", 2, "would put a secret into the pipeline"],
    ["/no/such/folder", 3, "/no/such/folder cannot be read: it is not there"],
  ])("%s", async (where, code, message) => {
    const done = await init(where);
    expect([done.code, done.stderr]).toEqual([code, expect.stringContaining(message)]);
    expect(done.stderr).not.toContain("pw");
  });

  it("a redirect to a private address, unless it may be connected to", async () => {
    await using served = await startSite({ "/": redirect("http://127.0.0.2:1/") });
    const refused = await init(served.url, "--id", "tern");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--allow-address 10.0.0.0/8")]);
    const allowed = await init(served.url, "--id", "tern", "--allow-address", "127.0.0.0/8");
    expect(allowed.stderr).toContain("the host refused the connection");
  });
});

describe("nothing is overwritten", () => {
  it("and nothing is asked when the id is taken", async () => {
    await using served = await startSite({ "/": html("Tern") });
    mkdirSync(join(pipelines, "web"), { recursive: true });
    const file = join(pipelines, "tern.yml");
    writeFileSync(file, "title: T\nseeds: [https://docs.example.com/]\n");
    writeFileSync(join(pipelines, "web", "gull.yaml"), "title: T\nseeds: [https://docs.example.com/]\n");
    for (const id of ["tern", "gull", "web"]) {
      const { code, stderr } = await init(served.url, "--id", id);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`The id "${id}" is taken`)]);
    }
    expect((await init(served.url, "--id", "Bad Name")).stderr).toContain('"Bad Name" is no good id');
    expect(served.seen).toEqual([]);
    expect(readFileSync(file, "utf8")).toContain("docs.example.com");
  });

  it("with --print: the pipeline alone on standard output, ready for a file", async () => {
    await using served = await startSite({ "/": html("Tern") });
    const { code, stdout, stderr } = await init(served.url, "--print");
    expect([code, existsSync(pipelines)]).toEqual([0, false]);
    expect(stderr).toContain("of 1 address on the first page a refresh would ask for 1:");
    mkdirSync(pipelines);
    writeFileSync(join(pipelines, "x.yaml"), stdout);
    expect(loadPipelines(pipelines)).toMatchObject([{ title: "Tern", seeds: [served.url] }]);
    const json = JSON.parse((await init(served.url, "--json", "--id", "tern")).stdout) as Record<string, unknown>;
    expect(json).toMatchObject({ id: "tern", file: join(pipelines, "tern.yaml"), preview: { taken: 1, leftOut: [] } });
  });
});

describe("a folder", () => {
  const canonical = (path: string): PageParts => ({
    head: `<link rel="canonical" href="https://docs.tern.example/2.4/${path}">`,
  });

  it("is called what most of its pages say, and begins where its documents do", async () => {
    const root = tempFolder();
    mkdirSync(join(root, "html", "api"), { recursive: true });
    const files = { "index.html": "", "nest.html": "nest.html", "api/egg.html": "api/egg", "api/index.html": "api/" };
    for (const [file, path] of Object.entries(files))
      writeFileSync(join(root, "html", file), html(file, canonical(path)));
    writeFileSync(
      join(root, "html", "odd.html"),
      html("odd", { head: '<link rel="canonical" href="https://tern.example/">' }),
    );
    writeFileSync(join(root, "html", "style.css"), "a{}");
    writeFileSync(join(root, "copyright.txt"), "x");
    const { source, said } = await initialised(root);
    expect(source).toMatchObject({
      kind: "folder",
      folder: join(root, "html"),
      baseUrl: "https://docs.tern.example/2.4/",
    });
    expect(said).toMatch(/^ {2}documents +5 \(5 text\/html\); 2 other files$/m);
    expect(said).toMatch(/^ {2}address +\S+, as 4 of 5 pages say$/m);
    expect(said).toContain("A refresh would read 5 of 5 documents:\n  https://docs.tern.example/2.4/api/egg.html");
  });

  it("whose pages do not say it has an address to replace", async () => {
    const root = tempFolder();
    writeFileSync(join(root, "nest.md"), "# Nest\n\nA nest.\n");
    const { source, said } = await initialised(root);
    expect(source).toMatchObject({ folder: root, baseUrl: "https://tern.internal/" });
    expect(said).toContain("Note: The files do not say where they are in public");
  });

  it("without documentation, and a file, are told", async () => {
    const root = tempFolder();
    writeFileSync(join(root, "a.txt"), "x");
    expect(await init(root)).toMatchObject({ code: 3, stderr: expect.stringContaining("of its 1 files none is HTML") });
    expect(await init(join(root, "a.txt"))).toMatchObject({ code: 2, stderr: expect.stringContaining("is a file") });
  });
});

describe("carrel sources check, among dozens of sources", () => {
  const check = (...args: string[]) => carrelHere(["sources", "check", ...args, "--pipelines", pipelines]);

  beforeEach(() => {
    mkdirSync(join(pipelines, "web"), { recursive: true });
    const list = (file: string, rest: string): void => writeFileSync(join(pipelines, file), `title: T\n${rest}`);
    list("tern.yaml", "seeds: [https://docs.tern.example/2/]\nobeyRobots: false\n");
    list("web/gull.yaml", "seeds: [https://gull.example/]\nscope: { exclude: ['**/old/**'] }\n");
    list("web/auk.yaml", "seeds: [https://auk.example/a/, https://auk.example/b/]\n");
  });

  it("tells of those that a URL has to do with", async () => {
    expect((await check("https://docs.tern.example/2/a")).stdout).toBe(
      "https://docs.tern.example/2/a  documents/docs.tern.example/2/a\n  tern: asked for, type prefix; robots.txt: not heeded (obeyRobots: false)\n",
    );
    expect((await check("https://gull.example/old/a")).stdout).toContain(
      "\n  gull: not asked for, exclude **/old/**\n",
    );
  });

  it("says where it would have to be, or that nobody has it", async () => {
    expect((await check("https://docs.tern.example/1/a")).stdout).toContain(
      "\n  tern: not asked for, not below https://docs.tern.example/2/ (scope.type: prefix)\n",
    );
    expect((await check("https://auk.example/")).stdout).toContain(
      "not below https://auk.example/a/ or another of the 2 that the seeds are in (scope.type: prefix)",
    );
    expect((await check("https://puffin.example/x")).stdout).toBe(
      'https://puffin.example/x\n  not asked for: no source that is listed has this host; "carrel init https://puffin.example/x" writes one that does\n',
    );
    const { stdout } = await check("https://puffin.example/x", "--source", "web");
    expect(stdout).toMatch(
      /^ {2}auk: not asked for, .*\n {2}gull: not asked for, not on gull\.example \(scope\.type: host\)|prefix/m,
    );
  });
});
