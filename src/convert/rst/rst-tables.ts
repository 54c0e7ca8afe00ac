import { escapeHtml } from "./rst-source.ts";

/** Reads the lines of a cell as blocks. */
type ReadCell = (lines: readonly string[]) => string;

/** The table that begins at a line, and how many lines it takes; undefined when none does. */
export function tableAt(
  lines: readonly string[],
  at: number,
  read: ReadCell,
): { readonly html: string; readonly length: number } | undefined {
  const line = lines[at] ?? "";
  if (isGridBorder(line)) {
    let end = at;
    while (/^[+|]/.test(lines[end] ?? "")) end++;
    const block = lines.slice(at, end);
    return { html: gridTable(block, read) ?? asItStands(block), length: block.length };
  }
  const length = isSimpleBorder(line) ? simpleTableLength(lines, at) : 0;
  if (length === 0) return undefined;
  const block = lines.slice(at, at + length);
  // Letters that are two columns wide stand elsewhere than their index says.
  return { html: block.some((one) => WIDE.test(one)) ? asItStands(block) : simpleTable(block, read), length };
}

const WIDE =
  /[\u{1100}-\u{115f}\u{2e80}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{1f300}-\u{1faff}]/u;

/** Whether a grid table begins at a line. */
function isGridBorder(line: string): boolean {
  return /^\+-[-+]*\+$/.test(line);
}

/** Whether a simple table begins at a line: two columns at least. */
function isSimpleBorder(line: string): boolean {
  return /^=+(?: +=+)+$/.test(line);
}

/** Tables that are larger are kept as they stand. */
const MAX_CELLS = 20_000;

/** A grid table as HTML; undefined when its lines do not close. Source: docutils, "Grid Tables". */
function gridTable(lines: readonly string[], read: ReadCell): string | undefined {
  const width = lines[0]?.length ?? 0;
  const grid = lines.map((line) => line.padEnd(width));
  if (grid.some((line) => line.length !== width)) return undefined;
  const headEnd = grid.findIndex((line, i) => i > 0 && /^\+=[=+]*\+$/.test(line));
  const cells: Cell[] = [];
  const done = Array.from({ length: width }, () => 0);
  const corners: { readonly top: number; readonly left: number }[] = [{ top: 0, left: 0 }];
  const seen = new Set<string>(["0 0"]);
  // From the top left: what waits is a row's worth at most.
  for (let corner = corners.shift(); corner !== undefined; corner = corners.shift()) {
    const { top, left } = corner;
    if (top >= grid.length - 1 || left >= width - 1 || top < (done[left] ?? 0)) continue;
    const cell = cellAt(grid, top, left);
    if (cell === undefined || cells.length > MAX_CELLS) return undefined;
    cells.push(cell);
    for (let column = left; column < cell.right; column++) done[column] = cell.bottom;
    for (const next of [
      { top, left: cell.right },
      { top: cell.bottom, left },
    ]) {
      const key = `${next.top} ${next.left}`;
      if (!seen.has(key)) corners.push(next);
      seen.add(key);
    }
    corners.sort((a, b) => a.top - b.top || a.left - b.left);
  }
  const columns = edges(cells.flatMap(({ left, right }) => [left, right]));
  const rows = edges(cells.flatMap(({ top, bottom }) => [top, bottom]));
  const html = rows.slice(0, -1).map((top) => {
    const inRow = cells.filter((cell) => cell.top === top).toSorted((a, b) => a.left - b.left);
    const isHead = headEnd !== -1 && top < headEnd;
    return rowHtml(
      inRow.map((cell) => ({
        html: read(grid.slice(top + 1, cell.bottom).map((line) => line.slice(cell.left + 1, cell.right).trimEnd())),
        colspan: columns.indexOf(cell.right) - columns.indexOf(cell.left),
        rowspan: rows.indexOf(cell.bottom) - rows.indexOf(cell.top),
      })),
      isHead,
    );
  });
  return tableHtml(html, headEnd === -1 ? 0 : rows.indexOf(headEnd));
}

interface Cell {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** The smallest rectangle of lines that begins at a corner. */
function cellAt(grid: readonly string[], top: number, left: number): Cell | undefined {
  const first = grid[top] ?? "";
  if (first[left] !== "+") return undefined;
  for (let right = left + 1; right < first.length; right++) {
    const sign = first[right] ?? "";
    if (sign !== "+" && sign !== "-" && sign !== "=") return undefined;
    if (sign !== "+") continue;
    for (let bottom = top + 1; bottom < grid.length; bottom++) {
      const line = grid[bottom] ?? "";
      const [start, end] = [line[left], line[right]];
      if ((start !== "|" && start !== "+") || (end !== "|" && end !== "+")) break;
      if (start === "+" && end === "+" && /^[-=+]*$/.test(line.slice(left + 1, right)))
        return { top, left, bottom, right };
    }
  }
  return undefined;
}

function edges(values: readonly number[]): number[] {
  return [...new Set(values)].toSorted((a, b) => a - b);
}

/** How many lines a simple table takes; 0 when it does not close. */
function simpleTableLength(lines: readonly string[], at: number): number {
  let borders = 0;
  for (let i = at; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (!/^=+(?: +=+)*$/.test(line)) continue;
    borders++;
    // The border after the head is followed by a row, and the last one by nothing.
    if (borders > 1 && (lines[i + 1] ?? "") === "") return i + 1 - at;
  }
  return 0;
}

/** A simple table as HTML. Source: docutils, "Simple Tables". */
function simpleTable(lines: readonly string[], read: ReadCell): string {
  const columns = spansOf(lines[0] ?? "");
  const rows: { cells: { from: number; to: number; lines: string[] }[] }[] = [];
  let headRows = 0;
  let open: string[][] = [];
  const close = (spans: readonly Span[]): void => {
    if (open.length === 0) return;
    const cells = spans.map((span, i) => ({
      from: columns.findIndex(({ start }) => start >= span.start),
      to: columns.findLastIndex(({ end }) => end <= span.end || i === spans.length - 1),
      lines: open.map(([line = ""]) => line.slice(span.start, i === spans.length - 1 ? undefined : span.end)),
    }));
    rows.push({ cells });
    open = [];
  };
  for (const line of lines.slice(1)) {
    if (/^=+(?: +=+)*$/.test(line)) {
      close(columns);
      if (headRows === 0 && line !== lines.at(-1)) headRows = rows.length;
    } else if (/^-+(?: +-+)*$/.test(line) && open.length > 0) close(spansOf(line));
    else {
      const first = columns[0];
      const starts = first !== undefined && line.slice(first.start, first.end).trim() !== "";
      if (starts && open.some(([before = ""]) => before !== "")) close(columns);
      if (line !== "" || open.length > 0) open.push([line]);
    }
  }
  close(columns);
  // With the border under the head last of all there is no head.
  const html = rows.map(({ cells }, i) =>
    rowHtml(
      cells.map(({ from, to, lines: inCell }) => ({
        html: read(inCell.map((line) => line.trimEnd())),
        colspan: to - from + 1,
        rowspan: 1,
      })),
      i < headRows && headRows < rows.length,
    ),
  );
  return tableHtml(html, headRows < rows.length ? headRows : 0);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function spansOf(border: string): Span[] {
  const spans = [...border.matchAll(/[=-]+/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  // A cell may be as wide as the space before the next one.
  return spans.map(({ start }, i) => ({ start, end: spans[i + 1]?.start ?? border.length }));
}

export interface CellHtml {
  readonly html: string;
  readonly colspan: number;
  readonly rowspan: number;
}

export function rowHtml(cells: readonly CellHtml[], isHead: boolean): string {
  const tag = isHead ? "th" : "td";
  const span = (name: string, count: number): string => (count > 1 ? ` ${name}="${count}"` : "");
  const inner = cells.map(
    ({ html, colspan, rowspan }) => `<${tag}${span("colspan", colspan)}${span("rowspan", rowspan)}>${html}</${tag}>`,
  );
  return `<tr>${inner.join("")}</tr>`;
}

export function tableHtml(rows: readonly string[], headRows: number, caption = ""): string {
  const head = headRows > 0 ? `<thead>${rows.slice(0, headRows).join("")}</thead>` : "";
  return `<table>${caption === "" ? "" : `<caption>${caption}</caption>`}${head}<tbody>${rows.slice(headRows).join("")}</tbody></table>`;
}

/** The rows of comma-separated values, in which quotes hold commas and lines. Source: RFC 4180. */
export function csvRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] ?? "";
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[i + 1] === '"') {
        cell += sign;
        i++;
      } else quoted = false;
    } else if (sign === '"' && cell.trim() === "") {
      quoted = true;
      cell = "";
    } else if (sign === delimiter || sign === "\n") {
      row.push(cell.trim());
      cell = "";
      if (sign === delimiter) continue;
      rows.push(row);
      row = [];
    } else cell += sign;
  }
  if (cell !== "" || row.length > 0) rows.push([...row, cell.trim()]);
  return rows.filter((cells) => cells.some((one) => one !== ""));
}

/** A table that could not be read as one, as it stands. */
export function asItStands(lines: readonly string[]): string {
  return `<pre>${escapeHtml(`\n${lines.join("\n")}`)}</pre>`;
}
