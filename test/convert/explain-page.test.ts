import { describe, expect, it } from "vitest";
import { explainPage } from "../../src/convert/explain-page.ts";
import type { ConvertOptions } from "../../src/domain/source.ts";

function explain(html: string, options: ConvertOptions = { remove: [] }) {
  const body = new TextEncoder().encode(html);
  return explainPage({ url: "https://tern.example/a.html", contentType: "text/html", body, options, aliases: [] });
}

describe("the explanation of a conversion", () => {
  it("counts what each rule dropped, with an example", async () => {
    const { dropped, conversion } = await explain(
      `<meta name="generator" content="mkdocs-1.6, mkdocs-material-9.5"><article class="md-content__inner"><h1>T</h1>
<nav>Here and there</nav><p hidden>Secret</p><p class="sr-only"></p><p style="display: none">None</p>
<a class="md-content__button" href="e">Edit</a><p class="ad">Buy <b>now</b></p><p class="ad">Again</p>
<p>Text.</p><p>Was this page helpful?</p><div role="search">Find</div><footer>Foot</footer></article>`,
      { remove: [".ad"] },
    );
    expect(conversion).toMatchObject({ kind: "document", content: "Text." });
    expect(dropped[0]).toEqual({ by: "pipeline", rule: ".ad", elements: 2, example: "Buy now" });
    expect(dropped.map(({ by, rule, elements }) => `${by}: ${rule} ×${elements}`).toSorted()).toEqual([
      "hidden: .sr-only ×1",
      "hidden: hidden ×1",
      'hidden: style="display: none" ×1',
      "material: .md-content__button ×1",
      "never text: div[role=search] ×1",
      "never text: footer ×1",
      "never text: nav ×1",
      "pipeline: .ad ×2",
      "under every page: p ×1",
    ]);
  });

  it("says where the main content was found", async () => {
    expect(await explain("<main><h1>T</h1><p>a</p></main>")).toMatchObject({
      generator: "generic",
      content: "generic main",
    });
    expect(await explain("<div id=x>a</div>", { content: "#x", remove: [] })).toHaveProperty("content", "pipeline #x");
  });

  it("begins again when a page is read again, for it is nothing but its table of contents", async () => {
    const page = `<meta name="generator" content="DocBook XSL Stylesheets V1.79.2"><body><h1>T</h1>
<div class="toc"><ul><li><a href="b.html">B</a></li></ul></div></body>`;
    expect(await explain(page)).toMatchObject({ generator: "docbook", dropped: [], conversion: { kind: "document" } });
  });
});
