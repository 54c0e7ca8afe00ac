import type { Chunk } from "./chunk.ts";
import type { DocumentFacts } from "./document.ts";
import type { Aliases, ConvertOptions } from "./source.ts";

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

/** What is made of the text of a page. */
export interface ConvertedText extends DocumentFacts {
  readonly title: string;
  readonly description: string;
  readonly language: string;
  /** Markdown, without the title. */
  readonly content: string;
  readonly chunks: readonly Chunk[];
}

/** A part of a page that is a document by itself, such as an operation of an API. */
export interface PagePart extends ConvertedText {
  /** What its name has after that of the page: `operations/getPet`. */
  readonly path: string;
  /** What leads to it in the page's URL: `operation/getPet`. */
  readonly fragment: string;
}

/** What a page became. */
export type Conversion =
  | ({
      readonly kind: "document";
      /** What is told of in documents of its own, besides that of the whole. */
      readonly parts?: readonly PagePart[];
    } & ConvertedText)
  /** By rule no document: an empty page, an index page, a redirect stub. */
  | {
      readonly kind: "skipped";
      readonly reason: string;
      /** It lists what other pages explain, or repeats all of them. */
      readonly isIndex?: boolean;
    }
  | { readonly kind: "failed"; readonly reason: string };
