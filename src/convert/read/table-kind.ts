import { attribute, childElements, classesOf, findElement, parentOf, type Element } from "./dom.ts";

const LAYOUT_CLASSES: ReadonlySet<string> = new Set([
  "highlighttable",
  "linenotable",
  "rouge-table",
  "codehilitetable",
  "lntable",
]);
const LINE_NUMBER_CLASSES: ReadonlySet<string> = new Set([
  "linenos",
  "gutter",
  "rouge-gutter",
  "line-numbers",
  "lineno",
  "lntd-numbers",
]);
const HEADING = /^h[1-6]$/;

/**
 * Whether a table is there for the layout: it says so, has one cell, holds code beside its line numbers or beside what it
 * prints, or holds headings or tables with headers and has no header itself. Its cells are read as blocks.
 */
export function isLayoutTable(table: Element): boolean {
  const role = attribute(table, "role");
  if (role === "presentation" || role === "none") return true;
  if (classesOf(table).some((name) => LAYOUT_CLASSES.has(name))) return true;
  let cells = 0;
  let headers = 0;
  let rows = 0;
  let layout = false;
  let code = false;
  for (const row of rowsOf(table)) {
    rows++;
    for (const cell of childElements(row)) {
      if (cell.name !== "td" && cell.name !== "th") continue;
      cells++;
      if (cell.name === "th") headers++;
      if (cells > MAX_LAYOUT_CELLS) return false;
      code ||= findElement(cell, (inner) => inner.name === "pre") !== undefined;
      layout ||= findElement(cell, (inner) => HEADING.test(inner.name) || inner.name === "th") !== undefined;
    }
  }
  return cells === 1 || (headers === 0 && (layout || (code && rows === 1)));
}

/** Layouts have few cells; a table with more is data, whatever is in it. */
const MAX_LAYOUT_CELLS = 40;

/** Rows of a table itself, without those of tables in its cells. */
function* rowsOf(table: Element): Generator<Element, undefined> {
  for (const part of childElements(table)) {
    if (part.name === "tr") yield part;
    else if (part.name === "tbody" || part.name === "thead" || part.name === "tfoot") {
      for (const row of childElements(part)) if (row.name === "tr") yield row;
    }
  }
}

/** Whether a cell only numbers the lines of the code in the next one. */
export function isLineNumberCell(cell: Element): boolean {
  return classesOf(cell).some((name) => LINE_NUMBER_CLASSES.has(name));
}

/** Whether a row is in the head of its table. */
export function isHeaderRow(row: Element): boolean {
  return parentOf(row)?.name === "thead";
}
