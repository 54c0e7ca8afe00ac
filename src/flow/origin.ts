import type { Passage } from "../domain/chunk.ts";
import { excerpt } from "./excerpt.ts";

/** Titles and headings are a line at most: some pages have a paragraph for one. */
const MAX_PATH_CHARS = 240;

/** The title of a passage's document and the headings above the passage, on one line: `os › Files › os.walk`. */
export function pathOf({ title, headings }: Pick<Passage, "title" | "headings">): string {
  const path = [title, ...headings]
    .map((part) => part.replace(/[\p{Cc}\p{Z}]+/gu, " ").trim())
    .filter((part) => part !== "")
    .join(" › ");
  const piece = excerpt(path, 0, MAX_PATH_CHARS);
  return piece.end === path.length ? path : `${piece.text.trimEnd()}…`;
}

/**
 * Where a passage is from, as a Markdown link to its place on the page. Passages carry no headings of their own, and the
 * fields of the contract name no more than the document: without this line a reader can neither place nor cite it.
 */
export function originLink(place: Pick<Passage, "title" | "headings" | "uri">): string {
  // Brackets in a title would end the link, and begin one of the page's own.
  return `[${pathOf(place).replace(/[[\]\\]/g, "\\$&")}](${place.uri.replaceAll("(", "%28").replaceAll(")", "%29")})`;
}
