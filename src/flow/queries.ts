import type { Passage, QueryReading } from "../domain/chunk.ts";
import type { Document, DocumentInfo } from "../domain/document.ts";
import type { CarrelError } from "../domain/errors.ts";
import type { AnswerWriter, CorpusReader, CorpusStats, Logger, SearchIndex } from "../domain/ports.ts";
import type { Section } from "./sections.ts";

/** Longest query, in characters. Source: the Developer Knowledge contract, section 3. */
export const MAX_QUERY_CHARS = 500;
/** Most documents of one request. Source: as above, section 2. */
export const MAX_NAMES = 20;
/** Passages of one answer when nothing is said, and at most. Source: as above, section 3. */
export const DEFAULT_PAGE_SIZE = 5;
export const MAX_PAGE_SIZE = 100;
/** Most characters of a search reply as JSON: what the tightest of the known agents shows whole. */
export const SEARCH_REPLY_CHARS = 10_000;
/** Most characters of the text of an answer as JSON: with its references it stays within a search reply. */
export const ANSWER_CHARS = 8_000;
/** Most characters of a reply with documents as JSON: what agents show before they put a reply aside in a file. */
export const DOCUMENTS_REPLY_CHARS = 40_000;

interface SearchRequest {
  /** At most 500 characters. */
  readonly query: string;
  /** Default 5; more than 100 is taken as 100. */
  readonly pageSize?: number;
  /** Where to go on: `nextPageToken` of the answer before. */
  readonly pageToken?: string;
  /** See `parseFilter`; at most 500 characters. */
  readonly filter?: string;
  /** Id, title or host of the source to look in. */
  readonly source?: string;
  /** Makes passages that follow one another in their document one passage. Default true. */
  readonly merge?: boolean;
  /** Says that the reply gives title, URL, headings and score as well, which take room. Default false. */
  readonly verbose?: boolean;
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
  /** Of the best documents, in which more was found than the few passages of each that are given. */
  readonly further: readonly FurtherSections[];
  /** When no document satisfies the filter: the hosts that there are documents of. */
  readonly hosts?: readonly string[];
  /** When what was found is hardly about the question. */
  readonly doubt: Doubt | undefined;
  /** What was made of the query where it was not taken as it is written. */
  readonly reading: QueryReading;
  /** With it a search goes on behind the passages that were given; undefined when there are no more. */
  readonly nextPageToken: string | undefined;
}

/** A search found nothing that is likely to answer. */
export interface Doubt {
  /** Words of the question that nothing speaks of; none when too little of it was found together. */
  readonly silentOn: readonly string[];
}

/** Sections of a document in which more was found, the likeliest first. */
export interface FurtherSections {
  /** Document name. */
  readonly name: string;
  /** The words of their headings; "" is what comes before the first. */
  readonly sections: readonly string[];
}

interface DocumentsRequest {
  /** 1–20 document names, or URLs of their pages. */
  readonly names: readonly string[];
  /** Where to begin reading, in UTF-16 code units; for one name only. Default 0. */
  readonly start?: number;
  /** The words of a heading, or a fragment of the page's URL: only that section is read. A `#fragment` of a name says it too. */
  readonly section?: string;
  /** Most characters of content in all, as JSON, or Infinity. Default: what keeps the reply within 40,000. */
  readonly maxChars?: number;
  /** Says that the reply gives what documents say of themselves as well, which takes room. Default false. */
  readonly verbose?: boolean;
}

/** A document, or the part of it that fits. */
export interface DocumentPart extends Document {
  /** Which part of the document `content` is, in UTF-16 code units; from 0 to `length` when it is all of it. */
  readonly start: number;
  readonly end: number;
  readonly length: number;
  /** The section that was asked for. */
  readonly section?: Section;
  /** A fragment of the name that leads to no section: the document is given, unless it is long its beginning only. */
  readonly unknownFragment?: string;
  /** Then the sections that there are, the likeliest to be meant first. */
  readonly sections?: readonly string[];
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

interface AnswerRequest {
  /** At most 500 characters. */
  readonly query: string;
  /** As of a search. */
  readonly filter?: string;
  /** Most characters of the text as JSON. Default 8,000. */
  readonly maxChars?: number;
}

/** An answer, and what each part of it rests on. */
export interface Answer {
  /** Markdown. */
  readonly text: string;
  /** In the order of the text; none when nothing in the corpus answers. */
  readonly citations: readonly Citation[];
  readonly references: readonly Passage[];
}

export interface Citation {
  /** Of the text in UTF-8: the first byte, and the one after the last. */
  readonly startByte: number;
  readonly endByte: number;
  /** Indexes of `references`. */
  readonly references: readonly number[];
}

interface CorpusStatus extends Omit<CorpusStats, "chunks"> {
  /** The corpus revision that searches see; less than `revision` while the index catches up. */
  readonly indexRevision: number;
}

/** What readers can ask; the same for every surface. */
export interface Queries {
  /** @throws CarrelError `invalid` for a query or page size that cannot be. */
  searchDocuments(request: SearchRequest): Promise<SearchAnswer>;
  /** One bad name does not fail the others. @throws CarrelError `invalid` when the request as a whole cannot be. */
  getDocuments(request: DocumentsRequest): Promise<DocumentsAnswer>;
  /**
   * An answer to a question: the best passages, quoted, or what a model writes from them.
   * @throws CarrelError `invalid` for a query or filter that cannot be.
   */
  answerQuery(request: AnswerRequest): Promise<Answer>;
  /** Whether answers are quotations, or written by a model where it can. */
  readonly answers: "quoted" | "written";
  /** What is kept of a document, by its exact name; undefined when it is not kept. */
  documentInfo(name: string): DocumentInfo | undefined;
  /** What the corpus covers: `title: hosts`, the same text for the same sources, and no text of a document. */
  describeCorpus(): string;
  status(): CorpusStatus;
}

/** What the queries read. */
export interface QueryPorts {
  readonly corpus: Pick<
    CorpusReader,
    | "id"
    | "revision"
    | "document"
    | "documentInfo"
    | "passages"
    | "chunks"
    | "namesBelow"
    | "matching"
    | "stats"
    | "titles"
  >;
  readonly index: Pick<SearchIndex, "search" | "reading" | "stats">;
  /** Writes answers; without it they are quotations. */
  readonly writer?: AnswerWriter;
  readonly logger?: Logger;
}
