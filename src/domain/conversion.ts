import type { Chunk } from "./chunk.ts";
import type { ConvertOptions, Aliases } from "./source.ts";

/** What the converter is given: one page, and how its source wants it read. */
export interface ConversionInput {
  /** The page's public URL; relative links are resolved against it. */
  readonly url: string;
  /** The Content-Type as sent; decides how the bytes are read. */
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly options: ConvertOptions;
  /** Links to a mirror are given their public names. */
  readonly aliases: Aliases;
}

/** What a page became. */
export type Conversion =
  | {
      readonly kind: "document";
      readonly title: string;
      readonly description: string;
      readonly language: string;
      /** Markdown, without the title. */
      readonly content: string;
      readonly chunks: readonly Chunk[];
    }
  /** By rule no document: an empty page, an index page, a redirect stub. */
  | { readonly kind: "skipped"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };
