/**
 * The rows of a table as a program prints it for a terminal, the first of them its head: psql's, with a line of dashes below
 * the head, or MySQL's, in boxes. Undefined for any other text.
 */
export function printedRows(code: string): readonly (readonly string[])[] | undefined {
  const lines = code.split("\n").filter((line) => line.trim() !== "");
  const [first = "", second = ""] = lines;
  if (BOX_EDGE.test(first)) {
    const rows = lines.filter((line) => !BOX_EDGE.test(line));
    return rows.length > 1 && rows.every((row) => row.startsWith("|") && row.trimEnd().endsWith("|"))
      ? rows.map((row) => cellsOf(row.trim().slice(1, -1)))
      : undefined;
  }
  if (!RULE.test(second) || RULE.test(first)) return undefined;
  const columns = second.split("+").length;
  const rows = [first, ...lines.slice(2)].filter((line) => !ROW_COUNT.test(line));
  // The dashes below a heading look the same, but a program sets its cells in by a space.
  if (columns === 1 && !rows.every((row, i) => row.startsWith(" ") || (i === 0 && code.startsWith(row))))
    return undefined;
  const cells = rows.map(cellsOf);
  return cells.length > 1 && cells.every((row) => row.length === columns) ? cells : undefined;
}

const BOX_EDGE = /^\+(?:[-=]+\+)+\s*$/;
const RULE = /^ ?-{2,}(?:\+-{2,})*\s*$/;
const ROW_COUNT = /^\(\d+ rows?\)\s*$/;

function cellsOf(line: string): string[] {
  return line.split("|").map((cell) => cell.trim());
}

/** Rows under a head as one line each, which makes sense alone: `id: 1, name: Ann`. */
export function rowsOfText([head = [], ...rows]: readonly (readonly string[])[]): string {
  return rows
    .map((row) =>
      row
        .map((cell, i) => (head[i] === undefined || head[i] === "" || cell === "" ? cell : `${head[i]}: ${cell}`))
        .filter((cell) => cell !== "")
        .join(", "),
    )
    .filter((row) => row !== "")
    .join("<br>");
}
