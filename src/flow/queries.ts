import type { Passage } from "../domain/chunk.ts";
import type { Document } from "../domain/document.ts";
import type { CarrelError } from "../domain/errors.ts";
import type { CorpusReader, CorpusStats, SearchIndex } from "../domain/ports.ts";

/** Longest query, in characters. Source: the Developer Knowledge contract, section 3. */
export const MAX_QUERY_CHARS = 500;
/** Most documents of one request. Source: as above, section 2. */
export const MAX_NAMES = 20;
/** Passages of one answer when nothing is said, and at most. Source: as above, section 3. */
export const DEFAULT_PAGE_SIZE = 5;
export const MAX_PAGE_SIZE = 100;
/** Most characters of a search reply as JSON: what the tightest of the known agents shows whole. */
export const SEARCH_REPLY_CHARS = 10_000;
/** Most characters of a reply with documents as JSON: what agents show before they put a reply aside in a file. */
export const DOCUMENTS_REPLY_CHARS = 40_000;

interface SearchRequest {
  /** At most 500 characters. */
  readonly query: string;
  /** Default 5; more than 100 is taken as 100. */
  readonly pageSize?: number;
  /** Most characters of the reply as JSON, or Infinity. Default 10,000. */
  readonly maxChars?: number;
}

/** A passage, and how many of its characters were left out at its end to keep the reply within its budget. */
export interface FoundPassage extends Passage {
  readonly omittedChars: number;
}

export interface SearchAnswer {
  /** Best first. */
  readonly passages: readonly FoundPassage[];
  /** Found, and left out to keep the reply within its budget. */
  readonly leftOut: readonly Passage[];
}

interface DocumentsRequest {
  /** 1–20 document names, or URLs of their pages. */
  readonly names: readonly string[];
  /** Where to begin reading, in UTF-16 code units; for one name only. Default 0. */
  readonly start?: number;
  /** Most characters of content in all, as JSON, or Infinity. Default: what keeps the reply within 40,000. */
  readonly maxChars?: number;
}

/** A document, or the part of it that fits. */
export interface DocumentPart extends Document {
  /** Which part of the document `content` is, in UTF-16 code units; from 0 to `length` when it is all of it. */
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

/** A document that could not be given. */
export interface DocumentFailure {
  /** As asked for. */
  readonly name: string;
  readonly error: CarrelError;
  /** Names of at most three documents that may be meant, nearest first. */
  readonly nearest: readonly string[];
}

export interface DocumentsAnswer {
  /** In the order asked, without those that failed. */
  readonly documents: readonly DocumentPart[];
  readonly failures: readonly DocumentFailure[];
}

interface CorpusStatus extends CorpusStats {
  /** The corpus revision that searches see; less than `revision` while the index catches up. */
  readonly indexRevision: number;
}

/** What readers can ask; the same for every surface. */
export interface Queries {
  /** @throws CarrelError `invalid` for a query or page size that cannot be. */
  searchDocuments(request: SearchRequest): Promise<SearchAnswer>;
  /** One bad name does not fail the others. @throws CarrelError `invalid` when the request as a whole cannot be. */
  getDocuments(request: DocumentsRequest): Promise<DocumentsAnswer>;
  /** What the corpus covers: `title: hosts`, the same text for the same sources, and no text of a document. */
  describeCorpus(): string;
  status(): CorpusStatus;
}

/** What the queries read. */
export interface QueryPorts {
  readonly corpus: Pick<CorpusReader, "revision" | "document" | "passages" | "stats" | "titles">;
  readonly index: Pick<SearchIndex, "search" | "stats">;
}
