import { collapse } from "./clean-text.ts";
import { attribute, childElements, classesOf, descendants, findElement, textOf, type Element } from "./dom.ts";

export interface Picture {
  /** Where the image is, as the page says it; "" when only its text is left. */
  readonly source: string;
  readonly alt: string;
  readonly title: string;
}

/** Attributes that hold the image of a page that loads it late, in place of a placeholder in `src`. */
const LATE_SOURCES = ["data-src", "data-original", "data-lazy-src", "data-lazy", "data-srcset", "data-lazy-srcset"];

/** The image that an `img` shows; undefined for one that shows nothing: a tracking pixel, a spacer. */
export function pictureOf(img: Element): Picture | undefined {
  if (isDot(attribute(img, "width")) && isDot(attribute(img, "height"))) return undefined;
  const alt = collapse(attribute(img, "alt")).trim();
  const given = attribute(img, "src").trim();
  const late = LATE_SOURCES.map((name) => firstOfSet(attribute(img, name))).find(
    (source) => source !== "" && !isData(source),
  );
  const set = firstOfSet(attribute(img, "srcset"));
  const source = late ?? (given !== "" && !isData(given) ? given : isData(set) ? "" : set);
  if (source === "" && alt === "") return undefined;
  return { source, alt, title: collapse(attribute(img, "title")).trim() };
}

/** Emoji that are shown as images: their alt text is the emoji. */
export function isEmojiImage(img: Element): boolean {
  return classesOf(img).some((name) => name === "emoji" || name === "gemoji" || name === "twemoji");
}

/** By MediaWiki, Doxygen and others. */
const FORMULA_IMAGES = /^(?:math|latex|formulaInl|formulaDsp|mwe-math-fallback.*)$/;

/** Formulas that are shown as images: their alt text is TeX. */
export function isFormulaImage(img: Element): boolean {
  return classesOf(img).some((name) => FORMULA_IMAGES.test(name));
}

/** A film, sound or inner page: where it is, and what it is called. */
export function embedOf(element: Element): { readonly source: string; readonly title: string } | undefined {
  const inner = childElements(element).find((child) => child.name === "source");
  const source =
    attribute(element, "src") || attribute(element, "data-src") || (inner === undefined ? "" : attribute(inner, "src"));
  if (source === "" || isData(source)) return undefined;
  const named = collapse(attribute(element, "title") || attribute(element, "aria-label")).trim();
  // An inner page without a name is a counter, an advertisement or a login.
  if (named === "" && element.name === "iframe") return undefined;
  return { source, title: named || (element.name === "audio" ? "Audio" : "Video") };
}

/** A drawing with so many texts is a diagram, and what it says is said nowhere else; those with fewer are icons and badges. */
const LEAST_TEXTS = 3;
const MOST_TEXTS = 2000;

/** What a drawing says: its texts when it is a diagram, else its title when it is meant to be read. */
export function drawingText(svg: Element, inFigure: boolean): { readonly text: string; readonly isDiagram: boolean } {
  const texts: string[] = [];
  for (const inner of descendants(svg)) {
    if (inner.name !== "text") continue;
    texts.push(collapse(textOf(inner)).trim());
    if (texts.length >= MOST_TEXTS) break;
  }
  // Where they stand tells how they hang together, and is lost: they are no sentence.
  if (texts.length >= LEAST_TEXTS) return { text: texts.join(" · "), isDiagram: true };
  if (!inFigure || attribute(svg, "role") !== "img") return { text: "", isDiagram: false };
  const title = findElement(svg, (inner) => inner.name === "title");
  const text = collapse(attribute(svg, "aria-label") || (title === undefined ? "" : textOf(title))).trim();
  return { text, isDiagram: false };
}

function firstOfSet(value: string): string {
  return value.trim().split(/[\s,]/, 1)[0] ?? "";
}

function isData(source: string): boolean {
  return /^data:/i.test(source);
}

function isDot(length: string): boolean {
  return length === "0" || length === "1" || length === "1px" || length === "0px";
}
