import { attribute, childElements, classesOf, descendants, isElement, textStart, type Element } from "./dom.ts";

const PERMALINK_CLASSES: ReadonlySet<string> = new Set([
  "headerlink",
  "hash-link",
  "header-anchor",
  "heading-anchor",
  "sl-anchor-link",
  "anchorjs-link",
  "anchor-link",
  "permalink",
  "heading-link",
  "headinglink",
  "doc-anchor",
  "tsd-anchor",
  "tsd-anchor-icon",
  "anchor-icon",
  "octicon-link",
  "toclink-permalink",
  "self-link",
  "mark",
  "viewcode-link",
  "md-anchor",
  "heading-permalink",
  "zola-anchor",
  "direct-link",
  "hash-anchor",
  "devsite-heading-link",
  "linkable-anchor",
]);

/** What permalinks show: a sign, an icon without text, or a word for it. */
const PERMALINK_TEXT =
  /^(?:|[¶#§⚓🔗∞†🔖]+|link|anchor|permalink|permanent link|link to (?:this|heading|section)[^.]{0,60}|section titled[^.]{0,200})$/iu;

const LONGEST_PERMALINK = 80;

/** Whether a link only leads to the place where it stands. */
export function isPermalink(link: Element, inHeading: boolean): boolean {
  for (const name of classesOf(link)) if (PERMALINK_CLASSES.has(name)) return true;
  if (!inHeading) return false;
  const href = attribute(link, "href");
  if (!href.startsWith("#") && !attribute(link, "class").includes("anchor")) return false;
  const text = textStart(link, LONGEST_PERMALINK).replace(/\u{200b}|\u{feff}|\u{fe0e}|\u{fe0f}/gu, "");
  return PERMALINK_TEXT.test(text.trim().slice(0, 2 * LONGEST_PERMALINK)) && !hasImage(link);
}

function hasImage(link: Element): boolean {
  return childElements(link).some((child) => child.name === "img" && attribute(child, "alt") !== "");
}

/** How many elements around a heading may be named in its stead: DocBook puts four between a section and its heading. */
const MAX_LEVELS_ABOVE = 6;
const MAX_INNER_ELEMENTS = 30;

/**
 * The id by which a heading is linked to: its own, that of a named anchor or permalink in it or just before it, or that of the
 * section that it begins; "" when there is none.
 */
export function anchorOf(heading: Element): string {
  const own = attribute(heading, "id");
  if (own !== "") return own;
  let looked = 0;
  for (const inner of descendants(heading)) {
    const name =
      attribute(inner, "id") ||
      (inner.name === "a" ? attribute(inner, "name") || fragmentOf(attribute(inner, "href")) : "");
    if (name !== "") return name;
    if (++looked > MAX_INNER_ELEMENTS) break;
  }
  const before = emptyAnchorBefore(heading);
  if (before !== "") return before;
  let element = heading;
  for (let level = 0; level < MAX_LEVELS_ABOVE; level++) {
    const { parent } = element;
    if (!isElement(parent) || parent.name === "body" || !beginsWith(parent, element)) return "";
    const id = attribute(parent, "id");
    if (id !== "") return id;
    element = parent;
  }
  return "";
}

function fragmentOf(href: string): string {
  return href.startsWith("#") ? href.slice(1) : "";
}

/** `<a id="x"></a><h2>`, as old generators write it. */
function emptyAnchorBefore(heading: Element): string {
  for (let node = heading.prev; node !== null; node = node.prev) {
    if (node.type === "text" && node.data.trim() === "") continue;
    if (!isElement(node) || (node.name !== "a" && node.name !== "span") || node.children.length > 0) return "";
    return attribute(node, "id") || attribute(node, "name");
  }
  return "";
}

/** Whether nothing is before a child but whitespace and empty anchors. */
function beginsWith(parent: Element, child: Element): boolean {
  for (const node of parent.children) {
    if (node === child) return true;
    if (node.type === "text" ? node.data.trim() !== "" : isElement(node) && node.children.length > 0) return false;
  }
  return false;
}
