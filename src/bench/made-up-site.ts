import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PAGES = 500;
const SECTIONS = 6;
const WORDS =
  "the a of to in is for with that this when value returns option file path server client request index table query stream buffer thread lock event signal error default example parameter object string number list map key config build test run deploy".split(
    " ",
  );

/**
 * Writes a site of linked pages with headings, code and tables, the same each time.
 * @returns its folder.
 */
export function writeMadeUpSite(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const random = generator(20_260_504);
  const pick = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? "the";
  const words = (count: number): string => Array.from({ length: count }, pick).join(" ");
  for (let page = 0; page < PAGES; page++) {
    const name = page === 0 ? "index.html" : `page-${page}.html`;
    const links = Array.from({ length: 20 }, (_, i) => (page * 20 + i + 1) % PAGES);
    const sections = Array.from(
      { length: SECTIONS },
      (
        _,
        i,
      ) => `<h2 id="s${i}">${words(4)}</h2><p>${words(80)}.</p><p>${words(40)} <code>${pick()}_${pick()}()</code>.</p>
<pre><code class="language-python">def ${pick()}_${page}_${i}(${pick()}):\n    return ${words(3).replaceAll(" ", "_")}\n</code></pre>
<table><tr><th>${pick()}</th><th>${pick()}</th></tr><tr><td>${words(3)}</td><td>${words(6)}</td></tr></table>`,
    );
    const menu = links.map((to) => `<li><a href="${to === 0 ? "./" : `page-${to}.html`}">Page ${to}</a></li>`).join("");
    writeFileSync(
      join(folder, name),
      `<!DOCTYPE html><html lang="en"><head><title>Page ${page}: ${words(3)}</title></head>
<body><nav><ul>${menu}</ul></nav><main><h1>Page ${page}: ${words(3)}</h1>${sections.join("\n")}</main></body></html>`,
    );
  }
  return folder;
}

/** Numbers in [0, 1) that are the same for the same seed. Source: mulberry32, public domain. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
