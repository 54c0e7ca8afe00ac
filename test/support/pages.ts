import { documentName } from "../../src/domain/document-name.ts";
import type { FetchOutcome, Link, Page } from "../../src/domain/page.ts";
import type { FrontierLimits } from "../../src/domain/ports.ts";

/** A page as a server would have sent it. */
export function page(url: string, body: string, changes: Partial<Page> = {}): Page {
  return {
    name: documentName(url),
    url,
    status: 200,
    contentType: "text/html",
    etag: undefined,
    lastModified: undefined,
    body: Buffer.from(body),
    ...changes,
  };
}

/** A page with links to these URLs, as a fetcher reports it. */
export function pageOutcome(fetched: Page, urls: readonly string[] = [], depth = 1): FetchOutcome {
  return { kind: "page", page: fetched, links: urls.map((url): Link => ({ url, depth })) };
}

export const NO_LIMITS: FrontierLimits = {
  ask: "due",
  scopeKey: "",
  maxRecheckMs: 7 * 86_400_000,
  maxSiteBytes: Number.POSITIVE_INFINITY,
  urlOf: (url) => url,
  maxPages: 1_000,
  maxDepth: 10,
  inScope: () => true,
  nameOf: (url) => documentName(url),
};
