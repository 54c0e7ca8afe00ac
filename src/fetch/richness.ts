import { Parser } from "htmlparser2";

/** How much a page says, however it is written. */
export interface Richness {
  readonly headings: number;
  readonly codeBlocks: number;
  readonly characters: number;
  /** The text of the first `h1`, letters and digits alone; "" when there is none, or in Markdown. */
  readonly title: string;
}

/** Markdown that has fewer of its page's headings or code blocks has lost some: tabs, notes, generated parts. */
const LEAST_SHARE = 0.9;
/** Markup and layout have words of their own. */
const LEAST_TEXT_SHARE = 0.5;
/** A title stands at the beginning, as a heading or in front matter. */
const TITLE_WITHIN = 2_000;

const ASIDE: ReadonlySet<string> = new Set(["nav", "header", "footer", "aside", "script", "style", "template"]);
const MAIN: ReadonlySet<string> = new Set(["main", "article"]);

/** What an HTML page has in its main part, or, where it marks none, besides its navigation. */
export function richnessOfHtml(html: string): Richness {
  const all = { headings: 0, codeBlocks: 0, characters: 0 };
  const main = { headings: 0, codeBlocks: 0, characters: 0 };
  let inMain = 0;
  let inAside = 0;
  let title = "";
  let titleOpen = false;
  const count = (what: keyof typeof all, n: number): void => {
    if (inAside > 0) return;
    all[what] += n;
    if (inMain > 0) main[what] += n;
  };
  const parser = new Parser({
    onopentagname(name) {
      if (ASIDE.has(name)) inAside++;
      if (MAIN.has(name)) inMain++;
      if (name === "pre") count("codeBlocks", 1);
      if (!/^h[1-6]$/.test(name)) return;
      count("headings", 1);
      titleOpen = name === "h1" && title === "" && inAside === 0;
    },
    ontext(text) {
      count("characters", text.trim().length);
      if (titleOpen) title += text;
    },
    onclosetag(name) {
      if (ASIDE.has(name)) inAside = Math.max(0, inAside - 1);
      if (MAIN.has(name)) inMain = Math.max(0, inMain - 1);
      if (name === "h1") titleOpen = false;
    },
  });
  parser.end(html);
  return { ...(main.characters > 0 ? main : all), title: lettersOf(title) };
}

/** What a Markdown page has. */
export function richnessOfMarkdown(markdown: string): Richness {
  let headings = 0;
  let codeBlocks = 0;
  let characters = 0;
  let fence = "";
  for (const line of markdown.split("\n")) {
    const text = line.trim();
    characters += text.length;
    const mark = /^(?:`{3,}|~{3,})/.exec(text)?.[0] ?? "";
    if (fence !== "") {
      if (mark.startsWith(fence)) fence = "";
    } else if (mark !== "") {
      fence = mark;
      codeBlocks++;
    } else if (/^#{1,6}\s/.test(text)) {
      headings++;
    }
  }
  return { headings, codeBlocks, characters, title: "" };
}

/** Whether Markdown can stand for the HTML of its page. */
export function isAsRich(markdown: string, html: Richness): boolean {
  const own = richnessOfMarkdown(markdown);
  return (
    // The title may be in the front matter.
    own.headings + 1 >= html.headings * LEAST_SHARE &&
    own.codeBlocks >= html.codeBlocks * LEAST_SHARE &&
    own.characters >= html.characters * LEAST_TEXT_SHARE &&
    lettersOf(markdown.slice(0, TITLE_WITHIN)).includes(html.title)
  );
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
