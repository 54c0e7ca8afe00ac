import type { Access } from "./access.ts";
import type { ConvertRule } from "./convert-rule.ts";
import type { Schedule } from "./schedule.ts";

/** One documentation site that we keep: one file in `pipelines/`, whose name is its id. */
export type Source = WebSource | LocalSource;

/** A source that is read from this machine's disk. */
export type LocalSource = FolderSource | ArchiveSource;

interface SourceBase {
  /** The pipeline's file name without `.yaml`. */
  readonly id: string;
  /** The subfolder that its pipeline is in, such as `google`; undefined for one that is in the pipelines folder itself. */
  readonly group?: string;
  /** What people call it, such as "Python 3.11". */
  readonly title: string;
  readonly scope: Scope;
  /** How its documents are named; `DEFAULT_NAMES` unless given. */
  readonly names?: NameRules;
  readonly convert: ConvertOptions;
  readonly freshness: Freshness;
  /** When `carrel schedule` refreshes it; never unless given. */
  readonly schedule?: Schedule;
}

/** How a source is kept fresh. */
export interface Freshness {
  /** The longest that a page which never changes goes unasked, in days; 0 asks for every page in every run. */
  readonly maxRecheckDays: number;
  /** The largest share of its pages, from 0 to 1, that a run may remove or empty before it is taken for a fault. */
  readonly maxLoss: number;
}

/** A site that is fetched over HTTP. */
export interface WebSource extends SourceBase {
  readonly kind: "web";
  /** Public URLs at which the crawl starts; at least one. */
  readonly seeds: readonly string[];
  readonly aliases: Aliases;
  readonly limits: CrawlLimits;
  readonly rules: CrawlRules;
  /** How it is reached, and as whom; absent for a public site. */
  readonly access?: Access;
}

/** HTML, Markdown and text files on disk that keep their public names. */
export interface FolderSource extends SourceBase {
  readonly kind: "folder";
  /** Absolute path of the root. */
  readonly folder: string;
  /** The public URL of the root; ends in a slash. */
  readonly baseUrl: string;
}

/** Documentation in one file, as people carry it; nothing of it is unpacked. See `archiveFormat`. */
export interface ArchiveSource extends SourceBase {
  readonly kind: "archive";
  /** Absolute path of the file. */
  readonly archive: string;
  /** The public URL of the root, ends in a slash; only the pages of a WARC need none, for they have URLs of their own. */
  readonly baseUrl?: string;
  /** The folder in the archive that is the root, without slashes at its ends; a segment `*` is the only folder there. */
  readonly root?: string;
}

/**
 * `page` is the seeds alone, `prefix` what lies under a seed's directory, `host` the seeds' hosts with their ports,
 * `domain` these hosts and their subdomains.
 */
export type ScopeType = "page" | "prefix" | "host" | "domain";

/** Which URLs belong to a source. Exclude beats include. */
export interface Scope {
  readonly type: ScopeType;
  /** Patterns of public URLs, see `UrlPattern`; when there are any, a URL must match one. */
  readonly include: readonly string[];
  /** Patterns of public URLs; a URL that matches one is out. */
  readonly exclude: readonly string[];
  /** BCP 47 tags: pages that say they are in a language that is none of these are out. All are in unless given. */
  readonly languages?: readonly string[];
  /** Segments: of URLs with a version in their path, those with one of these are in. All are in unless given. */
  readonly versions?: readonly string[];
  /** What is kept as a document, and links to data that are followed. All but text and data unless given. */
  readonly contentTypes?: readonly DocumentType[];
}

/** The media types that documents come in; each stands for its older names as well. */
export const DOCUMENT_TYPES = [
  "text/html",
  "text/markdown",
  "text/plain",
  "text/x-rst",
  "text/asciidoc",
  "application/pdf",
  "application/x-ipynb+json",
  "application/json",
  "application/yaml",
] as const;

export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Which spellings of a URL are one document: what is folded to make its name. */
export interface NameRules {
  /** Query parameters that do not choose a page: `name` or `name=value`, where `*` stands for any characters. */
  readonly ignoreParameters: readonly string[];
  /** Files that stand for their directory. */
  readonly indexFiles: readonly string[];
  /** Whether `/a/` and `/a` are one document. */
  readonly trailingSlash: "fold" | "keep";
  /** What is replaced in each URL before anything else, in this order; see `compileReplacement`. */
  readonly rewrite: readonly { readonly pattern: string; readonly replacement: string }[];
}

/** The rules of a source that says nothing of them. */
export const DEFAULT_NAMES: NameRules = {
  ignoreParameters: [
    // How a reader came
    ..."utm_* gclid fbclid mc_cid mc_eid".split(" "),
    // Which language and account is shown
    ..."hl authuser".split(" "),
    // The same page for paper
    ..."print printable print-view printview printerfriendly printer_friendly view=print format=print".split(" "),
  ],
  indexFiles: ["index.html", "index.htm"],
  trailingSlash: "fold",
  rewrite: [],
};

/**
 * What is fetched from one base is named by another: internal mirrors need it. Pairs of URL prefixes, each ending in a
 * slash: where to fetch, what to call it.
 */
export type Aliases = readonly { readonly fetch: string; readonly name: string }[];

export interface CrawlLimits {
  readonly maxPages: number;
  /** Links followed from a seed; a seed has depth 0. */
  readonly maxDepth: number;
  readonly maxPageBytes: number;
  /** Most bytes of bodies that are kept of the source; Infinity for no limit. */
  readonly maxSiteBytes: number;
  /** Requests in flight at the same time. */
  readonly concurrency: number;
  /** Least time between the starts of two requests. */
  readonly delayMs: number;
}

/** What else the crawl of a site heeds. */
export interface CrawlRules {
  /** Whether robots.txt, X-Robots-Tag and `<meta name=robots>` are heeded; false is for one's own sites. */
  readonly obeyRobots: boolean;
  /** Public URLs of sitemaps, besides those that robots.txt names. */
  readonly sitemaps: readonly string[];
  /** Whether links of pages are followed; if not, the seeds and what the site's lists (sitemaps, llms.txt) name is all. */
  readonly followLinks: boolean;
  readonly markdown: MarkdownRule;
  /** Addresses and ranges (`10.1.0.0/16`) that are not public and may be connected to nevertheless. */
  readonly allowAddresses: readonly string[];
  /** Absent where pages are kept as they are sent. */
  readonly render?: RenderRule;
}

/** Which pages a browser builds, whose scripts bring the text. */
export interface RenderRule {
  /** All of HTML, or those alone whose HTML holds no text. */
  readonly pages: "all" | "empty";
  /** Origins besides the source's own that scripts and data may be taken from. */
  readonly origins: readonly string[];
}

/** Whether the Markdown that a site offers of its pages (their twins) is kept in place of their HTML. */
export interface MarkdownRule {
  readonly prefer: boolean;
  /** What turns the address of a page into that of its twin, where the page does not say: `.md`, `/index.md`. */
  readonly suffixes: readonly string[];
}

/** The documentation generators whose pages are known; `generic` is any other. The converter has rules for each. */
export const PRESETS = [
  "starlight",
  "docusaurus",
  "vitepress",
  "material",
  "devsite",
  "sqlite",
  "nodejs",
  "jaspr",
  "go",
  "mintlify",
  "gitbook",
  "mediawiki",
  "rustdoc",
  "javadoc",
  "mdbook",
  "docbook",
  "asciidoctor",
  "doxygen",
  "sphinx",
  "httpd",
  "dokka",
  "typedoc",
  "gi-docgen",
  "qdoc",
  "texinfo",
  "edoc",
  "generic",
] as const;

export type Preset = (typeof PRESETS)[number];

/** How the pages of a source are converted; what a pipeline may say of it. */
export interface ConvertOptions {
  /** The generator whose rules are used, in place of the one that each page is found to be of. */
  readonly preset?: Preset;
  /** CSS selector of the main content, in place of the generator's. */
  readonly content?: string;
  /** CSS selectors of elements to drop besides the generator's. */
  readonly remove: readonly string[];
  /** CSS selectors of elements that are never dropped, whatever rule says so. */
  readonly keep?: readonly string[];
  /** What elements mean where their markup does not say it. */
  readonly rules?: readonly ConvertRule[];
  /** Makes documents of index pages too. */
  readonly keepIndexPages?: boolean;
}

/** The public name of a URL that was fetched; a URL under no alias is its own name. The longest base wins. */
export function publicUrl(aliases: Aliases, url: string): string {
  return swap(aliases, url, "fetch", "name");
}

/** Where to fetch a public URL; a URL under no alias is fetched from itself. The longest base wins. */
export function fetchUrl(aliases: Aliases, url: string): string {
  return swap(aliases, url, "name", "fetch");
}

function swap(aliases: Aliases, url: string, from: "fetch" | "name", to: "fetch" | "name"): string {
  let best: Aliases[number] | undefined;
  for (const alias of aliases) {
    const base = alias[from];
    if (!url.startsWith(base) && url !== base.slice(0, -1)) continue;
    if (best === undefined || base.length > best[from].length) best = alias;
  }
  return best === undefined ? url : best[to] + url.slice(best[from].length);
}
