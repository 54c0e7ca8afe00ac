import type { PageKind } from "./document.ts";

/** More of a page's words than this in links make it a page of links. */
const LINKS_SHARE = 0.5;

/** With fewer links it is a short page that refers to another, not a list. */
const LEAST_LINKS = 8;

/** So many declarations make a page a reference, whatever it is called. */
const LEAST_SIGNATURES = 4;

const CONTENTS_TITLE =
  /^(?:table of )?contents$|\btable of contents\b|^site ?map$|^(?:general |module |python module )?index(?: of .*)?$/i;
const CONTENTS_PATH = /\/(?:contents|genindex(?:-[^/]*)?|py-modindex|modindex|bookindex|sitemap|toc)(?:\.html?)?$/i;
const CHANGELOG_TITLE = /\b(?:change ?logs?|changes in|version history|revision history)\b|^(?:changes|history)$/i;
const CHANGELOG_PATH = /\/(?:changelog|changes)(?:[/.]|-[\d-]|$)/i;
const NEWS_TITLE =
  /\b(?:what['’]?s new|release notes?|releases?|news|migrat(?:ion|ing) (?:guide|from|to)|upgrading)\b/i;
const NEWS_PATH = /\/(?:whatsnew|what-?s-?new|release-?notes?|releases?|news)(?:[/.]|-[\d-]|$)/i;
const BLOG_PATH = /\/(?:blogs?|posts)(?:\/|$)/i;
const TUTORIAL_WORDS =
  /\b(?:tutorials?|codelabs?|quick[ -]?starts?|getting[ -]started|walk-?throughs?|step by step)\b/i;
const TUTORIAL_PATH = /\/(?:tutorials?|tut|codelabs?|quick-?starts?|get(?:ting)?-started)(?:[/.]|$)/i;
const REFERENCE_PATH =
  /\/(?:references?|api|apis|api-?reference|apidocs?|javadocs?|refs?|library|stdlib|c-api|cli|manpages?|man\d?)(?:\/|$)/i;
const REFERENCE_TITLE =
  /\breference$|^reference\b|\breference (?:manual|guide)$|\bAPI$|- Go Packages$|\(\d[a-z]?\)(?: manual page)?$|\b(?:class|struct|interface|namespace|module|package)(?: template)?(?: reference)?$/i;

/** What is known of a page when its kind is told. */
export interface KindSigns {
  readonly path: string;
  readonly title: string;
  /** Its Markdown, in any number of pieces. */
  readonly markdown: readonly string[];
  /** The title in the head of the page. */
  readonly headTitle?: string;
  readonly breadcrumbs?: readonly string[];
  /** How many declarations are described. */
  readonly signatures?: number;
  /** Of its structured data. */
  readonly types?: ReadonlySet<string>;
  /** Whether its markup says that it is a reference. */
  readonly isMarkedReference?: boolean;
  /** What the pages of its generator are. */
  readonly usual?: PageKind | undefined;
}

/** Tells what a page is for: from what it is called and where it stands, and from how much of it is links. */
export function pageKindOf(page: KindSigns): PageKind {
  const { path, title, usual, headTitle = "", breadcrumbs = [], signatures = 0, types = NO_TYPES } = page;
  if (CONTENTS_TITLE.test(title) || CONTENTS_PATH.test(path)) return "index";
  // A class may be called History, and a module Releases.
  if (usual === undefined) {
    if (CHANGELOG_TITLE.test(title)) return "changelog";
    if (NEWS_TITLE.test(title)) return "release-notes";
    if (CHANGELOG_PATH.test(path)) return "changelog";
    if (NEWS_PATH.test(path)) return "release-notes";
  }
  if (isListOfLinks(page.markdown)) return "index";
  if (usual !== undefined) return usual;
  if (BLOG_PATH.test(path) || types.has("BlogPosting")) return "blog";
  const isTutorial = TUTORIAL_PATH.test(path) || [title, ...breadcrumbs].some((text) => TUTORIAL_WORDS.test(text));
  if (isTutorial) return "tutorial";
  const isReference =
    page.isMarkedReference === true ||
    types.has("APIReference") ||
    signatures >= LEAST_SIGNATURES ||
    REFERENCE_PATH.test(path) ||
    [title, headTitle, ...breadcrumbs].some((text) => REFERENCE_TITLE.test(text));
  return isReference ? "reference" : "guide";
}

const NO_TYPES: ReadonlySet<string> = new Set();

function isListOfLinks(pieces: readonly string[]): boolean {
  if (!hasLinks(pieces)) return false;
  let characters = 0;
  let linked = 0;
  let links = 0;
  for (const piece of pieces) {
    const counted = countLinks(piece);
    characters += counted.characters;
    linked += counted.linked;
    links += counted.links;
  }
  return links >= LEAST_LINKS && linked > characters * LINKS_SHARE;
}

/** Whether there may be enough links: most pages have fewer, and need not be gone through. */
function hasLinks(pieces: readonly string[]): boolean {
  let links = 0;
  for (const piece of pieces) {
    for (let at = piece.indexOf("]("); at !== -1; at = piece.indexOf("](", at + 2)) {
      if (++links >= LEAST_LINKS) return true;
    }
  }
  return false;
}

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
    characters += countLetters(markdown, from, link.index);
    const text = link[1] ?? "";
    const letters = countLetters(text, 0, text.length);
    characters += letters;
    linked += letters;
    links++;
    from = link.index + link[0].length;
  }
  return { characters: characters + countLetters(markdown, from, markdown.length), linked, links };
}

/** A link of Markdown. Its text and its address are bounded, so that the time to find none is linear. */
const LINK = /(?<!!)\[([^[\]\n]{1,300})\]\([^()\s]{1,1000}(?:\([^()\s]{0,100}\))?[^()\s]{0,100}\)/g;

function countLetters(text: string, start: number, end: number): number {
  let letters = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if ((code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 127)
      letters++;
  }
  return letters;
}
