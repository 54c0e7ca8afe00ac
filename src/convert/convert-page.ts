import type { Conversion, ConversionInput } from "../domain/conversion.ts";
import { reasonOf } from "../domain/errors.ts";
import { decodePage } from "./decode.ts";
import { convertHtml } from "./html-page.ts";
import { convertMarkdown } from "./markdown-page.ts";
import { convertText } from "./text-page.ts";

/** How the bytes of a page are read. */
type Format = "html" | "markdown" | "text";

/**
 * Converts one page. Pure, and synchronous: the same input gives the same conversion. Never throws: what cannot be read is a
 * failure with its reason.
 */
export function convertPage(input: ConversionInput): Conversion {
  const format = formatOf(input.contentType, input.url);
  if (format === undefined) return { kind: "failed", reason: `pages of type ${input.contentType} cannot be read` };
  try {
    const text = decodePage(input.body, input.contentType);
    switch (format) {
      case "html":
        return convertHtml(text, input);
      case "markdown":
        return convertMarkdown(text, input);
      case "text":
        return convertText(text, input);
    }
  } catch (error) {
    return { kind: "failed", reason: `the page could not be converted: ${reasonOf(error)}` };
  }
}

const HTML_TYPES: ReadonlySet<string> = new Set([
  "text/html",
  "application/xhtml+xml",
  "application/xml",
  "text/xml",
  "",
]);
const MARKDOWN_NAME = /\.(?:md|mdx|markdown|mdown|md\.txt)$/i;

function formatOf(contentType: string, url: string): Format | undefined {
  const type = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  if (type === "text/markdown" || type === "text/x-markdown" || type === "text/mdx") return "markdown";
  if (type.startsWith("text/") && MARKDOWN_NAME.test(new URL(url).pathname))
    return type === "text/html" ? "html" : "markdown";
  if (HTML_TYPES.has(type)) return "html";
  return type.startsWith("text/") ? "text" : undefined;
}
