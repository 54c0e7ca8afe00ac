import type { Conversion, ConversionInput } from "../domain/conversion.ts";
import { convertPage } from "./convert-page.ts";
import { formatOf, type Format } from "./page-format.ts";
import { PageTrace, type Dropped } from "./page-trace.ts";

/** How a page was converted, and what came of it. */
export interface Explanation {
  /** How its bytes were read; undefined when nothing reads them. */
  readonly format: Format | undefined;
  /** The generator whose rules were used; "" when it was not read as HTML. */
  readonly generator: string;
  /** Where the main content was found, such as `sphinx div.body`; "" when it was not looked for. */
  readonly content: string;
  readonly dropped: readonly Dropped[];
  readonly conversion: Conversion;
}

/** Converts a page as `convertPage` does, and says how. */
export function explainPage(input: ConversionInput): Explanation {
  const trace = new PageTrace();
  const conversion = convertPage(input, trace);
  return {
    format: formatOf(input.contentType, input.url),
    generator: trace.root?.generator.id ?? "",
    content: trace.root?.rule ?? "",
    dropped: trace.dropped(),
    conversion,
  };
}
