import { classesOf, isElement, parentOf, type Element } from "./dom.ts";

/** Names of files above their code. */
export function isCodeTitleClass(name: string): boolean {
  return (
    name === "filename" || name === "code-title" || name === "code-block-caption" || name.startsWith("codeBlockTitle")
  );
}

/** Titles of AsciiDoctor's blocks, which are no headings. Those of its notes are read with them. */
export function isAsciiDocTitle(element: Element): boolean {
  const around = parentOf(element);
  return element.name === "div" && around !== undefined && classesOf(around).some((name) => ASCIIDOC_BLOCKS.has(name));
}

const ASCIIDOC_BLOCKS: ReadonlySet<string> = new Set([
  "listingblock",
  "literalblock",
  "exampleblock",
  "imageblock",
  "openblock",
  "videoblock",
  "stemblock",
  "ulist",
  "olist",
  "dlist",
  "paragraph",
]);

/** Whether code comes next: DocBook has `<code class="filename">` in the middle of a sentence, where it is only a name. */
export function isBeforeCode(element: Element): boolean {
  let next = element.next;
  while (next?.type === "text" && next.data.trim() === "") next = next.next;
  return isElement(next) && (next.name === "pre" || next.name === "table" || next.name === "div");
}
