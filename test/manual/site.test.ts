import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { serveManual } from "../../src/manual/site.ts";
import type { RunningManual } from "../../src/manual/site.ts";

const GUIDE = `---
order: 2
description: How to "use" it & more: all of <it>.
---

# Using \`it\`

Words with *stress*, \`code\`, a [page](other-page.md), a [place](other-page.md#second-part), the [start](index.md),
an [outer page](https://example.com/a.md) and a [heading](#set-the-scope-then-go).

## Set the scope: then go

\`\`\`sh
carrel refresh
\`\`\`

## Set the scope: then go

| Key | Meaning |
| --- | --- |
| \`a\` | first |

### Über Größe

<script>alert("never")</script>

    indented code
`;

const FILES: Readonly<Record<string, string>> = {
  "index.md": "---\norder: 1\n---\n\n# The desk\n\nWelcome.\n",
  "guide.md": GUIDE,
  "other-page.md": "# Other page\r\n\r\n## Second part\r\n\r\nText.\r\n",
  "a-last.md": "No heading here.\n",
  "notes.txt": "no page",
};

let dir: string;
let site: RunningManual;

beforeAll(async () => {
  dir = folder(FILES);
  utimesSync(join(dir, "guide.md"), new Date(), new Date("2026-03-04T05:06:07.890Z"));
  site = await serveManual({ dir, port: 0 });
});
afterAll(async () => {
  await site.close();
  rmSync(dir, { recursive: true });
});

async function get(path: string, init?: RequestInit): Promise<{ readonly response: Response; readonly html: string }> {
  const response = await fetch(new URL(path, site.url), init);
  return { response, html: await response.text() };
}

describe("a page of the manual", () => {
  test("is an HTML page with language, title, description and style sheet", async () => {
    const { response, html } = await get("guide.html");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">\n/);
    expect(html).toContain("<title>Using it — The desk</title>");
    expect(html).toContain(
      '<meta name="description" content="How to &quot;use&quot; it &amp; more: all of &lt;it&gt;.">',
    );
    expect(html).toContain('<link rel="stylesheet" href="style.css">');
    expect(html).not.toContain("order: 2");
  });

  test("has one main part with one first heading, and the others with ids and permalinks", async () => {
    const { html } = await get("guide.html");
    expect(html.match(/<main/g)).toHaveLength(1);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).toContain('<h1 id="using-it">Using <code>it</code></h1>');
    expect(html).toContain(
      '<h2 id="set-the-scope-then-go">Set the scope: then go<a class="headerlink" href="#set-the-scope-then-go"',
    );
    expect(html).toContain('<h2 id="set-the-scope-then-go-1">');
    expect(html).toContain('<h3 id="über-größe">');
  });

  test("has code with its language as a class, and tables", async () => {
    const { html } = await get("guide.html");
    expect(html).toContain('<pre><code class="language-sh">carrel refresh\n</code></pre>');
    expect(html).toContain("<pre><code>indented code\n</code></pre>");
    expect(html).toMatch(/<table>\n<thead>\n<tr>\n<th>Key<\/th>/);
  });

  test("shows HTML as text", async () => {
    const { html } = await get("guide.html");
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("<script");
    expect(html).not.toMatch(/ style="/);
  });

  test("links to pages rather than to Markdown files, and leaves other links alone", async () => {
    const { html } = await get("guide.html");
    expect(html).toContain('<a href="other-page.html">page</a>');
    expect(html).toContain('<a href="other-page.html#second-part">place</a>');
    expect(html).toContain('<a href="./">start</a>');
    expect(html).toContain('<a href="https://example.com/a.md">outer page</a>');
    expect(html).toContain('<a href="#set-the-scope-then-go">heading</a>');
  });

  test("lists all pages in their order, and names the one that is shown", async () => {
    const { html } = await get("guide.html");
    const sidebar = html.slice(html.indexOf("<nav"), html.indexOf("</nav>"));
    expect(sidebar.match(/href="[^"]*"/g)).toEqual([
      'href="./"',
      'href="guide.html"',
      'href="a-last.html"',
      'href="other-page.html"',
    ]);
    expect(sidebar).toContain('<a href="guide.html" aria-current="page">Using it</a>');
    expect(sidebar.match(/aria-current/g)).toHaveLength(1);
  });

  test("leads to the pages before and after it", async () => {
    const { html } = await get("guide.html");
    expect(html).toMatch(
      /<a rel="prev" href=".\/"><span>Before<\/span> The desk<\/a><a rel="next" href="a-last.html">/,
    );
    expect((await get("")).html).not.toContain('rel="prev"');
    expect((await get("other-page.html")).html).not.toContain('rel="next"');
  });

  test("without front matter or heading is a page all the same", async () => {
    const { html } = await get("a-last.html");
    expect(html).toContain("<title>a-last — The desk</title>");
    expect(html).not.toContain('name="description"');
    expect((await get("other-page.html")).html).toContain('<h2 id="second-part">');
  });
});

describe("the site", () => {
  test("begins with the start page, whose title is the site's", async () => {
    const { html } = await get("");
    expect(html).toContain("<title>The desk</title>");
    expect((await get("index.html")).html).toBe(html);
  });

  test("may load its own style sheet and nothing else", async () => {
    const { response } = await get("");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; style-src 'self'");
    expect(policy).not.toContain("unsafe");
    const style = await get("style.css");
    expect(style.response.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(style.html).toContain(".sidebar");
    expect(style.html).not.toContain("url(");
  });

  test("answers 304 to those who have the page, by tag or by date", async () => {
    const { response } = await get("guide.html");
    const etag = response.headers.get("etag") ?? "";
    expect(response.headers.get("last-modified")).toBe("Wed, 04 Mar 2026 05:06:07 GMT");
    const status = async (headers: Record<string, string>) => (await get("guide.html", { headers })).response.status;
    expect(await status({ "if-none-match": etag })).toBe(304);
    expect(await status({ "if-none-match": `"x", W/${etag}` })).toBe(304);
    expect(await status({ "if-none-match": '"x"' })).toBe(200);
    expect(await status({ "if-modified-since": "Wed, 04 Mar 2026 05:06:07 GMT" })).toBe(304);
    expect(await status({ "if-modified-since": "Wed, 04 Mar 2026 05:06:06 GMT" })).toBe(200);
    expect(await status({ "if-modified-since": "yesterday" })).toBe(200);
    expect(await status({ "if-none-match": '"x"', "if-modified-since": "Wed, 04 Mar 2026 05:06:07 GMT" })).toBe(200);
  });

  test.each([
    "guide",
    "guide.md",
    "notes.txt",
    "a-last.html/",
    "../package.json",
    "..%2fpackage.json",
    "guide.html%00",
    "%",
  ])("has no page %j", async (path) => {
    const { port } = new URL(site.url);
    const status = await new Promise((resolve, reject) => {
      const asked = request({ port, path: `/${path}` }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on("error", reject);
      asked.end();
    });
    expect(status).toBe(404);
  });

  test("answers GET and HEAD only", async () => {
    const head = await get("guide.html", { method: "HEAD" });
    expect([head.response.status, head.html]).toEqual([200, ""]);
    expect(Number(head.response.headers.get("content-length"))).toBeGreaterThan(1_000);
    expect((await get("guide.html", { method: "POST" })).response.status).toBe(405);
  });
});

describe("what cannot be served", () => {
  const made: string[] = [];
  afterEach(() => {
    for (const path of made.splice(0)) rmSync(path, { recursive: true });
  });

  test("a folder that is not there, or holds no page", async () => {
    const empty = folder({ "a.txt": "x" });
    made.push(empty);
    mkdirSync(join(empty, "sub"));
    await expect(serveManual({ dir: empty, port: 0 })).rejects.toMatchObject({ code: "not-found" });
    await expect(serveManual({ dir: join(empty, "none"), port: 0 })).rejects.toMatchObject({ code: "not-found" });
  });

  test("a port that is taken", async () => {
    const port = Number(new URL(site.url).port);
    await expect(serveManual({ dir, port })).rejects.toMatchObject({
      code: "busy",
      message: expect.stringContaining(`${port}`),
    });
  });
});

function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), "carrel-manual-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}
