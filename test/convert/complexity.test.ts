import { describe, expect, it } from "vitest";
import { convert } from "./page.ts";

/**
 * Inputs that took quadratic time or the stack of some converter. Each is converted at a size and at four times that size: the
 * time may not grow as a square does. CPU time is measured, and measured again when it grew too much, for a busy machine may
 * slow the one conversion and not the other; what is quadratic grows too much every time.
 */
const INPUTS: readonly (readonly [name: string, size: number, make: (size: number) => string])[] = [
  [
    "rows of a table",
    312,
    (n) => `<table><thead><tr><th>a</th><th>b</th></tr></thead>${"<tr><td>x</td><td>y</td></tr>".repeat(n)}</table>`,
  ],
  ["rows of a table without header", 312, (n) => `<table>${"<tr><td>x</td><td>y</td></tr>".repeat(n)}</table>`],
  ["cells of a row", 500, (n) => `<table><tr>${"<td>x</td>".repeat(n)}</tr></table>`],
  [
    "spans of rows and columns",
    50,
    (n) => `<table>${"<tr><td rowspan=60000>abc</td><td colspan=1000>y</td></tr>".repeat(n)}</table>`,
  ],
  ["items of a list", 500, (n) => `<ol>${"<li>x</li>".repeat(n)}</ol>`],
  ["items with paragraphs", 500, (n) => `<ul>${"<li><p>x</p></li>".repeat(n)}</ul>`],
  ["spaces in code", 5000, (n) => `<pre>x${" ".repeat(n)}x</pre>`],
  ["blank lines in code", 2500, (n) => `<pre>x${"\n".repeat(n)}x</pre>`],
  ["lines of code as elements", 625, (n) => `<pre>${"<span class=line>x</span>".repeat(n)}</pre>`],
  ["no-break spaces in bold", 5000, (n) => `<p><b>x${"&nbsp;".repeat(n)}x</b></p>`],
  ["stars", 2500, (n) => `<p>${"*a".repeat(n)}</p>`],
  ["underscores", 5000, (n) => `<p>${"_".repeat(n)}</p>`],
  ["brackets", 2500, (n) => `<p>${"[".repeat(n)}${"](".repeat(n)}</p>`],
  ["backticks in code", 2500, (n) => `<p><code>${"`a".repeat(n)}</code></p>`],
  ["punctuation in bold", 2500, (n) => `<p>a<b>${".".repeat(n)}x${".".repeat(n)}</b>b</p>`],
  ["line breaks", 1250, (n) => `<p>${"x<br>".repeat(n)}</p>`],
  ["dashes at the start of a line", 5000, (n) => `<p>|${"-".repeat(n)}x</p>`],
  ["comments", 1250, (n) => "<p>x</p><!-- c -->".repeat(n)],
  ["navigation to drop", 625, (n) => "<nav>x</nav><p>y</p>".repeat(n)],
  ["images", 500, (n) => '<img src="a.png" alt="b">'.repeat(n)],
  ["headings", 625, (n) => "<h2>a</h2><p>b</p>".repeat(n)],
  ["empty anchors before a heading", 1250, (n) => `${"<a id=x></a>".repeat(n)}<h2>x</h2>x`],
  ["one long word", 25000, (n) => `<p>${"x".repeat(n)}</p>`],
  ["equal passages", 20, (n) => `<h2>h</h2><p>${"word ".repeat(400)}</p>`.repeat(n)],
  ["separators in the title", 1250, (n) => `<title>${"a - ".repeat(n)}</title><p>x</p>`],
  ["formulas that are not closed", 625, (n) => `<script src="mathjax.js"></script><p>${"\\(a\\b".repeat(n)}</p>`],
  ["nested boxes", 375, (n) => "<div>x ".repeat(n)],
  ["nested lists", 250, (n) => "<ul><li>x ".repeat(n)],
  ["nested quotes", 375, (n) => "<blockquote>x ".repeat(n)],
  ["nested formats", 375, (n) => "<b><i>x ".repeat(n)],
  ["nested links", 375, (n) => '<a href="/x">x '.repeat(n)],
  ["nested elements of the page's own", 375, (n) => "<my-el>x ".repeat(n)],
  ["nested notes", 250, (n) => '<aside class="note">x '.repeat(n)],
  ["nested definition lists", 250, (n) => "<dl><dt>x<dd>y ".repeat(n)],
  ["nested code", 375, (n) => "<code>x".repeat(n)],
];

const ATTEMPTS = 6;
/** Four times the input: four times the time. A square takes sixteen. */
const GROWTH = 4;
const MOST_TIME_GROWTH = 8;
/** Below this, what the machine does in between weighs more than the conversion. */
const LEAST_MEASURABLE_MS = 4;
const TIMEOUT_MS = 120_000;

function cpuMs(html: string): number {
  const before = process.cpuUsage();
  convert(html);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe("conversion takes time in proportion to the page", () => {
  it.each(INPUTS)(
    "%s",
    (_name, size, make) => {
      const [small, large] = [make(size), make(GROWTH * size)];
      let growth = Infinity;
      for (let attempt = 0; attempt < ATTEMPTS && growth > MOST_TIME_GROWTH; attempt++) {
        growth = Math.min(growth, cpuMs(large) / Math.max(cpuMs(small), LEAST_MEASURABLE_MS));
      }
      expect(growth).toBeLessThan(MOST_TIME_GROWTH);
    },
    TIMEOUT_MS,
  );
});

describe("no page is too deep", () => {
  const DEPTH = 20_000;

  it.each([
    "<div>",
    "<ul><li>",
    "<blockquote>",
    "<b>",
    "<table><tr><td>",
    "<dl><dd>",
    "<my-el>",
    "<math><mrow>",
    "<section><h2>",
  ])(
    "%s",
    (tag) => {
      const conversion = convert(`${tag.repeat(DEPTH)}at the bottom`);
      expect(conversion.kind).toBe("document");
      if (conversion.kind === "document") expect(conversion.title + conversion.content).toContain("at the bottom");
    },
    TIMEOUT_MS,
  );
});
