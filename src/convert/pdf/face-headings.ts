import type { Line } from "./pdf-lines.ts";

/** Longer lines are sentences. */
const LONGEST = 80;
/** So far above a heading of the text's own size is the line before, in sizes; what follows is nearer, or as near. */
const LEAST_GAP = 1.55;
/** A face that heads nothing else is one of a single sentence. */
const LEAST_OF_FACE = 2;

/**
 * Headings no larger than the text: lines that stand alone in a face of their own, such as bold, each above a line in the face
 * of the text. A PDF names its fonts, and does not say which is bold; so a face counts that does this more than once.
 */
export function faceHeadings(pages: readonly (readonly Line[])[], bodySize: number): ReadonlySet<Line> {
  const body = bodyFont(pages);
  const found = new Map<string, Line[]>();
  for (const lines of pages) {
    for (const [i, line] of lines.entries()) {
      const face = faceOf(line);
      if (face === undefined || face === body || line.mono || line.hasGap || line.size < bodySize * 0.95) continue;
      if (!isTitleLike(line.text) || !standsAlone(line, lines[i - 1], lines[i + 1], body)) continue;
      const others = found.get(face);
      if (others === undefined) found.set(face, [line]);
      else others.push(line);
    }
  }
  return new Set([...found.values()].filter((lines) => lines.length >= LEAST_OF_FACE).flat());
}

/** The font of most letters. */
function bodyFont(pages: readonly (readonly Line[])[]): string {
  const letters = new Map<string, number>();
  for (const lines of pages) {
    for (const { runs } of lines) {
      for (const { font, text, mono } of runs) if (!mono) letters.set(font, (letters.get(font) ?? 0) + text.length);
    }
  }
  return [...letters].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

/** The one font of a line; undefined when it has more. */
function faceOf({ runs }: Line): string | undefined {
  const fonts = new Set(runs.filter(({ text }) => text.trim() !== "").map(({ font }) => font));
  return fonts.size === 1 ? [...fonts][0] : undefined;
}

function isTitleLike(text: string): boolean {
  return (
    text.length <= LONGEST &&
    /^(?:\p{Lu}|\p{Lo}|\d+(?:\.\d+)*\.? \p{Lu})/u.test(text) &&
    /\p{L}{3}/u.test(text) &&
    !/[.,;:]$/.test(text) &&
    !/^(?:fig(?:ure)?|table|listing)\b/i.test(text)
  );
}

function standsAlone(line: Line, before: Line | undefined, after: Line | undefined, body: string): boolean {
  const isApart = before === undefined || before.y <= line.y || before.y - line.y > line.size * LEAST_GAP;
  if (!isApart || after === undefined || after.y >= line.y || after.hasGap) return false;
  const isOfBody = after.mono || after.runs[0]?.font === body || after.runs.some(({ font }) => font === body);
  return isOfBody && line.x <= after.x + line.size;
}
