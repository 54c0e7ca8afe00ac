import { parseDocument } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { compare, nothingKept } from "../../src/bench/comparison.ts";
import { contentsOfPage } from "../../src/bench/page-contents.ts";
import { GENERATORS, GENERIC } from "../../src/convert/generators/generators.ts";
import type { Element } from "../../src/convert/read/dom.ts";

function contents(html: string, id = "generic") {
  const generator = GENERATORS.find((one) => one.id === id) ?? GENERIC;
  return contentsOfPage([parseDocument(html) as unknown as Element], generator, html);
}

const POP_UP =
  '<p>fn lay() -> Eggs<span class="notable-traits"><span class="notable-traits-tooltip">ⓘ<span class="notable-traits-tooltiptext">Notable traits of Eggs</span></span></span> lays.</p>';
const ICON_NOTE = (cell: string): string =>
  `<div class="note"><table border="0" summary="Note"><tr><td rowspan="2" valign="top">${cell}</td><th>Note</th></tr><tr><td><p>Warm.</p><pre>sit()</pre></td></tr></table></div>`;

describe("what is in a page", () => {
  it("is what readers see: no pop-ups, and nothing twice", () => {
    expect(contents(POP_UP, "rustdoc").words).toEqual(["fn", "lay", "eggs", "lays"]);
    expect(contents('<p>MAX<span class="stab">Experimental</span></p>').words).toEqual(["max", "experimental"]);
    expect(contents('<p>One <a href="s.html"><span class="viewcode-link">[source]</span></a></p>').words).toEqual([
      "one",
    ]);
  });

  it("a box for a note is no table, and a table of data with the same class around is one", () => {
    const icon = '<img src="note.png" alt="[Note]">';
    expect(contents(ICON_NOTE(icon), "docbook")).toMatchObject({ tables: 0, codeBlocks: 1 });
    expect(contents(ICON_NOTE("Egg"), "docbook").tables).toBe(1);
  });

  it("a table of pictures is a table", () => {
    const row = '<tr><td><img src="a.png"></td><td><img src="b.png"></td></tr>';
    expect(contents(`<table>${row}${row}</table>`).tables).toBe(1);
  });

  it("says how many words the rules drop by name", () => {
    const html = '<main><p>Three words here</p><div class="feedback">Do you like it?</div></main>';
    expect(contents(html)).toMatchObject({ words: ["three", "words", "here"], dropped: 4 });
    expect(contents("<p>Eggs</p><p>Last updated on May 1, 2026</p>")).toMatchObject({ words: ["eggs"], dropped: 6 });
  });
});

describe("what a converter loses", () => {
  const there = contents(
    `<h2>Eggs</h2>${"<p>A nest holds the eggs of a bird until they hatch.</p>".repeat(3)}<pre>lay()</pre><table><tr><th>a</th></tr><tr><td>b</td></tr></table>`,
  );
  const whole = `## Eggs\n\n${"A nest holds the eggs of a bird until they hatch.\n\n".repeat(3)}\`\`\`\nlay()\n\`\`\`\n\n| a |\n| --- |\n| b |`;

  it.each([
    ["nothing", whole, ""],
    [
      "a sentence",
      whole.replace("A nest holds the eggs of a bird until they hatch.\n\n", ""),
      "26 of 37 words, without nest",
    ],
    ["a heading", whole.replace("## Eggs", "Eggs"), "without the headings eggs"],
    ["a block of code", whole.replace(/```\n/g, ""), "0 fences of 1 code blocks"],
    ["a table", whole.replace("| --- |\n", ""), "0 of 1 tables"],
    ["the end of a permalink", whole.replace("## Eggs", "## Eggs¶"), "1 lines of junk"],
  ])("%s is found", (_what, markdown, difference) => {
    const kept = nothingKept();
    const found = compare(kept, there, "", markdown);
    if (difference === "") expect([found, kept.off]).toEqual(["", 0]);
    else {
      expect(found).toContain(difference);
      expect(kept.off).toBe(1);
    }
  });
});

describe("a title of a link", () => {
  it("is no text, with quotes in it either", () => {
    const kept = nothingKept();
    const there = contents("<h2>Humanize</h2>");
    expect(
      compare(kept, there, "", String.raw`## [Humanize](https://e.org/h.html "filters for a \"human touch\"")`),
    ).toBe("");
  });
});
