import { faceHeadings } from "./face-headings.ts";
import type { Line } from "./pdf-lines.ts";
import type { PdfText } from "./pdf-text.ts";

/** What the lines of a PDF make up. */
export type PdfBlock =
  | { readonly kind: "heading"; readonly level: number; readonly lines: readonly Line[] }
  | { readonly kind: "code"; readonly lines: readonly Line[] }
  /** Rows whose columns mean something: they are kept as they stand. */
  | { readonly kind: "layout"; readonly lines: readonly Line[] }
  | { readonly kind: "item"; readonly lines: readonly Line[]; readonly x: number; readonly marker: string }
  | { readonly kind: "paragraph"; readonly lines: readonly Line[] }
  /** Lines of the cover, which do not say what the document is about. */
  | { readonly kind: "cover"; readonly lines: readonly Line[] };

/** A heading is so much larger than the text. */
const HEADING_SIZE = 1.12;
const LONGEST_HEADING = 200;
const MAX_LEVEL = 6;
/** A paragraph ends where the next line is further away than this, in distances between lines. */
const PARAGRAPH_GAP = 1.35;
/** Lines further apart, in sizes, are of two blocks in any case. */
const LARGEST_LEADING = 2.2;
/** How far the first line of a paragraph is indented, in sizes. */
const LEAST_INDENT = 0.8;
const BULLET = /^(?:[•◦▪‣●○■–∙·▸➢\u{f0b7}]|[-*](?= ))\s?/u;
const NUMBERED = /^(?:\(?(?:\d{1,3}|[a-zA-Z])\)|\d{1,3}\.)\s(?=\S)/;

/** The size of the text: that of most letters which are no code. */
export function bodySizeOf(pages: readonly (readonly Line[])[]): number {
  const letters = new Map<number, number>();
  for (const lines of pages) {
    for (const { size, text, mono } of lines) {
      const rounded = Math.round(size * 10) / 10;
      letters.set(rounded, (letters.get(rounded) ?? 0) + (mono ? text.length / 10 : text.length));
    }
  }
  return [...letters].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 10;
}

/** Puts lines together to blocks, over the ends of pages. */
export function blocksOf(
  pages: readonly (readonly Line[])[],
  outline: PdfText["outline"],
  bodySize: number,
): PdfBlock[] {
  const levels = headingLevels(pages, outline, bodySize);
  const blocks: PdfBlock[] = [];
  let open: { kind: PdfBlock["kind"]; lines: Line[]; level: number; marker: string } | undefined;
  const close = (): void => {
    if (open !== undefined) blocks.push(blockOf(open));
    open = undefined;
  };
  for (const lines of pages) {
    for (const [i, line] of lines.entries()) {
      const level = levels(line, lines[i + 1]);
      const kind = level > 0 ? "heading" : kindOf(line, lines[i - 1], lines[i + 1], bodySize);
      if (
        open !== undefined &&
        open.kind === "item" &&
        kind === "paragraph" &&
        continuesItem(open.lines, line, bodySize)
      ) {
        open.lines.push(line);
        continue;
      }
      if (
        open !== undefined &&
        open.kind === kind &&
        open.level === level &&
        kind !== "item" &&
        continues(kind, open.lines, line, bodySize)
      ) {
        open.lines.push(line);
        continue;
      }
      if (open !== undefined && kind === "paragraph" && isCellOf(open, line, bodySize)) {
        open.lines.push(line);
        continue;
      }
      if (open !== undefined && kind === "paragraph" && isTermOf(open, line, bodySize)) {
        open.kind = "paragraph";
        open.lines.push(line);
        continue;
      }
      close();
      open = { kind, lines: [line], level, marker: kind === "item" ? markerOf(line.text) : "" };
    }
  }
  close();
  return blocks;
}

/** Whether a line goes on from a cell of the row above: it stands right under its beginning. */
function isCellOf(
  open: { readonly kind: PdfBlock["kind"]; readonly lines: readonly Line[] },
  line: Line,
  bodySize: number,
): boolean {
  const last = open.lines.at(-1);
  if (open.kind !== "layout" || open.lines.length < 2 || last?.page !== line.page) return false;
  const gap = last.y - line.y;
  const isUnder = (run: { readonly x: number }): boolean => Math.abs(run.x - line.x) < 2;
  return gap > 0 && gap < bodySize * 1.65 && (last.runs.slice(1).some(isUnder) || (!last.hasGap && isUnder(last)));
}

/** Whether a line with a gap is a term with what is said of it, which goes on below, under its beginning. */
function isTermOf(
  open: { readonly kind: PdfBlock["kind"]; readonly lines: readonly Line[] },
  line: Line,
  bodySize: number,
): boolean {
  const [term] = open.lines;
  if (open.kind !== "layout" || open.lines.length > 1 || term === undefined || term.page !== line.page) return false;
  const gap = term.y - line.y;
  return gap > 0 && gap < bodySize * 1.65 && term.runs.slice(1).some((run) => Math.abs(run.x - line.x) < 2);
}

function blockOf(open: {
  readonly kind: PdfBlock["kind"];
  readonly lines: readonly Line[];
  readonly level: number;
  readonly marker: string;
}): PdfBlock {
  const { kind, lines, level, marker } = open;
  if (kind === "heading") return { kind, lines, level };
  if (kind === "item") return { kind, lines, marker, x: lines[0]?.x ?? 0 };
  // A single row with a gap in it is a line of text.
  return kind === "layout" && lines.length === 1 ? { kind: "paragraph", lines } : { kind, lines };
}

function kindOf(line: Line, before: Line | undefined, after: Line | undefined, bodySize: number): PdfBlock["kind"] {
  if (line.mono) return isWrappedCode(line, before, after, bodySize) ? "paragraph" : "code";
  if (markerOf(line.text) !== "" && !line.hasGap) return "item";
  return line.hasGap ? "layout" : "paragraph";
}

/** Whether a line is in a font of one width because the inline code of a paragraph fills it. */
function isWrappedCode(line: Line, before: Line | undefined, after: Line | undefined, bodySize: number): boolean {
  const isNear = (above: Line, below: Line): boolean =>
    above.y > below.y && above.y - below.y < bodySize * 1.5 && Math.abs(above.x - below.x) < bodySize / 2;
  if (before === undefined || before.mono || !isNear(before, line)) return false;
  // At the end of a paragraph the line before breaks off within code.
  return (after !== undefined && !after.mono && isNear(line, after)) || before.runs.at(-1)?.mono === true;
}

function markerOf(text: string): string {
  return BULLET.exec(text)?.[0] ?? NUMBERED.exec(text)?.[0] ?? "";
}

function continues(kind: PdfBlock["kind"], open: readonly Line[], line: Line, bodySize: number): boolean {
  const last = open.at(-1);
  const first = open[0];
  if (last === undefined || first === undefined) return false;
  const isNextPage = line.page !== last.page;
  const gap = last.y - line.y;
  switch (kind) {
    case "heading":
      return !isNextPage && gap > 0 && gap < line.size * 1.8 && Math.abs(line.size - last.size) < 0.5;
    case "code":
      // An empty line in code is a gap as well.
      return isNextPage || (gap > 0 && gap < line.size * 4);
    case "layout":
      return !isNextPage && gap > 0 && gap < bodySize * 2.5;
    default:
  }
  if (isNextPage || gap < 0) return isInSentence(last, line);
  if (Math.abs(line.size - last.size) > bodySize * 0.25 || gap > line.size * LARGEST_LEADING) return false;
  // Notes at the foot of a page are smaller, and each begins with its number.
  if (line.size < bodySize * 0.95 && /^\d{1,3} ?\p{L}/u.test(line.text)) return false;
  const leading = open.length > 1 ? (first.y - last.y) / (open.length - 1) : undefined;
  if (leading !== undefined && leading > 0 && gap > leading * PARAGRAPH_GAP) return false;
  if (leading === undefined && gap > line.size * 1.65) return false;
  return !isNewParagraph(open, last, line);
}

/** Where the distance says nothing: an indent, a hanging indent that ends, a line that breaks off early with its sentence. */
function isNewParagraph(open: readonly Line[], last: Line, line: Line): boolean {
  const indent = line.size * LEAST_INDENT;
  const isShort = last.right < line.right - line.size * SHORT_BY;
  if (line.x > last.x + indent) return open.length > 1 || isShort;
  if (line.x < last.x - indent) return open.length > 1;
  return isShort && /[.:!?]["”’)]?$/.test(last.text) && /^[\p{Lu}\p{Lo}“"‘'([\d]/u.test(line.text);
}

/** A line that ends so many sizes before the next one does is short. */
const SHORT_BY = 4;

/** A sentence goes on in the next column or on the next page. */
function isInSentence(last: Line, line: Line): boolean {
  return (
    !/[.!?:;]["”’)]?$/.test(last.text) && /^[\p{Ll}\p{N}(]/u.test(line.text) && Math.abs(line.size - last.size) < 0.6
  );
}

/** The lines of an item after its first are indented as its text is. */
function continuesItem(open: readonly Line[], line: Line, bodySize: number): boolean {
  const [first] = open;
  const last = open.at(-1);
  if (first === undefined || last === undefined) return false;
  if (line.page !== last.page) return isInSentence(last, line);
  const gap = last.y - line.y;
  if (gap < 0) return isInSentence(last, line);
  return line.x > first.x + bodySize * 0.3 && gap < line.size * 1.65;
}

/** Says for a line which level of heading it is: 2 and deeper, 0 for none. */
function headingLevels(
  pages: readonly (readonly Line[])[],
  outline: PdfText["outline"],
  bodySize: number,
): (line: Line, next: Line | undefined) => number {
  const depths = new Map<string, number>();
  for (const { title, depth } of outline) if (!depths.has(comparable(title))) depths.set(comparable(title), depth);
  const isLarge = (line: Line): boolean =>
    line.size > bodySize * HEADING_SIZE &&
    line.text.length <= LONGEST_HEADING &&
    /\p{L}/u.test(line.text) &&
    !line.hasGap;
  const bookmarked = (line: Line, next: Line | undefined): number | undefined => {
    if (line.mono && line.size <= bodySize * HEADING_SIZE) return undefined;
    const own = depths.get(comparable(line.text));
    if (own !== undefined || next === undefined || !isLarge(line)) return own;
    // A long heading takes two lines.
    return depths.get(comparable(`${line.text} ${next.text}`));
  };
  const bySize = new Map<number, number>();
  const sizes = new Set<number>();
  for (const lines of pages) {
    for (const [i, line] of lines.entries()) {
      if (!isLarge(line)) continue;
      const size = Math.round(line.size * 2) / 2;
      sizes.add(size);
      const depth = bookmarked(line, lines[i + 1]);
      if (depth !== undefined) bySize.set(size, Math.min(bySize.get(size) ?? MAX_LEVEL, depth + 2));
    }
  }
  const ranks = [...sizes].toSorted((a, b) => b - a);
  const inOtherFace = faceHeadings(pages, bodySize);
  const deepest = Math.min(MAX_LEVEL, Math.max(ranks.length + 2, ...[...bySize.values()].map((level) => level + 1)));
  return (line, next) => {
    const depth = bookmarked(line, next);
    const size = Math.round(line.size * 2) / 2;
    // A bookmark's name that is said within the text is no heading: headings stand alone, and end in no full stop.
    if (depth !== undefined && (isLarge(line) || isAlone(line, next))) return Math.min(MAX_LEVEL, depth + 2);
    if (!isLarge(line)) return inOtherFace.has(line) ? deepest : 0;
    return Math.min(MAX_LEVEL, bySize.get(size) ?? ranks.indexOf(size) + 2);
  };
}

function isAlone(line: Line, next: Line | undefined): boolean {
  return next === undefined || next.page !== line.page || line.y - next.y > line.size * 1.25 || line.size > next.size;
}

export function comparable(text: string): string {
  return text
    .toLowerCase()
    .replace(/^(?:chapter|appendix|section)\s+/, "")
    .replace(/^(?:\d{1,3}|[a-z])(?:\.\d{1,3}){0,6}\.?\s/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}
