import {
  attribute,
  classesOf,
  childElements,
  findElement,
  hasClass,
  isElement,
  textOf,
  textStart,
  type AnyNode,
  type Element,
} from "./dom.ts";

export interface Formula {
  readonly tex: string;
  readonly display: boolean;
}

/** Classes of elements that hold a formula; what is in them is not read as text. */
const FORMULA_CLASSES: ReadonlySet<string> = new Set([
  "katex",
  "katex-display",
  "math",
  "arithmatex",
  "MathJax_SVG",
  "mwe-math-element",
  "formulaDsp",
  "formulaInl",
]);

/** What MathJax 2 makes of a formula for the eye; its source is in a script beside it. */
const RENDERED: ReadonlySet<string> = new Set([
  "MathJax",
  "MathJax_Preview",
  "MathJax_Display",
  "MathJax_CHTML",
  "MJX_Assistive_MathML",
]);

/** Whether an element is only the look of a formula whose source stands elsewhere. */
export function isRenderedFormula(element: Element): boolean {
  for (const name of classesOf(element)) if (RENDERED.has(name)) return true;
  return false;
}

/**
 * The formula that an element is, as TeX: KaTeX and MathJax 2 and 3, MathML, and `\(…\)` left for a script to typeset.
 * Undefined when it is none.
 */
export function formulaOf(element: Element): Formula | undefined {
  switch (element.name) {
    case "script": {
      const type = attribute(element, "type");
      if (!type.startsWith("math/tex")) return undefined;
      return { tex: textOfScript(element).trim(), display: type.includes("mode=display") };
    }
    case "math":
      return mathMl(element, attribute(element, "display") === "block");
    case "mjx-container": {
      const math = findElement(element, (inner) => inner.name === "math");
      const display = attribute(element, "display") === "true" || attribute(element, "jax") === "display";
      return math === undefined ? undefined : mathMl(math, display);
    }
    default: {
      const classes = classesOf(element);
      if (classes.some((name) => FORMULA_CLASSES.has(name))) return formulaIn(element);
      const { parent } = element;
      // AsciiDoctor's block of TeX; a title may stand above it.
      const isStem = classes.includes("content") && isElement(parent) && hasClass(parent, "stemblock");
      return isStem ? formulaIn(element) : undefined;
    }
  }
}

/** A text that is longer is no formula. */
const MAX_TEX_CHARACTERS = 5000;
/** A formula has its source among its first elements. */
const MAX_LOOK = 300;

function formulaIn(element: Element): Formula | undefined {
  const display =
    hasClass(element, "katex-display") ||
    hasClass(element, "display") ||
    element.name === "div" ||
    hasClass(element, "math-display");
  const math = findElement(element, (inner) => inner.name === "math", MAX_LOOK);
  if (math !== undefined) return mathMl(math, display || attribute(math, "display") === "block");
  const script = findElement(
    element,
    (inner) => inner.name === "script" && attribute(inner, "type").startsWith("math/tex"),
  );
  if (script !== undefined) return formulaOf(script);
  const start = textStart(element, MAX_TEX_CHARACTERS).trim();
  if (start.length > MAX_TEX_CHARACTERS) return undefined;
  const number = childElements(element).find((child) => hasClass(child, "eqno"));
  const source = number === undefined ? start : textOf(element, (inner) => inner === number).trim();
  const written = writtenFormula(source);
  if (written !== undefined) return written;
  // Only the class says so; "math" is also a word that sites use for other things, so there must be no markup within.
  if (hasClass(element, "math") && source !== "" && childElements(element).every((child) => child === number))
    return { tex: source, display };
  return undefined;
}

/** The formula that a text is, by the marks of TeX around it; undefined without them. */
export function writtenFormula(source: string): Formula | undefined {
  const inner = (marks: number): string => source.slice(marks, -marks).trim();
  if (source.startsWith("\\(") && source.endsWith("\\)")) return { tex: inner(2), display: false };
  if (source.startsWith("\\[") && source.endsWith("\\]")) return { tex: inner(2), display: true };
  if (source.startsWith("$$") && source.endsWith("$$") && source.length > 4) return { tex: inner(2), display: true };
  if (source.startsWith("$") && source.endsWith("$") && source.length > 2) return { tex: inner(1), display: false };
  return undefined;
}

function mathMl(math: Element, display: boolean): Formula {
  const annotation = findElement(
    math,
    (inner) => inner.name === "annotation" && /tex/i.test(attribute(inner, "encoding")),
  );
  const given = annotation === undefined ? attribute(math, "alttext") : textOf(annotation);
  const tex = given.trim() || texOf(math).trim();
  return { tex: tex.replace(/\s+/g, " "), display };
}

/** Formulas nest as deep as people write them; deeper is no formula, and is read as text. */
const MAX_FORMULA_DEPTH = 100;

/** TeX for the MathML that people write by hand: fractions, roots, indices, rows. */
function texOf(node: AnyNode, depth = 0): string {
  if (node.type === "text") return node.data.trim();
  if (!isElement(node)) return "";
  if (depth > MAX_FORMULA_DEPTH) return textOf(node);
  const parts = childElements(node);
  const part = (index: number): string => {
    const child = parts[index];
    return child === undefined ? "" : texOf(child, depth + 1);
  };
  const all = (): string => node.children.map((child) => texOf(child, depth + 1)).join("");
  switch (node.name) {
    case "annotation":
    case "annotation-xml":
      return "";
    case "msup":
      return `${part(0)}^{${part(1)}}`;
    case "msub":
      return `${part(0)}_{${part(1)}}`;
    case "msubsup":
    case "munderover":
      return `${part(0)}_{${part(1)}}^{${part(2)}}`;
    case "munder":
      return `${part(0)}_{${part(1)}}`;
    case "mover":
      return `${part(0)}^{${part(1)}}`;
    case "mfrac":
      return `\\frac{${part(0)}}{${part(1)}}`;
    case "msqrt":
      return `\\sqrt{${all()}}`;
    case "mroot":
      return `\\sqrt[${part(1)}]{${part(0)}}`;
    case "mtr":
      return `${parts.map((cell) => texOf(cell, depth + 1)).join(" & ")} \\\\ `;
    case "mtext":
      return `\\text{${textOf(node)}}`;
    case "mspace":
      return " ";
    default:
      return all();
  }
}

/** A script's text is no text to `textOf`. */
function textOfScript(script: Element): string {
  return script.children.map((child) => (child.type === "text" ? child.data : "")).join("");
}
