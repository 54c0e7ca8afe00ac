import type { MarkdownNode } from "../tree/markdown-node.ts";
import { rowsOfText } from "./printed-table.ts";

/** A table as lines: its header and rule, and its rows. A long one is cut between rows, with the header repeated. */
export interface TableLines {
  readonly header: string;
  readonly rows: readonly string[];
}

/** More columns than this are a mistake or an attack; HTML allows a span of a thousand. */
const MAX_COLUMNS = 100;
/** A value is repeated in the rows that it spans if it is short: each row must make sense alone. */
const MAX_REPEATED_CHARACTERS = 200;
const MAX_ROWSPAN = 65_534;

/**
 * The lines of a GFM table, from cells that are rendered. The first row is the header, whether the page says so or not, for a
 * table without one is none to GFM. Spans are filled: empty cells beside, the same value below. Linear in its cells.
 * Source: GFM, section 4.10.
 */
export function tableLines(table: MarkdownNode): TableLines {
  const grid: string[][] = [];
  let headerRows = 0;
  const spans: { value: string; rows: number }[] = [];
  let columns = 1;
  const severalHeaders = (table.childNodes[1]?.getAttribute("header") ?? null) !== null;
  for (const row of table.childNodes) {
    const cells: string[] = [];
    const isHeader = severalHeaders && row.getAttribute("header") !== null;
    const fillSpans = (): void => {
      for (let span = spans[cells.length]; span !== undefined && span.rows > 0; span = spans[cells.length]) {
        span.rows--;
        cells.push(span.value);
      }
    };
    for (const cell of row.childNodes) {
      fillSpans();
      const width = span(cell.getAttribute("colspan"), MAX_COLUMNS);
      const height = span(cell.getAttribute("rowspan"), MAX_ROWSPAN);
      for (let i = 0; i < width && cells.length < MAX_COLUMNS; i++) {
        // Over columns that have names of their own, what stands above all of them is part of each name.
        const value = i === 0 || (isHeader && cell.markdown.length <= MAX_REPEATED_CHARACTERS) ? cell.markdown : "";
        if (height > 1)
          spans[cells.length] = { value: value.length > MAX_REPEATED_CHARACTERS ? "" : value, rows: height - 1 };
        else if (spans[cells.length] === undefined) spans[cells.length] = { value: "", rows: 0 };
        cells.push(value);
      }
    }
    fillSpans();
    if (cells.every((cell) => cell === "")) continue;
    columns = Math.max(columns, cells.length);
    grid.push(cells);
    if (isHeader && headerRows === grid.length - 1) headerRows++;
  }
  const first = headerRows > 1 ? joinedHeader(grid.slice(0, headerRows), columns) : (grid[0] ?? []);
  const rest = grid.slice(Math.max(1, headerRows));
  const rule = `| ${Array.from({ length: columns }, () => "---").join(" | ")} |`;
  return { header: `${line(first, columns)}\n${rule}`, rows: rest.map((cells) => line(cells, columns)) };
}

/** The rows of a head as one, for GFM has no more: `Size: least`. */
function joinedHeader(rows: readonly (readonly string[])[], columns: number): string[] {
  return Array.from({ length: columns }, (_, column) => {
    const names = new Set(rows.map((row) => row[column] ?? ""));
    names.delete("");
    return [...names].join(": ");
  });
}

/**
 * A table within a cell: a cell holds no table, so its rows are lines. Under a head of three columns or more each cell is
 * named by it; without one the first cell of a pair names the second.
 */
export function tableInCell(table: MarkdownNode): string {
  const [head, ...rest] = table.childNodes;
  const isHead =
    head !== undefined && head.childNodes.length > 2 && head.childNodes.every((cell) => cell.nodeName === "TH");
  if (isHead && rest.length > 0)
    return rowsOfText(table.childNodes.map((row) => row.childNodes.map((cell) => cell.markdown)));
  return table.childNodes
    .map((row) => row.childNodes.map((cell) => cell.markdown).filter((cell) => cell !== ""))
    .filter((cells) => cells.length > 0)
    .map((cells) => (cells.length === 2 ? cells.join(": ") : cells.join(", ")))
    .join("<br>");
}

/** What is in a cell as one line: blocks parted by `<br>`, pipes escaped, in code as well. */
export function cellContent(content: string): string {
  if (!content.includes("\n") && !content.includes("|")) return content.trim();
  return content
    .split("\n")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== ">")
    .join("<br>")
    .replaceAll("|", "\\|");
}

function line(cells: readonly string[], columns: number): string {
  let text = "|";
  for (let i = 0; i < columns; i++) text += ` ${cells[i] ?? ""} |`;
  return text;
}

function span(value: string | null, most: number): number {
  const count = Number.parseInt(value ?? "1", 10);
  return Number.isNaN(count) || count < 1 ? 1 : Math.min(count, most);
}
