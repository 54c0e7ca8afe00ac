import { describe, expect, it } from "vitest";
import { GENERATORS, GENERIC } from "../../src/convert/generators/generators.ts";
import { PRESETS } from "../../src/domain/source.ts";
import { convert, documentOf } from "./page.ts";

const page = (head: string, body: string): string =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;

describe("the title", () => {
  it("is the heading, and is taken out of the content", () => {
    const { title, content } = documentOf(
      page("<title>Nests — Tern 2 documentation</title>", "<h1>Nests</h1><p>a</p><h2>B</h2><p>c</p>"),
    );
    expect(title).toBe("Nests");
    expect(content).toBe("a\n\n## B\n\nc");
  });

  it.each([
    ["Nests | Tern", "Nests"],
    ["Nests &#8212; Tern 2.4 documentation", "Nests"],
    ["Nests - Tern Manual", "Nests"],
    ["tern.net — Sockets", "tern.net — Sockets"],
    ["Nests", "Nests"],
  ])("of <title>%s</title> is %s", (title, expected) => {
    expect(documentOf(page(`<title>${title}</title>`, "<p>Some text.</p>")).title).toBe(expected);
  });

  it("loses the name that the site gives itself", () => {
    const head = '<title>Tern · Nests</title><meta property="og:site_name" content="Tern">';
    expect(documentOf(page(head, "<p>Some text.</p>")).title).toBe("Nests");
  });

  it("is the first heading of any height when the head says so", () => {
    const { title, content } = documentOf(
      page("<title>5.1. Nests</title>", "<h2>5.1. Nests</h2><p>a</p><h3>Eggs</h3><p>b</p>"),
    );
    expect(title).toBe("5.1. Nests");
    expect(content).toBe("a\n\n## Eggs\n\nb");
  });

  it("stays out of the way of several top headings: they are sections", () => {
    const { title, content } = documentOf(
      page("<title>All of it</title>", "<h1>One</h1><p>a</p><h1>Two</h1><h2>Three</h2><p>b</p>"),
    );
    expect(title).toBe("All of it");
    expect(content).toBe("## One\n\na\n\n## Two\n\n### Three\n\nb");
  });

  it("is found outside of the content", () => {
    const html = page(
      '<title>Read | Tern</title><meta name="generator" content="Starlight v0.3">',
      '<main><div class="content-panel"><h1 id="_top">Read</h1></div><div class="content-panel"><div class="sl-markdown-content"><p>Text.</p></div></div></main>',
    );
    expect(documentOf(html)).toMatchObject({ title: "Read", content: "Text." });
  });

  it("is the file's name when there is no other", () => {
    expect(documentOf("<p>Some text.</p>", { url: "https://tern.example/a/b%20c.html" }).title).toBe("b c.html");
  });
});

describe("rules at the ends of a page", () => {
  it("part nothing, and go; those between texts stay", () => {
    const html = "<body><h1>T</h1><hr><hr><p>a</p><hr><p>b</p><hr></body>";
    expect(documentOf(html).content).toBe("a\n\n---\n\nb");
  });
});

describe("a title with the number of its section", () => {
  it("is the title, though the head has it without", () => {
    const html =
      "<title>Opening Nests (The Tern Manual)</title><body><h3>3.2 Opening Nests</h3><p>a</p><h4>B</h4></body>";
    expect(documentOf(html)).toMatchObject({ title: "3.2 Opening Nests", content: "a\n\n## B" });
  });
});

describe("the description", () => {
  const text = "<main><h1>Configure timeouts</h1><p>Requests wait for thirty seconds at most.</p></main>";

  it("is the page's own, whatever forms its words have", () => {
    const own = "How configuration of a timeout makes requests wait";
    expect(documentOf(page(`<meta name="description" content="${own}">`, text)).description).toBe(own);
    const japanese = "プロダクトの説明です";
    expect(documentOf(page(`<meta name="description" content="${japanese}">`, text)).description).toBe(japanese);
  });

  it("is the first sentence where the site says the same of every page, or repeats the title", () => {
    for (const blurb of ["Tern makes production grade birds simple, fast and observable", "Configure timeouts"])
      expect([blurb, documentOf(page(`<meta name="description" content="${blurb}">`, text)).description]).toEqual([
        blurb,
        "Requests wait for thirty seconds at most.",
      ]);
  });

  it("is the page's own", () => {
    expect(documentOf(page('<meta name="description" content=" What  it is ">', "<p>a</p>")).description).toBe(
      "What it is",
    );
    expect(documentOf(page('<meta property="og:description" content="Open">', "<p>a</p>")).description).toBe("Open");
  });

  it("is the first sentence otherwise", () => {
    const { description } = documentOf(
      page("", "<p><b>Source:</b> <a href='x'>x</a></p><p>Nests hold eggs, e.g. blue ones. They grow.</p>"),
    );
    expect(description).toBe("Nests hold eggs, e.g. blue ones.");
  });

  it("is the first sentence where the generator makes one up", () => {
    const head =
      '<meta name="generator" content="javadoc/ClassWriterImpl"><meta name="description" content="declaration: class: Nest">';
    expect(documentOf(page(head, "<main><h1>Class Nest</h1><p>A nest of many eggs.</p></main>")).description).toBe(
      "A nest of many eggs.",
    );
  });
});

describe("the language", () => {
  it.each([
    ["de", "de"],
    ["pt_br", "pt-BR"],
    ["zh-hans-cn", "zh-Hans-CN"],
    ["not a language", ""],
  ])("of lang=%s is %s", (lang, expected) => {
    expect(documentOf(`<html lang="${lang}"><body><p>a</p>`).language).toBe(expected);
  });
});

describe("bytes", () => {
  const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);
  const concat = (...parts: (string | Uint8Array)[]): Uint8Array =>
    new Uint8Array(parts.flatMap((part) => [...(typeof part === "string" ? new TextEncoder().encode(part) : part)]));

  it("are read as the header says", () => {
    expect(documentOf(concat("<p>caf", bytes(0xe9)), { contentType: "text/html; charset=ISO-8859-1" }).content).toBe(
      "café",
    );
  });

  it("are read as the page says when the header does not", () => {
    const html = concat(
      '<meta http-equiv="Content-Type" content="text/html; charset=shift_jis"><p>',
      bytes(0x83, 0x65, 0x83, 0x58),
    );
    expect(documentOf(html, { contentType: "text/html" }).content).toBe("テス");
  });

  it("are read by their byte order mark first", () => {
    const html = concat(bytes(0xff, 0xfe), bytes(...[..."<p>ü"].flatMap((c) => [c.charCodeAt(0), 0])));
    expect(documentOf(html, { contentType: "text/html; charset=utf-8" }).content).toBe("ü");
  });

  it("are UTF-8 when nobody says, and windows-1252 when they are not", () => {
    expect(documentOf(concat("<p>", bytes(0xc3, 0xbc)), { contentType: "text/html" }).content).toBe("ü");
    expect(documentOf(concat("<p>", bytes(0xfc, 0x20, 0x80)), { contentType: "" }).content).toBe("ü €");
  });

  it("may be said to be what does not exist", () => {
    expect(documentOf("<p>ü", { contentType: "text/html; charset=klingon" }).content).toBe("ü");
  });
});

describe("links", () => {
  it("are resolved against the page, or its base", () => {
    expect(documentOf('<p><a href="../a">a</a>', { url: "https://tern.example/x/y/z" }).content).toBe(
      "[a](https://tern.example/x/a)",
    );
    expect(documentOf('<base href="/b/"><p><a href="c">c</a>').content).toBe("[c](https://tern.example/b/c)");
  });

  it("to a mirror are given their public names", () => {
    const aliases = [{ fetch: "http://127.0.0.1:9001/", name: "https://tern.example/docs/" }];
    expect(documentOf('<p><a href="http://127.0.0.1:9001/a.html#b">a</a>', { aliases }).content).toBe(
      "[a](https://tern.example/docs/a.html#b)",
    );
  });
});

describe("the main content", () => {
  it("is not the first of many equal sections", () => {
    const sections = ["a", "b", "c", "d"].map(
      (id) => `<div class="sect1"><h2>${id}</h2><p>${id} text that is long enough.</p></div>`,
    );
    expect(documentOf(page("", `<div id="content">${sections.join("")}</div>`)).content).toContain("## d");
  });

  it("is the body when there are two articles", () => {
    const { content } = documentOf(page("", "<article><p>One text.</p></article><article><p>Two text.</p></article>"));
    expect(content).toBe("One text.\n\nTwo text.");
  });

  it("is widened when what was found is a small part, or lacks the code", () => {
    const long = `<p>${"many words here ".repeat(50)}</p>`;
    expect(documentOf(page("", `<div><main><p>Little.</p></main>${long}</div>`)).content).toContain("many words here");
    expect(documentOf(page("", `<div><main>${long}</main><pre>code();</pre></div>`)).content).toContain("code();");
  });

  it("is what the pipeline says", () => {
    const html = page("", '<main><p>No.</p></main><div class="yes"><p>Yes.</p><p class="ad">Buy.</p></div>');
    expect(documentOf(html, { options: { content: ".yes", remove: [".ad"] } }).content).toBe("Yes.");
    expect(documentOf(html, { options: { content: ".nowhere", remove: [] } }).content).toContain("Yes.");
  });

  it("is the table of contents of a chapter that has nothing else", () => {
    const head = '<title>II. Nests</title><meta name="generator" content="DocBook XSL Stylesheets">';
    const html = page(
      head,
      '<div class="chapter"><h2 class="title">II. Nests</h2><div class="toc"><ul><li><a href="a.html">Eggs</a></li></ul></div></div>',
    );
    expect(documentOf(html).content).toBe("- [Eggs](https://tern.example/docs/a.html)");
  });

  it("of a devsite landing page is its rows", () => {
    const html = page(
      "",
      '<main class="devsite-main-content"><article class="devsite-article"><div class="devsite-landing-row"><h2>Start</h2><p>Here you go.</p></div><div class="devsite-landing-row"><p>And there.</p></div></article></main>',
    );
    expect(documentOf(html).content).toBe("## Start\n\nHere you go.\n\nAnd there.");
  });
});

describe("pages that are no documents", () => {
  it("are skipped with their reason", () => {
    expect(convert('<meta http-equiv="refresh" content="0; url=b.html"><p>Moved to <a href="b.html">b</a>.')).toEqual({
      kind: "skipped",
      reason: "it only leads on to https://tern.example/docs/b.html",
    });
    const index = page('<meta name="generator" content="javadoc">', "<main><p>Uses of Nest.</p></main>");
    expect(convert(index, { url: "https://tern.example/api/class-use/Nest.html" })).toEqual({
      kind: "skipped",
      reason: "it is an index page",
      isIndex: true,
    });
  });

  it("are text when no tag is in them, whatever they are sent as", () => {
    expect(documentOf("Notes on nests\n\n    lay egg\n    sit\n").content).toContain("lay egg\n");
  });

  it("fail when they have no text, as a page that a script builds", () => {
    for (const html of [
      "<body><nav>a</nav></body>",
      "<body></body>",
      '<div id="root"></div><script src="a.js"></script>',
    ]) {
      expect(convert(html)).toEqual({
        kind: "failed",
        reason: "it has no text in its main content; is it built by a script in the browser?",
      });
    }
  });

  it("of a type that is not read fail with it", () => {
    expect(convert("x", { contentType: "image/png" })).toEqual({
      kind: "failed",
      reason: "pages of type image/png cannot be read",
    });
  });
});

describe("a pipeline", () => {
  const html = `<main><h1>T</h1><nav class="steps"><p>Step one</p></nav><p class="headerlink">Kept too</p>
<p class="ad">Buy</p><footer>Foot</footer><p hidden>Hidden</p><p>Text.</p></main>`;

  it("keeps what is dropped otherwise, by whatever rule", () => {
    expect(documentOf(html).content).toBe("Buy\n\nText.");
    const options = { remove: [".ad"], keep: ["nav.steps", ".headerlink", "[hidden]", "main > footer", ".ad"] };
    expect(documentOf(html, { options }).content).toBe("Step one\n\nKept too\n\nBuy\n\nFoot\n\nHidden\n\nText.");
  });

  it("keeps it in code, too, where its site drops what is hidden and what stands around", () => {
    const code = page(
      '<meta name="generator" content="rustdoc">',
      `<main><h1>T</h1><pre><code>a<span hidden>b</span><i class="tooltip">c</i></code></pre>
        <h4 class="code-header">fn next()<summary class="hideme"><span>Show 9 methods</span></summary></h4></main>`,
    );
    expect(documentOf(code).content).toBe("```\na\n```\n\n## `fn next()`");
    const options = { remove: [], keep: ["[hidden]", ".tooltip"] };
    expect(documentOf(code, { options }).content).toBe("```\nabc\n```\n\n## `fn next()`");
  });

  it("names the generator whose rules are used", () => {
    const rust = page(
      '<meta name="generator" content="rustdoc">',
      '<main><h1>T</h1><p class="src">a</p><p>b</p></main>',
    );
    expect(documentOf(rust).content).toBe("b");
    expect(documentOf(rust, { options: { preset: "generic", remove: [] } }).content).toBe("a\n\nb");
    const plain = page("", '<div class="body"><h1>T</h1><p>A whole sentence.</p></div><div>And the rest.</div>');
    expect(documentOf(plain).content).toContain("the rest");
    expect(documentOf(plain, { options: { preset: "sphinx", remove: [] } }).content).toBe("A whole sentence.");
  });

  it("has a preset for each generator", () => {
    expect([...GENERATORS, GENERIC].map(({ id }) => id)).toEqual(PRESETS);
  });
});

describe("any bytes", () => {
  it("are converted without an exception, and always alike", () => {
    // A small generator of pseudo-random numbers, so that a failure can be had again.
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    const pieces = [
      "<table>",
      "<tr>",
      "<td>",
      "</td>",
      "<th colspan=3>",
      "<ul>",
      "<li>",
      "</ul>",
      "<ol start=x>",
      "<p>",
      "</p>",
      "<pre>",
      "<code>",
      "</code>",
      "<b>",
      "</b>",
      "<i>",
      "<a href='x'>",
      "</a>",
      "<h2>",
      "</h2>",
      "<dl>",
      "<dt>",
      "<dd>",
      "</dl>",
      "<blockquote>",
      "</blockquote>",
      "<br>",
      "<div>",
      "</div>",
      "text",
      " ",
      "\n",
      "&amp;",
      "&lt;b>",
      "_a_",
      "*",
      "[x](y)",
      "`",
      "<!-- ",
      " -->",
      "<script>",
      "</script>",
      "<aside class=note>",
      "</aside>",
      "<hr>",
      "<img src=a alt=b>",
      "<details>",
      "<summary>",
      "<sup>",
      "</sup>",
      "<div class='tabbed-set'>",
      "<label>",
      "<div role=tabpanel>",
      "<caption>",
      "<svg>",
      "<template>",
      "<math>",
      "<dl class='py function'><dt class=sig id=f>",
      "\u0000",
      "😀",
      "<my-x>",
      "</",
      "<",
      "<figure>",
      "<figcaption>",
    ];
    for (let round = 0; round < 400; round++) {
      const html = Array.from({ length: random(60) }, () => pieces[random(pieces.length)] ?? "").join("");
      const conversion = convert(html);
      if (conversion.kind === "failed") expect(conversion.reason, html).toMatch(/^it has no text/);
      expect(convert(html), html).toEqual(conversion);
    }
  });
});
