import { sep } from "node:path";
import { compileNames, type PageNames } from "../domain/page-names.ts";
import { compileScope, scopedBy, type SourceScope, type UrlVerdict } from "../domain/scope.ts";
import type { LocalSource } from "../domain/source.ts";
import { binaryEnding, mediaOfEnding, mediaRule, withoutEnding, type Media, type MediaRule } from "./media.ts";

/** What the source of a folder or archive says of URLs, prepared once. */
export interface LocalRules {
  readonly scope: SourceScope;
  readonly names: PageNames;
  readonly media: MediaRule;
  /** Whether an include pattern means this URL by its ending. */
  isAsked(url: string): boolean;
}

export function compileLocalRules(source: LocalSource): LocalRules {
  const scope = compileScope(scopedBy(source));
  return {
    scope,
    names: compileNames(source.names),
    media: mediaRule(source.scope),
    isAsked: (url) => scope.asksFor(url, withoutEnding(url)),
  };
}

/** What the source of a folder or archive would do with a public URL, whether there is a file for it or not. */
export function checkLocalUrl(source: LocalSource, url: string): UrlVerdict {
  const { scope, names, media, isAsked } = compileLocalRules(source);
  const { inScope, rule } = scope.verdict(url);
  const kind = mediaOfEnding(url);
  const ending = binaryEnding(url);
  const refusal =
    ending === undefined
      ? kind === undefined
        ? undefined
        : media.refusal(kind, isAsked(url))
      : `.${ending} is no document`;
  return {
    source: source.id,
    url,
    name: names.name(url),
    isAsked: inScope && refusal === undefined,
    rule: inScope ? (refusal ?? rule) : rule,
    robots: source.kind === "folder" ? "none: a folder" : "none: an archive",
  };
}

/** A file of a folder or archive. */
export interface FileAddress {
  /** Public. */
  readonly url: string;
  /** Undefined for what is no document, or does not say what it is. */
  readonly media: Media | undefined;
  /** Whether its name has the query of a URL in it, as mirrors write it. */
  readonly hasQuery: boolean;
}

/**
 * What a file is called by, given its path below the root: the base URL and the path, percent-encoded. A mirror keeps the
 * query of an address in the name of its file (`view.html?page=7`), and may put an ending behind it
 * (`view.php?page=7.html`): there the query is one again. A name is taken for that when it has a parameter with a value, or a
 * known ending before the question mark; `What next?.html` has neither.
 */
export function addressOf(baseUrl: string, path: string): FileAddress {
  const nameAt = path.lastIndexOf(sep) + 1;
  const queryAt = path.indexOf("?", nameAt);
  const head = queryAt === -1 ? path : path.slice(0, queryAt);
  const query = queryAt === -1 ? "" : path.slice(queryAt + 1);
  const byHead = mediaOfEnding(urlPath(head));
  if (query === "" || queryAt === nameAt || (byHead === undefined && !query.includes("="))) {
    return { url: urlOf(baseUrl, urlPath(path)), media: mediaOfEnding(urlPath(path)), hasQuery: false };
  }
  const byQuery = mediaOfEnding(query.replaceAll(/[?#/]/g, "_"));
  const plain = byQuery === "html" ? query.slice(0, query.lastIndexOf(".")) : query;
  const url = urlOf(baseUrl, `${urlPath(head)}?${plain.replaceAll("#", "%23")}`);
  return { url, media: byHead ?? byQuery, hasQuery: true };
}

function urlOf(baseUrl: string, path: string): string {
  return new URL(baseUrl + path).href;
}

/** Only what would change the URL's meaning is escaped by hand. */
function urlPath(path: string): string {
  return path
    .split(sep)
    .map((segment) => segment.replace(/[%?#\\]/g, encodeURIComponent))
    .join("/");
}

/** The path below the root that a public URL without a query stands for; undefined when it stands for none. */
export function pathOf(baseUrl: string, url: string): string | undefined {
  const base = new URL(baseUrl).href;
  if (!url.startsWith(base) || url.includes("?")) return undefined;
  try {
    const path = decodeURIComponent(url.slice(base.length));
    return path.includes("\0") ? undefined : path;
  } catch {
    return undefined;
  }
}
