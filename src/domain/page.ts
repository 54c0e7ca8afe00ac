/** One fetched resource, as sent. */
export interface Page {
  /** Document name of the URL: what makes two spellings one page. */
  readonly name: string;
  /** The public URL it was sent from: relative links are resolved against it. */
  readonly url: string;
  readonly status: number;
  /** The Content-Type header as sent, or the type that the file's ending stands for; "" when there was none. */
  readonly contentType: string;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly body: Uint8Array;
}

/** A link found on a page, or a seed: where the crawl may go next. */
export interface Link {
  /** Public URL without fragment, spelt as it was found. */
  readonly url: string;
  /** Links from a seed; a seed has 0. */
  readonly depth: number;
  /** ISO 8601, UTC: the latest moment at which the page changed, as the site's own list of pages says. */
  readonly lastModified?: string;
}

/** What a crawl yields for one URL. A page that could not be fetched is data, not an exception. */
export type FetchOutcome =
  | { readonly kind: "page"; readonly page: Page; readonly links: readonly Link[] }
  /** 304: what the archive holds is still what the site sends. */
  | { readonly kind: "unchanged" }
  /** The page lives under another name, `to`, which is among the links. */
  | { readonly kind: "moved"; readonly to: string; readonly links: readonly Link[] }
  /** `soft 404`: answered 200 OK, with what the site sends for addresses that nobody has. */
  | { readonly kind: "gone"; readonly status: 404 | 410 | "soft 404" }
  /** Fetched, and by rule not documentation: an image, a redirect that leaves the scope. */
  | { readonly kind: "skipped"; readonly reason: string; readonly links: readonly Link[] }
  | { readonly kind: "failed"; readonly reason: string };

/** A page in the archive. */
export interface ArchivedPage extends Page {
  readonly source: string;
  /** ISO 8601, UTC: when the site last sent it, rather than 304. */
  readonly fetchedAt: string;
}

/** What the convert stage is told of one archived URL, in the order of revisions. */
export type PageChange =
  | { readonly kind: "page"; readonly revision: number; readonly page: ArchivedPage }
  | {
      readonly kind: "removed";
      readonly revision: number;
      readonly source: string;
      readonly name: string;
      /** The name under which the page lives on; undefined when it is gone. */
      readonly movedTo: string | undefined;
    };
