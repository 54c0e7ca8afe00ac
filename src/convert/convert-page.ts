import type { Conversion, ConversionInput } from "../domain/conversion.ts";
import { reasonOf } from "../domain/errors.ts";
import { decodePage } from "./decode.ts";
import { convertHtml } from "./html-page.ts";
import { convertMarkdown } from "./markdown-page.ts";
import { convertNotebook } from "./notebook-page.ts";
import { convertOpenApi } from "./openapi/openapi-page.ts";
import { formatOf, type Format } from "./page-format.ts";
import type { PageTrace } from "./page-trace.ts";
import { convertRst } from "./rst/rst-page.ts";
import { convertText } from "./text-page.ts";

/**
 * Converts one page. Pure: the same input gives the same conversion. Never rejects: what cannot be read is a failure with its
 * reason. The libraries for PDF and AsciiDoc are large, and are loaded when the first page needs them.
 * @param trace is told how.
 */
export async function convertPage(input: ConversionInput, trace?: PageTrace): Promise<Conversion> {
  try {
    switch (formatOf(input.contentType, input.url)) {
      case "pdf":
        return await (await import("./pdf/pdf-page.ts")).convertPdf(input, trace);
      case "asciidoc": {
        const text = decodePage(input.body, input.contentType);
        if (!isText(text)) return NOT_TEXT;
        return await (await import("./asciidoc-page.ts")).convertAsciiDoc(text, input, trace);
      }
      default:
        return convertAtOnce(input, trace);
    }
  } catch (error) {
    return couldNot(error);
  }
}

/** The same, and synchronous, for pages of all formats but those whose libraries are loaded late. */
export function convertAtOnce(input: ConversionInput, trace?: PageTrace): Conversion {
  const format = formatOf(input.contentType, input.url);
  if (format === undefined) return { kind: "failed", reason: `pages of type ${input.contentType} cannot be read` };
  try {
    const text = decodePage(input.body, input.contentType);
    return isText(text) ? convertDecoded(format, text, input, trace) : NOT_TEXT;
  } catch (error) {
    return couldNot(error);
  }
}

function convertDecoded(format: Format, text: string, input: ConversionInput, trace?: PageTrace): Conversion {
  switch (format) {
    case "html":
      // Plain text under the wrong name: as HTML its lines would run together.
      return /<[a-z!/?]/i.test(text) ? convertHtml(text, input, trace) : convertText(text, input);
    case "markdown":
      return convertMarkdown(text, input, trace);
    case "notebook":
      return convertNotebook(text, input, trace);
    case "description":
      return convertOpenApi(text, input, trace) ?? otherData(text, input);
    case "rst":
      return convertRst(text, input, trace);
    case "text":
      return convertText(text, input);
    case "pdf":
    case "asciidoc":
      return { kind: "failed", reason: `a page of format ${format} takes a library that is not loaded` };
  }
}

/** JSON and YAML that describe no API: for programs, unless they are sent as text to read. */
function otherData(text: string, input: ConversionInput): Conversion {
  return input.contentType.startsWith("text/")
    ? convertText(text, input)
    : { kind: "failed", reason: "it is data, and neither a notebook nor an OpenAPI description" };
}

function couldNot(error: unknown): Conversion {
  return { kind: "failed", reason: `the page could not be converted: ${reasonOf(error)}` };
}

const NOT_TEXT: Conversion = {
  kind: "failed",
  reason: "it is not text: most of it are bytes that no encoding of text has",
};

const LOOKED_AT_CHARACTERS = 20_000;
/** Text has next to none of these; a compressed or binary file has one in ten. */
const MOST_CONTROLS = 0.02;

/** Whether what was sent as a page is text. A few wrong bytes are only a fault of the page. */
function isText(text: string): boolean {
  if (!CONTROL.test(text.slice(0, LOOKED_AT_CHARACTERS))) return true;
  const looked = Math.min(text.length, LOOKED_AT_CHARACTERS);
  let controls = 0;
  for (let i = 0; i < looked; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd || code === 0x7f || (code < 0x20 && (code < 0x09 || code > 0x0d) && code !== 0x1b)) controls++;
  }
  return controls <= looked * MOST_CONTROLS + LEAST_CONTROLS;
}

/** What next to no page has. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u{0}-\u{8}\u{e}-\u{1a}\u{1c}-\u{1f}\u{7f}\u{fffd}]/u;

/** So many are let through in any page, however short. */
const LEAST_CONTROLS = 3;
