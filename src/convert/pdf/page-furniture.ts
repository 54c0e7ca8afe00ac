import type { Line } from "./pdf-lines.ts";

/** How many lines at the top and at the bottom of a page may be furniture. */
const EDGE_LINES = 2;
/** A line that is at the same place on so many pages, and on a tenth of them all, is no text. */
const LEAST_PAGES = 3;
const LEAST_SHARE_OF_PAGES = 0.1;
/** Dots that lead from a heading to its page. */
const LEADERS = /(?:\s?\.){4,}\s{0,5}(?:\d{1,5}|[ivxlc]{1,7})$/;
const PAGE_AT_END = /^(.*\S)\s+(?:\d{1,5}|[ivxlc]{1,7})$/i;
const LEAST_ENTRIES = 3;

/**
 * Takes away running heads and feet, page numbers, and the lines of a table of contents.
 * @param bodySize Of the text, in points.
 * @param isBookmarked Whether a text is the name of a bookmark.
 */
export function withoutFurniture(
  pages: readonly (readonly Line[])[],
  bodySize: number,
  isBookmarked: (text: string) => boolean,
): Line[][] {
  const repeated = new Map<string, number>();
  const offsets = new Map<number, number>();
  const edges = pages.map(edgesOf);
  for (const edge of edges) {
    for (const line of edge) {
      repeated.set(placeKey(line), (repeated.get(placeKey(line)) ?? 0) + 1);
      for (const number of numbersIn(line)) {
        const offset = number - line.page;
        offsets.set(offset, (offsets.get(offset) ?? 0) + 1);
      }
    }
  }
  const least = Math.max(LEAST_PAGES, pages.length * LEAST_SHARE_OF_PAGES);
  // The number of a page differs from its place by as much on every page.
  const numbered = new Set([...offsets].filter(([, count]) => count >= least).map(([offset]) => offset));
  return pages.map((lines, i) => {
    const edge = edges[i] ?? new Set<Line>();
    const isEntry = ({ text }: Line): boolean => LEADERS.test(text) || isBookmarked(PAGE_AT_END.exec(text)?.[1] ?? "");
    const hasContents = lines.filter(isEntry).length >= LEAST_ENTRIES;
    return lines.filter((line) => {
      if (hasContents && isEntry(line)) return false;
      if (!edge.has(line)) return true;
      const isNumbered = isShort(line, bodySize) && numbersIn(line).some((number) => numbered.has(number - line.page));
      const isNumeral = /^[ivxlc]{1,7}$/i.test(line.text);
      return (repeated.get(placeKey(line)) ?? 0) < least && !isNumbered && !isNumeral;
    });
  });
}

const LONGEST_RUNNING_HEAD = 120;

/** A line in larger letters is a heading, whatever its number. */
function isShort({ text, size }: Line, bodySize: number): boolean {
  return text.length <= LONGEST_RUNNING_HEAD && size <= bodySize * 1.1;
}

/** The lines at the top and at the bottom that stand apart from the text, and are no code. */
function edgesOf(lines: readonly Line[]): ReadonlySet<Line> {
  const byHeight = lines.toSorted((a, b) => b.y - a.y);
  return new Set([...edge(byHeight), ...edge(byHeight.toReversed())].filter((line) => !line.mono));
}

function edge(lines: readonly Line[]): readonly Line[] {
  for (let count = 1; count <= EDGE_LINES; count++) {
    const [last, next] = [lines[count - 1], lines[count]];
    if (last === undefined) return [];
    if (next === undefined || Math.abs(last.y - next.y) > Math.max(last.size, next.size) * APART)
      return lines.slice(0, count);
  }
  return [];
}

/** Lines of text are about 1.2 sizes from each other. */
const APART = 1.45;

/** What a line says, whatever its numbers, and how high it stands. */
function placeKey({ text, y }: Line): string {
  return `${Math.round(y / 4)} ${text.replace(/\d+/g, "#")}`;
}

/** Numbers at the start or the end of a line, where those of pages are. */
function numbersIn({ text }: Line): readonly number[] {
  return [
    /^(\d{1,5})(?:\s|$)/.exec(text)?.[1],
    /(?:^|\s)(\d{1,5})$/.exec(text)?.[1],
    /(?:^|\s)(\d{1,5}) ?\/ ?\d{1,5}$/.exec(text)?.[1],
  ]
    .filter((number) => number !== undefined)
    .map(Number);
}
