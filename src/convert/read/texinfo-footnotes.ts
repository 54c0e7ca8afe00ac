import { Element as NewElement } from "domhandler";
import { attribute, childElements, descendants, hasClass, type AnyNode, type Element } from "./dom.ts";
import type { ParentNode } from "domhandler";

/**
 * Puts each footnote of Texinfo into an element of its own: there a note is a heading with its number, and whatever follows up to
 * the next one. The heading above all of them, and the rule, go.
 */
export function wrapTexinfoNotes(roots: readonly ParentNode[]): void {
  for (const root of roots) {
    for (const element of descendants(root)) {
      const isContainer = hasClass(element, "footnotes-segment") || hasClass(element, "footnote");
      if (isContainer && childElements(element).some((child) => noteNumber(child) !== undefined)) wrap(element);
    }
  }
}

function wrap(container: Element): void {
  const notes: Element[] = [];
  for (const child of container.children) {
    const number = child.type === "tag" ? noteNumber(child) : undefined;
    if (number !== undefined) {
      notes.push(
        new NewElement("div", { class: "footnote", id: attribute(number, "id") || attribute(number, "name") }),
      );
      append(notes.at(-1), number);
    } else append(notes.at(-1), child);
  }
  container.children = notes;
  container.attribs = { class: "footnotes-segment" };
  for (const note of notes) note.parent = container;
}

function append(note: Element | undefined, child: AnyNode): void {
  if (note === undefined) return;
  child.parent = note;
  note.children.push(child);
}

/** The link back with the number, in the heading of a note. */
function noteNumber(heading: Element): Element | undefined {
  if (!/^h[3-6]$/.test(heading.name)) return undefined;
  return childElements(heading).find(
    (link) => link.name === "a" && /^FOOT\d+$/.test(attribute(link, "id") || attribute(link, "name")),
  );
}
