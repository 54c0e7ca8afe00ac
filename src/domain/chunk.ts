import type { PageKind } from "./document.ts";

/** A heading-bounded passage of a document, as the converter cuts it: what is ranked. */
export interface Chunk {
  /** Unique in its document, and the same for as long as the passage is: `c` and a number. */
  readonly id: string;
  /** Markdown. The chunks of a document, one after another, hold all of its content. */
  readonly content: string;
  /** The headings above the passage, outermost first, without the document's title. */
  readonly headings: readonly string[];
  /** The id of the nearest heading in the page, for a link; "" when it has none. */
  readonly anchor: string;
  /** The places in the passage that a fragment of the page's URL can lead to, in their order. */
  readonly anchors: readonly ChunkAnchor[];
}

/** An id of the page (of a heading, an entry, a term), and where in the passage it is, in UTF-16 code units. */
export type ChunkAnchor = readonly [id: string, at: number];

/** A chunk in the corpus. */
export interface StoredChunk extends Chunk {
  /** The row's id in the corpus; never used again for another passage. */
  readonly rowId: number;
}

/** A chunk's words, and those of its document's title. */
export interface ChunkText {
  readonly rowId: number;
  readonly title: string;
  readonly headings: readonly string[];
  readonly content: string;
}

/** What the index is told of one document. */
export type DocumentChange =
  | {
      readonly kind: "document";
      readonly revision: number;
      readonly documentId: number;
      readonly name: string;
      readonly uri: string;
      readonly source: string;
      readonly title: string;
      readonly language: string;
      /** As the page says it; "" or absent when it does not. */
      readonly version?: string;
      readonly pageKind: PageKind;
      readonly chunks: readonly StoredChunk[];
    }
  | { readonly kind: "removed"; readonly revision: number; readonly documentId: number };

/** One ranked chunk. */
export interface Hit {
  readonly chunkRowId: number;
  readonly documentId: number;
  /** In [0, 1]; comparable within one answer only. */
  readonly score: number;
}

/** What a search made of a query, where it was not taken as it is written; words and phrases of any length are clipped. */
export interface QueryReading {
  /** Words that stand nowhere, and the word that each was taken for. */
  readonly corrected: readonly { readonly written: string; readonly taken: string }[];
  /** Phrases in quotation marks that no passage has: their words were looked for instead. */
  readonly relaxed: readonly string[];
  /** When nothing was found: words that are there and are written much like those of the query, nearest first. */
  readonly nearest: readonly string[];
  /** Models that are set and were done without, for their servers gave nothing in time; absent when none was. */
  readonly without?: readonly ModelUse[];
}

/** What a model is used for in a search: to find passages by their meaning, and to order those that were found. */
export type ModelUse = "embeddings" | "reranking";

/** A hit with its text: what a reader gets. */
export interface Passage {
  /** Document name. */
  readonly parent: string;
  /** Chunk id. */
  readonly id: string;
  readonly content: string;
  readonly title: string;
  readonly uri: string;
  readonly headings: readonly string[];
  /** Its place among the chunks of its document, from 0. */
  readonly ordinal: number;
  readonly score: number;
}
