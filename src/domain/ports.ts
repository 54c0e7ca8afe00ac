import type { Chunk, ChunkText, DocumentChange, Hit, Passage, QueryReading } from "./chunk.ts";
import type { Conversion, ConversionInput } from "./conversion.ts";
import type { Document, DocumentInfo } from "./document.ts";
import type { Filter } from "./filter.ts";
import type { Frontier, FrontierCounts, FrontierLimits } from "./frontier.ts";
import type { ArchivedPage, Link, PageChange } from "./page.ts";
import type { DocumentChangeNote, Failure, Omission, OmissionGroup, OmissionKind, Run, RunStatus } from "./run.ts";
import type { LocalSource, WebSource } from "./source.ts";

/** The time, passed in so that tests choose it. */
export type Clock = () => Date;

/** Says what happens to the person who watches; writes to standard error, never to standard output. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
}

export type { Ask, Frontier, FrontierCounts, FrontierEntry, FrontierLimits } from "./frontier.ts";

// 1 fetch ---------------------------------------------------------------------------------------------------------------

/** Fetches everything in a frontier, and what it leads to within the source's scope. */
export interface Fetcher {
  /** What the site's sitemaps and llms.txt name within the source's scope: seeds besides its own. */
  discover(source: WebSource, signal: AbortSignal): Promise<readonly Link[]>;
  /**
   * Resolves when nothing is left, or when `signal` aborts and what was in flight is recorded or given back.
   * @returns what else is to be known of the crawl, for the run's note.
   */
  crawl(source: WebSource, frontier: Frontier, signal: AbortSignal): Promise<readonly string[]>;
}

/** Reads what a folder or an archive holds into a frontier. */
export interface LocalReader {
  /**
   * The documents that are there, as links of depth 0: the seeds of the run.
   * @throws CarrelError `not-found` or `invalid` when there is none, or the archive is damaged.
   */
  list(source: LocalSource): Promise<readonly Link[]>;
  /**
   * Reads every entry of the frontier; a file that is not there any more is gone. When `signal` aborts, what was taken and not
   * recorded stays in flight.
   * @throws CarrelError as `list`, and when an archive has changed since.
   */
  read(source: LocalSource, frontier: Frontier, signal: AbortSignal): Promise<void>;
}

/** What was sent, and the frontier of each run. */
export interface Archive {
  /** Made when the archive was made; another one, even in its place, has another. */
  id(): string;
  /** Says which corpus' runs the frontiers are of; those of another one's are forgotten, for their numbers mean others. */
  serveCorpus(corpusId: string): void;
  /** The revision of the last write. */
  revision(): number;
  /**
   * The frontier of a run: as it was left when the run goes on, else the seeds and every known URL of the source for
   * which `inScope` holds.
   */
  openFrontier(run: Run, seeds: readonly Link[], limits: FrontierLimits): Frontier;
  /** What `settle` would do to the pages that are there. @param isTelling whether the run says what is gone. */
  review(run: Run, isTelling: boolean): RunReview;
  /** The pages of a source that are other than before, and wait for their run to be settled. */
  incoming(source: string): Iterable<ArchivedPage>;
  /**
   * Takes over what a run brought: changed pages; and, when it says what is gone, applies moves, and tombstones what was gone
   * in two such runs, or in this one when it is `accepted`. Of a run that is not settled, changed pages are dropped when the
   * next one begins.
   */
  settle(run: Run, isTelling: boolean, accepted?: boolean): void;
  /** Gives every page of a source a new revision, so that it is converted again from what is here. */
  touch(source: string): void;
  /** What came after a revision, oldest first, at most `limit`. */
  changesSince(revision: number, limit: number): readonly PageChange[];
  /** The page that is kept under exactly that name, of one source or of whichever has it. */
  page(name: string, source?: string): ArchivedPage | undefined;
  /** Tombstones all pages of a source, and forgets its URLs: it is listed no more. */
  removeSource(source: string): void;
  /** URLs of a run that failed. */
  failures(run: Run): Iterable<Pick<Failure, "url" | "reason">>;
  /** URLs of a run that brought no page and did not fail, by kind and URL. */
  omissions(run: Run): Iterable<Omission>;
  close(): void;
}

/** What settling a run would do, in pages. */
export interface RunReview {
  /** There now. */
  readonly live: number;
  /** Other than before. */
  readonly changed: number;
  /** Gone or moved: they would be removed. */
  readonly leaving: number;
  /** There now, and answered with something that is no documentation. */
  readonly refused: number;
}

// 2 convert -------------------------------------------------------------------------------------------------------------

/** Turns pages into documents, off the main thread. Never rejects for a bad page: that is a failed conversion. */
export interface Converter {
  /** Changes when the rules do, so that what is in the archive is converted again. */
  readonly fingerprint: string;
  convert(input: ConversionInput): Promise<Conversion>;
  close(): Promise<void>;
}

/** What the convert stage writes for one page. */
export type CorpusWrite =
  | ({
      readonly kind: "document";
      /** All documents that parts of the page became; those that it had before and has no more are removed. */
      readonly parts?: readonly NewDocument[];
    } & NewDocument)
  /** Removes the page's document, and those of its parts. */
  | {
      readonly kind: "remove";
      readonly source: string;
      readonly name: string;
      readonly movedTo: string | undefined;
      /** Why a page that was converted is kept out, which the run counts: it is an index page, or no documentation otherwise. */
      readonly keptOut?: { readonly url: string; readonly reason: string; readonly isIndex: boolean };
    }
  | { readonly kind: "failure"; readonly source: string; readonly url: string; readonly reason: string };

/** A document as it is written, with its passages. */
export interface NewDocument {
  readonly document: Omit<Document, "updateTime">;
  readonly chunks: readonly Chunk[];
}

/** The truth that is served: documents, their chunks, and the runs that made them. */
export interface Corpus extends CorpusReader {
  /** Says from which archive documents are made; one that is new is converted from its start. */
  readArchive(archiveId: string): void;
  /** The revision of that archive that the documents were made from. */
  archiveRevision(): number;
  /** What is noted of a source; undefined when nothing is. */
  source(id: string): SourceNote | undefined;
  noteSource(id: string, note: SourceNote): void;
  /**
   * Writes a batch, its failures and how far it reaches, in one transaction. What is equal to what is there changes no
   * revision. What is added, updated and removed is counted for the unfinished run of its source.
   */
  apply(writes: readonly CorpusWrite[], archiveRevision: number): void;

  /** Goes on with the source's unfinished run, or begins one. */
  beginRun(source: string): Run;
  /** Notes now and then how far the unfinished run is, so that one that is killed has its time and counts. */
  noteProgress(run: Run, counts: () => FrontierCounts): void;
  /** Ends a run; `counts.failed` is not stored: the failures are counted. */
  endRun(run: Run, status: Exclude<RunStatus, "running">, counts: FrontierCounts, note: string): Run;
  recordFailures(run: Run, failures: readonly Omit<Failure, "run">[]): void;
  /** Keeps what a run omitted, in place of what was kept of it: all groups, and URLs up to a limit for each kind. */
  recordOmissions(run: Run, omissions: Iterable<Omission>): void;
  /** Removes every document that is left of a source, its aliases and its title; its runs stay. */
  removeSource(source: string): void;
  close(): void;
}

/** What the corpus knows of a source, so that a machine without pipelines can say what it holds. */
export interface SourceNote {
  readonly title: string;
  /** The conversion rules that its documents were made with. */
  readonly fingerprint: string;
}

/** What readers need of the corpus. */
export interface CorpusReader {
  /** Made when the corpus was made; another one, even in its place, has another. */
  id(): string;
  revision(): number;
  /** What came after a revision, oldest first, at most `limit`. */
  changesSince(revision: number, limit: number): readonly DocumentChange[];
  /** By its own name, or by one that leads to it: of a page that moved, or of a twin. */
  document(name: string): Document | undefined;
  /** What is kept under exactly that name, without reading the content. */
  documentInfo(name: string): DocumentInfo | undefined;
  /** In the order asked; a chunk that is gone is left out. */
  passages(hits: readonly Hit[]): readonly Passage[];
  /** Ids of the documents that a filter means. */
  matching(filter: Filter): ReadonlySet<number>;
  /** Names of documents directly below a name that ends in a slash, in alphabetical order, at most `limit`. */
  namesBelow(folder: string, limit: number): readonly string[];
  /** A document's chunks in their order; none for an unknown name. */
  chunks(name: string): readonly Chunk[];
  /** Chunks with what a ranking needs to see of them, in no certain order; those that are gone are left out. */
  texts(chunkRowIds: readonly number[]): readonly ChunkText[];
  /** Titles of sources, by their ids. */
  titles(): ReadonlyMap<string, string>;
  stats(): CorpusStats;
  /** Newest first. */
  runs(limit: number, source?: string): readonly Run[];
  run(id: number): Run | undefined;
  failures(runId: number): readonly Failure[];
  /** What a run omitted and why, with how many there were: all of it, whatever is kept of the URLs. */
  omissionGroups(runId: number): readonly OmissionGroup[];
  /** The URLs of one kind that are kept, by URL. Only the latest runs of a source have any. */
  omissions(runId: number, kind: OmissionKind): readonly Omission[];
  /** What a run added, changed and removed, by name. */
  changesOf(runId: number): readonly DocumentChangeNote[];
  close(): void;
}

export interface CorpusStats {
  readonly documents: number;
  readonly chunks: number;
  readonly revision: number;
  readonly sources: readonly SourceStats[];
}

export interface SourceStats {
  readonly source: string;
  readonly documents: number;
  readonly hosts: readonly string[];
}

// 3 index ---------------------------------------------------------------------------------------------------------------

/** Ranks chunks. Derived from the corpus: safe to delete, caught up by revision. Held by test/contract/search-index.ts. */
export interface SearchIndex {
  /** The corpus revision that is indexed; 0 for an empty index. */
  revision(): number;
  /** Indexes a batch of changes in one transaction; running readers see it at once. */
  apply(changes: readonly DocumentChange[]): Promise<void>;
  /**
   * The best chunks for a question in natural language or for an exact name; best first. `within` are the ids of the
   * documents that may be found; all, when it is not given.
   */
  search(query: string, limit: number, within?: ReadonlySet<number>): Promise<readonly Hit[]>;
  /** What a search made of a query that gave these hits; of documents outside `within` it tells nothing. */
  reading(query: string, hits: readonly Hit[], within?: ReadonlySet<number>): Promise<QueryReading>;
  /**
   * Brings up to date what is made of the whole index rather than of single changes. Called when it has caught up; costs
   * nothing when nothing is due. What cannot be done now waits for the next time, and searches do without it.
   */
  enrich(signal: AbortSignal): Promise<void>;
  stats(): { readonly chunks: number; readonly revision: number };
  /** What was decided on ways to search, and why; for people. */
  notes(): readonly IndexNote[];
  close(): void;
}

/** One way to search, and what is to be said of it. */
export interface IndexNote {
  readonly about: string;
  readonly says: string;
}

// 4 answer --------------------------------------------------------------------------------------------------------------

/** Writes an answer to a question from passages alone: a language model on one's own network. */
export interface AnswerWriter {
  /**
   * Markdown in which `[1]` cites the first passage; undefined when the passages do not answer the question.
   * @throws CarrelError `unavailable` when no answer comes, or none in time.
   */
  write(question: string, passages: readonly AnswerPassage[]): Promise<string | undefined>;
}

/** Turns texts into vectors that are near each other when they mean the like: a model on one's own network. */
export interface Embedder {
  /** Which model it is and how it is asked: vectors of another cannot be compared with its own. */
  readonly model: string;
  /** Texts that are best asked for together. */
  readonly batch: number;
  /** @throws CarrelError `unavailable` when it gives none, after some attempts; `stopped` when the signal aborts. */
  embedDocuments(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
  /** @throws CarrelError `unavailable` when it gives none, or none in time. */
  embedQuery(text: string): Promise<Float32Array>;
}

/** Says how well passages answer a query: a model on one's own network. */
export interface Reranker {
  /** By passage; greater is better. @throws CarrelError `unavailable` when it gives none, or none in time. */
  scores(query: string, passages: readonly string[]): Promise<readonly number[]>;
}

/** A passage that an answer may be written from. */
export interface AnswerPassage {
  /** Title of the document, and the headings above the passage. */
  readonly path: readonly string[];
  readonly content: string;
}
