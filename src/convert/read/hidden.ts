import { attribute, classesOf, hasAttribute, type Element } from "./dom.ts";

/** Classes by which sites hide text from those who see the page. */
const HIDDEN_CLASSES: ReadonlySet<string> = new Set([
  "sr-only",
  "visually-hidden",
  "visuallyhidden",
  "screen-reader-text",
  "screen-reader-only",
  "show-for-sr",
  "sr_only",
  "a11y-hidden",
  "u-visually-hidden",
  "skip-link",
  "skip-to-content",
  "noprint-hidden",
]);

const HIDING_STYLE = /(?:^|[;\s])(?:display:none|visibility:hidden)/i;

/** Icons and permalinks that are hidden from screen readers are decoration; hidden formulas and the like are not. */
const DECORATION: ReadonlySet<string> = new Set(["a", "i", "svg", "button"]);

/** Whether an element is hidden from readers. A tab's panel never is, for a click shows it. */
export function isHidden(element: Element): boolean {
  const { attribs } = element;
  if (attribs["role"] === "tabpanel") return false;
  if (hasAttribute(element, "hidden") && attribs["hidden"] !== "until-found") return true;
  const style = attribs["style"];
  if (style !== undefined && HIDING_STYLE.test(style.replace(/: /g, ":"))) return true;
  if (attribs["aria-hidden"] === "true" && DECORATION.has(element.name)) return true;
  for (const name of classesOf(element)) if (HIDDEN_CLASSES.has(name)) return true;
  return false;
}

/** Elements that say nothing, or nothing that belongs to the text. */
const SILENT_TAGS: ReadonlySet<string> = new Set([
  "style",
  "noscript",
  "template",
  "button",
  "select",
  "textarea",
  "input",
  "datalist",
  "nav",
  "object",
  "embed",
  "canvas",
  "map",
  "head",
  "title",
  "meta",
  "link",
  "base",
  "area",
  "param",
  "source",
  "track",
  "dialog",
  "progress",
  "meter",
  "col",
  "colgroup",
  "frameset",
  "frame",
  "noframes",
  "applet",
]);

/** Roles of what is around the text. */
const SILENT_ROLES: ReadonlySet<string> = new Set([
  "navigation",
  "search",
  "banner",
  "contentinfo",
  "dialog",
  "alertdialog",
  "toolbar",
  "menu",
]);

/** Whether an element, with all that is in it, is no part of the text of any page. */
export function isSilent(element: Element): boolean {
  if (SILENT_TAGS.has(element.name)) return true;
  const role = attribute(element, "role");
  return role !== "" && SILENT_ROLES.has(role);
}
