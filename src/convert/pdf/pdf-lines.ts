import { accented } from "./accents.ts";
import type { PdfPage, Run } from "./pdf-text.ts";

/** A line of a page, or a piece of one that stands apart from the rest. */
export interface Line {
  readonly runs: readonly Run[];
  readonly page: number;
  readonly x: number;
  readonly right: number;
  readonly y: number;
  /** Of most of its letters, in points. */
  readonly size: number;
  /** Whether all of it is in a font of one width. */
  readonly mono: boolean;
  /** As it is read, with one space where the page has a gap. */
  readonly text: string;
  /** Whether a gap as between the columns of a table is in it. */
  readonly hasGap: boolean;
}

/** Runs are of one line when their baselines differ by less, in sizes; an index is raised by about a third. */
const SAME_LINE = 0.45;
/** A gap that parts words, in sizes. */
const WORD_GAP = 0.15;
/** A gap that parts columns, in sizes; justified text has no such gaps. */
const COLUMN_GAP = 1.8;

/** The lines of a page in the order in which they are read: one column after the other. */
export function linesOf(page: PdfPage): Line[] {
  const fragments = fragmentsOf(page);
  return inReadingOrder(fragments, 0).flatMap((column) => joinedLines(column));
}

/** Puts runs together that follow each other on one baseline. A wide gap begins another fragment. */
function fragmentsOf({ runs, number }: PdfPage): Line[] {
  const fragments: Line[] = [];
  let open: Run[] = [];
  const close = (): void => {
    const line = lineOf(open, number);
    if (line !== undefined) fragments.push(line);
    open = [];
  };
  for (const run of runs) {
    // A run of spaces alone is a gap; its width says how wide.
    if (run.text.trim() === "") continue;
    const last = open.at(-1);
    if (last !== undefined && !follows(last, run)) close();
    open.push(run);
  }
  close();
  return fragments;
}

function follows(last: Run, run: Run): boolean {
  const size = Math.max(last.size, run.size);
  const gap = run.x - last.right;
  if (Math.abs(run.y - last.y) > size * SAME_LINE || gap < -size) return false;
  return gap < size * COLUMN_GAP || (last.mono && run.mono);
}

function lineOf(written: readonly Run[], page: number): Line | undefined {
  const runs = accented(written);
  const [first] = runs;
  if (first === undefined) return undefined;
  const sizes = new Map<number, number>();
  let mono = true;
  let hasGap = false;
  let text = "";
  let last: Run | undefined;
  for (const run of runs) {
    const letters = run.text.trim().length;
    sizes.set(run.size, (sizes.get(run.size) ?? 0) + letters);
    mono &&= run.mono;
    const gap = last === undefined ? 0 : run.x - last.right;
    hasGap ||= gap > run.size * COLUMN_GAP;
    text += gap > run.size * WORD_GAP && !text.endsWith(" ") && !run.text.startsWith(" ") ? ` ${run.text}` : run.text;
    last = run;
  }
  const [size = first.size] = [...sizes].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  const main = runs.find((run) => run.size === size) ?? first;
  return {
    runs,
    page,
    x: Math.min(...runs.map((run) => run.x)),
    right: Math.max(...runs.map((run) => run.right)),
    y: main.y,
    size,
    mono,
    text: text.trim(),
    hasGap,
  };
}

/** Columns of columns: a page of three is cut twice. */
const MAX_CUTS = 3;
/** Columns have so many lines at least. */
const LEAST_COLUMN_LINES = 6;
/** The lines of a column of prose fill so much of it, or it is the column of a table. */
const LEAST_FILL = 0.6;

/** Parts what stands in columns, and puts the left one before the right. What goes over both parts what is above and below. */
function inReadingOrder(fragments: readonly Line[], cuts: number): Line[][] {
  const gutter = cuts < MAX_CUTS ? gutterOf(fragments) : undefined;
  if (gutter === undefined) return [[...fragments]];
  const bands: Line[][][] = [];
  const byHeight = fragments.toSorted((a, b) => b.y - a.y);
  let left: Line[] = [];
  let right: Line[] = [];
  let across: Line[] = [];
  const close = (): void => {
    if (across.length > 0) bands.push([across]);
    if (left.length > 0) bands.push(inReadingOrder(left, cuts + 1));
    if (right.length > 0) bands.push(inReadingOrder(right, cuts + 1));
    [left, right, across] = [[], [], []];
  };
  for (const fragment of byHeight) {
    if (fragment.right <= gutter) left.push(fragment);
    else if (fragment.x >= gutter) right.push(fragment);
    else {
      if (left.length + right.length > 0) close();
      across.push(fragment);
    }
  }
  close();
  return bands.flat();
}

/** The place between two columns of prose; undefined when the page has one column. */
function gutterOf(fragments: readonly Line[]): number | undefined {
  if (fragments.length < 2 * LEAST_COLUMN_LINES) return undefined;
  const start = Math.min(...fragments.map((one) => one.x));
  const width = Math.max(...fragments.map((one) => one.right)) - start;
  const starts = new Map<number, number>();
  for (const { x } of fragments) starts.set(Math.round(x), (starts.get(Math.round(x)) ?? 0) + 1);
  const candidates = [...starts]
    .filter(([x, count]) => count >= LEAST_COLUMN_LINES && x > start + width * 0.2 && x < start + width * 0.8)
    .toSorted((a, b) => a[0] - b[0]);
  for (const [x] of candidates) {
    const gutter = x - 1;
    const left = fragments.filter((one) => one.right <= gutter);
    const right = fragments.filter((one) => one.x >= gutter);
    const across = fragments.length - left.length - right.length;
    const isFew = across <= fragments.length / 4;
    if (isFew && isProse(left, start, gutter) && isProse(right, x, start + width)) return gutter;
  }
  return undefined;
}

function isProse(column: readonly Line[], from: number, to: number): boolean {
  if (column.length < LEAST_COLUMN_LINES) return false;
  const full = column.filter((line) => line.right - line.x >= (to - from) * LEAST_FILL).length;
  return full >= column.length / 2;
}

/** Joins fragments that stand on one baseline in one column, from left to right; lines keep the order in which they were written. */
function joinedLines(fragments: readonly Line[]): Line[] {
  const lines: Line[] = [];
  for (const fragment of fragments) {
    const last = lines.at(-1);
    const isSameLine = last !== undefined && Math.abs(last.y - fragment.y) <= last.size * SAME_LINE;
    const joined = isSameLine
      ? lineOf(
          [...last.runs, ...fragment.runs].toSorted((a, b) => a.x - b.x),
          fragment.page,
        )
      : undefined;
    if (joined === undefined) lines.push(fragment);
    else lines[lines.length - 1] = joined;
  }
  return inWrittenOrder(lines);
}

/** A page whose lines jump about more often is written in no order. */
const MAX_JUMPS = 60;

/**
 * Most programs write a page as it is read, one column after the other, and the order is theirs: only what they write late and
 * stands above, such as a body after its foot, is put before that. Columns beside each other stay as they were written.
 */
function inWrittenOrder(lines: readonly Line[]): Line[] {
  const runs: Line[][] = [];
  for (const line of lines) {
    const last = runs.at(-1)?.at(-1);
    if (last === undefined || line.y > last.y + line.size) runs.push([line]);
    else runs.at(-1)?.push(line);
  }
  if (runs.length > MAX_JUMPS) return lines.toSorted((a, b) => b.y - a.y || a.x - b.x);
  const ordered: Placed[] = [];
  for (const run of runs.map(placed)) {
    const late = ordered.findIndex((before) => run.bottom >= before.top - 1 && overlaps(run, before));
    if (late === -1) ordered.push(run);
    else ordered.splice(late, 0, run);
  }
  return ordered.flatMap((run) => run.lines);
}

interface Placed {
  readonly lines: readonly Line[];
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

function placed(lines: readonly Line[]): Placed {
  return {
    lines,
    top: lines[0]?.y ?? 0,
    bottom: lines.at(-1)?.y ?? 0,
    left: Math.min(...lines.map(({ x }) => x)),
    right: Math.max(...lines.map(({ right }) => right)),
  };
}

function overlaps(a: Placed, b: Placed): boolean {
  return a.left < b.right && b.left < a.right;
}
