import MarkdownIt from "markdown-it";
import { parse as parseYaml } from "yaml";
import type { Conversion, ConversionInput } from "../domain/conversion.ts";
import { convertHtml } from "./html-page.ts";
import type { PageTrace } from "./page-trace.ts";
import { toPlainMarkdown } from "./markdown-dialects.ts";

const markdownIt = new MarkdownIt({ html: true, linkify: false, typographer: false });

interface FrontMatter {
  readonly title: string;
  readonly description: string;
  readonly language: string;
}

const NO_FRONT_MATTER: FrontMatter = { title: "", description: "", language: "" };

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
    `<body>${html}</body>`,
    { ...input, options: { ...options, preset: "generic" } },
    trace,
  );
  if (conversion.kind !== "document") return conversion;
  return {
    ...conversion,
    title: front.title || conversion.title,
    description: front.description || conversion.description,
    language: front.language || conversion.language,
  };
}

function takeFrontMatter(text: string): { readonly front: FrontMatter; readonly body: string } {
  if (!text.startsWith("---\n")) return { front: NO_FRONT_MATTER, body: text };
  const end = text.indexOf("\n---\n", 3);
  if (end === -1) return { front: NO_FRONT_MATTER, body: text };
  const body = text.slice(end + 5);
  try {
    const data: unknown = parseYaml(text.slice(4, end));
    if (typeof data !== "object" || data === null) return { front: NO_FRONT_MATTER, body };
    const fields = data as Readonly<Record<string, unknown>>;
    const field = (...names: readonly string[]): string => {
      const found = names.map((name) => fields[name]).find((value) => typeof value === "string");
      return typeof found === "string" ? found.trim() : "";
    };
    return {
      front: {
        title: field("title"),
        description: field("description", "summary"),
        language: field("lang", "language"),
      },
      body,
    };
  } catch {
    // Not YAML: it is still no text for readers.
    return { front: NO_FRONT_MATTER, body };
  }
}
