import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { documentOf } from "./page.ts";

/**
 * Pages that are there twice, as HTML in the way of a generator and as the Markdown that it was made from: `GENERATOR-PAGE.html`
 * and `GENERATOR-PAGE.md`. The Markdown is the truth, and is read here line by line, by nothing of what is tested.
 */
const FOLDER = new URL("../golden/twins/", import.meta.url);
const NAMES = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".html"))
  .map((file) => file.slice(0, -".html".length));

interface Code {
  /** "" for code in no language. */
  readonly language: string;
  readonly text: string;
}

interface Outline {
  readonly headings: readonly string[];
  readonly code: readonly Code[];
}

/** What generators call code that is in no language. */
const NO_LANGUAGE = new Set(["text", "plaintext"]);

/** Headings and code of Markdown, whatever they are nested in. */
function outlineOf(markdown: string): Outline {
  const headings: string[] = [];
  const code: Code[] = [];
  let open: { readonly fence: string; readonly before: string; readonly language: string; lines: string[] } | undefined;
  for (const line of markdown.split("\n")) {
    const [, before = "", fence = "", info = ""] = /^((?:> ?|\d+\. | )*)(`{3,})(.*)$/.exec(line) ?? [];
    if (open !== undefined) {
      if (fence === open.fence && info.trim() === "") {
        code.push({ language: open.language, text: open.lines.join("\n") });
        open = undefined;
      } else open.lines.push(line.slice(Math.min(open.before.length, line.length)));
    } else if (fence !== "") {
      const language = /^[\w+#-]*/.exec(info.trim())?.[0] ?? "";
      open = { fence, before, language: NO_LANGUAGE.has(language) ? "" : language, lines: [] };
    } else if (/^#{1,6} /.test(line)) headings.push(line.replace(/^#+ /, ""));
  }
  return { headings, code };
}

function truthOf(name: string): Outline {
  const markdown = readFileSync(new URL(`${name}.md`, FOLDER), "utf8");
  const { headings, code } = outlineOf(markdown);
  // The title is taken out of the text, and stands beside it.
  return { headings: headings.filter((heading) => !markdown.includes(`\n# ${heading}\n`)), code };
}

/** What a page becomes: as the HTML that a crawl finds, or as the Markdown that a site may offer. */
function converted(name: string, ending: "html" | "md") {
  return documentOf(readFileSync(new URL(`${name}.${ending}`, FOLDER)), {
    url: `https://tern.example/docs/${name}.${ending}`,
    contentType: ending === "html" ? "text/html; charset=utf-8" : "text/markdown; charset=utf-8",
  });
}

const LEAST_LANGUAGES = 0.99;

describe("pages that are there as HTML and as Markdown", () => {
  it("are of three generators, and have enough to compare", () => {
    expect(new Set(NAMES.map((name) => name.split("-")[0]))).toEqual(new Set(["docusaurus", "material", "starlight"]));
    const truths = NAMES.map(truthOf);
    expect(truths.flatMap(({ headings }) => headings).length).toBeGreaterThanOrEqual(50);
    expect(truths.flatMap(({ code }) => code).length).toBeGreaterThanOrEqual(120);
  });

  describe.each(["html", "md"] as const)("read as %s", (ending) => {
    it.each(NAMES)("%s has all headings, and all code to the character", (name) => {
      const truth = truthOf(name);
      const outline = outlineOf(converted(name, ending).content);
      expect(outline.headings).toEqual(truth.headings);
      expect(outline.code.map(({ text }) => text)).toEqual(truth.code.map(({ text }) => text));
    });

    it("has the languages of the code", () => {
      const wrong: string[] = [];
      let all = 0;
      for (const name of NAMES) {
        const { code } = outlineOf(converted(name, ending).content);
        for (const [i, { language }] of truthOf(name).code.entries()) {
          all++;
          if (code[i]?.language !== language) wrong.push(`${name}: ${code[i]?.language ?? "(none)"} for ${language}`);
        }
      }
      expect(wrong.length / all, wrong.join(", ")).toBeLessThanOrEqual(1 - LEAST_LANGUAGES);
    });

    it.each(NAMES)("%s has the title and description, and nothing of the site", (name) => {
      const { title, description, content } = converted(name, ending);
      const markdown = readFileSync(new URL(`${name}.md`, FOLDER), "utf8");
      expect(markdown).toContain(title);
      expect(markdown).toContain(`description: ${description}`);
      expect(content).not.toMatch(
        /¶|\u200b|Was this|Edit (?:this )?page|Copy to|Last update|On this page|Section titled/,
      );
    });
  });

  it("become the same, but for how notes and tabs are written", () => {
    const words = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
    for (const name of NAMES) {
      const [html, markdown] = [converted(name, "html").content, converted(name, "md").content];
      const missing = words(html).filter((word) => !words(markdown).includes(word));
      expect([name, missing]).toEqual([name, []]);
    }
  });
});
