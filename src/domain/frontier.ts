import type { FetchOutcome } from "./page.ts";
import type { RunCounts } from "./run.ts";

/** A URL that the crawl has taken from the frontier. */
export interface FrontierEntry {
  /** Document name: the key of the frontier. */
  readonly name: string;
  /** The public URL to ask for. */
  readonly url: string;
  readonly depth: number;
  /** Whether an earlier run had an answer to it, so that it is asked for again rather than found. */
  readonly isKnown: boolean;
  /** Validators of the page that the archive holds; undefined when it holds none. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** The type of that page; undefined likewise. */
  readonly contentType: string | undefined;
}

/**
 * The queue of one run, kept in the archive so that a run that was killed goes on where it was. Every known URL of the
 * source is in it from the start, for a 304 carries no links.
 */
export interface Frontier {
  /** Takes the next URL; undefined when none waits (some may still be in flight). */
  next(): FrontierEntry | undefined;
  /** Records what came of an entry, its page and its links in one transaction. A link that is known is left alone. */
  record(entry: FrontierEntry, outcome: FetchOutcome): void;
  /** How many wait, and how many are in flight. */
  pending(): { readonly waiting: number; readonly inFlight: number };
  counts(): FrontierCounts;
}

/** How many URLs came to what, and the bytes that were sent; `leftOut` counts those beyond a limit. */
export type FrontierCounts = Pick<
  RunCounts,
  "fetched" | "unchanged" | "moved" | "gone" | "skipped" | "failed" | "leftOut" | "notDue" | "bytes"
>;

/**
 * Which of the URLs that are known a run asks for: those that are due (a page that has long been the same is asked less
 * often), all of them, or those that failed in the run before.
 */
export type Ask = "due" | "all" | "failed";

export interface FrontierLimits {
  /** All that decides what is in scope and which links are followed. When it is other than before, pages are asked for whole: a 304 has no links. */
  readonly scopeKey: string;
  readonly ask: Ask;
  /** Longest time that a page goes unasked when `ask` is "due". */
  readonly maxRecheckMs: number;
  readonly maxPages: number;
  readonly maxDepth: number;
  /**
   * When the bodies kept of the source come to this many bytes, only URLs whose page is kept already are asked for. Requests
   * in flight at that moment may go beyond it.
   */
  readonly maxSiteBytes: number;
  /** Whether a public URL belongs to the source as it is listed today; asked only when `scopeKey` is other than before. */
  inScope(url: string): boolean;
  /** The document name of a URL by the rules of the source. These are among `scopeKey`: known URLs are renamed by them. */
  nameOf(url: string): string;
  /** The URL to ask for in place of one that was found, by the same rules. */
  urlOf(url: string): string;
}
