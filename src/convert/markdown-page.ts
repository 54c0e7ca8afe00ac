import MarkdownIt from "markdown-it";
import type { Conversion, ConversionInput } from "../domain/conversion.ts";
import { checkedCanonical } from "./facts/canonical.ts";
import { takeFrontMatter } from "./facts/front-matter.ts";
import { versionOf } from "./facts/release.ts";
import { convertHtml } from "./html-page.ts";
import type { PageTrace } from "./page-trace.ts";
import { toPlainMarkdown } from "./markdown-dialects.ts";
import { escapeHtml } from "./openapi/api-markup.ts";

const markdownIt = new MarkdownIt({ html: true, linkify: false, typographer: false });

/**
 * Converts a page of Markdown or MDX: what is no CommonMark (front matter, admonitions, tabs, JSX) is turned into HTML, and the
 * whole is rendered and read as a page is, so that links, headings and chunks are made in one way.
 */
export function convertMarkdown(
  text: string,
  input: Pick<ConversionInput, "url" | "options" | "aliases">,
  trace?: PageTrace,
): Conversion {
  const { front, body } = takeFrontMatter(text.replace(/\r\n?/g, "\n"));
  const html = markdownIt.render(toPlainMarkdown(body));
  // The generator and the main content that a pipeline names are those of the site's pages; its Markdown has neither.
  const { content: _, preset: __, ...options } = input.options;
  const conversion = convertHtml(
    `<head><title>${escapeHtml(front.title)}</title></head><body>${html}</body>`,
    { ...input, options: { ...options, preset: "generic" } },
    trace,
  );
  if (conversion.kind !== "document") return conversion;
  return {
    ...conversion,
    title: front.title || conversion.title,
    description: front.description || conversion.description,
    language: front.language || conversion.language,
    breadcrumbs: front.breadcrumbs,
    product: front.product,
    version: versionOf(front.version) || conversion.version,
    lastModified: front.lastModified,
    canonical: checkedCanonical(front.canonical, input.url),
    generator: "",
    pageKind: front.pageKind ?? conversion.pageKind,
  };
}
