import { contentsOfMarkdown } from "./markdown-contents.ts";
import { wordsOf, type PageContents } from "./page-contents.ts";

/** What a converter made of pages, against what is in them. */
export interface Kept {
  pages: number;
  throws: number;
  /** Pages that differ: in the number of code blocks, tables or headings, or in more than one word in fifty. */
  off: number;
  codeBlocks: number;
  codeBlocksThere: number;
  tables: number;
  tablesThere: number;
  headings: number;
  headingsThere: number;
  words: number;
  wordsThere: number;
  junk: number;
  /** Words that the rules of the generator drop by name: they are no loss, yet many would be a sign of a rule that is too wide. */
  dropped: number;
}

/** A page keeps its words when so many of them are there. */
const LEAST_WORDS_KEPT = 0.98;
/** Pages with less are headings and links; one word that is written otherwise is much of them. */
const LEAST_WORDS_TO_JUDGE = 20;

export function nothingKept(): Kept {
  return {
    pages: 0,
    throws: 0,
    off: 0,
    codeBlocks: 0,
    codeBlocksThere: 0,
    tables: 0,
    tablesThere: 0,
    headings: 0,
    headingsThere: 0,
    words: 0,
    wordsThere: 0,
    junk: 0,
    dropped: 0,
  };
}

/** Adds a page. @param title Of the page, where it is beside the Markdown. @returns how the two differ; "" when they do not. */
export function compare(kept: Kept, there: PageContents, title: string, markdown: string): string {
  const written = contentsOfMarkdown(markdown);
  const headings = matched(there.headings.map(letters), [...written.headings, title].map(letters));
  const words = matched(there.words, [...written.words, ...wordsOf(title)]);
  kept.pages++;
  kept.codeBlocks += written.codeBlocks;
  kept.codeBlocksThere += there.codeBlocks;
  kept.tables += written.tables;
  kept.tablesThere += there.tables;
  kept.headings += headings.found;
  kept.headingsThere += there.headings.length;
  kept.words += words.found;
  kept.wordsThere += there.words.length;
  kept.junk += written.junk;
  kept.dropped += there.dropped;
  const differences = [
    written.codeBlocks === there.codeBlocks ? "" : `${written.codeBlocks} fences of ${there.codeBlocks} code blocks`,
    written.tables === there.tables ? "" : `${written.tables} of ${there.tables} tables`,
    headings.missing.length === 0 ? "" : `without the headings ${headings.missing.slice(0, 3).join(", ")}`,
    there.words.length >= LEAST_WORDS_TO_JUDGE && words.found < there.words.length * LEAST_WORDS_KEPT
      ? `${words.found} of ${there.words.length} words, without ${words.missing.slice(0, 8).join(" ")}`
      : "",
    written.junk === 0 ? "" : `${written.junk} lines of junk`,
  ].filter((difference) => difference !== "");
  if (differences.length > 0) kept.off++;
  return differences.join("; ");
}

/** A heading without what is written in more than one way. */
function letters(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** How many of `wanted` are in `given`, each used once. */
function matched(
  wanted: readonly string[],
  given: readonly string[],
): { readonly found: number; readonly missing: readonly string[] } {
  const left = new Map<string, number>();
  for (const one of given) left.set(one, (left.get(one) ?? 0) + 1);
  const missing: string[] = [];
  for (const one of wanted) {
    const count = left.get(one) ?? 0;
    if (count === 0) missing.push(one);
    else left.set(one, count - 1);
  }
  return { found: wanted.length - missing.length, missing };
}
