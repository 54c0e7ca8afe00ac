import { collapse, withoutInvisible } from "./clean-text.ts";
import {
  childElements,
  classesOf,
  hasAttribute,
  hasClass,
  isElement,
  parentOf,
  textStart,
  type AnyNode,
  type Element,
} from "./dom.ts";
import { isHidden } from "./hidden.ts";

/** Elements in code that are no code: line numbers, buttons, what a site puts there for itself. */
const JUNK_CLASSES: ReadonlySet<string> = new Set([
  "linenos",
  "lineno",
  "linenodiv",
  "line-number",
  "line-numbers",
  "line-numbers-rows",
  "line-numbers-wrapper",
  "LineNos",
  "gutter",
  "ln",
  "lnt",
  "hljs-ln-numbers",
  "code-line-number",
  "react-syntax-highlighter-line-number",
  "rouge-gutter",
  "src-line-numbers",
  "src-line-nums",
  "nocode",
  "copy",
  "copybtn",
  "copy-button",
  "clipboard",
  "devsite-github-link",
  "headerlink",
  "md-annotation",
  "notable-traits",
  "lineNumber",
]);
const JUNK_TAGS: ReadonlySet<string> = new Set([
  "button",
  "script",
  "style",
  "template",
  "svg",
  "input",
  "textarea",
  "select",
  "devsite-copy-button",
]);

/** Classes of elements that are one line each, often with no newline between them. */
const LINE_CLASSES: ReadonlySet<string> = new Set([
  "ec-line",
  "line",
  "token-line",
  "view-line",
  "code-line",
  "cm-line",
  "CodeMirror-line",
  "hljs-ln-line",
  "source-line",
]);
const BLOCK_TAGS: ReadonlySet<string> = new Set(["div", "p", "li", "tr", "pre", "ul", "ol", "section", "table"]);

/** Whether an element within code is a part of the page and not of the code. */
export function isCodeJunk(element: Element): boolean {
  if (JUNK_TAGS.has(element.name) || isCallout(element) || isNumber(element) || isNumberColumn(element)) return true;
  for (const name of classesOf(element)) if (JUNK_CLASSES.has(name)) return true;
  return hasAttribute(element, "data-line-number") && element.children.length === 0;
}

/** Chroma's numbers with inline styles: they say of themselves that they are not to be selected. */
function isNumber(element: Element): boolean {
  const { style } = element.attribs;
  if (style === undefined || !/user-select: ?none/i.test(style)) return false;
  return /^\s{0,9}\d{1,6}\s{0,9}$/.test(textStart(element, MAX_NUMBER_CHARACTERS));
}

const MAX_NUMBER_CHARACTERS = 24;

/** The first cell of a row, when nothing but numbers that go up by one is in it, and code in the next. */
function isNumberColumn(cell: Element): boolean {
  if (cell.name !== "td" || hasElementBefore(cell) || !hasElementAfter(cell)) return false;
  const text = textStart(cell, MAX_COLUMN_CHARACTERS);
  if (text.length > MAX_COLUMN_CHARACTERS || !/^[\d\s]+$/.test(text)) return false;
  const numbers = text.trim().split(/\s+/).map(Number);
  return numbers.every((number, i) => i === 0 || number === (numbers[i - 1] ?? 0) + 1);
}

/** The numbers of some thousand lines. */
const MAX_COLUMN_CHARACTERS = 20_000;

function hasElementBefore({ prev }: Element): boolean {
  for (let node = prev; node !== null; node = node.prev) if (isElement(node)) return true;
  return false;
}

function hasElementAfter({ next }: Element): boolean {
  for (let node = next; node !== null; node = node.next) if (isElement(node)) return true;
  return false;
}

/** AsciiDoctor's number of a remark: `b`, or with icons an empty `i` and then a `b`. */
function isCallout(element: Element): boolean {
  if (hasClass(element, "conum")) return true;
  return (
    element.name === "b" && isElement(element.prev) && element.prev.name === "i" && hasClass(element.prev, "conum")
  );
}

/** Says of elements in code that they are none of it: what is hidden, and what is known of their site. */
export type CodeFilter = (element: Element) => boolean;

/**
 * The text of a code block as it is meant to be copied: without junk, with `br` as a newline, and with a newline between
 * elements that are lines, where the page has none. The one newline after `<pre>` and those at the end are not code.
 * Source: HTML, section 13.2.6.4.7 (the newline after `<pre>`).
 */
export function codeText(block: Element, isDropped: CodeFilter = isHidden): string {
  const parts: string[] = [];
  let last = "";
  // A line element has ended: the newline is still to be written, unless the page has one there itself.
  let lineEnds = false;
  // Doxygen sets the code apart from the number of its line by a space.
  let isAfterNumber = false;
  const write = (text: string): void => {
    parts.push(text);
    last = text.charAt(text.length - 1);
  };
  const stack: (AnyNode | LineEnd)[] = block.children.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node instanceof LineEnd) {
      lineEnds ||= node.partsBefore === parts.length || last !== "\n";
    } else if (node.type === "text") {
      if (node.data === "") continue;
      if (lineEnds && !node.data.startsWith("\n") && !node.data.startsWith("\r")) write("\n");
      lineEnds = false;
      write(isAfterNumber && /^[ \u{a0}]/u.test(node.data) ? node.data.slice(1) : node.data);
      isAfterNumber = false;
    } else if (isElement(node) && isCallout(node)) {
      // What is before a remark's number only sets it apart from the code.
      const before = parts.pop();
      if (before !== undefined) parts.push(withoutBlanks(before));
    } else if (isElement(node) && !isCodeJunk(node) && !isDropped(node)) {
      if (node.name === "br") {
        write("\n");
        lineEnds = false;
        continue;
      }
      // Two codes in one block, such as Node's for its two kinds of modules, are set apart.
      if (node.name === "code" && node.parent === block && last !== "" && last !== "\n") write("\n\n");
      if (isLine(node)) {
        if (lineEnds || (BLOCK_TAGS.has(node.name) && last !== "" && last !== "\n")) write("\n");
        lineEnds = false;
        stack.push(new LineEnd(parts.length));
      }
      for (let i = node.children.length - 1; i >= 0; i--) {
        const child = node.children[i];
        if (child !== undefined) stack.push(child);
      }
    } else if (isElement(node)) isAfterNumber ||= hasClass(node, "lineno") && hasClass(parentOf(node) ?? node, "line");
  }
  return trimCode(parts.join(""));
}

/** Apache's examples of several lines: a paragraph that is code with breaks in it. */
export function exampleOf(paragraph: Element): Element | undefined {
  const around = parentOf(paragraph);
  if (around === undefined || !hasClass(around, "example")) return undefined;
  const [code, ...others] = childElements(paragraph);
  if (code?.name !== "code" || others.length > 0) return undefined;
  return childElements(code).some((inner) => inner.name === "br") ? code : undefined;
}

/** Code that is laid out by `br` and not by its own newlines: its lines, each as HTML shows it. */
export function brokenLines(code: Element, isDropped: CodeFilter = isHidden): string {
  let depth = 0;
  let line = { text: "", depth };
  const lines = [line];
  const breakLine = (): void => {
    line = { text: "", depth };
    lines.push(line);
  };
  const indent = (by: number): void => {
    depth += by;
    if (line.text.trim() === "") line.depth = depth;
    else breakLine();
  };
  const stack: (AnyNode | typeof INDENT_ENDS)[] = code.children.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node === INDENT_ENDS) indent(-1);
    else if (node.type === "text") line.text += node.data;
    else if (isElement(node) && node.name === "br") breakLine();
    else if (isElement(node) && !isCodeJunk(node) && !isDropped(node)) {
      // Apache's manual: a block that is set in.
      if (hasClass(node, "indent")) {
        indent(1);
        stack.push(INDENT_ENDS);
      }
      stack.push(...node.children.toReversed());
    }
  }
  return lines
    .map(({ text, depth: level }) => `${"  ".repeat(level)}${collapse(text).trim()}`.trimEnd())
    .join("\n")
    .trim();
}

/** On the stack of a walk: the end of lines that are set in. */
const INDENT_ENDS = "indent ends";

/** On the stack of a walk: the end of an element that is a line, and how much was written before it. */
class LineEnd {
  readonly partsBefore: number;

  constructor(partsBefore: number) {
    this.partsBefore = partsBefore;
  }
}

function isLine(element: Element): boolean {
  if (BLOCK_TAGS.has(element.name)) return true;
  if (element.name !== "span" && element.name !== "code") return false;
  for (const name of classesOf(element)) if (LINE_CLASSES.has(name)) return true;
  return hasAttribute(element, "data-line");
}

function trimCode(raw: string): string {
  let text = raw.includes("\r") ? raw.replace(/\r\n?/g, "\n") : raw;
  // A no-break space in code is a site's way to keep an indent; copied, it would not compile.
  if (text.includes("\u{a0}")) text = text.replaceAll("\u{a0}", " ");
  text = withoutInvisible(text);
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\n") start = i + 1;
    else if (text[i] !== " " && text[i] !== "\t") break;
  }
  return text.slice(start).trimEnd();
}

function withoutBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return text.slice(0, end);
}
