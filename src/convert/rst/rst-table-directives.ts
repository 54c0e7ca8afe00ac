import type { RstContext } from "./rst-context.ts";
import { labelled, type Parts, type ReadLines } from "./rst-directive-parts.ts";
import { dedent, escapeHtml } from "./rst-source.ts";
import { csvRows, rowHtml, tableHtml } from "./rst-tables.ts";

/** A table that is written as a list of lists. */
export function listTable(parts: Parts, context: RstContext, read: ReadLines): string {
  const { args, options, content } = parts;
  const rows: string[][][] = [];
  for (const line of content) {
    const cell = /^(?:\* (?=-)|( {2}))- ?(.*)$/.exec(line.startsWith("*") ? line.replace(/^\*\s+(?=-)/, "* ") : line);
    if (line.startsWith("*")) rows.push([]);
    if (cell !== null) rows.at(-1)?.push([cell[2] ?? ""]);
    else rows.at(-1)?.at(-1)?.push(line);
  }
  if (rows.some((row) => row.length === 0)) return read(content);
  const heads = Number(options.get("header-rows") ?? "0");
  const html = rows.map((row, i) =>
    rowHtml(
      row.map(([first = "", ...rest]) => ({ html: read([first, ...dedent(rest)]), colspan: 1, rowspan: 1 })),
      i < heads,
    ),
  );
  return labelled(parts, tableHtml(html, heads, args === "" ? "" : context.inline.html(args)));
}

/** A table that is written as comma-separated values, or read from a file of them, of which only the name is here. */
export function csvTable(parts: Parts, context: RstContext, read: ReadLines): string {
  const { args, options, content } = parts;
  const delimiter = options.get("delim") ?? options.get("delimiter") ?? ",";
  const sign = delimiter === "tab" ? "\t" : delimiter === "space" ? " " : delimiter;
  const header = options.get("header");
  const rows = [...(header === undefined ? [] : csvRows(header, sign)), ...csvRows(content.join("\n"), sign)];
  const heads = header === undefined ? Number(options.get("header-rows") ?? "0") : 1;
  const html = rows.map((row, i) =>
    rowHtml(
      row.map((cell) => ({ html: read(cell.split("\n")), colspan: 1, rowspan: 1 })),
      i < heads,
    ),
  );
  const file = options.get("file") ?? options.get("url") ?? "";
  if (rows.length === 0) return file === "" ? "" : `<p><code>${escapeHtml(file)}</code></p>`;
  return labelled(parts, tableHtml(html, heads, args === "" ? "" : context.inline.html(args)));
}
