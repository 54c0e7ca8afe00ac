import type { Conversion, ConversionInput } from "../../domain/conversion.ts";
import { convertHtml } from "../html-page.ts";
import type { PageTrace } from "../page-trace.ts";
import { readBlocks } from "./rst-blocks.ts";
import type { RstContext } from "./rst-context.ts";
import { RstInline } from "./rst-inline.ts";
import { escapeHtml, readNames, sourceLines } from "./rst-source.ts";

/**
 * Converts reStructuredText, with what Sphinx adds to it, by a reader of our own: the libraries that there are give up on a
 * directive or a reference that they do not know, and nine of ten pages of Sphinx have one. What is not known here keeps its text.
 */
export function convertRst(
  text: string,
  input: Pick<ConversionInput, "url" | "options" | "aliases">,
  trace?: PageTrace,
): Conversion {
  const lines = sourceLines(text);
  const names = readNames(lines);
  const inline = new RstInline(names);
  const context: RstContext = { names, inline, titleStyles: [], language: "", module: "", objects: 0, footnotes: 0 };
  const body = readBlocks(withoutPageFields(lines), context);
  // Sphinx' reference to another document has its path from the root of the sources, or from this one, and no ending.
  const { pathname } = new URL(input.url);
  const ending = /\.rst(?:\.txt)?$/i.exec(pathname)?.[0] ?? ".html";
  const html = body.replace(
    / href="doc:([^"]*)"/g,
    (_all, path: string) => ` href="${escapeHtml(documentLink(path, ending))}"`,
  );
  // What a pipeline says of the pages of its site is not of their sources.
  const { content: _, preset: __, ...options } = input.options;
  return convertHtml(
    `<head>${headOf(lines)}</head><body>${html}</body>`,
    { ...input, options: { ...options, preset: "generic" } },
    trace,
  );
}

function documentLink(path: string, ending: string): string {
  if (path.endsWith("/") || /\.\w{2,5}$/.test(path)) return path;
  return path + ending;
}

/** Fields before the title speak to Sphinx: `:orphan:`, `:tocdepth: 2`. */
function withoutPageFields(lines: readonly string[]): readonly string[] {
  let at = lines.findIndex((line) => line !== "");
  const start = at;
  while (at !== -1 && /^:(?:orphan|tocdepth|nocomments|nosearch|hide-toc|html_theme[\w.]*):/.test(lines[at] ?? ""))
    at++;
  return at <= start ? lines : lines.slice(at);
}

/** What the directive `meta` says of the page. */
function headOf(lines: readonly string[]): string {
  const at = lines.indexOf(".. meta::");
  if (at === -1) return "";
  const description = /^\s+:description(?: lang=\w+)?: +(.*)$/.exec(
    lines.slice(at + 1, at + 12).find((line) => line.includes(":description")) ?? "",
  );
  return description === null ? "" : `<meta name="description" content="${escapeHtml(description[1] ?? "")}">`;
}
