import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { documentOf } from "./page.ts";

/** Words, but for those that are too long for a chunk, and are cut. */
const words = (text: string): string[] => (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length < 300);
const paragraph = (count: number, word = "word"): string => `<p>${`${word} `.repeat(count)}</p>`;
/** What no chunk exceeds, at the 3.6 characters that a token has. */
const MAX_CHARACTERS = 500 * 3.6 + 40;

/** Whether each word of `whole` is in `parts`, as often as there. */
function missing(whole: string, parts: readonly string[]): string[] {
  const have = new Map<string, number>();
  for (const word of words(parts.join("\n"))) have.set(word, (have.get(word) ?? 0) + 1);
  return words(whole).filter((word) => {
    const left = have.get(word) ?? 0;
    have.set(word, left - 1);
    return left <= 0;
  });
}

const openFences = (markdown: string): number =>
  markdown.split("\n").filter((line) => /^(?:> |[ ]+)*```/.test(line)).length % 2;

const LONG_PAGE = `<h1>T</h1>${paragraph(900)}
  <h2 id="code">Code</h2><p>Run:</p><pre><code class="language-py">${"x = 1\ny = 2\n\n".repeat(300)}</code></pre>
  <h2 id="tables">Tables</h2><table><tr><th>Key</th><th>Value</th></tr>${"<tr><td>one key</td><td>a value of it</td></tr>".repeat(300)}</table>
  <h2 id="lists">Lists</h2><ul>${`<li>${"item ".repeat(30)}</li>`.repeat(60)}</ul><ol><li>${paragraph(600)}<pre>${"code line\n".repeat(400)}</pre></li></ol>
  <h2 id="quotes">Quotes</h2><blockquote>${paragraph(300)}${paragraph(300)}</blockquote>
  <h2 id="words">Words</h2><p>${"x".repeat(9000)}</p><p>${"日本語".repeat(900)}</p>`;

describe("chunks", () => {
  const pages = [
    LONG_PAGE,
    ...readdirSync(new URL("../golden/", import.meta.url))
      .filter((file) => file.endsWith(".html"))
      .map((file) => readFileSync(new URL(`../golden/${file}`, import.meta.url), "utf8")),
  ];

  it.each(pages.map((html, i) => [i, html] as const))(
    "hold all of page %i, none too long, no fence open",
    (_i, html) => {
      const { content, chunks } = documentOf(html);
      expect(
        missing(
          content,
          chunks.map((chunk) => chunk.content),
        ),
      ).toEqual([]);
      expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(chunks.length);
      for (const chunk of chunks) {
        expect(chunk.id).toMatch(/^c\d+$/);
        expect(chunk.content.length).toBeLessThanOrEqual(MAX_CHARACTERS);
        expect(openFences(chunk.content), chunk.content).toBe(0);
      }
    },
  );

  it("repeat fence and language of code that is cut at blank lines", () => {
    const pieces = documentOf(LONG_PAGE).chunks.filter((chunk) => chunk.headings[0] === "Code");
    expect(pieces.length).toBeGreaterThan(1);
    for (const { content } of pieces) expect(content).toMatch(/```py\nx = 1\n[^`]*y = 2\n```$/);
    expect(pieces[0]?.content).toMatch(/^## Code\n\nRun:\n\n```py/);
  });

  it("repeat the header of a table that is cut between rows", () => {
    const pieces = documentOf(LONG_PAGE).chunks.filter((chunk) => chunk.headings[0] === "Tables");
    expect(pieces.length).toBeGreaterThan(1);
    for (const { content } of pieces) expect(content).toContain("| Key | Value |\n| --- | --- |\n| one key |");
  });

  it("repeat the label of a tab that is cut", () => {
    const tabs = `<div class="tabs-container"><ul role="tablist"><li role="tab">npm</li></ul><div role="tabpanel">${paragraph(600)}</div></div>`;
    const { chunks } = documentOf(`<h1>T</h1>${tabs}<p>After.</p>`);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks[0]?.content).toMatch(/^\*\*npm\*\*\n\nword/);
    expect(chunks[1]?.content).toMatch(/^\*\*npm\*\*\n\nword/);
    expect(chunks.at(-1)?.content).toMatch(/After\.$/);
  });

  it("never cut a block that fits", () => {
    const code = `<pre>${"line of code\n".repeat(100)}</pre>`;
    const { chunks } = documentOf(`<h1>T</h1>${paragraph(150)}${code}${paragraph(150)}`);
    expect(chunks.filter((chunk) => chunk.content.includes("```"))).toHaveLength(1);
  });

  it("keep a lead-in with its code", () => {
    const { chunks } = documentOf(
      `<h1>T</h1>${paragraph(330)}<p>For example:</p><pre>${"line of code\n".repeat(40)}</pre>`,
    );
    expect(chunks[1]?.content).toMatch(/^For example:\n\n```/);
  });

  it("keep a lead-in with the first items of its list, when the list is cut", () => {
    const items = Array.from({ length: 150 }, (_, i) => `<li>item ${i} with a few more words in it</li>`).join("");
    const { chunks } = documentOf(`<h1>T</h1><h2>Sec</h2><p>Options are:</p><ul>${items}</ul>`);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks[0]?.content).toMatch(/^## Sec\n\nOptions are:\n\n- item 0 .*\n- item 1 /);
    for (const { content } of chunks) expect(content.length).toBeLessThanOrEqual(MAX_CHARACTERS);
  });

  it.each([
    ["sentences without spaces", "日本語のとても長い文章です。".repeat(150)],
    ["one word without end", "日本語".repeat(900)],
  ])("put nothing into text that is cut: %s", (_name, text) => {
    const { chunks } = documentOf(`<h1>T</h1><p>${text}</p>`);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.map(({ content }) => content).join("")).toBe(text);
  });

  it("know the headings above and the anchor, without the title", () => {
    const html = `<h1 id="t">T</h1>${paragraph(300)}<h2 id="a">A</h2>${paragraph(300)}<h3 id="b">B <code>c</code></h3>${paragraph(300)}`;
    expect(documentOf(html).chunks.map(({ headings, anchor }) => ({ headings, anchor }))).toEqual([
      { headings: [], anchor: "t" },
      { headings: ["A"], anchor: "a" },
      { headings: ["A", "B c"], anchor: "b" },
    ]);
  });

  it("take the anchor of the section around a heading, or of a link in it", () => {
    const [, one, two] = documentOf(
      `<h1>T</h1>${paragraph(300)}<section id="s"><h2>A</h2>${paragraph(300)}</section><h2>B<a class="headerlink" href="#p">¶</a></h2>${paragraph(300)}`,
    ).chunks;
    expect([one?.anchor, two?.anchor]).toEqual(["s", "p"]);
  });

  it("join small sections, under the heading that they share", () => {
    const html = `<h1>T</h1>${paragraph(300)}<h2 id="a">A</h2>${paragraph(20)}<h3 id="b">B</h3>${paragraph(20)}<h3 id="c">C</h3>${paragraph(20)}`;
    const { chunks } = documentOf(html);
    expect(chunks).toHaveLength(2);
    expect(chunks[1]).toMatchObject({ headings: ["A"], anchor: "a" });
  });

  it("name the API entry that they are of", () => {
    const entry = `<dl class="py class"><dt class="sig" id="m.Box"><span class="sig-prename">m.</span><span class="sig-name">Box</span>()</dt><dd>${paragraph(400)}
      <dl class="py method"><dt class="sig" id="m.Box.open"><span class="sig-name">open</span>()</dt><dd>${paragraph(400)}</dd></dl></dd></dl><p>Outside.</p>`;
    const { chunks } = documentOf(`<h1>T</h1><h2 id="api">API</h2>${entry}`);
    expect(chunks.map(({ headings, anchor }) => [headings.join(" > "), anchor])).toContainEqual([
      "API > m.Box > open",
      "m.Box.open",
    ]);
    expect(chunks.at(-1)?.headings).toEqual(["API"]);
  });

  it("follow one another as the document does, a section after the one before it", () => {
    const { content, chunks } = documentOf(LONG_PAGE.slice(0, LONG_PAGE.indexOf('<h2 id="code">')));
    expect(chunks.length).toBeGreaterThan(2);
    let at = 0;
    for (const chunk of chunks) {
      const found = content.indexOf(chunk.content, at);
      expect(found).toBeGreaterThanOrEqual(at);
      expect(content.slice(at, found).trim()).toBe("");
      at = found + chunk.content.length;
    }
    expect(content.slice(at).trim()).toBe("");
  });

  describe("know the anchors in them", () => {
    /** The line of the passage that each anchor leads to. */
    const lines = (html: string): Record<string, string> =>
      Object.fromEntries(
        documentOf(html).chunks.flatMap(({ anchors, content }) =>
          anchors.map(([id, at]) => [id, content.slice(at).split("\n", 1)[0] ?? ""]),
        ),
      );

    it("of headings, by all of their names", () => {
      const html = `<h1 id="t">T</h1><p>One.</p><section id="a"><span id="a-old"></span><h2>A <a id="a-in"></a><a class="headerlink" href="#a-link">¶</a></h2>
        <p>Two.</p><h3 id="b">B</h3><p>Three.</p></section>`;
      expect(lines(html)).toEqual({
        t: "One.",
        a: "## A",
        "a-old": "## A",
        "a-in": "## A",
        b: "### B",
      });
    });

    it("of terms, in lists that are cut too", () => {
      const entry = (i: number): string =>
        `<dt id="guc-${i}"><code>guc_${i}</code> (<code>integer</code>)</dt><dd>${paragraph(60)}</dd>`;
      const html = `<h1>T</h1><dl>${Array.from({ length: 30 }, (_, i) => entry(i)).join("")}</dl><p id="after">After.</p>`;
      expect(documentOf(html).chunks.length).toBeGreaterThan(3);
      const found = lines(html);
      for (let i = 0; i < 30; i++) expect(found[`guc-${i}`]).toMatch(new RegExp(`^- \`guc_${i}\` `));
      expect(found["after"]).toBe("After.");
    });

    it("of signatures, of terms that share a definition, and of what is empty", () => {
      const html = `<h1>T</h1><dl class="py function"><dt class="sig" id="m.open"><span class="sig-name">open</span>()</dt><dd>Opens.</dd></dl>
        <dl><dt id="x">x</dt><dt id="y">y</dt><dd>Both.</dd></dl><p><a id="gone"></a></p><p>In <a id="mid">the middle</a>.</p><div id="last"></div>`;
      expect(lines(html)).toEqual({
        "m.open": "`open()`",
        x: "- x, y: Both.",
        y: "- x, y: Both.",
        gone: "In the middle.",
        mid: "In the middle.",
        last: "In the middle.",
      });
    });

    it("of rows, where their table begins", () => {
      const rows = Array.from({ length: 300 }, (_, i) => `<tr id="r${i}"><td>${i}</td><td>cell</td></tr>`).join("");
      expect(lines(`<h1>T</h1><p>P.</p><table><tr><th>K</th><th>V</th></tr>${rows}</table>`)["r0"]).toMatch(/^\| K/);
    });
  });

  it("keep their ids while they are the same, wherever they stand", () => {
    const before = documentOf(`<h1>T</h1><h2>A</h2>${paragraph(300, "a")}<h2>B</h2>${paragraph(300, "b")}`).chunks;
    const after = documentOf(
      `<h1>T</h1><h2>New</h2>${paragraph(300, "n")}<h2>A</h2>${paragraph(300, "a")}<h2>B</h2>${paragraph(300, "c")}`,
    ).chunks;
    expect(after[1]?.id).toBe(before[0]?.id);
    expect(after[2]?.id).not.toBe(before[1]?.id);
  });

  it("give equal passages different ids", () => {
    const { chunks } = documentOf(`<h1>T</h1>${`<h2>A</h2>${paragraph(300)}`.repeat(3)}`);
    expect(new Set(chunks.map((chunk) => chunk.content)).size).toBe(1);
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(3);
  });
});

describe("a note that is cut", () => {
  it("says its kind in each piece", () => {
    const { chunks } = documentOf(
      `<h1>T</h1><div class="admonition warning"><p class="admonition-title">Warning</p>${paragraph(300)}${paragraph(300)}${paragraph(300)}</div>`,
    );
    expect(chunks.length).toBeGreaterThan(1);
    for (const { content } of chunks) {
      expect(content).toMatch(/^> \[!WARNING\]\n> word/);
      expect(content.length).toBeLessThan(MAX_CHARACTERS);
    }
  });
});

describe("containers within containers", () => {
  it("multiply no attempts to find what fits", () => {
    const MOST_CPU_MS = 3000;
    const before = process.cpuUsage();
    const { chunks } = documentOf(`<h1>T</h1>${"<blockquote>x ".repeat(2500)}`);
    const { user, system } = process.cpuUsage(before);
    expect(chunks.every(({ content }) => content.length < MAX_CHARACTERS)).toBe(true);
    expect((user + system) / 1000).toBeLessThan(MOST_CPU_MS);
  });
});
