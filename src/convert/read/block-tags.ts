import { childElements, type Element } from "./dom.ts";

/** Elements that group blocks, and mean nothing more to Markdown. */
export const GROUPING_TAGS: ReadonlySet<string> = new Set([
  "address",
  "article",
  "aside",
  "body",
  "center",
  "div",
  "fieldset",
  "figure",
  "footer",
  "form",
  "header",
  "hgroup",
  "html",
  "main",
  "nav",
  "section",
  "thead",
  "tbody",
  "tfoot",
  "search",
]);

const BLOCK_TAGS: ReadonlySet<string> = new Set([
  ...GROUPING_TAGS,
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "p",
  "pre",
  "ul",
  "ol",
  "li",
  "blockquote",
  "table",
  "dl",
  "dt",
  "dd",
  "hr",
  "tr",
  "td",
  "th",
  "details",
  "summary",
]);

/** Elements that stand on lines of their own. */
export function isBlockTag(name: string): boolean {
  return BLOCK_TAGS.has(name);
}

/** A page's own element is inline to CSS, yet one that holds blocks is a block to readers. */
export function hasBlock(element: Element): boolean {
  return childElements(element).some(
    (child) => isBlockTag(child.name) || (child.name.includes("-") && childElements(child).length > 0),
  );
}
