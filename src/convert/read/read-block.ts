import { MarkdownNode } from "../tree/markdown-node.ts";
import type { TreeBuilder } from "../tree/tree-builder.ts";
import { collapse } from "./clean-text.ts";
import { brokenLines, codeText, exampleOf } from "./code-text.ts";
import {
  attribute,
  classesOf,
  isElement,
  childElements,
  findElement,
  hasAttribute,
  hasClass,
  parentOf,
  textOf,
  textStart,
  type Element,
} from "./dom.ts";
import { readCheckMark } from "./check-mark.ts";
import { anchorOf } from "./heading.ts";
import { inlineCode } from "./inline-code.ts";
import { languageOf } from "./language.ts";
import type { PageReader, Task } from "./page-reader.ts";

/** An element that only groups: its edges part blocks. */
export function readBlock(reader: PageReader, element: Element): void {
  const { builder } = reader;
  if (hasClass(element, "hatnote")) {
    // MediaWiki's way to other pages of the name stands first, and does not describe this one.
    const block = builder.openText("P", ASIDE);
    reader.readChildren(element, () => builder.closeText(block));
    return;
  }
  builder.breakBlock();
  reader.readChildren(element, () => builder.breakBlock());
}

export function readParagraph(reader: PageReader, element: Element): void {
  const { builder } = reader;
  const example = exampleOf(element);
  if (example !== undefined) {
    builder.addBlock(
      new MarkdownNode("PRE", { language: languageOf(example) }, brokenLines(example, reader.isDroppedInCode)),
    );
    return;
  }
  const block = builder.openText("P");
  const list = parentOf(parentOf(element) ?? element);
  if (list !== undefined && hasClass(list, "checklist")) readCheckMark(reader, element);
  reader.readChildren(element, () => builder.closeText(block));
}

/** Of a paragraph that does not say what the page is about. */
export const ASIDE: Readonly<Record<string, string>> = { aside: "true" };

/** A list or item: what is in it is indented or marked. */
export function readContainer(name: string): (reader: PageReader, element: Element) => void {
  return (reader, element) => {
    const { builder } = reader;
    const value = attribute(element, "value");
    const container = builder.openContainer(name, value === "" ? undefined : { value });
    reader.readChildren(element, () => builder.closeContainer(container));
  };
}

export function readList(reader: PageReader, element: Element): void {
  const { builder } = reader;
  if (isLayoutList(reader, element)) {
    reader.layoutLists.add(element);
    readBlock(reader, element);
    return;
  }
  const attributes: Record<string, string> = {};
  if (hasAttribute(element, "start")) attributes["start"] = attribute(element, "start");
  // Sphinx and docutils put a paragraph into every item, and say of a tight list that it is simple.
  // AsciiDoctor does as much, and says nothing.
  const around = parentOf(element);
  const isAsciiDoc = around !== undefined && (hasClass(around, "ulist") || hasClass(around, "olist"));
  if (hasClass(element, "simple") || isAsciiDoc) attributes["tight"] = "true";
  const list = builder.openContainer(element.name === "ol" ? "OL" : "UL", attributes);
  reader.readChildren(element, () => builder.closeContainer(list));
}

export function readItem(reader: PageReader, element: Element): void {
  const list = parentOf(element);
  if (list !== undefined && reader.layoutLists.has(list)) readBlock(reader, element);
  else readContainer("LI")(reader, element);
}

/** Whether a list is there for the layout: its items begin with headings, and are sections. javadoc does so. */
function isLayoutList(reader: PageReader, list: Element): boolean {
  if (list.name !== "ul") return false;
  if (classesOf(list).some((name) => reader.options.layoutLists.has(name))) return true;
  const item = childElements(list).find((child) => child.name === "li");
  const first = item === undefined ? undefined : childElements(item)[0];
  return first !== undefined && (first.name === "section" || /^h[1-6]$/.test(first.name));
}

/** A heading that is code from end to end, such as the declaration of a function. */
export function readCodeHeading(reader: PageReader, element: Element): void {
  const { builder } = reader;
  const heading = builder.openText(element.name.toUpperCase(), { id: anchorOf(element) });
  const { text } = inlineCode(element, reader.isDroppedInCode);
  if (text !== "") builder.addInline(new MarkdownNode("CODE", undefined, text));
  builder.closeText(heading);
}

/** A declaration: a line of code by itself. */
export function readCodeLine(reader: PageReader, element: Element): void {
  const { builder } = reader;
  const { text } = inlineCode(element, reader.isDroppedInCode);
  const block = builder.openText("P");
  if (text !== "") builder.addInline(new MarkdownNode("CODE", undefined, text));
  builder.closeText(block);
}

export function readHeading(reader: PageReader, element: Element): void {
  readHeadingOf(reader, element, element.name.toUpperCase());
}

/** @param name `H1` to `H6`. */
export function readHeadingOf(reader: PageReader, element: Element, name: string): void {
  const { builder } = reader;
  const heading = builder.openText(name, { id: anchorOf(element) });
  builder.beginFlat();
  reader.headings++;
  const end = endOfHeading(element);
  reader.doNext(
    ...element.children.slice(0, end),
    () => {
      reader.headings--;
      builder.endFlat();
      builder.closeText(heading);
    },
    ...element.children.slice(end),
  );
}

/** What no heading holds: a heading that is closed by the wrong tag goes on until the page ends, and swallows all. */
const ENDS_HEADING = /^(?:h[1-6]|p|ul|ol|dl|table|pre|blockquote|section|article)$/;

/** How many children of a heading are of it: those before the first that belongs to the text after it. */
function endOfHeading(heading: Element): number {
  let isEmpty = true;
  for (const [i, child] of heading.children.entries()) {
    if (isElement(child) && !isEmpty && ENDS_HEADING.test(child.name)) return i;
    isEmpty &&= textStart(child, 1).trim() === "";
  }
  return heading.children.length;
}

/** Reads a line of its own that is set apart: a summary, a tab's label, a caption. `format` is how. */
export function readLine(
  reader: PageReader,
  content: readonly Task[],
  format: "STRONG" | "EM",
  after?: () => void,
  before?: MarkdownNode,
): void {
  const { builder } = reader;
  const block = builder.openText("P");
  if (before !== undefined) builder.addInline(before);
  builder.beginFlat();
  const opened = builder.openFormat(format);
  reader.headings++;
  reader.doNext(...content, () => {
    reader.headings--;
    if (opened) builder.closeFormat();
    builder.endFlat();
    builder.closeText(block);
    after?.();
  });
}

/** A summary is bold, unless it is a heading. */
export function readDetails(reader: PageReader, summary: Element): void {
  const isSummary = parentOf(summary)?.name === "details";
  if (isSummary && findElement(summary, (inner) => /^h[1-6]$/.test(inner.name)) === undefined)
    readLine(reader, summary.children, "STRONG");
  else readBlock(reader, summary);
}

/** Code stands near its caption. */
const MAX_LOOK_FOR_CODE = 100;

/** A caption stands before its table; the name of a file, before its code. */
export function readCaption(reader: PageReader, element: Element): void {
  const around = parentOf(element);
  const isOfCode =
    element.name !== "caption" &&
    element.name !== "legend" &&
    around !== undefined &&
    findElement(around, (inner) => inner.name === "pre", MAX_LOOK_FOR_CODE) !== undefined;
  const text = collapse(
    textOf(element, (inner) => hasClass(inner, "sr-only") || inner.name === "button" || hasClass(inner, "headerlink")),
  ).trim();
  if (!isOfCode || /\s/.test(text)) readLine(reader, element.children, element.name === "figcaption" ? "EM" : "STRONG");
  else if (text !== "") {
    const block = reader.builder.openText("P");
    reader.builder.addInline(new MarkdownNode("CODE", undefined, text));
    reader.builder.closeText(block);
  }
}

export function readTabPanel(reader: PageReader, panel: Element, label: string): void {
  const { builder } = reader;
  builder.breakBlock();
  const outer = builder.containers.tab;
  builder.containers.tab = label;
  // The label is no heading, for the names of languages would be in every breadcrumb.
  const block = builder.openText("P");
  if (block !== undefined) block.isTabLabel = true;
  writeStrong(builder, label);
  builder.closeText(block);
  const close = (): void => {
    builder.breakBlock();
    builder.containers.tab = outer;
  };
  if (panel.name !== "pre") reader.readChildren(panel, close);
  else {
    readCodeBlock(reader, panel);
    close();
  }
}

export function writeStrong(builder: TreeBuilder, text: string): void {
  const opened = builder.openFormat("STRONG");
  builder.text(text);
  if (opened) builder.closeFormat();
}

export function readFootnote(reader: PageReader, element: Element, label: string): void {
  const { builder } = reader;
  const note = builder.openContainer("X-FOOTNOTE", { label });
  reader.readChildren(element, () => builder.closeContainer(note));
  // AsciiDoctor writes `1. Text`, and the number is the label.
  const [number] = childElements(element);
  const text = number?.next;
  if (number !== undefined && reader.footnotes.isBackReference(number) && text?.type === "text") {
    text.data = text.data.replace(/^\.\s/, "");
  }
}

/** @param language Where the page does not say it. */
export function readCodeBlock(reader: PageReader, element: Element, language = languageOf(element)): void {
  const text = codeText(element, reader.isDroppedInCode);
  if (text === "") return;
  reader.builder.addBlock(new MarkdownNode("PRE", { language }, text));
}
