import type { Document as Tree } from "domhandler";
import { collapse } from "./read/clean-text.ts";
import { attribute, descendants, textOf, type Element } from "./read/dom.ts";

/** What the head of a page says of it. */
export interface Head {
  /** The text of `<title>`; "" when there is none. */
  readonly title: string;
  /** `description`, else `og:description`; "" when the page has neither. */
  readonly description: string;
  /** BCP 47, of `<html lang>`; "" when the page does not say. */
  readonly language: string;
  /** The site's own name, of `og:site_name` or `application-name`. */
  readonly site: string;
  /** The `href` of `<base>`; "" when there is none. */
  readonly base: string;
  /** Where the page sends its readers at once; "" when it does not. */
  readonly refreshTo: string;
  /** The `href` of `<link rel=canonical>`; "" when there is none. */
  readonly canonical: string;
  readonly metas: readonly Element[];
}

/** How many elements are looked at: a head has hundreds at most, and the body has none of these. */
const MAX_HEAD_ELEMENTS = 3000;

export function readHead(tree: Tree): Head {
  const metas: Element[] = [];
  let title = "";
  let language = "";
  let base = "";
  let canonical = "";
  let looked = 0;
  for (const element of descendants(tree)) {
    if (++looked > MAX_HEAD_ELEMENTS || element.name === "body") break;
    if (element.name === "meta") metas.push(element);
    else if (element.name === "title" && title === "") title = collapse(textOf(element)).trim();
    else if (element.name === "html") language = attribute(element, "lang") || attribute(element, "xml:lang");
    else if (element.name === "base" && base === "") base = attribute(element, "href").trim();
    else if (element.name === "link" && canonical === "" && attribute(element, "rel").toLowerCase() === "canonical")
      canonical = attribute(element, "href").trim();
  }
  const meta = (...names: readonly string[]): string => metaContent({ metas }, ...names);
  const refresh = metas.find((element) => attribute(element, "http-equiv").toLowerCase() === "refresh");
  return {
    title,
    description: meta("description", "og:description"),
    language: languageTag(language || meta("language", "content-language")),
    site: meta("og:site_name", "application-name"),
    base,
    refreshTo:
      refresh === undefined ? "" : (/url\s*=\s*['"]?([^'"\s]+)/i.exec(attribute(refresh, "content"))?.[1] ?? ""),
    canonical,
    metas,
  };
}

/** The content of the first `<meta>` with one of these names or properties, in lower case, that has one; "" when none has. */
export function metaContent({ metas }: Pick<Head, "metas">, ...names: readonly string[]): string {
  for (const name of names) {
    for (const element of metas) {
      if ((attribute(element, "name") || attribute(element, "property")).toLowerCase() !== name) continue;
      const content = collapse(attribute(element, "content")).trim();
      if (content !== "") return content;
    }
  }
  return "";
}

/** A language tag as it is usually written; "" for what is none. Source: BCP 47, section 2.1.1. */
function languageTag(value: string): string {
  const tag = value.trim().replaceAll("_", "-");
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(tag)) return "";
  return tag
    .split("-")
    .map((part, i) => {
      if (i === 0) return part.toLowerCase();
      if (part.length === 2) return part.toUpperCase();
      return part.length === 4 ? part.charAt(0).toUpperCase() + part.slice(1).toLowerCase() : part.toLowerCase();
    })
    .join("-");
}

/** What parts the title of a page from the name of its site. */
export const SEPARATOR = /\s[|·•—–«»:-]\s|\s(?:\|\||::)\s/g;

/**
 * The title of a page without the name of the site, which is on every page and tells none from another. The heading of the page
 * is the best title; of `<title>`, that part is kept that has the heading, else the first.
 * @param heading Text of the page's first heading; "" when it has none.
 */
export function pageTitle(title: string, heading: string, site: string): string {
  if (heading !== "") return heading;
  let kept = title;
  if (site !== "" && kept.length > site.length) {
    for (const match of kept.matchAll(SEPARATOR)) {
      if (kept.slice(match.index + match[0].length).trim() === site) return kept.slice(0, match.index).trim();
    }
    for (const match of kept.matchAll(SEPARATOR)) {
      if (kept.slice(0, match.index).trim() === site) return kept.slice(match.index + match[0].length).trim();
    }
  }
  // `Name - Site`: what follows the last separator names the site when it looks like it.
  const separators = [...kept.matchAll(SEPARATOR)];
  const last = separators.at(-1);
  if (last !== undefined) {
    const tail = kept.slice(last.index + last[0].length);
    if (/documentation|docs|manual|reference|developers?|guide|wiki|book|api|\d/i.test(tail) || last[0].includes("|")) {
      kept = kept.slice(0, last.index);
    }
  }
  return kept.trim();
}

/** Where the words of a description are looked for: the beginning of a page says what it is about. */
const LOOKED_AT_CHARACTERS = 20_000;
const LEAST_WORD_LETTERS = 4;
const LEAST_WORDS_TO_JUDGE = 4;
const LEAST_SHARE_OF_WORDS = 0.5;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Whether a description is that of a page, and not what the site says of its product on every page that has none of its own:
 * of the page's own description, half of the longer words are on the page too.
 */
export function isAboutPage(description: string, text: string): boolean {
  const words = new Set(
    description
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.filter((word) => word.length >= LEAST_WORD_LETTERS),
  );
  if (words.size < LEAST_WORDS_TO_JUDGE || UNSPACED.test(description)) return true;
  const looked = text.slice(0, LOOKED_AT_CHARACTERS).toLowerCase();
  let found = 0;
  for (const word of words)
    if (looked.includes(word.length > STEM_LETTERS ? word.slice(0, STEM_LETTERS) : word)) found++;
  return found >= words.size * LEAST_SHARE_OF_WORDS;
}

/** So much of a word is there in all its forms: `configure`, `configuration`. */
const STEM_LETTERS = 6;

const MAX_DESCRIPTION_CHARACTERS = 300;

/** The first sentence of a text, of at most three hundred characters. */
export function firstSentence(text: string): string {
  const end = /[.!?。！？](?=\s|$)/u.exec(text.slice(0, MAX_DESCRIPTION_CHARACTERS));
  // `e.g.` and the like end no sentence.
  const sentences = text.slice(0, MAX_DESCRIPTION_CHARACTERS).matchAll(/[.!?](?=\s|$)|[。！？]/gu);
  for (const { index } of sentences) {
    const before = text.slice(0, index + 1);
    if (index < 20 || /(?:\b[A-Za-z]|e\.g|i\.e|etc|vs|cf|No)\.$/.test(before)) continue;
    return before;
  }
  if (end === null && text.length > MAX_DESCRIPTION_CHARACTERS) {
    const cut = text.slice(0, MAX_DESCRIPTION_CHARACTERS);
    return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), MAX_DESCRIPTION_CHARACTERS / 2)).trim()}…`;
  }
  return text.length > MAX_DESCRIPTION_CHARACTERS
    ? text.slice(0, (end?.index ?? MAX_DESCRIPTION_CHARACTERS) + 1)
    : text;
}
