import { describe, expect, it } from "vitest";
import { explainPage } from "../../src/convert/explain-page.ts";
import type { ConvertRule } from "../../src/domain/convert-rule.ts";
import { documentOf } from "./page.ts";

/** The Markdown of a page whose main content is `html`, by rules of its site. */
function content(html: string, ...rules: readonly ConvertRule[]): string {
  return documentOf(`<main><h1>T</h1>${html}</main>`, { options: { remove: [], rules } }).content;
}

describe("rules of a site", () => {
  it("make a code block of a widget, with its language, or with the one that it says", () => {
    const widget = '<div class="snippet" data-lang="sh"><div>a  b</div><div>&lt;c&gt;</div><button>Copy</button></div>';
    expect(content(widget, { match: ".snippet", as: "code" })).toBe("```sh\na  b\n<c>\n```");
    expect(content(widget, { match: ".snippet", as: "code", language: "yaml" })).toBe("```yaml\na  b\n<c>\n```");
    expect(content('<p class="term">x = 1<br>y = 2</p>', { match: "p.term", as: "code" })).toBe(
      "```\nx = 1\ny = 2\n```",
    );
  });

  it("make a note of a box, of its kind, with a label or a title", () => {
    const box = '<div class="box"><span class="head">Mind the gap</span><p>It is wide.</p></div>';
    expect(content("<div class=b><p>Hot.</p></div>", { match: ".b", as: "warning" })).toBe("> [!WARNING]\n> Hot.");
    expect(content("<div class=b><p>Hot.</p></div>", { match: ".b", as: "warning", label: "Burns" })).toBe(
      "> **Burns**\n>\n> Hot.",
    );
    expect(content(box, { match: ".box", as: "tip", title: ".head" })).toBe(
      "> [!TIP]\n> **Mind the gap**\n>\n> It is wide.",
    );
  });

  it("give the panels of tabs their labels, hidden or not, by their order or an attribute", () => {
    const tabs = `<div class="w"><ul class="bar"><li>npm</li><li>pnpm</li></ul><div class="pane"><pre>npm i</pre></div>
<div class="pane" style="display:none"><pre>pnpm i</pre></div></div><p>After.</p>`;
    const expected = "**npm**\n\n```\nnpm i\n```\n\n**pnpm**\n\n```\npnpm i\n```\n\nAfter.";
    expect(content(tabs, { match: ".w", as: "tabs", panels: ".pane", labels: ".bar li" })).toBe(expected);
    const said = `<div class="w"><div data-tab="npm"><pre>npm i</pre></div><div hidden data-tab="pnpm"><pre>pnpm i</pre></div></div><p>After.</p>`;
    expect(content(said, { match: ".w", as: "tabs", panels: "[data-tab]", labelAttribute: "data-tab" })).toBe(expected);
  });

  it("keep terms and what is said of them together", () => {
    const flat = `<div class="g"><b class="t">Cob</b><p>A male.</p><b class="t">Pen</b><p>A female.</p><p>Or a tool.</p></div>`;
    const rule: ConvertRule = { match: ".g", as: "definitions", terms: ".t" };
    expect(content(flat, rule)).toBe("- Cob: A male.\n- Pen: A female.\n\n  Or a tool.");
    const nested = `<div class="g"><div><span class="t">Cob</span><span>A male.</span></div><div><span class="t">Pen</span><span>A female.</span></div></div>`;
    expect(content(nested, rule)).toBe("- Cob: A male.\n- Pen: A female.");
  });

  it("make headings, paragraphs and quotations, and take a meaning away", () => {
    expect(content('<div class="h3" id="a">Part</div><p>x</p>', { match: ".h3", as: "heading", level: 3 })).toBe(
      "## Part\n\nx",
    );
    expect(content("<span class=p>a</span><span class=p>b</span>", { match: ".p", as: "paragraph" })).toBe("a\n\nb");
    expect(content("<div class=q><p>a</p></div>", { match: ".q", as: "quote" })).toBe("> a");
    expect(content('<aside class="note"><p>a</p></aside>', { match: "aside", as: "text" })).toBe("a");
  });

  it("win over what is dropped and over each other in their order", () => {
    expect(content('<nav class="steps"><p>One.</p></nav>', { match: ".steps", as: "text" })).toBe("One.");
    const rules: readonly ConvertRule[] = [
      { match: ".a.b", as: "tip" },
      { match: ".a", as: "warning" },
    ];
    expect(content('<div class="a b">x</div><div class="a">y</div>', ...rules)).toBe(
      "> [!TIP]\n> x\n\n> [!WARNING]\n> y",
    );
  });

  it("hold for pages in Markdown as well", () => {
    const options = { remove: [], rules: [{ match: ".box", as: "tip" }] } as const;
    const page = { contentType: "text/markdown", options };
    expect(documentOf('# T\n\n<div class="box">\n\nA *word*.\n\n</div>\n', page).content).toBe("> [!TIP]\n> A *word*.");
  });

  it("take a time that grows with the page only", () => {
    const html = `${'<div class="w">'.repeat(5000)}x${"</div>".repeat(5000)}`;
    expect(content(html, { match: ".w", as: "tabs", panels: ".none", labels: ".none" })).toBe("x");
  });

  it("are told of by the explanation of a conversion, with those that matched nothing", async () => {
    const rules: readonly ConvertRule[] = [
      { match: ".a", as: "tip" },
      { match: ".none", as: "code" },
    ];
    const { rules: used } = await explainPage({
      url: "https://tern.example/a.html",
      contentType: "text/html",
      body: new TextEncoder().encode('<main><h1>T</h1><div class="a">First</div><div class="a">Second</div></main>'),
      options: { remove: [], rules },
      aliases: [],
    });
    expect(used).toEqual([
      { match: ".a", as: "tip", elements: 2, example: "First" },
      { match: ".none", as: "code", elements: 0, example: "" },
    ]);
  });
});
