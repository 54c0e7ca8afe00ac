import type { Conversion, ConversionInput } from "../domain/conversion.ts";
import { convertPage } from "./convert-page.ts";
import { formatOf, type Format } from "./page-format.ts";
import { PageTrace, type Dropped, type Used } from "./page-trace.ts";

/** How a page was converted, and what came of it. */
export interface Explanation {
  /** How its bytes were read; undefined when nothing reads them. */
  readonly format: Format | undefined;
  /** The generator whose rules were used; "" when it was not read as HTML. */
  readonly generator: string;
  /** Where the main content was found, such as `sphinx div.body`; "" when it was not looked for. */
  readonly content: string;
  readonly dropped: readonly Dropped[];
  /** The rules of the pipeline, and on what each was used. */
  readonly rules: readonly Used[];
  readonly conversion: Conversion;
}

/** Converts a page as `convertPage` does, and says how. Never rejects. */
export async function explainPage(input: ConversionInput): Promise<Explanation> {
  const trace = new PageTrace();
  const conversion = await convertPage(input, trace);
  return {
    format: formatOf(input.contentType, input.url),
    generator: trace.root?.generator.id ?? "",
    content: trace.root?.rule ?? "",
    dropped: trace.dropped(),
    rules: trace.used(),
    conversion,
  };
}
