import { MarkdownNode } from "../tree/markdown-node.ts";
import { hasBlock } from "./block-tags.ts";
import { collapse } from "./clean-text.ts";
import { attribute, childElements, parentOf, type Element } from "./dom.ts";
import { isPermalink } from "./heading.ts";
import { inlineCode } from "./inline-code.ts";
import { writtenFormula } from "./math.ts";
import { embedOf, isEmojiImage, isFormulaImage, pictureOf } from "./media.ts";
import type { PageReader } from "./page-reader.ts";

export function readFormat(name: string): (reader: PageReader, element: Element) => void {
  return (reader, element) => {
    const { builder } = reader;
    // A footnote's mark is raised in the page, and Markdown raises it itself.
    const mark = name === "SUP" ? noteMarkIn(reader, element) : undefined;
    if (mark !== undefined) {
      readLink(reader, mark);
      return;
    }
    const opened = builder.openFormat(name);
    reader.readChildren(element, opened ? () => builder.closeFormat() : undefined);
  };
}

function noteMarkIn(reader: PageReader, element: Element): Element | undefined {
  const links = childElements(element).filter((child) => child.name === "a");
  return links.length === 1 ? links.find((link) => reader.footnotes.referenceTo(link) !== undefined) : undefined;
}

export function readLink(reader: PageReader, element: Element): void {
  const { builder } = reader;
  if (isPermalink(element, reader.headings > 0)) return;
  const note = reader.footnotes.referenceTo(element);
  if (note !== undefined) {
    builder.addInline(new MarkdownNode("X-NOTE-MARK", { label: note }));
    return;
  }
  const reference = attribute(element, "href");
  // mdBook and rustdoc make each heading a link to itself.
  const href = reader.headings > 0 && reference.startsWith("#") ? "" : reader.options.links.resolve(reference);
  if (href === "") {
    reader.readChildren(element);
    return;
  }
  const holdsBlock = hasBlock(element);
  if (holdsBlock) builder.breakBlock();
  const title = collapse(attribute(element, "title")).trim();
  const opened = builder.openFormat("A", title === "" ? { href } : { href, title });
  reader.readChildren(element, () => {
    if (opened) builder.closeFormat();
    if (holdsBlock) builder.breakBlock();
  });
}

export function readInlineCode(reader: PageReader, element: Element): void {
  const { builder } = reader;
  const code = inlineCode(element, reader.isDroppedInCode);
  if (code.text === "") {
    if (code.spaceBefore) builder.addSpace();
    return;
  }
  if (code.spaceBefore) builder.addSpace();
  const href = code.href === "" || reader.headings > 0 ? "" : reader.options.links.resolve(code.href);
  const opened = href !== "" && builder.openFormat("A", { href });
  builder.addInline(new MarkdownNode("CODE", undefined, code.text));
  if (opened) builder.closeFormat();
  if (code.spaceAfter) builder.addSpace();
}

export function readImage(reader: PageReader, element: Element): void {
  const { builder } = reader;
  const picture = pictureOf(element);
  if (picture === undefined) return;
  if (isFormulaImage(element) && picture.alt !== "") {
    const { tex, display } = writtenFormula(picture.alt) ?? { tex: picture.alt, display: false };
    if (display && reader.headings === 0) builder.addBlock(new MarkdownNode("X-MATH-BLOCK", undefined, tex));
    else builder.addInline(new MarkdownNode("X-MATH", undefined, tex));
  } else {
    const src = isEmojiImage(element) ? "" : reader.options.links.resolve(picture.source);
    if (src === "") builder.text(picture.alt);
    else
      builder.addInline(
        new MarkdownNode("IMG", { src, alt: picture.alt, ...(picture.title === "" ? {} : { title: picture.title }) }),
      );
  }
}

/** A film or an inner page is given as a link to it. */
export function readEmbed(reader: PageReader, element: Element): void {
  const { builder } = reader;
  const embed = embedOf(element);
  const href = embed === undefined ? "" : reader.options.links.resolve(embed.source);
  if (embed === undefined || href === "") return;
  builder.breakBlock();
  const opened = builder.openFormat("A", { href });
  builder.text(embed.title);
  if (opened) builder.closeFormat();
  builder.breakBlock();
}

export function readQuotation(reader: PageReader, element: Element): void {
  reader.builder.text("“");
  reader.readChildren(element, () => reader.builder.text("”"));
}

/** How a word is read, in brackets after it; the page may have brackets itself. */
export function readRubyText(reader: PageReader, element: Element): void {
  const bracketed = childElements(parentOf(element) ?? element).some((child) => child.name === "rp");
  if (!bracketed) reader.builder.text("(");
  reader.readChildren(element, bracketed ? undefined : () => reader.builder.text(")"));
}
