import type { PdfBlock } from "./pdf-blocks.ts";
import type { Line } from "./pdf-lines.ts";
import { tableRows, type PdfRow } from "./pdf-table.ts";
import type { Run } from "./pdf-text.ts";

/** Blank lines within code, at most: more is a new page or a picture. */
const MAX_BLANK_LINES = 2;

/** Writes blocks as HTML, which is read as that of any page. A heading's id is the fragment that PDF viewers open its page by. */
export function pdfHtml(blocks: readonly PdfBlock[]): string {
  const words = wordsOf(blocks);
  const out: string[] = [];
  const lists: { readonly x: number; readonly tag: string }[] = [];
  const endLists = (until: number): void => {
    while (lists.length > until) out.push(`</li></${lists.pop()?.tag ?? "ul"}>`);
  };
  for (const block of blocks) {
    if (block.kind === "item") {
      while (lists.length > 0 && (lists.at(-1)?.x ?? 0) > block.x + 3) endLists(lists.length - 1);
      const open = lists.at(-1);
      if (open === undefined || open.x < block.x - 3) {
        const number = /\d+/.exec(block.marker)?.[0];
        const tag = number === undefined ? "ul" : "ol";
        out.push(number === undefined ? "<ul>" : `<ol start="${number}">`);
        lists.push({ x: block.x, tag });
      } else out.push("</li>");
      out.push(`<li>${proseHtml(block.lines, words, keepsMarker(block.marker) ? "" : block.marker)}`);
      continue;
    }
    // What is indented beyond a bullet is of its item.
    const x = Math.min(...block.lines.map((line) => line.x));
    while (lists.length > 0 && (block.kind === "heading" || x <= (lists.at(-1)?.x ?? 0) + 3))
      endLists(lists.length - 1);
    switch (block.kind) {
      case "heading": {
        const page = block.lines[0]?.page ?? 1;
        out.push(`<h${block.level} id="page=${page}">${proseHtml(block.lines, words)}</h${block.level}>`);
        break;
      }
      case "layout": {
        const rows = tableRows(block.lines);
        out.push(rows === undefined ? `<pre>\n${escapeHtml(gridText(block.lines))}</pre>` : tableHtml(rows));
        break;
      }
      case "code":
        out.push(`<pre>\n${escapeHtml(gridText(block.lines))}</pre>`);
        break;
      case "cover":
        out.push(`<div class="hatnote">${proseHtml(block.lines, words)}</div>`);
        break;
      case "paragraph":
        out.push(`<p>${proseHtml(block.lines, words)}</p>`);
        break;
    }
  }
  endLists(0);
  return out.join("\n");
}

/** The first row is the head, as in most tables; in Markdown every table has one. */
function tableHtml(rows: readonly PdfRow[]): string {
  const html = rows.map((row) => `<tr>${row.map((cell) => `<td>${runsHtml(cell)}</td>`).join("")}</tr>`);
  return `<table>${html.join("\n")}</table>`;
}

/** `(a)` is no number to Markdown, and is kept as text. */
function keepsMarker(marker: string): boolean {
  return /[a-zA-Z(]/.test(marker);
}

/** The lines of prose as one, with code as code, and words that were parted at a line's end put together again. */
function proseHtml(lines: readonly Line[], words: Words, marker = ""): string {
  let html = "";
  for (const [i, line] of lines.entries()) {
    let piece = lineHtml(line);
    if (i === 0 && marker !== "") piece = lineHtml({ ...line, runs: withoutMarker(line.runs, marker) });
    const next = lines[i + 1];
    const joint = next === undefined ? "" : words.jointOf(line.text, next.text);
    // A hyphen that only parts the word at the line's end goes.
    html += joint === "-" ? piece.slice(0, -1) : piece + joint;
  }
  // Code that goes on in the next line is one; a path is parted after a slash, with nothing between.
  return html.replace(/([/._-]?)<\/code> ?<code>/g, (_all, sign: string) => (sign === "" ? " " : sign));
}

function withoutMarker(runs: readonly Run[], marker: string): Run[] {
  let left = marker.trim().length;
  return runs.map((run) => {
    if (left === 0) return run;
    const text = run.text.trimStart();
    const taken = Math.min(left, text.length);
    left -= taken;
    return { ...run, text: text.slice(taken).trimStart() };
  });
}

function lineHtml({ runs, mono: wholeLine }: Line): string {
  const html = runsHtml(runs);
  return wholeLine ? html.trim() : html.trimEnd();
}

/** Runs that follow each other, with code as code, and a space where there is a gap or another line begins. */
function runsHtml(runs: readonly Run[]): string {
  let html = "";
  let last: Run | undefined;
  let code = "";
  const endCode = (): void => {
    if (code.trim() !== "") html += `<code>${escapeHtml(code.trim())}</code>`;
    code = "";
  };
  for (const run of runs) {
    if (run.text === "") continue;
    const gap = last === undefined ? 0 : last.y - run.y > run.size ? run.size : run.x - last.right;
    const space = gap > run.size * 0.15 && !last?.text.endsWith(" ") && !run.text.startsWith(" ") ? " " : "";
    if (run.mono) {
      if (code === "") html += space;
      code += code === "" ? run.text : space + run.text;
    } else {
      const spaced = code.endsWith(" ") ? " " : space;
      endCode();
      html += spaced + escapeHtml(run.text);
    }
    last = run;
  }
  endCode();
  return html;
}

/** Lines as they stand on the page, each letter in its column: the width of a letter tells how many spaces a gap is. */
function gridText(lines: readonly Line[]): string {
  const width = letterWidth(lines);
  const left = Math.min(...lines.map((line) => line.x));
  const leading = leastLeading(lines);
  const out: string[] = [];
  let last: Line | undefined;
  for (const line of lines) {
    const gap = last === undefined || last.page !== line.page ? 0 : Math.round((last.y - line.y) / leading) - 1;
    for (let blank = 0; blank < Math.min(gap, MAX_BLANK_LINES); blank++) out.push("");
    let text = "";
    for (const run of line.runs) {
      const column = Math.round((run.x - left) / width);
      const isApart =
        text !== "" && !text.endsWith(" ") && run.x - (line.runs[line.runs.indexOf(run) - 1]?.right ?? 0) > width * 0.4;
      text = text.padEnd(column) + (isApart && column <= text.length ? " " : "") + run.text;
    }
    out.push(text.trimEnd());
    last = line;
  }
  return out.join("\n");
}

function letterWidth(lines: readonly Line[]): number {
  let [width, letters] = [0, 0];
  for (const { runs } of lines) {
    for (const run of runs) {
      width += run.right - run.x;
      letters += run.text.length;
    }
  }
  return letters === 0 || width === 0 ? 5 : width / letters;
}

/** How far apart lines are that follow each other. */
function leastLeading(lines: readonly Line[]): number {
  let least = Infinity;
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1];
    if (before === undefined || before.page !== line.page || before.y - line.y < line.size * 0.8) continue;
    least = Math.min(least, before.y - line.y);
  }
  return Number.isFinite(least) ? least : (lines[0]?.size ?? 10) * 1.2;
}

/** The words of a document, by which it is told whether a hyphen at a line's end belongs to the word. */
interface Words {
  /** What comes between two lines of prose: a space, nothing, or "-" to say that the hyphen goes. */
  jointOf(line: string, next: string): " " | "" | "-";
}

function wordsOf(blocks: readonly PdfBlock[]): Words {
  const known = new Set<string>();
  for (const { lines } of blocks) {
    for (const { text } of lines) {
      for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? []) known.add(word);
    }
  }
  return {
    jointOf(line, next) {
      if (line.endsWith("\u{ad}")) return "-";
      if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(line)) return "";
      const before = /[\p{L}\p{N}-]*\p{L}-$/u.exec(line)?.[0].toLowerCase();
      const after = /^[\p{L}\p{N}]+/u.exec(next)?.[0];
      if (before === undefined || after === undefined) return " ";
      if (known.has(before + after.toLowerCase())) return "";
      return /^\p{Ll}/u.test(after) ? "-" : "";
    },
  };
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Whether a title in the metadata is one: programs write the names of files there. */
export function isTitle(title: string): boolean {
  return (
    /\p{L}{2}/u.test(title) &&
    !/^(?:untitled|unknown|microsoft word\b|title$|slide 1$)/i.test(title) &&
    !/\.(?:dvi|tex|docx?|pdf|indd|ps|odt|pptx?|fm|texi|md|html?)$/i.test(title.trim())
  );
}
