import { attribute, findElement, type Element } from "./dom.ts";

/** Properties that can hide text; most `style` attributes have none, such as those of coloured code. */
const MAY_HIDE = /display|visibility|font-size|opacity|position|clip|indent|height|transform/i;

const NO_STYLES: ReadonlyMap<string, string> = new Map();

/** The declarations of a `style` attribute that may hide something: names and values in lower case, without whitespace. */
export function stylesOf(style: string): ReadonlyMap<string, string> {
  if (!MAY_HIDE.test(style)) return NO_STYLES;
  const styles = new Map<string, string>();
  for (const declaration of style.toLowerCase().replace(/\s/g, "").split(";")) {
    const colon = declaration.indexOf(":");
    if (colon > 0) styles.set(declaration.slice(0, colon), declaration.slice(colon + 1).replace("!important", ""));
  }
  return styles;
}

const ZERO = /^0(?:\.0+)?(?:[a-z]+|%)?$/;
const ZERO_OR_DOT = /^(?:0(?:\.0+)?(?:[a-z]+|%)?|1px)$/;
const FAR_OUT = /^-\d{3,}/;

/** Whether styles keep an element's text from the eye: not shown, of no size, cut off, or far outside the window. */
export function hidesText(element: Element, styles: ReadonlyMap<string, string>): boolean {
  if (styles.size === 0) return false;
  const is = (name: string, value: RegExp): boolean => value.test(styles.get(name) ?? "");
  if (is("display", /^none$/) || is("visibility", /^(?:hidden|collapse)$/) || is("content-visibility", /^hidden$/))
    return true;
  if (is("clip", /^rect\((?:0|1px)/) || is("clip-path", /^(?:inset\((?:50|100)%|circle\(0)/)) return true;
  if (is("text-indent", FAR_OUT) || is("transform", /(?:^|\))scale[xy]?\(0(?:,0)?\)/)) return true;
  if (is("position", /^(?:absolute|fixed)$/) && ["left", "top", "right"].some((side) => is(side, FAR_OUT))) return true;
  if (is("overflow", /^(?:hidden|clip)$/)) {
    if (is("height", ZERO) || is("max-height", ZERO)) return true;
    if (is("height", ZERO_OR_DOT) && is("width", ZERO_OR_DOT)) return true;
  }
  // What is faded in as the reader comes to it moves too, or is a section of the page.
  if (is("opacity", ZERO))
    return (
      !["transform", "transition", "will-change"].some((name) => styles.has(name)) &&
      !holds(element, /^(?:h[1-6]|pre)$/)
    );
  // A row of boxes is written so to have no gaps, and its boxes have a size of their own.
  return is("font-size", ZERO) && !holds(element, /^(?:img|svg|h[1-6]|pre)$/) && !hasSizes(element);
}

function holds(element: Element, names: RegExp): boolean {
  return findElement(element, (inner) => names.test(inner.name)) !== undefined;
}

function hasSizes(element: Element): boolean {
  return findElement(element, (inner) => /font-size/i.test(attribute(inner, "style"))) !== undefined;
}
