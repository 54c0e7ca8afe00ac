import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { contentsOfMarkdown } from "../../src/bench/markdown-contents.ts";
import { createPlainTurndown } from "../../src/bench/plain-turndown.ts";
import { tempFolder } from "../support/temp-folder.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/bench/main.js", import.meta.url));

function bench(...args: readonly string[]) {
  return spawnSync(process.execPath, [PROGRAM, "convert", ...args], { encoding: "utf8" });
}

const SPHINX = `<head><meta name="generator" content="Docutils 0.19"><title>Nest</title></head><body><div role="main">
<h1>Nest<a class="headerlink" href="#n">¶</a></h1><p>A nest holds eggs.</p><h2>Eggs<a class="headerlink" href="#e">¶</a></h2>
<div class="highlight-python"><div class="highlight"><pre><span></span><span class="n">lay</span>(egg)</pre></div></div>
<table><thead><tr><th>Egg</th></tr></thead><tbody><tr><td>blue</td></tr><tr><td>red</td></tr></tbody></table></div></body>`;

describe("npm run bench -- convert", () => {
  it("holds what both converters keep against what is there", { timeout: 60_000 }, () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "deep"));
    writeFileSync(join(folder, "deep", "nest.html"), SPHINX);
    writeFileSync(join(folder, "empty.html"), "<main></main>");
    writeFileSync(join(folder, "notes.txt"), "not a page");
    const { status, stdout, stderr } = bench(folder, "--show");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`2 of 2 pages below ${folder}`);
    const cells = (line: RegExp): readonly string[] => (line.exec(stdout)?.[0] ?? "").trim().split(/ {2,}/);
    expect(cells(/^sphinx .*$/m)).toEqual("sphinx carrel 1 0 0 0 1/1 1/1 2/2 100.00% 0 0.00%".split(" "));
    // Both permalinks are in its text, and the code is no block.
    expect(cells(/^ +turndown .*$/m)).toEqual("turndown 1 0 1 0/1 1/1 2/2 100.00% 2".split(" "));
    expect(cells(/^generic .*$/m).slice(0, 5)).toEqual(["generic", "carrel", "0", "0", "1"]);
    expect(stdout).toContain("empty.html: failed: it has no text in its main content");
    expect(stdout).toMatch(/^carrel +\d+\.\d\d +\d+\.\d\d +/m);
    expect(stdout).toMatch(/^turndown\(string\) +\d+\.\d\d +/m);
    expect(bench(folder, "--max", "1").stdout).toContain("1 of 2 pages");
  });

  it("says what it needs", () => {
    const folder = tempFolder();
    expect(bench(join(folder, "none"))).toMatchObject({ status: 2, stderr: expect.stringContaining("no folder") });
    expect(bench(folder)).toMatchObject({ status: 2, stderr: expect.stringContaining("no HTML file") });
    expect(bench().stdout).toContain("convert DIR");
  });
});

describe("what is in Markdown", () => {
  it("is counted in quotes and lists too, and not in code", () => {
    const markdown =
      "## One\n\n> ```sh\n> # no heading\n> | --- |\n> ```\n\n- ````\n  ```\n  ````\n\n| a | b |\n| --- | --- |\n\n**Python**\n\nCopy\n\n# Two¶";
    expect(contentsOfMarkdown(markdown)).toMatchObject({
      codeBlocks: 2,
      tables: 1,
      headings: ["One", "Python", "Two¶"],
      junk: 2,
    });
  });
});

describe("plain Turndown", () => {
  it("is set up as people do", () => {
    const html =
      '<h2>T</h2><pre><code class="language-js">a</code></pre><table><tr><th>A</th></tr><tr><td>1|2</td></tr></table>';
    expect(createPlainTurndown()(html)).toBe("## T\n\n```js\na\n```\n\n| A |\n| --- |\n| 1\\|2 |");
    expect(createPlainTurndown()("<table><tr><td>1</td></tr></table>")).toContain("<td>1</td>");
  });
});
