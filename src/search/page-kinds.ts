import type { DocumentChange } from "../domain/chunk.ts";

/**
 * What a page is for. Tables of contents, indexes and pages of links name everything and explain nothing, and news name
 * what another page explains: all of them match more questions than they answer.
 */
export type PageKind = "page" | "contents" | "links" | "news";

/** More of a page's words than this in links make it a page of links. */
const LINKS_SHARE = 0.5;

/** With fewer links it is a short page that refers to another, not a list. */
const LEAST_LINKS = 8;

const NEWS_TITLE =
  /\b(?:what['’]?s new|release notes?|releases?|change ?log|changes in|changelog|version history|revision history|news|migrat(?:ion|ing) (?:guide|from|to)|upgrading)\b/i;
const NEWS_PATH =
  /\/(?:whatsnew|what-?s-?new|release-?notes?|releases?|changelog|changes|news|history)(?:[/.]|-[\d-]|$)/i;
const CONTENTS_TITLE =
  /^(?:table of )?contents$|\btable of contents\b|^site ?map$|^(?:general |module |python module )?index(?: of .*)?$/i;
const CONTENTS_PATH = /\/(?:contents|genindex(?:-[^/]*)?|py-modindex|modindex|bookindex|sitemap|toc)(?:\.html?)?$/i;

/** Tells a page's kind from its address, its title and how much of it is links. */
export function pageKind(document: Extract<DocumentChange, { kind: "document" }>): PageKind {
  const path = document.uri.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/s, "");
  if (CONTENTS_TITLE.test(document.title) || CONTENTS_PATH.test(path)) return "contents";
  if (NEWS_TITLE.test(document.title) || NEWS_PATH.test(path)) return "news";
  let words = 0;
  let linked = 0;
  let links = 0;
  for (const { content } of document.chunks) {
    const counted = countLinks(content);
    words += counted.characters;
    linked += counted.linked;
    links += counted.links;
  }
  return links >= LEAST_LINKS && linked > words * LINKS_SHARE ? "links" : "page";
}

/** Whether a query asks for pages of a kind, which are then as good as others. */
export function asksFor(kind: PageKind, query: string): boolean {
  return kind === "page" || ASKING[kind].test(query);
}

const ASKING: Record<Exclude<PageKind, "page">, RegExp> = {
  contents: /\b(?:index|contents|toc|site ?map|list of|overview|modules)\b/i,
  links: /\b(?:index|contents|toc|list of|overview|links|resources|guides|tutorials|documentation)\b/i,
  news: /\b(?:new in|what['’]?s new|news|releases?|release notes?|change ?log|changes|changed|history|migrat\w+|upgrad\w+|deprecat\w+|removed)\b|\d\.\d/i,
};

/** Letters and digits that a reader sees, and how many of them are the text of links. */
function countLinks(markdown: string): {
  readonly characters: number;
  readonly linked: number;
  readonly links: number;
} {
  let characters = 0;
  let linked = 0;
  let links = 0;
  let from = 0;
  for (const link of markdown.matchAll(LINK)) {
    characters += countLetters(markdown.slice(from, link.index));
    const letters = countLetters(link[1] ?? "");
    characters += letters;
    linked += letters;
    links++;
    from = link.index + link[0].length;
  }
  return { characters: characters + countLetters(markdown.slice(from)), linked, links };
}

/** A link of Markdown. Its text and its address are bounded, so that the time to find none is linear. */
const LINK = /(?<!!)\[([^[\]\n]{1,300})\]\([^()\s]{1,1000}(?:\([^()\s]{0,100}\))?[^()\s]{0,100}\)/g;

function countLetters(text: string): number {
  let letters = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 127)
      letters++;
  }
  return letters;
}
