import type { Conversion } from "../../src/domain/conversion.ts";
import type { Aliases, ConvertOptions } from "../../src/domain/source.ts";
import { convertAtOnce } from "../../src/convert/convert-page.ts";

type Document = Extract<Conversion, { kind: "document" }>;

interface PageOptions {
  readonly url?: string;
  readonly contentType?: string;
  readonly options?: ConvertOptions;
  readonly aliases?: Aliases;
}

/** Converts a page that a test wrote. */
export function convert(body: string | Uint8Array, page: PageOptions = {}): Conversion {
  return convertAtOnce({
    url: page.url ?? "https://tern.example/docs/page.html",
    contentType: page.contentType ?? "text/html; charset=utf-8",
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    options: page.options ?? { remove: [] },
    aliases: page.aliases ?? [],
  });
}

/** The same, for a page that must become a document. */
export function documentOf(body: string | Uint8Array, page: PageOptions = {}): Document {
  const conversion = convert(body, page);
  if (conversion.kind !== "document") throw new Error(`${conversion.kind}: ${conversion.reason}`);
  return conversion;
}
