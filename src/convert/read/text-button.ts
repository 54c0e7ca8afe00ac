import { attribute, childElements, hasAttribute, isElement, parentOf, textStart, type Element } from "./dom.ts";

/** How far above a button its heading or summary may be. */
const MAX_LEVELS_ABOVE = 3;
/** What is longer is no label of a button. */
const MAX_LABEL_CHARACTERS = 300;

/** What buttons do that belong to the page and not to its text, by their words. */
const PAGE_BUTTON =
  /^(?:cop(?:y|ied)\b.*|share\b.*|print|edit\b.*|run|try it\b.*|play|download|close|dismiss|ok|yes|no|like|dislike|send feedback|feedback|search|menu|more|show (?:more|less|all|hidden.*)|(?:toggle|open|expand|collapse|hide|filter|sort)\b.*|next|previous|back|(?:return|back|scroll) to top|on this page|(?:table of )?contents|reset|submit|cancel|subscribe|sign (?:in|up)|log ?in|\W*)$/i;
const PAGE_BUTTON_CLASS = /copy|clipboard|feedback|share|toggle-?(?:menu|nav|theme)|menu|hamburger|close|helpful/i;

/** Elements whose text goes on around a button. */
const TEXT_TAGS: ReadonlySet<string> = new Set(["p", "li", "td", "dd", "span", "em", "strong", "b", "i"]);

/**
 * Whether a button's words are text of the page: it is all of a heading or summary, it opens a part of the page (an accordion's
 * title), or it stands among the words of a sentence. Buttons that copy, share, or ask for an opinion are not.
 */
export function isTextButton(button: Element): boolean {
  const label = textStart(button, MAX_LABEL_CHARACTERS).trim();
  if (label === "" || label.length > MAX_LABEL_CHARACTERS || attribute(button, "role") === "tab") return false;
  if (hasAttribute(button, "aria-haspopup") || PAGE_BUTTON_CLASS.test(attribute(button, "class"))) return false;
  if (isWholeHeading(button, label)) return true;
  // A sentence may tell of any button.
  if (isAmongWords(button)) return !/^(?:cop(?:y|ied)\b.*|yes|no|\W*)$/i.test(label);
  return isOpener(button) && !PAGE_BUTTON.test(label);
}

/** Whether a button opens and closes what is below it. */
export function isOpener(button: Element): boolean {
  return hasAttribute(button, "aria-expanded") || hasAttribute(button, "aria-controls");
}

/** Whether words stand right before or after a button, in a paragraph, an item or a cell. */
export function isAmongWords(button: Element): boolean {
  const parent = parentOf(button);
  if (parent === undefined || !TEXT_TAGS.has(parent.name)) return false;
  return [button.prev, button.next].some((node) => node?.type === "text" && /[\p{L}\p{N}]/u.test(node.data));
}

function isWholeHeading(button: Element, label: string): boolean {
  let element = button;
  for (let level = 0; level < MAX_LEVELS_ABOVE; level++) {
    const { parent } = element;
    if (!isElement(parent)) return false;
    if (/^(?:h[1-6]|summary)$/.test(parent.name)) {
      if (childElements(parent).filter((child) => child.name === "button").length > 1) return false;
      return textStart(parent, MAX_LABEL_CHARACTERS).trim() === label;
    }
    element = parent;
  }
  return false;
}
