import { attribute, childElements, classesOf, findElement, hasAttribute, parentOf, type Element } from "./dom.ts";

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
 * @param title The row that stands before the table, and does not count.
 */
export function isLayoutTable(table: Element, title?: Element): boolean {
  const role = attribute(table, "role");
  if (role === "presentation" || role === "none") return true;
  if (classesOf(table).some((name) => LAYOUT_CLASSES.has(name))) return true;
  const cells: Element[] = [];
  let rows = 0;
  for (const row of rowsOf(table)) {
    if (row === title) continue;
    rows++;
    cells.push(...childElements(row).filter((cell) => cell.name === "td" || cell.name === "th"));
    if (cells.length > MAX_LAYOUT_CELLS) return false;
  }
  if (cells.length === 1) return true;
  if (cells.some((cell) => cell.name === "th")) return false;
  const hold = (test: (inner: Element) => boolean): boolean =>
    cells.some((cell) => findElement(cell, test) !== undefined);
  return (
    hold((inner) => HEADING.test(inner.name) || inner.name === "th") ||
    (rows === 1 && hold((inner) => inner.name === "pre"))
  );
}

/** The first row of a table, when all that is in it is a heading: it stands before the table. Doxygen writes so. */
export function headingRowOf(table: Element): Element | undefined {
  const [first, second] = rowsOf(table);
  if (first === undefined || second === undefined) return undefined;
  const cells = childElements(first).filter((cell) => cell.name === "td" || cell.name === "th");
  const [cell] = cells;
  if (cells.length !== 1 || cell === undefined || !hasAttribute(cell, "colspan")) return undefined;
  return childElements(cell).some((inner) => HEADING.test(inner.name)) ? first : undefined;
}

/** Layouts have few cells; a table with more is data, whatever is in it. */
const MAX_LAYOUT_CELLS = 40;

/** Rows of a table itself, without those of tables in its cells. */
export function* rowsOf(table: Element): Generator<Element, undefined> {
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
