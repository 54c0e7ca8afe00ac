import type { Conversion, ConversionInput } from "../domain/conversion.ts";
import { reasonOf } from "../domain/errors.ts";
import { decodePage } from "./decode.ts";
import { convertHtml } from "./html-page.ts";
import { convertMarkdown } from "./markdown-page.ts";
import { convertNotebook } from "./notebook-page.ts";
import { convertOpenApi } from "./openapi/openapi-page.ts";
import { formatOf } from "./page-format.ts";
import type { PageTrace } from "./page-trace.ts";
import { convertText } from "./text-page.ts";

/**
 * Converts one page. Pure, and synchronous: the same input gives the same conversion. Never throws: what cannot be read is a
 * failure with its reason.
 * @param trace is told how.
 */
export function convertPage(input: ConversionInput, trace?: PageTrace): Conversion {
  const format = formatOf(input.contentType, input.url);
  if (format === undefined) return { kind: "failed", reason: `pages of type ${input.contentType} cannot be read` };
  try {
    const text = decodePage(input.body, input.contentType);
    switch (format) {
      case "html":
        return convertHtml(text, input, trace);
      case "markdown":
        return convertMarkdown(text, input, trace);
      case "notebook":
        return convertNotebook(text, input, trace);
      case "description":
        return convertOpenApi(text, input, trace) ?? otherData(text, input);
      case "text":
        return convertText(text, input);
    }
  } catch (error) {
    return { kind: "failed", reason: `the page could not be converted: ${reasonOf(error)}` };
  }
}

/** JSON and YAML that describe no API: for programs, unless they are sent as text to read. */
function otherData(text: string, input: ConversionInput): Conversion {
  return input.contentType.startsWith("text/")
    ? convertText(text, input)
    : { kind: "failed", reason: "it is data, and neither a notebook nor an OpenAPI description" };
}
