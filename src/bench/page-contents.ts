import type { Generator } from "../convert/generators/generator.ts";
import { DROPPED_EVERYWHERE } from "../convert/generators/generators.ts";
import { admonitionOf } from "../convert/read/admonition.ts";
import { isBlockTag } from "../convert/read/block-tags.ts";
import { boilerplateTest } from "../convert/read/boilerplate.ts";
import { codeText, exampleOf } from "../convert/read/code-text.ts";
import { classesOf, hasClass, isElement, parentOf, textOf, type AnyNode, type Element } from "../convert/read/dom.ts";
import { isPermalink } from "../convert/read/heading.ts";
import { isHidden, isSilent } from "../convert/read/hidden.ts";
import { SelectorSet } from "../convert/read/selectors.ts";
import { findTabs } from "../convert/read/tabs.ts";
import { isIconNote, isSetApart, isUnseen } from "./generator-styles.ts";
import { headingRowOf, isLayoutTable, isLineNumberCell } from "../convert/read/table-kind.ts";

/** What a reader sees in a page or in its Markdown, to hold one against the other. */
export interface Contents {
  readonly codeBlocks: number;
  readonly tables: number;
  /** Texts of the headings. */
  readonly headings: readonly string[];
  readonly words: readonly string[];
}

/** The same of a page. */
export interface PageContents extends Contents {
  /** How many words are in elements that the generator's rules drop by name. */
  readonly dropped: number;
}

/** Where a node of a page stands. */
interface Place {
  /** In a cell of a table, where a block of code or a heading is a piece of a line. */
  readonly inCell?: boolean;
  readonly inCode?: boolean;
  readonly inHeading?: boolean;
  /** In a box for a note that is laid out as a table. */
  readonly inNote?: boolean;
  /** Holds the title of the note that the node is in. */
  readonly noteTitle?: Element | undefined;
}

type Task = { readonly node: AnyNode; readonly place: Place } | (() => void);

const INLINE =
  /^(?:a|abbr|acronym|b|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr)$/;

/**
 * Counts what is in the main content of a page, straight from its elements: not what the converter made of them. What is hidden
 * by the page, by the style sheets of its generator, or dropped by the generator's rules does not count, for it is no part of the
 * text; the words of what those rules drop are added up beside.
 */
export function contentsOfPage(parts: readonly Element[], generator: Generator, html: string): PageContents {
  const tabs = findTabs(parts, html);
  const isBoilerplate = boilerplateTest(html);
  const drop = new SelectorSet([...DROPPED_EVERYWHERE, ...(generator.drop ?? []), ...(generator.contents ?? [])]);
  const codeClasses = new Set(generator.codeBlocks);
  const codeLines = new Set(generator.codeLines);
  const { gridTable } = generator;
  const headings: string[] = [];
  let codeBlocks = 0;
  let tables = 0;
  let images = 0;
  let dropped = 0;
  const texts: string[] = [];
  const textSince = (start: number): string => texts.slice(start).join("").trim();
  const stack: Task[] = [];
  const enter = (children: readonly AnyNode[], place: Place, after?: () => void): void => {
    if (after !== undefined) stack.push(after);
    for (const node of children.toReversed()) stack.push({ node, place });
  };

  const visit = (element: Element, place: Place): void => {
    const { name, children } = element;
    // An empty `span` stands for a sign that the style sheet puts there, such as the dot in a name.
    const space = (): void => {
      if (
        !INLINE.test(name) ||
        isSetApart(element) ||
        (name === "span" && children.length === 0 && place.inCode !== true)
      )
        texts.push(" ");
    };
    space();
    const start = texts.length;
    if (name === "img") images++;
    if (name === "p" && exampleOf(element) !== undefined && place.inCell !== true) {
      codeBlocks++;
      enter(children, { ...place, inCode: true }, space);
    } else if (name === "pre" || classesOf(element).some((one) => codeClasses.has(one))) {
      if (place.inCell !== true && place.inCode !== true && place.inHeading !== true && codeText(element) !== "")
        codeBlocks++;
      enter(children, { ...place, inCode: true }, space);
    } else if (
      name === "table" &&
      !(place.inNote === true || place.inCell === true || place.inCode === true) &&
      // Docutils lays its notes out as tables.
      !hasClass(element, "footnote") &&
      !hasClass(element, "citation") &&
      !isLayoutTable(element, headingRowOf(element))
    ) {
      const imagesBefore = images;
      enter(children, { ...place, inCell: true }, () => {
        if (textSince(start) !== "" || images > imagesBefore) tables++;
        space();
      });
    } else if (classesOf(element).some((one) => codeLines.has(one))) {
      // A declaration is a line of code, even where it is laid out as a table.
      enter(children, { ...place, inCell: true, inHeading: true }, space);
    } else if (gridTable !== undefined && hasClass(element, gridTable.table) && place.inCell !== true) {
      tables++;
      enter(children, { ...place, inCell: true }, space);
    } else if (element === place.noteTitle) {
      enter(children, { ...place, inHeading: true, inCell: true }, space);
    } else if (/^h[1-4]$/.test(name) && place.inCell !== true) {
      enter(children, { ...place, inHeading: true }, () => {
        const heading = textSince(start);
        if (heading !== "") headings.push(heading);
        space();
      });
    } else {
      const title = place.inHeading === true ? undefined : admonitionOf(element)?.title;
      const isTerm = name === "dt" || (name === "summary" && parentOf(element)?.name === "details");
      const inner: Place = {
        ...place,
        ...(title === undefined ? {} : { noteTitle: title }),
        ...(hasClass(element, "admonitionblock") || isIconNote(element) ? { inNote: true } : {}),
        ...(isTerm ? { inHeading: true } : {}),
      };
      enter(children, inner, space);
    }
  };

  for (const part of parts) enter(part.children, {}, () => void texts.push(" "));
  for (let task = stack.pop(); task !== undefined; task = stack.pop()) {
    if (typeof task === "function") task();
    else if (task.node.type === "text") texts.push(task.node.data);
    else if (isElement(task.node) && task.node.type === "tag") {
      const { node, place } = task;
      const isLinkToItself = node.name === "a" && isPermalink(node, place.inHeading === true);
      const isPanel = tabs.labelOf.has(node);
      const isNoText =
        node.name === "template" ||
        node.name === "footer" ||
        isUnseen(node) ||
        (!isPanel && (isSilent(node) || isHidden(node)));
      if (isNoText || isLinkToItself || isLineNumberCell(node)) continue;
      if (drop.matches(node) || (isBlockTag(node.name) && isBoilerplate(node))) dropped += wordsOf(textOf(node)).length;
      else visit(node, place);
    }
  }
  return {
    codeBlocks,
    tables,
    headings,
    dropped,
    words: wordsOf(texts.join("").replace(/[\u{200b}\u{ad}\u{feff}]/gu, "")),
  };
}

/** The words of a text in lower case. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
