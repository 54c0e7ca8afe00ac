import { SelectorSet } from "../convert/read/selectors.ts";
import { childElements, classesOf, textStart, type Element } from "../convert/read/dom.ts";

/**
 * What the style sheets and scripts of generators hide from readers, until they point at it or for good. It is read from those
 * style sheets, and not from the rules of the converter, which are what is measured.
 */
const UNSEEN = new SelectorSet([
  // rustdoc: shown while the pointer is on the sign.
  ".notable-traits-tooltiptext",
  ".notable-popover",
  ".tooltiptext",
  // Sphinx: the link to the source code floats at the edge.
  ".viewcode-link",
]);

/** Inline elements that style sheets set apart from the text around them by a margin. */
const SET_APART: ReadonlySet<string> = new Set(["stab", "badge"]);

/** Whether the style sheets of generators hide an element. */
export function isUnseen(element: Element): boolean {
  return UNSEEN.matches(element);
}

/** Whether an inline element stands apart from what is around it. */
export function isSetApart(element: Element): boolean {
  return classesOf(element).some((name) => SET_APART.has(name));
}

const ICON_NOTES: ReadonlySet<string> = new Set(["note", "tip", "warning", "caution", "important"]);

/** DocBook's box for a note: a table of an icon and the text, and no data. */
export function isIconNote(element: Element): boolean {
  if (!classesOf(element).some((name) => ICON_NOTES.has(name))) return false;
  const [table, ...others] = childElements(element);
  if (table?.name !== "table" || others.length > 0) return false;
  const stack: Element[] = [table];
  for (let inner = stack.pop(); inner !== undefined; inner = stack.pop()) {
    if (inner.name === "td") {
      const [icon] = childElements(inner);
      return icon?.name === "img" && textStart(inner, 1).trim() === "";
    }
    const [first] = childElements(inner);
    if (first !== undefined) stack.push(first);
  }
  return false;
}
