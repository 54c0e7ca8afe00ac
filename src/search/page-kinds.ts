import type { DocumentChange } from "../domain/chunk.ts";

/**
 * What a page is for. Tables of contents, indexes and pages of links name everything and explain nothing, and news name
 * what another page explains: all of them match more questions than they answer.
 */
export type PageKind = "page" | "contents" | "links" | "news";

/** A page whose title says that it is the contents of a whole, rather than one that has many links. */
const CONTENTS_TITLE =
  /^(?:table of )?contents$|\btable of contents\b|^site ?map$|^(?:general |module |python module )?index(?: of .*)?$/i;
const CONTENTS_PATH = /\/(?:contents|genindex(?:-[^/]*)?|py-modindex|modindex|bookindex|sitemap|toc)(?:\.html?)?$/i;

/** What the ranking makes of what a page is for. */
export function pageKind({ pageKind: kind, title, uri }: Extract<DocumentChange, { kind: "document" }>): PageKind {
  switch (kind) {
    case "index":
      return CONTENTS_TITLE.test(title) || CONTENTS_PATH.test(uri.replace(/[?#].*$/s, "")) ? "contents" : "links";
    case "release-notes":
    case "changelog":
    case "blog":
      return "news";
    case "reference":
    case "guide":
    case "tutorial":
      return "page";
  }
}

/** Whether a query asks for pages of a kind, which are then as good as others. */
export function asksFor(kind: PageKind, query: string): boolean {
  return kind === "page" || ASKING[kind].test(query);
}

const ASKING: Record<Exclude<PageKind, "page">, RegExp> = {
  contents: /\b(?:index|contents|toc|site ?map|list of|overview|modules)\b/i,
  links: /\b(?:index|contents|toc|list of|overview|links|resources|guides|tutorials|documentation)\b/i,
  news: /\b(?:new in|what['’]?s new|news|blog|announce\w*|releases?|release notes?|change ?log|changes|changed|history|migrat\w+|upgrad\w+|deprecat\w+|removed)\b|\d\.\d/i,
};
