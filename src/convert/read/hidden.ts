import { attribute, classesOf, findElement, hasAttribute, isElement, type Element } from "./dom.ts";
import { hidesText, stylesOf } from "./hiding-style.ts";
import { isTextButton } from "./text-button.ts";

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
  "visuallyHidden",
  "cdk-visually-hidden",
  "element-invisible",
  "assistive-text",
  "mw-jump",
  "mw-jump-link",
  "is-hidden",
]);

/** Icons and permalinks that are hidden from screen readers are decoration; hidden formulas and the like are not. */
const DECORATION: ReadonlySet<string> = new Set(["a", "i", "svg", "button"]);

/** Blocks that hold nothing but prose are drawn for the eye when they are hidden from screen readers: the text stands elsewhere. */
const PROSE_TAGS: ReadonlySet<string> = new Set(["div", "section", "aside", "p"]);
/** What makes such a block a part of the page, which a dialog or a carousel has only set aside for now. */
const CONTENT = /^(?:h[1-6]|pre|table|main|article|math|svg)$/;

/** Panels of tabs and of accordions, by their class. */
const PANEL_CLASS = /tab[-_]?pan|tab[-_]?content|tabs?__pan|accordion|collaps/i;

/** Whether a click shows an element: a panel of tabs or of an accordion, the inside of `details`. */
function isDisclosed(element: Element): boolean {
  const role = element.attribs["role"];
  if (role === "tabpanel" || (role === "region" && hasAttribute(element, "aria-labelledby"))) return true;
  if (isElement(element.parent) && element.parent.name === "details") return true;
  return PANEL_CLASS.test(attribute(element, "class"));
}

/** Whether an element is hidden from readers. What a click shows never is, such as a tab's panel. */
export function isHidden(element: Element): boolean {
  return saysHidden(element) && !isDisclosed(element);
}

function saysHidden(element: Element): boolean {
  const { attribs } = element;
  if (hasAttribute(element, "hidden") && attribs["hidden"] !== "until-found") return true;
  const style = attribs["style"];
  if (style !== undefined && hidesText(element, stylesOf(style))) return true;
  if (attribs["aria-hidden"] === "true") {
    if (DECORATION.has(element.name)) return true;
    if (PROSE_TAGS.has(element.name) && findElement(element, (inner) => CONTENT.test(inner.name)) === undefined)
      return true;
  }
  const classes = classesOf(element);
  for (const name of classes) if (HIDDEN_CLASSES.has(name)) return true;
  // Bootstrap shows it again from a width on.
  return classes.includes("d-none") && !classes.some((name) => SHOWN_WHEN_WIDE.test(name));
}

const SHOWN_WHEN_WIDE = /^d-(?:sm|md|lg|xl|xxl)-(?!none)/;

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
  if (SILENT_TAGS.has(element.name)) return element.name !== "button" || !isTextButton(element);
  const role = attribute(element, "role");
  return role !== "" && SILENT_ROLES.has(role);
}
