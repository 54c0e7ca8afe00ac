import type { Chunk } from "../domain/chunk.ts";
import { documentName } from "../domain/document-name.ts";

/** Addresses whose page was worked out already; a site's pages share most of their links. */
const MAX_CACHED_ADDRESSES = 20_000;

const cached = new Map<string, number>();

/** A link of a document: the page that it leads to, as `pageOf` has it, and what it says, "" when that is nothing of use. */
export interface PageLink {
  readonly page: number;
  readonly text: string;
}

/** What a link says in more characters is a sentence, and no name for a page. */
const MAX_TEXT_CHARS = 60;

/** The links of a document to other pages, each page and text once, by page. */
export function linksOf(own: number, chunks: readonly Chunk[]): readonly PageLink[] {
  const links = new Map<string, PageLink>();
  for (const { content } of chunks) {
    for (let at = content.indexOf("](http"); at >= 0; at = content.indexOf("](http", at + 6)) {
      ADDRESS.lastIndex = at + 2;
      const address = ADDRESS.exec(content)?.[0];
      const page = address === undefined ? NO_PAGE : keyOfAddress(address);
      if (page === NO_PAGE || page === own) continue;
      const text = linkText(content, at);
      links.set(`${page} ${text}`, { page, text });
    }
  }
  return [...links.values()].sort((a, b) => a.page - b.page);
}

/** What stands in the square brackets that end at `end`, without the signs of Markdown. */
function linkText(content: string, end: number): string {
  const least = Math.max(0, end - MAX_TEXT_CHARS * 2);
  let start = end - 1;
  while (start >= least && content.charCodeAt(start) !== OPENING) start--;
  if (start < least || content.charAt(start - 1) === "!") return "";
  const text = content
    .slice(start + 1, end)
    .replace(/[`*\\]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
  return text.length > MAX_TEXT_CHARS ? "" : text;
}

const OPENING = 0x5b;

/**
 * What a link to a document leads to. Links are in a page as its site writes them, so a document is known by its address and not
 * by its name, which a source's own rules may have made of it; but that one that is a part of a page is known by its name.
 */
export function pageOf({ name, uri }: { readonly name: string; readonly uri: string }): number {
  const key = uri.includes("#") || !/^https?:/i.test(uri) ? NO_PAGE : keyOfAddress(uri);
  return key === NO_PAGE ? pageKey(name) : key;
}

/** A document name as a number of 32 bits; two of a million pages may share one, which costs a little precision. */
export function pageKey(name: string): number {
  return hashOf(name);
}

/** What a link says, as a number of 32 bits; 0 for nothing. */
export function textKey(text: string): number {
  return text === "" ? 0 : hashOf(text);
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0 || 1;
}

const NO_PAGE = 0;
const ADDRESS = /https?:[^\s)#<>"]{1,2000}/y;

function keyOfAddress(address: string): number {
  const known = cached.get(address);
  if (known !== undefined) return known;
  let key = NO_PAGE;
  try {
    key = pageKey(documentName(address));
  } catch {
    // An address that no page can have leads nowhere.
  }
  if (cached.size >= MAX_CACHED_ADDRESSES) cached.clear();
  cached.set(address, key);
  return key;
}
