/** What a page is for; for filters, and for a ranking that puts what explains before what lists. */
export const PAGE_KINDS = [
  /** Describes each part of an interface: an API, commands, settings. */
  "reference",
  /** Explains; any page that is nothing else. */
  "guide",
  /** Leads through one task step by step. */
  "tutorial",
  /** What is new in a version, and what to do about it. */
  "release-notes",
  /** A list of changes, version by version. */
  "changelog",
  /** Lists pages and says little itself: a table of contents, an index, a page of links. */
  "index",
  "blog",
] as const;

export type PageKind = (typeof PAGE_KINDS)[number];

/** What a page says of itself besides its text. */
export interface DocumentFacts {
  /** Titles of the pages above it, outermost first, as the site shows them; never the page's own, nor made of its text. */
  readonly breadcrumbs: readonly string[];
  /** What it documents, such as "Python"; "" when it does not say. */
  readonly product: string;
  /** Of the product, such as "3.11.2"; "" when it does not say. */
  readonly version: string;
  /** ISO 8601, a day or a time in UTC: when the page says that it was last changed; "" when it does not. */
  readonly lastModified: string;
  /** The URL that it says it should be known by, on its own host; "" when it names none that could be. */
  readonly canonical: string;
  /** The preset whose rules it was read by; "" for what is no HTML. */
  readonly generator: string;
  readonly pageKind: PageKind;
}

/** Of a page that says nothing of itself. */
export const NO_FACTS: DocumentFacts = {
  breadcrumbs: [],
  product: "",
  version: "",
  lastModified: "",
  canonical: "",
  generator: "",
  pageKind: "guide",
};

/** A page as Markdown, under its document name: what is read, cited and exported. */
export interface Document extends DocumentFacts {
  /** `documents/{host}/{path}`. */
  readonly name: string;
  /** The public URL. */
  readonly uri: string;
  readonly source: string;
  readonly title: string;
  /** The page's own description, or its first sentence; "" when it has neither. */
  readonly description: string;
  /** BCP 47, as the page says; "" when it does not. */
  readonly language: string;
  /** Markdown, without the title. */
  readonly content: string;
  /** ISO 8601, UTC: when the content last changed here. */
  readonly updateTime: string;
}

/** A document without its content. */
export interface DocumentInfo extends Omit<Document, "content"> {
  /** Of the content, in UTF-8. */
  readonly contentLengthBytes: number;
}
