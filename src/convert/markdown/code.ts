import { escapeInline } from "./escape.ts";
import { printedRows, rowsOfText } from "./printed-table.ts";

/** A fence longer than any in the code, which would end it. */
export function fenceFor(code: string): string {
  let longest = 2;
  for (const match of code.matchAll(/^[ \t]*(`{3,})/gm)) longest = Math.max(longest, match[1]?.length ?? 0);
  return "`".repeat(longest + 1);
}

/** A fenced code block. @param language "" when it is not known. */
export function fenced(code: string, language: string): string {
  const fence = fenceFor(code);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** Inline code, with delimiters longer than any run of backticks in it. Source: CommonMark 0.31, section 6.1. */
export function codeSpan(code: string): string {
  if (code === "") return "";
  if (!code.includes("`")) return `\`${code}\``;
  const runs = new Set([...code.matchAll(/`+/g)].map(([run]) => run.length));
  let length = 1;
  while (runs.has(length)) length++;
  const delimiter = "`".repeat(length);
  const pad = code.startsWith("`") || code.endsWith("`") ? " " : "";
  return delimiter + pad + code + pad + delimiter;
}

/** Code in a table's cell, where no fence can be: a span for each line; a table that a program has printed becomes rows of text. */
export function codeInCell(code: string): string {
  const printed = printedRows(code);
  if (printed !== undefined) return rowsOfText(printed.map((cells) => cells.map(escapeCell)));
  return code
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => codeSpan(line.trimEnd()))
    .join("<br>");
}

function escapeCell(text: string): string {
  return escapeInline(text, { before: " ", after: ",", inLink: false });
}
