/** What a first look at a web site found. All URLs are public and absolute. */
export interface SiteLook {
  readonly kind: "site";
  /** As it was given. */
  readonly asked: string;
  /** The page to which that led: another one when the site has moved. */
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** What the page links to, each once, in the order of the page. */
  readonly links: readonly string[];
  /** Languages that the page says it is there in (`hreflang`), in the order of the page. */
  readonly languages: readonly string[];
  /** What robots.txt says; "" when there is none. */
  readonly robots: string;
  readonly crawlDelayS: number | undefined;
  /** Sitemaps that were read and list pages, or further sitemaps. */
  readonly sitemaps: readonly SitemapLook[];
  /** Sitemaps that an index names, and that were not read, to ask little. */
  readonly unreadSitemaps: number;
  /** Pages that sitemaps list, each once. */
  readonly listed: readonly string[];
  /** How many they would be with the sitemaps that were not read. */
  readonly estimate: number;
  /** How many pages llms.txt names; undefined when there is none. */
  readonly llmsTxt: number | undefined;
  /** Where the Markdown of the page is; undefined when there is none that can stand for it. */
  readonly markdown: string | undefined;
  /** Whether the page holds no text, and its scripts would bring it. */
  readonly needsScript: boolean;
  /** Addresses that are not public and may be connected to, as they were given. */
  readonly allowAddresses: readonly string[];
  /** Whether the site wants so much time between two requests that it was not asked for what can do without. */
  readonly isSlow: boolean;
  /** Requests that were made. */
  readonly requests: number;
  /** Whether it is an address that is not on the public internet. */
  readonly isPrivate: boolean;
}

export interface SitemapLook {
  readonly url: string;
  readonly pages: number;
  /** Further sitemaps that it names. */
  readonly sitemaps: number;
}

/** What a first look at a folder found. Paths are relative to `folder`. */
export interface FolderLook {
  readonly kind: "folder";
  /** Absolute: the folder that was given, or, when only one folder in it holds documents, that one. */
  readonly folder: string;
  /** Files that are documents. */
  readonly documents: readonly string[];
  /** How many there are of each media type. */
  readonly types: Readonly<Record<string, number>>;
  /** How many files are no documents. */
  readonly others: number;
  /** Where a reader would begin. */
  readonly start: string;
  readonly body: Uint8Array;
  readonly contentType: string;
  /** The address in public of the folder, as most of the documents that were read say; undefined when they do not. */
  readonly baseUrl: string | undefined;
  /** How many documents were read for that, and how many of them say it. */
  readonly sampled: number;
  readonly agreeing: number;
}

/** What the page at which a reader begins was found to be. */
export interface StartPage {
  /** The generator's preset; `generic` for an unknown one, "" for what is no HTML. */
  readonly generator: string;
  /** "" for what the page does not say, here and below. */
  readonly title: string;
  readonly product: string;
  readonly version: string;
  readonly language: string;
}

/** What a crawl would do with pages that are known before it begins. */
export interface Preview {
  readonly taken: number;
  /** Some that would be asked for, spread over all of them. */
  readonly samples: readonly string[];
  /** By the rule that keeps them out, most first. */
  readonly leftOut: readonly { readonly rule: string; readonly count: number; readonly example: string }[];
}
