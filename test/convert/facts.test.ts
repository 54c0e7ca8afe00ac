import { describe, expect, it } from "vitest";
import { dateAfterWords, isoDate } from "../../src/convert/facts/dates.ts";
import { namedRelease, releaseInTitle, versionInPath } from "../../src/convert/facts/release.ts";
import { convert, documentOf } from "./page.ts";

const TEXT = "<main><h1>Nests</h1><p>A nest holds eggs until they hatch.</p></main>";
const page = (head: string, before = "", after = ""): string =>
  `<html><head><title>Nests</title>${head}</head><body>${before}${TEXT}${after}</body></html>`;
const jsonLd = (data: unknown): string => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;

describe("breadcrumbs", () => {
  it("are those of JSON-LD, in their order and without the page", () => {
    const list = {
      "@graph": [
        {
          "@type": ["BreadcrumbList"],
          itemListElement: [
            { position: 2, name: "Birds", item: { "@id": "https://tern.example/birds" } },
            { position: 1, item: { "@id": "https://tern.example/", name: "Home" } },
            { position: 3, name: "All about nests" },
          ],
        },
      ],
    };
    expect(documentOf(page(jsonLd(list))).breadcrumbs).toEqual(["Home", "Birds"]);
  });

  it("are those of microdata", () => {
    const list = `<ol itemscope itemtype="https://schema.org/BreadcrumbList"><li itemprop="itemListElement"><a itemprop="item" href="/b">
      <span itemprop="name">Birds</span></a><meta itemprop="position" content="1"></li><li itemprop="itemListElement"><span itemprop="name">Nests</span></li></ol>`;
    expect(documentOf(page("", list)).breadcrumbs).toEqual(["Birds"]);
  });

  it.each([
    [
      '<nav aria-label="breadcrumb"><ol><li><a href="/">Docs</a></li><li><a href="/b">Birds ›</a></li><li aria-current="page"><a href="#">x</a></li></ol></nav>',
    ],
    [
      '<div class="breadcrumbs"><a href="/"><svg></svg></a> / <a href="/">Docs</a> / <a href="/b">Birds</a> / Nests</div>',
    ],
    [
      '<ul class="breadcrumb"><li><a href="/">Docs</a> <span>/</span></li><li><a href="/b">Birds</a></li><li><a href="page.html">Of nests</a></li></ul>',
    ],
  ])("are those of a trail such as %s", (trail) => {
    expect(documentOf(page("", trail)).breadcrumbs).toEqual(["Docs", "Birds"]);
  });

  it("are without the links that Read the Docs has beside them", () => {
    const trail = `<ul class="wy-breadcrumbs"><li><a href="../birds.html">Birds</a></li><li class="breadcrumb-item active">Nests</li>
      <li class="wy-breadcrumbs-aside"><a href="nests.rst">Edit on GitHub</a></li></ul>`;
    expect(documentOf(page('<meta name="generator" content="Docutils">', trail)).breadcrumbs).toEqual(["Birds"]);
  });

  it("are named by the head of DocBook's pages that show no trail, such as Boost's", () => {
    const head =
      '<meta name="generator" content="DocBook XSL"><link rel="home" href="../i.html" title="Birds"><link rel="up" href="r.html" title="Header &lt;nest.hpp&gt;"><link rel="next" href="n.html" title="Next">';
    const bar =
      '<table width="100%"><tr><td><img alt="Boost C++ Libraries" src="b.png"></td><td><a href="i.html">Home</a></td></tr></table><hr><div class="spirit-nav"><a accesskey="p" href="p.html"><img src="p.png" alt="Prev"></a></div>';
    const foot =
      '<table width="100%"><tr><td></td><td><div class="copyright-footer">Copyright 2010 A. Tern</div></td></tr></table>';
    const read = documentOf(page(head, bar, foot));
    expect(read).toMatchObject({ breadcrumbs: ["Birds", "Header <nest.hpp>"], product: "Boost C++ Libraries" });
    expect(read.content).toBe("A nest holds eggs until they hatch.");
  });

  it("end before the version that Qt puts behind them", () => {
    const trail =
      '<div class="navigationbar"><ul><li><a href="i.html">Qt Nests</a></li><li><a href="c.html">Classes</a></li><li>Nest</li><li id="buildversion"><a href="i.html">Qt 5.15.8 Reference</a></li></ul></div><div class="header" id="qtdocheader"></div>';
    expect(documentOf(page("", trail)).breadcrumbs).toEqual(["Qt Nests", "Classes"]);
  });

  it("are the library of GTK's pages, with its version", () => {
    const side =
      '<nav class="sidebar"><div class="section namespace"><h3><a href="index.html">Gnest</a></h3><p>API Version: 4.0</p><p>Library Version: 4.8.3</p></div></nav>';
    expect(documentOf(page('<meta name="generator" content="gi-docgen">', side))).toMatchObject({
      breadcrumbs: ["Gnest"],
      product: "Gnest",
      version: "4.8.3",
      pageKind: "reference",
    });
  });

  it("are never made of the text, and broken data has none", () => {
    expect(documentOf(page('<script type="application/ld+json">{"@type": </script>')).breadcrumbs).toEqual([]);
    expect(documentOf(page(jsonLd({ "@type": "BreadcrumbList", itemListElement: 7 }))).breadcrumbs).toEqual([]);
  });
});

describe("title, root and description", () => {
  const whole = (head: string, body: string): string => `<html><head>${head}</head><body>${body}</body></html>`;

  it.each([
    ["<title>Nests :: Tern Docs</title>", "Nests"],
    ['<title>Tern Docs :: Nests</title><meta property="og:site_name" content="Tern Docs">', "Nests"],
  ])("take :: to part a title: %s", (head, title) => {
    expect(documentOf(whole(head, "<main><p>A nest holds eggs.</p></main>")).title).toBe(title);
  });

  it("keep a product that is only an article and a noun", () => {
    const body =
      '<div id="page-wrapper" class="page-wrapper"><div id="content"><main><h1>One</h1><p>An egg.</p></main></div></div>';
    expect(documentOf(whole("<title>One - The Book</title>", body)).product).toBe("The Book");
    expect(documentOf(whole("<title>One - My Docs</title>", body)).product).toBe("My Docs");
  });

  it("leave the version out of ExDoc's title", () => {
    const body =
      '<div id="content" class="content-inner"><h1><span>Tern.Nest</span> <small class="app-vsn">(tern v2.4.0)</small></h1><p>A nest.</p></div>';
    expect(documentOf(whole("<title>Tern.Nest — tern v2.4.0</title>", body)).title).toBe("Tern.Nest");
  });

  it("read the article of the PyData theme, and not what is beside it", () => {
    const body = `<main id="main-content" class="bd-main" role="main"><div class="bd-content"><article class="bd-article"><h1>Nests</h1>
      <p>A nest holds eggs.</p></article><div class="bd-sidebar-secondary" id="pst-secondary-sidebar"><div>On this page</div>
      <a href="nests.rst">Show Source</a></div></div></main>`;
    const generator = '<title>Nests</title><meta name="generator" content="Docutils">';
    expect(documentOf(whole(generator, body)).content).toBe("A nest holds eggs.");
  });

  it("do not describe a page by MediaWiki's hatnote", () => {
    const body = `<h1 id="firstHeading">Nest</h1><div class="mw-parser-output"><div role="note" class="hatnote">For other uses, see
      <a href="n">Nest (disambiguation)</a>.</div><p>A nest is a place for eggs.</p></div>`;
    const document = documentOf(whole('<title>Nest</title><meta name="generator" content="MediaWiki 1.42">', body));
    expect(document.description).toBe("A nest is a place for eggs.");
    expect(document.content).toContain("For other uses");
  });
});

describe("product and version", () => {
  it.each([
    ["Python 3.11.2 documentation", false, "Python", "3.11.2"],
    ["Tern HTTP Server Version 2.4", false, "Tern HTTP Server", "2.4"],
    ["Tern.js v20.5.1 Documentation", false, "Tern.js", "20.5.1"],
    ["Java SE 17 & JDK 17", true, "Java SE", "17"],
    ["Colony: Core Libraries 33.0.0-jre API", true, "Colony: Core Libraries", "33.0.0-jre"],
    ["Serveur HTTP Tern Versión 2.4", false, "Serveur HTTP Tern", "2.4"],
    ["Version: v1.2.3", true, "", "1.2.3"],
    ["tern 1.0-rc.1", false, "tern", "1.0-rc.1"],
    ["Chapter 3", false, "", ""],
    ["Released 2024-05-01", true, "", ""],
    ["Tern Docs", false, "", ""],
  ])("of %j", (text, isSure, product, version) => {
    expect(namedRelease(text, isSure)).toEqual({ product, version });
  });

  it("stand behind the title of the page", () => {
    expect(releaseInTitle("What's new in 3.10 — Python 3.11.2 documentation", {})).toMatchObject({ version: "3.11.2" });
    expect(releaseInTitle("Nest | tern - v2.1.0", {})).toEqual({ product: "tern", version: "2.1.0" });
    expect(releaseInTitle("Nest (Tern 2 API)", { inParentheses: true })).toEqual({ product: "Tern", version: "2" });
    expect(releaseInTitle("Nests in 2.4", {})).toEqual({ product: "", version: "" });
    expect(releaseInTitle("Tern 4.2 documentation", {})).toEqual({ product: "Tern", version: "4.2" });
    expect(releaseInTitle("List | Tern API | Site", { product: "second" }).product).toBe("Tern API");
    expect(releaseInTitle("Nests - The Tern Manual", { product: "last" }).product).toBe("Tern");
  });

  it.each([
    ["/3.11/library/os.html", "3.11"],
    ["/docs/15/sql-select.html", "15"],
    ["/v2/api/", "2"],
    ["/docs/v1.28/concepts/pods", "1.28"],
    ["/tern.example/nest@v1.2.3/eggs", "1.2.3"],
    ["/docs/releases/3.10/notes", ""],
    ["/docs/whatsnew/3.10", ""],
    ["/blog/2024/05/nests", ""],
    ["/docs/2024/nests", ""],
    ["/nests/12/eggs", ""],
    ["/latest/nests", ""],
  ])("of the path %s: %j", (path, version) => {
    expect(versionInPath(path)).toBe(version);
  });

  it("are told by the head before the path", () => {
    const url = "https://tern.example/docs/2.x/nests";
    expect(documentOf(page('<meta name="docsearch:version" content="2.4.1,latest">'), { url }).version).toBe("2.4.1");
    expect(documentOf(page('<meta name="docusaurus_version" content="current">'), { url }).version).toBe("2.x");
    expect(documentOf(page('<meta property="og:site_name" content="Tern Docs">'), { url }).product).toBe("Tern");
  });
});

describe("the day of the last change", () => {
  it.each([
    ["2024-05-01", "2024-05-01"],
    ["2024-05-01 10:00:00 UTC", "2024-05-01T10:00:00Z"],
    ["2024-05-01T10:00:00.000+02:00", "2024-05-01T08:00:00Z"],
    ["2024-05-01T10:00", "2024-05-01"],
    ["May 1st, 2024 (12:00)", "2024-05-01"],
    ["1 May 2024, at 12:31", "2024-05-01"],
    ["Sept. 30, 2023", "2023-09-30"],
    ["5/1/2024", ""],
    ["0001-01-01T00:00:00Z", ""],
    ["February 30, 2024", ""],
    ["2024-05-01-2", ""],
  ])("of %j: %j", (text, date) => {
    expect(isoDate(text)).toBe(date);
  });

  it("stands behind words that say so", () => {
    expect(dateAfterWords("© 2020 Tern. Last updated on Jan 05, 2023. Created 2019-01-01.")).toBe("2023-01-05");
    expect(dateAfterWords("Founded on 2023-01-05.")).toBe("");
  });

  it("is told by the head, by structured data, or by a line of the page", () => {
    const of = (...html: Parameters<typeof page>): string => documentOf(page(...html)).lastModified;
    expect(of('<meta property="article:modified_time" content="2024-05-01T10:00:00Z">')).toBe("2024-05-01T10:00:00Z");
    expect(of(jsonLd({ "@type": "TechArticle", dateModified: "2024-05-01" }))).toBe("2024-05-01");
    expect(of("", "", '<p class="last-updated">Last updated: <time datetime="2024-05-01">a month ago</time></p>')).toBe(
      "2024-05-01",
    );
    expect(of("", "", "<p>Updated on 2024-05-01.</p>")).toBe("");
  });
});

describe("the canonical URL", () => {
  const canonical = (href: string): string =>
    documentOf(page(`<link rel="canonical" href="${href}">`), { url: "https://tern.example/docs/2.4/nests.html" })
      .canonical;

  it("is kept when it can be true", () => {
    expect(canonical("https://www.tern.example/docs/latest/nests.html#x")).toBe(
      "https://www.tern.example/docs/latest/nests.html",
    );
    expect(canonical("nests.html")).toBe("https://tern.example/docs/2.4/nests.html");
  });

  it.each([
    "https://mirror.example/docs/2.4/nests.html",
    "https://tern.example/",
    "/docs/",
    "file:///nests.html",
    "http://[",
  ])("is none when it is %s", (href) => {
    expect(canonical(href)).toBe("");
  });
});

describe("the description", () => {
  it("is never what a site says of itself on all of its pages", () => {
    const blurb = '<meta name="description" content="Everything about seabirds, harbours and lighthouses worldwide.">';
    expect(documentOf(page(blurb)).description).toBe("A nest holds eggs until they hatch.");
    expect(documentOf(`<head>${blurb}</head><main><h1>Nests</h1><ul><li>One</li></ul></main>`).description).toBe("");
  });
});

describe("front matter", () => {
  it("says of Markdown what a head says of a page", () => {
    const markdown = `---
title: Nests
parent: Birds
grand_parent: Docs
version: v2.4
product: Tern
last_update: { date: 2024-05-01 }
canonical_url: /latest/nests
content_type: how-to
---
# Nests

A nest holds eggs until they hatch.
`;
    expect(
      documentOf(markdown, { url: "https://tern.example/docs/nests.md", contentType: "text/markdown" }),
    ).toMatchObject({
      title: "Nests",
      breadcrumbs: ["Docs", "Birds"],
      product: "Tern",
      version: "2.4",
      lastModified: "2024-05-01",
      canonical: "https://tern.example/latest/nests",
      generator: "",
      pageKind: "guide",
    });
  });

  it("is not needed: kind and version are told by title and path", () => {
    const markdown = { url: "https://tern.example/docs/3.1/nests.md", contentType: "text/markdown" };
    expect(documentOf("# Tutorial: nests\n\nText.\n", markdown)).toMatchObject({
      pageKind: "tutorial",
      version: "3.1",
    });
    const text = { url: "https://tern.example/docs/3.1/CHANGES.txt", contentType: "text/plain" };
    expect(documentOf("Changes\n\nText.\n", text)).toMatchObject({
      pageKind: "changelog",
      version: "3.1",
      generator: "",
    });
    const notebook = JSON.stringify({
      nbformat: 4,
      cells: [{ cell_type: "markdown", source: ["# Release notes\n", "\n", "Text."] }],
    });
    expect(
      documentOf(notebook, { url: "https://tern.example/docs/3.1/a.ipynb", contentType: "application/json" }),
    ).toMatchObject({
      pageKind: "release-notes",
      version: "3.1",
    });
  });
});

describe("index pages", () => {
  const sphinx = '<meta name="generator" content="Docutils 0.19">';
  const search = '<script src="_static/searchtools.js"></script>';
  it.each([
    ["sphinx", "/genindex.html", sphinx],
    ["sphinx", "/3.11/genindex-A.html", sphinx],
    ["sphinx", "/genindex/", sphinx],
    ["sphinx", "/py-modindex.html", sphinx],
    ["sphinx", "/search.html", sphinx + search],
    [
      "javadoc",
      "/api/java.base/java/lang/class-use/String.html",
      '<meta name="generator" content="javadoc/ClassUseWriter">',
    ],
    ["javadoc", "/api/allclasses-index.html", '<meta name="generator" content="javadoc">'],
    ["javadoc", "/api/index-all.html", '<meta name="generator" content="javadoc">'],
    ["rustdoc", "/std/all.html", '<meta name="generator" content="rustdoc">'],
    ["mdbook", "/book/print.html", "<!-- Book generated using mdBook -->"],
    ["docbook", "/docs/15/bookindex.html", '<meta name="generator" content="DocBook XSL"><div class="index"></div>'],
    ["doxygen", "/html/annotated.html", '<meta name="generator" content="Doxygen 1.9">'],
    ["doxygen", "/html/functions_func_a.html", '<meta name="generator" content="Doxygen 1.9">'],
    ["doxygen", "/html/classNest-members.html", '<meta name="generator" content="Doxygen 1.9">'],
    ["nodejs", "/api/all.html", '<div id="apicontent"></div>'],
    [
      "texinfo",
      "/manual/Function-Index.html",
      '<meta name="Generator" content="texi2any"><table class="index-fn"></table>',
    ],
  ])("of %s, such as %s, are kept out unless they are wanted", (_generator, path, head) => {
    const url = `https://tern.example${path}`;
    expect(convert(page(head), { url })).toMatchObject({ kind: "skipped", isIndex: true });
    expect(convert(page(head), { url, options: { remove: [], keepIndexPages: true } }).kind).toBe("document");
  });

  it.each([
    ["/ref/search.html", sphinx],
    ["/genindex.html", ""],
    ["/manual/Creating-an-Index.html", '<meta name="Generator" content="texi2any">'],
    ["/docs/15/indexes.html", '<meta name="generator" content="DocBook XSL">'],
    ["/api/Index.html", '<meta name="generator" content="javadoc">'],
  ])("are not %s", (path, head) => {
    expect(convert(page(head), { url: `https://tern.example${path}` }).kind).toBe("document");
  });

  it("are no views of source code, which stay out", () => {
    const rust = page('<meta name="generator" content="rustdoc">');
    const options = { remove: [], keepIndexPages: true };
    expect(convert(rust, { url: "https://tern.example/src/tern/a.rs.html", options })).toMatchObject({
      kind: "skipped",
      isIndex: false,
    });
  });
});

describe("the kind of a page by its markup", () => {
  it.each([
    [
      "Apache's modules",
      '<link href="../style/css/manual.css">',
      '<div class="directive-section"><h2>NestSize</h2></div>',
    ],
    [
      "PostgreSQL's functions",
      '<meta name="generator" content="DocBook XSL">',
      '<table><tr><td class="func_table_entry">lay()</td></tr></table>',
    ],
    [
      "PostgreSQL's settings",
      '<meta name="generator" content="DocBook XSL">',
      '<dl><dt id="GUC-NEST-SIZE">nest_size</dt><dd>How large.</dd></dl>',
    ],
  ])("%s are a reference", (_what, head, part) => {
    const html = page(head, "", part);
    expect(documentOf(html).pageKind).toBe("reference");
    expect(documentOf(html.replace(part, "")).pageKind).toBe("guide");
  });
});

describe("the description", () => {
  it("is no label above a diagram, and none of its words", () => {
    const label = "<p><b><a href='s.html'>nest-statement, in full:</a></b></p>";
    const svg = "<svg><text>LAY OUT</text><text>nest-name</text><text>EGG COUNT.</text></svg>";
    const html = `<html><body><main><h1>LAY</h1>${label}${svg}<p>Lays eggs into a nest.</p></main></body></html>`;
    expect(documentOf(html).description).toBe("Lays eggs into a nest.");
  });
});
