import type { Conversion, ConversionInput } from "../domain/conversion.ts";
import { convertHtml } from "./html-page.ts";
import type { PageTrace } from "./page-trace.ts";

/**
 * Converts AsciiDoc with Asciidoctor, whose HTML is read as that of its pages is. In its mode `secure` no other file and no network
 * is read, so that an include becomes a link.
 */
export async function convertAsciiDoc(
  text: string,
  input: Pick<ConversionInput, "url" | "options" | "aliases">,
  trace?: PageTrace,
): Promise<Conversion> {
  const { load, LoggerManager, NullLogger } = await import("@asciidoctor/core");
  // What it would say of a page goes to standard output otherwise.
  LoggerManager.logger = new NullLogger();
  // It says "en" of pages that do not say their language.
  const language = /^:lang:/m.test(text) ? {} : { nolang: "" };
  // Links to other sources lead to what is beside this page.
  const relfilesuffix = /\.(?:adoc|asciidoc)$/i.exec(new URL(input.url).pathname)?.[0] ?? ".html";
  const attributes = { ...ATTRIBUTES, ...language, relfilesuffix };
  const document = await load(text, { safe: "secure", standalone: true, attributes });
  const version = String(document.getAttribute("revnumber") ?? "").replaceAll(/[<>"&]/g, "");
  const html = (await document.convert())
    .replace("</head>", version === "" ? "</head>" : `<meta name="docsearch:version" content="${version}"></head>`)
    // The number of a line that is told of below is a part of the code's comment, and stays.
    .replaceAll('<b class="conum">', "<b>")
    .replaceAll("<p>&#10003; ", '<p><input type="checkbox" checked>')
    .replaceAll("<p>&#10063; ", '<p><input type="checkbox">')
    .replace(ASCIIMATH, '<span class="math">\\($1\\)</span>');
  // The main content that a pipeline names is that of the site's pages.
  const { content: _, preset: __, ...options } = input.options;
  return convertHtml(html, { ...input, options: { ...options, preset: "asciidoctor" } }, trace);
}

const ASCIIMATH = /\\\$([^$<>]{1,1000})\\\$/g;

/** No style sheet, and no icons in place of words. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  linkcss: "",
  stylesheet: "",
  showtitle: "",
  nofooter: "",
  "source-highlighter": "",
  experimental: "",
  stem: "asciimath@",
  "icons!": "",
};
