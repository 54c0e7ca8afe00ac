import type { Conversion, ConversionInput } from "../../domain/conversion.ts";
import { convertHtml } from "../html-page.ts";
import type { PageTrace } from "../page-trace.ts";
import { blocksOf, bodySizeOf, comparable, type PdfBlock } from "./pdf-blocks.ts";
import { escapeHtml, isTitle, pdfHtml } from "./pdf-html.ts";
import { linesOf, type Line } from "./pdf-lines.ts";
import { readPdf, UnreadablePdf } from "./pdf-text.ts";
import { withoutFurniture } from "./page-furniture.ts";

/** A page with less text than this, on average, is a picture. */
const LEAST_LETTERS_A_PAGE = 8;

/**
 * Converts a PDF: its text in reading order, headings by their size and by the bookmarks, code by its font, without running heads
 * and page numbers. A PDF that is encrypted, damaged or made of pictures is a failure.
 */
export async function convertPdf(
  input: Pick<ConversionInput, "url" | "body" | "options" | "aliases">,
  trace?: PageTrace,
): Promise<Conversion> {
  const pdf = await readPdf(input.body).catch((error: unknown) => {
    if (error instanceof UnreadablePdf) return error;
    throw error;
  });
  if (pdf instanceof UnreadablePdf) return { kind: "failed", reason: pdf.message };
  const written = pdf.pages.map(linesOf);
  const letters = written.flat().reduce((sum, { text }) => sum + text.length, 0);
  if (letters < LEAST_LETTERS_A_PAGE * pdf.pages.length) {
    return { kind: "failed", reason: "the PDF has pictures of its pages and no text; it must be recognised first" };
  }
  const bodySize = bodySizeOf(written);
  const bookmarks = new Set(pdf.outline.map(({ title }) => comparable(title)));
  bookmarks.delete("");
  const lines = withoutFurniture(written, bodySize, (text) => bookmarks.has(comparable(text)));
  const blocks = blocksOf(lines, pdf.outline, bodySize);
  const title = isTitle(pdf.title) ? pdf.title : titleOnFirstPage(written[0] ?? [], bodySize);
  const html = pdfHtml(withoutTitle(withoutCover(blocks, bookmarks), title));
  // What a pipeline says of the pages of its site is not of a PDF.
  const { content: _, preset: __, ...options } = input.options;
  return convertHtml(
    `<html lang="${escapeHtml(pdf.language).replaceAll('"', "")}"><head><title>${escapeHtml(title)}</title></head><body>${html}</body></html>`,
    { ...input, options: { ...options, preset: "generic" } },
    trace,
  );
}

const MOST_TITLE_LINES = 8;
const LONGEST_SMALL_LINE = 20;

/** The largest line of the first page, if it is larger than the text. */
function titleOnFirstPage(lines: readonly Line[], bodySize: number): string {
  const largest = Math.max(0, ...lines.map(({ size }) => size));
  if (largest <= bodySize * 1.2) return "";
  const first = lines.findIndex(({ size }) => Math.abs(size - largest) < 0.1);
  const title: string[] = [];
  let waiting: string[] = [];
  // A small word may stand between the large ones: "A Tutorial / for / PARI".
  for (const line of lines.slice(first, first + MOST_TITLE_LINES)) {
    if (Math.abs(line.size - largest) > 0.1) {
      if (line.size <= bodySize * 1.2 || line.text.length > LONGEST_SMALL_LINE) break;
      waiting.push(line.text);
    } else {
      title.push(...waiting, line.text);
      waiting = [];
    }
  }
  return title.join(" ").slice(0, 200);
}

/** What is large on the pages before the first bookmark is the cover, and heads nothing. */
function withoutCover(blocks: readonly PdfBlock[], bookmarks: ReadonlySet<string>): PdfBlock[] {
  const first = blocks.findIndex((block) => block.kind === "heading" && bookmarks.has(comparable(textOf(block))));
  const isCover = (block: PdfBlock, i: number): boolean =>
    i < first && block.kind === "heading" && (block.lines[0]?.page ?? MAX_COVER_PAGES + 1) <= MAX_COVER_PAGES;
  return blocks.map((block, i) => (isCover(block, i) ? { kind: "cover", lines: block.lines } : block));
}

const MAX_COVER_PAGES = 2;

/**
 * Drops the title, which a document carries beside, a heading over a table of contents that is gone, and one that says again what
 * the one before it says. `Chapter 3` and its name are one heading.
 */
function withoutTitle(blocks: readonly PdfBlock[], title: string): PdfBlock[] {
  const kept: PdfBlock[] = [];
  let isSeen = false;
  for (const [i, block] of blocks.entries()) {
    const last = kept.at(-1);
    const text = block.kind === "heading" || block.kind === "cover" ? comparable(textOf(block)) : "";
    const isContents = /^(?:table ?of ?)?contents$/.test(text) && blocks[i + 1]?.kind === "heading";
    // The title may be written in pieces, each larger than the text.
    const isPiece = i < MOST_TITLE_LINES && text !== "" && comparable(title).includes(text) && kept.length === 0;
    const isTitleItself: boolean = isPiece || (!isSeen && text !== "" && text === comparable(title));
    isSeen ||= isTitleItself;
    if (block.kind === "cover") {
      if (!isTitleItself) kept.push(block);
    } else if (block.kind !== "heading" || last?.kind !== "heading") {
      if (!isContents && !isTitleItself) kept.push(block);
    } else if (/^(?:chapter|appendix|part|section) [\dA-Z]{1,5}\.?$/i.test(textOf(last))) {
      kept[kept.length - 1] = { ...last, lines: [...last.lines, ...block.lines] };
    } else if (!isContents && !isTitleItself && comparable(textOf(last)) !== text) kept.push(block);
  }
  return kept;
}

function textOf({ lines }: PdfBlock): string {
  return lines.map(({ text }) => text).join(" ");
}
