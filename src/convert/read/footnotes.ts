import type { ParentNode } from "domhandler";
import {
  attribute,
  childElements,
  descendants,
  findElement,
  hasClass,
  isElement,
  parentOf,
  textStart,
  type Element,
} from "./dom.ts";
import { wrapTexinfoNotes } from "./texinfo-footnotes.ts";

/** The footnotes of a page. */
export interface Footnotes {
  /** The label of a note that a link of the text refers to; undefined when the link is none. */
  referenceTo(link: Element): string | undefined;
  /** The label of the note that an element is; undefined when it is none. */
  labelOf(element: Element): string | undefined;
  /** Whether an element only leads back from a note, or repeats its label. */
  isBackReference(element: Element): boolean;
  /** Whether a list is one of notes, which number themselves. */
  isNoteList(element: Element): boolean;
  /** Whether an element only parts the notes from the text. */
  isSeparator(element: Element): boolean;
}

const NO_FOOTNOTES: Footnotes = {
  referenceTo: () => undefined,
  labelOf: () => undefined,
  isBackReference: () => false,
  isNoteList: () => false,
  isSeparator: () => false,
};

const NOTE_LISTS: ReadonlySet<string> = new Set(["ol", "ul", "aside", "dl"]);

const CONTAINER_CLASSES = [
  "footnotes",
  "footnote",
  "footnotes-list",
  "references",
  "md-footnotes",
  "footnote-definition",
];

/** Finds footnotes as Python-Markdown, remark, Pandoc, Sphinx, DocBook, AsciiDoctor, mdBook, MediaWiki and Texinfo write them. */
export function findFootnotes(roots: readonly ParentNode[], html: string): Footnotes {
  if (!html.includes("footnote") && !html.includes("doc-endnote") && !html.includes('class="references"'))
    return NO_FOOTNOTES;
  if (html.includes('"FOOT1"')) wrapTexinfoNotes(roots);
  const byId = new Map<string, { readonly element: Element; readonly label: string }>();
  const labelByElement = new Map<Element, string>();
  const inNote = new Set<Element>();
  const labelElements = new Set<Element>();
  for (const root of roots) {
    for (const element of descendants(root)) {
      if (inNote.has(parentOf(element) ?? element)) inNote.add(element);
      const { id } = element.attribs;
      if (id === undefined || !isNote(element)) continue;
      const note = element.name === "dt" ? nextElement(element) : element;
      const labelElement = labelElementOf(element);
      const label = cleanLabel(labelElement === undefined ? "" : textStart(labelElement, 20)) || String(byId.size + 1);
      if (labelElement !== undefined) labelElements.add(labelElement);
      if (note === undefined) continue;
      byId.set(id, { element: note, label });
      labelByElement.set(note, label);
      inNote.add(note);
    }
  }
  if (byId.size === 0) return NO_FOOTNOTES;
  return {
    referenceTo(link) {
      const href = attribute(link, "href");
      if (!href.startsWith("#") || inNote.has(link)) return undefined;
      return byId.get(decodeFragment(href.slice(1)))?.label;
    },
    labelOf: (element) => labelByElement.get(element),
    isBackReference(element) {
      if (labelElements.has(element)) return true;
      if (element.name !== "a" || !inNote.has(element) || !attribute(element, "href").startsWith("#")) return false;
      if (attribute(element, "role") === "doc-backlink" || /back|para|return/.test(attribute(element, "class")))
        return true;
      return !/[\p{L}]/u.test(textStart(element, 20)) || attribute(element, "href").startsWith("#fnref");
    },
    isNoteList: (element) =>
      NOTE_LISTS.has(element.name) && childElements(element).some((item) => labelByElement.has(item)),
    isSeparator(element) {
      if (element.name !== "hr") return false;
      const next = nextElement(element);
      return hasAnyClass(parentOf(element)) || (next !== undefined && (labelByElement.has(next) || hasAnyClass(next)));
    },
  };
}

function isNote(element: Element): boolean {
  switch (element.name) {
    case "li": {
      const list = parentOf(element);
      const around = list === undefined ? undefined : parentOf(list);
      return hasAnyClass(list) || hasAnyClass(around) || attribute(around ?? element, "role") === "doc-endnotes";
    }
    case "aside":
    case "div":
      return hasClass(element, "footnote") || hasClass(element, "footnote-definition");
    case "dt":
      return hasClass(element, "label") && hasClass(parentOf(element) ?? element, "footnote");
    case "tr":
    case "table":
      return hasClass(element, "footnote");
    default:
      return false;
  }
}

/** Where the note repeats its own label, which Markdown writes itself. */
function labelElementOf(note: Element): Element | undefined {
  if (note.name === "dt") return note;
  if (note.name === "li") return undefined;
  return findElement(note, isLabel, MAX_LOOK_FOR_LABEL);
}

/** A label comes first in its note. */
const MAX_LOOK_FOR_LABEL = 6;

/** A label's link holds a number or sign; one that holds a word leads elsewhere. */
function isLabel(element: Element): boolean {
  if (hasClass(element, "label") || hasClass(element, "footnote-definition-label")) return true;
  return (
    element.name === "a" && attribute(element, "href").startsWith("#") && !/\p{L}{2}/u.test(textStart(element, 20))
  );
}

/** A label is one word to Markdown. */
function cleanLabel(text: string): string {
  return text.replace(/[^\p{L}\p{N}_-]/gu, "");
}

function hasAnyClass(element: Element | undefined): boolean {
  return element !== undefined && CONTAINER_CLASSES.some((name) => hasClass(element, name));
}

function nextElement(element: Element): Element | undefined {
  let { next } = element;
  while (next !== null && !isElement(next)) next = next.next;
  return next ?? undefined;
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
