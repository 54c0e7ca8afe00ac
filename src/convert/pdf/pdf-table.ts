import type { Line } from "./pdf-lines.ts";
import type { Run } from "./pdf-text.ts";

/** A gap that parts cells, in sizes: less than one that shows that a line has columns, for those may come close. */
const CELL_GAP = 0.9;
/** Columns are parted by a strip that no cell reaches into, of so many sizes. */
const LEAST_STRIP = 0.6;
const LEAST_ROWS = 3;
const MOST_COLUMNS = 8;
/** So many of the rows have two cells or more, or they are no table. */
const LEAST_FULL_ROWS = 0.7;

interface Cell {
  readonly runs: Run[];
  readonly x: number;
  right: number;
}

/** A row: the runs of each of its cells. */
export type PdfRow = readonly (readonly Run[])[];

/**
 * The rows of a table, of lines whose cells stand below each other; undefined when they do not. A line with an empty first cell
 * goes on from the one above.
 */
export function tableRows(lines: readonly Line[]): readonly PdfRow[] | undefined {
  if (lines.length < LEAST_ROWS) return undefined;
  if (lines.filter(isNoRow).length > lines.length / 4) return undefined;
  const rows = lines.map(cellsOf);
  const size = lines[0]?.size ?? 10;
  const columns = columnsOf(rows.flat(), size * LEAST_STRIP);
  if (columns.length < 2 || columns.length > MOST_COLUMNS) return undefined;
  if (rows.filter((cells) => cells.length > 1).length < rows.length * LEAST_FULL_ROWS) return undefined;
  const table: Run[][][] = [];
  for (const cells of rows) {
    const placed: Run[][] = columns.map(() => []);
    for (const { runs, x, right } of cells) {
      const middle = (x + right) / 2;
      placed[columns.findIndex((column) => middle <= column.right)]?.push(...runs);
    }
    const above = table.at(-1);
    const goesOn = above !== undefined && placed[0]?.length === 0;
    if (goesOn) for (const [i, runs] of placed.entries()) above[i]?.push(...runs);
    else table.push(placed);
  }
  return table.length < LEAST_ROWS ? undefined : table;
}

/** Items of a list have a gap behind their sign, and code between its columns. */
function isNoRow({ runs, text }: Line): boolean {
  return /^[•◦▪‣●○■–∙·]/u.test(text) || runs.every(({ mono, text: part }) => mono || !/\p{L}/u.test(part));
}

function cellsOf({ runs }: Line): readonly Cell[] {
  const cells: Cell[] = [];
  for (const run of runs) {
    const last = cells.at(-1);
    if (last !== undefined && run.x - last.right < run.size * CELL_GAP) {
      last.runs.push(run);
      last.right = Math.max(last.right, run.right);
    } else cells.push({ runs: [run], x: run.x, right: run.right });
  }
  return cells;
}

/** What cells cover from left to right, where a strip of some width is free in all rows. */
function columnsOf(cells: readonly Cell[], strip: number): readonly { readonly right: number }[] {
  const columns: { right: number }[] = [];
  for (const cell of cells.toSorted((a, b) => a.x - b.x)) {
    const last = columns.at(-1);
    if (last !== undefined && cell.x - last.right < strip) last.right = Math.max(last.right, cell.right);
    else columns.push({ right: cell.right });
  }
  return columns;
}
