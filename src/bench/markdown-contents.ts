import { wordsOf, type Contents } from "./page-contents.ts";

/** What marks a line as of a quote, an item or a footnote. */
const MARKERS = /^(?:> ?|- |\* {1,3}|\d+\. {1,2}|\[\^[^\]]{0,100}\]: | )+/;

/** What sites put around the text, and no document says. */
const JUNK: readonly RegExp[] = [
  /¶|\u{200b}/u,
  /^(?:Copy|Copied!|Copy code|Copy to clipboard)$/i,
  /^(?:was this (?:page|article|section|content) helpful\b|send feedback$|edit this page\b|skip to (?:main )?content)/i,
  /^(?:accept|reject) (?:all )?cookies$/i,
];

/** Counts what is in Markdown by its lines. */
export function contentsOfMarkdown(markdown: string): Contents & { readonly junk: number } {
  const headings: string[] = [];
  const prose: string[] = [];
  let codeBlocks = 0;
  let tables = 0;
  let junk = 0;
  let fence = "";
  for (const line of markdown.split("\n")) {
    const content = line.replace(MARKERS, "").trimEnd();
    const marker = /^(?:`{3,}|~{3,})/.exec(content)?.[0] ?? "";
    if (fence !== "") {
      if (marker.startsWith(fence) && content === marker) fence = "";
      else prose.push(line);
    } else if (marker !== "") {
      codeBlocks++;
      fence = marker;
    } else {
      if (/^\|(?: ?:?-{3,}:? ?\|)+$/.test(content)) tables++;
      // Where sites write the label of a tab as a heading, it is a line in bold.
      const heading = /^#{1,6} (.*)$/.exec(content)?.[1] ?? /^\*\*([^*]+)\*\*$/.exec(content)?.[1];
      if (heading !== undefined) headings.push(visible(heading));
      const bare = visible(content).trim();
      if (JUNK.some((sign) => sign.test(bare))) junk++;
      prose.push(visible(line));
    }
  }
  return { codeBlocks, tables, headings, words: wordsOf(prose.join("\n")), junk };
}

/** The text of a line without the marks that Markdown needs, and without where links lead. */
function visible(line: string): string {
  return line
    .replace(/\]\([^)\s]*(?: "(?:[^"\\]|\\.)*")?\)/g, "] ")
    .replace(/<\/?su[pb]>/g, "")
    .replace(/<br>/g, " ")
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "")
    .replace(/[*`]/g, "");
}
