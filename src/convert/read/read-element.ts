import type { ParentNode } from "domhandler";
import { MarkdownNode } from "../tree/markdown-node.ts";
import { admonitionOf } from "./admonition.ts";
import { GROUPING_TAGS, hasBlock, isBlockTag } from "./block-tags.ts";
import { classesOf, attribute, childElements, findElement, hasClass, parentOf, type Element } from "./dom.ts";
import { isAsciiDocTitle, isBeforeCode, isCodeTitleClass } from "./block-title.ts";
import { isHidden, isSilent } from "./hidden.ts";
import { isLanguageLabel } from "./language.ts";
import { drawingText } from "./media.ts";
import { formulaOf, isRenderedFormula } from "./math.ts";
import { PageReader, type ReadOptions } from "./page-reader.ts";
import {
  ASIDE,
  readBlock,
  readCaption,
  readCodeBlock,
  readDetails,
  readCodeHeading,
  readCodeLine,
  readFootnote,
  readHeading,
  readLine,
  readList,
  readParagraph,
  readItem,
  readTabPanel,
} from "./read-block.ts";
import { readCell, readGridTable, readRoleTable, readTable, readTableRow } from "./read-table.ts";
import { readDefinition, readDefinitions, readTerm } from "./read-definitions.ts";
import {
  readEmbed,
  readFormat,
  readImage,
  readInlineCode,
  readLink,
  readQuotation,
  readRubyText,
} from "./read-inline.ts";
import { readAdmonition, readQuote } from "./read-note.ts";
import { readByRule } from "./read-by-rule.ts";
import { siteRuleOf } from "./site-rules.ts";
import { attributeLabel, isTabLabel } from "./tabs.ts";
import { isAmongWords, isOpener } from "./text-button.ts";

/** What an element means, by its name. Each reads the element and all that is in it. */
const READERS: ReadonlyMap<string, (reader: PageReader, element: Element) => void> = new Map([
  ...each(["h1", "h2", "h3", "h4", "h5", "h6"], readHeading),
  ["p", readParagraph],
  ["pre", readCodeBlock],
  ...each(["code-block", "code-example", "code-snippet", "docs-code"], readCodeElement),
  ["listing", readCodeBlock],
  ["xmp", readCodeBlock],
  ["plaintext", readCodeBlock],
  ...each(["ul", "ol", "menu", "dir"], readList),
  ["li", readItem],
  ["blockquote", readQuote],
  ["table", readTable],
  ["tr", readTableRow],
  ["td", readCell],
  ["th", readCell],
  ["caption", readCaption],
  ["figcaption", readCaption],
  ["legend", readCaption],
  ["dl", readDefinitions],
  ["dt", readTerm],
  ["dd", readDefinition],
  ["details", readBlock],
  ["summary", readDetails],
  ...each(["b", "strong"], readFormat("STRONG")),
  ...each(["i", "em", "var", "dfn", "cite"], readFormat("EM")),
  ...each(["del", "s", "strike"], readFormat("DEL")),
  ["sup", readFormat("SUP")],
  ["sub", readFormat("SUB")],
  ...each(["code", "kbd", "samp", "tt"], readInlineCode),
  ["a", readLink],
  ["img", readImage],
  ["q", readQuotation],
  ["button", readButton],
  ["rt", readRubyText],
  ...each(["video", "audio", "iframe"], readEmbed),
  ["br", (reader: PageReader) => reader.builder.lineBreak()],
  ["hr", readRule],
]);

/** Reads the parts of a page into the clean tree. Never throws, whatever the page. */
export function readParts(roots: readonly ParentNode[], options: ReadOptions): MarkdownNode {
  return new PageReader(roots, options, readElement).read(roots);
}

/** Reads one element: passes over what is hidden or no text, finds what it is meant as, and leaves its content to the walk. */
function readElement(reader: PageReader, element: Element): void {
  const { name } = element;
  if (reader.done.has(element)) return;
  if (reader.options.rules !== undefined && readRuled(reader, element)) return;
  if (reader.hasFormulas && readFormula(reader, element)) return;
  if (name === "script") return;
  if (name === "template" && element.attribs["shadowrootmode"] !== undefined) {
    readBlock(reader, element);
    return;
  }
  if (isTabLabel(reader.tabs, element)) return;
  const label = reader.tabs.labelOf.get(element) ?? attributeLabel(element);
  if (label === "" || !reader.tabs.labelOf.has(element)) {
    if (name === "input" && readTask(reader, element)) return;
    if (isDropped(reader, element)) {
      reader.options.onDrop?.(element);
      return;
    }
  }
  markAnchor(reader, element);
  if (reader.footnotes.isBackReference(element) || reader.footnotes.isSeparator(element)) return;
  if (label !== "") readTabPanel(reader, element, label);
  else readMeaning(reader, element);
}

/** What a pipeline says of an element is so, whatever else is known of it. */
function readRuled(reader: PageReader, element: Element): boolean {
  const label = reader.panels.get(element);
  const rule = siteRuleOf(reader.options.rules ?? [], element);
  if (rule === undefined && label === undefined) return false;
  markAnchor(reader, element);
  if (rule !== undefined) reader.options.onRule?.(element, rule);
  if (label !== undefined) readTabPanel(reader, element, label);
  else if (rule !== undefined) readByRule(reader, element, rule);
  return true;
}

/** Tells the builder by which id the page links to what comes. */
function markAnchor(reader: PageReader, element: Element): void {
  const { name, attribs } = element;
  const id = attribs["id"] || (name === "a" ? attribs["name"] : "");
  if (id === undefined || id === "") return;
  // The second term of an item goes on in the line of the first.
  const definitions = name === "dt" ? reader.definitions.at(-1) : undefined;
  const goesOn = definitions !== undefined && !definitions.objects && definitions.last === "term";
  reader.builder.mark(id, goesOn || !isBlockTag(name));
}

/** Whether an element is no part of the text, with all that is in it. */
function isDropped(reader: PageReader, element: Element): boolean {
  const { drop, keep } = reader.options;
  if (keep?.matches(element) === true) return false;
  return (
    isSilent(element) ||
    drop.matches(element) ||
    isHidden(element) ||
    isStrayPart(reader, element) ||
    isLanguageLabel(element) ||
    ((isBlockTag(element.name) || element.name === "a") && reader.isBoilerplate(element))
  );
}

function readMeaning(reader: PageReader, element: Element): void {
  const { name } = element;
  const note = reader.footnotes.labelOf(element);
  if (note !== undefined) {
    readFootnote(reader, element, note);
    return;
  }
  if (reader.footnotes.isNoteList(element)) {
    readBlock(reader, element);
    return;
  }
  for (const className of classesOf(element)) {
    // The source of a diagram, which a script is still to draw.
    if (className === "mermaid" && (name === "div" || name === "pre") && !hasDrawing(element)) {
      readCodeBlock(reader, element, "mermaid");
      return;
    }
    if ((reader.options.codeBlocks.has(className) || CODE_BOXES.has(className)) && name !== "code") {
      readCodeBlock(reader, element);
      return;
    }
    if (reader.options.codeLines.has(className)) {
      if (/^h[1-6]$/.test(name)) readCodeHeading(reader, element);
      else readCodeLine(reader, element);
      return;
    }
    if (reader.options.blocks.has(className)) {
      readBlock(reader, element);
      return;
    }
    if (className === reader.options.gridTable?.table) {
      readGridTable(reader, element, reader.options.gridTable.firstCell);
      return;
    }
    if (className === "stab" && !isBlockTag(name)) {
      // rustdoc's badges stand right behind the name, and are set apart by the style sheet.
      reader.builder.addSpace();
      reader.readChildren(element, () => reader.builder.addSpace());
      return;
    }
    if (className === "title" && isAsciiDocTitle(element)) {
      readCaption(reader, element);
      return;
    }
    if (isCodeTitleClass(className) && name !== "pre" && (isBlockTag(name) || isBeforeCode(element))) {
      readCaption(reader, element);
      return;
    }
  }
  const admonition = reader.headings === 0 ? admonitionOf(element) : undefined;
  if (admonition !== undefined) readAdmonition(reader, element, admonition);
  else {
    const read = READERS.get(name);
    if (read !== readTable && attribute(element, "role") === "table") readRoleTable(reader, element);
    else if (read !== undefined) read(reader, element);
    else if (GROUPING_TAGS.has(name)) readBlock(reader, element);
    else if (attribute(element, "data-as") === "p") readParagraph(reader, element);
    else if (name.includes("-") && hasBlock(element)) readBlock(reader, element);
    else if (name === "svg") readDrawing(reader, element);
    else reader.readChildren(element);
  }
}

/** Boxes of code that are no `pre`: SyntaxHighlighter's, and those of a file on GitHub. */
const CODE_BOXES: ReadonlySet<string> = new Set(["syntaxhighlighter", "js-file-line-container"]);

/** Elements of Writerside's and Angular's for code; some hold the `pre` already. */
function readCodeElement(reader: PageReader, element: Element): void {
  if (findElement(element, ({ name }) => name === "pre") === undefined) readCodeBlock(reader, element);
  else readBlock(reader, element);
}

function hasDrawing(element: Element): boolean {
  return childElements(element).some((child) => child.name === "svg");
}

function readFormula(reader: PageReader, element: Element): boolean {
  const formula = formulaOf(element);
  if (formula === undefined) return isRenderedFormula(element);
  if (formula.tex !== "") {
    const block = formula.display && reader.headings === 0;
    const node = new MarkdownNode(block ? "X-MATH-BLOCK" : "X-MATH", undefined, formula.tex);
    if (block) reader.builder.addBlock(node);
    else reader.builder.addInline(node);
  }
  return true;
}

/** The box of a task list; other boxes belong to forms. */
function readTask(reader: PageReader, input: Element): boolean {
  if (attribute(input, "type") !== "checkbox" || reader.builder.containers.innermost.nodeName !== "LI") return false;
  reader.builder.addInline(new MarkdownNode("X-TASK", { checked: input.attribs["checked"] === undefined ? " " : "x" }));
  reader.builder.addSpace();
  return true;
}

/** Feet and forms hold what is about the page; in a quote a foot names who said it, and some old sites put all into a form. */
function isStrayPart(reader: PageReader, element: Element): boolean {
  if (element.name === "footer") return reader.quotes === 0;
  if (element.name === "form")
    return (
      !childElements(element).some(
        (child) => isBlockTag(child.name) && child.name !== "div" && child.name !== "fieldset",
      ) && !hasDeepText(element)
    );
  return false;
}

function hasDeepText(form: Element): boolean {
  return childElements(form).some((child) =>
    childElements(child).some((inner) => /^(?:p|pre|h[1-6]|table|ul)$/.test(inner.name)),
  );
}

/** In a cell, which is one line, there is nothing to part. */
function readRule(reader: PageReader): void {
  const { nodeName } = reader.builder.containers.innermost;
  if (nodeName !== "TD" && nodeName !== "TH") reader.builder.addBlock(new MarkdownNode("HR"));
}

/** A button that is text: the title of what it opens is bold, as a summary is; any other is words. */
function readButton(reader: PageReader, element: Element): void {
  if (reader.headings > 0 || !isOpener(element) || isAmongWords(element)) reader.readChildren(element);
  else readLine(reader, element.children, "STRONG");
}

/** A drawing is passed over, but for what it says. */
function readDrawing(reader: PageReader, element: Element): void {
  const around = parentOf(element);
  const isFigure = around !== undefined && (around.name === "figure" || hasClass(around, "figure"));
  const { text, isDiagram } = drawingText(element, isFigure);
  if (text === "") return;
  const { builder } = reader;
  const block = builder.openText("P", ASIDE);
  if (isDiagram) {
    const opened = builder.openFormat("EM");
    builder.text("Diagram:");
    if (opened) builder.closeFormat();
    builder.addSpace();
  }
  builder.text(text);
  builder.closeText(block);
}

function each<T>(names: readonly string[], value: T): [string, T][] {
  return names.map((name) => [name, value]);
}
