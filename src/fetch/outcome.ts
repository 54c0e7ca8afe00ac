import { tidyUrl } from "../domain/document.ts";
import type { FetchOutcome, Link, Page } from "../domain/page.ts";
import type { FrontierEntry } from "../domain/ports.ts";
import { scopeVerdict } from "../domain/scope.ts";
import { publicUrl, type WebSource } from "../domain/source.ts";
import { pageText } from "./charset.ts";
import { header, type Answer } from "./exchange.ts";
import { FetchFailure } from "./failure.ts";
import { sameDocument, type LinkResolver } from "./follow.ts";
import { htmlLinks, markdownLinks, NO_LINKS, type PageLinks } from "./links.ts";
import { indexingWishes, NO_WISHES } from "./indexing.ts";
import { isBlank, mediaOf, mediaType, trueContentType } from "./media.ts";
import type { RedirectChains } from "./redirect-chains.ts";
import { statusText, type Visit } from "./visit.ts";

/** What a crawl knows that decides what becomes of an answer. */
export interface OutcomeContext {
  readonly source: WebSource;
  readonly product: string;
  readonly obeyRobots: boolean;
  readonly resolver: LinkResolver;
  readonly chains: RedirectChains;
}

/**
 * What came of one URL. Everything in it is public: links, redirect targets and the page's own address.
 * @throws FetchFailure when the answer is no answer.
 */
export function outcomeOf(context: OutcomeContext, entry: FrontierEntry, visit: Visit): FetchOutcome {
  if (visit.kind === "redirect") return movedTo(context, entry, visit.to);
  if (visit.kind === "forbidden") return skipped(`robots.txt forbids it (${visit.rule})`);
  const { answer, networkUrl } = visit;
  switch (answer.status) {
    case 200:
      return pageOutcome(context, entry, answer, networkUrl);
    case 304:
      if (entry.etag !== undefined || entry.lastModified !== undefined) return { kind: "unchanged" };
      throw new FetchFailure("answered 304 Not Modified to a request without conditions", false);
    case 404:
    case 410:
      return { kind: "gone", status: answer.status };
    default:
      throw new FetchFailure(`answered ${statusText(answer.status)}`, false);
  }
}

function pageOutcome(context: OutcomeContext, entry: FrontierEntry, answer: Answer, networkUrl: string): FetchOutcome {
  const { headers, body } = answer;
  const sentType = header(headers, "content-type");
  const url = tidyUrl(publicUrl(context.source.aliases, networkUrl));
  const media = mediaOf(sentType, url, body);
  // Text that a page links to is nearly always its source or a listing; text that is listed as a seed is meant.
  if (media === undefined || (media === "text" && entry.depth > 0)) {
    const type = mediaType(sentType);
    return skipped(`${type === "" ? "no Content-Type" : type} is no document`);
  }
  if (isBlank(body)) throw new FetchFailure("answered 200 OK with an empty body", true);
  const contentType = trueContentType(sentType, media);
  const found = media === "text" ? NO_LINKS : findLinks(media, pageText(body, contentType), context.product);
  const base = baseOf(found, networkUrl);
  if (found.refresh !== undefined) {
    const to = context.resolver.resolve(found.refresh, base);
    // A stub that sends its reader on at once is a redirect, but only a target in scope makes up for the page.
    if (to !== undefined && !sameDocument(to, url) && scopeVerdict(context.source, to).inScope) {
      return movedTo(context, entry, to);
    }
  }
  const page: Page = {
    name: entry.name,
    url,
    status: answer.status,
    contentType,
    etag: header(headers, "etag") || undefined,
    lastModified: header(headers, "last-modified") || undefined,
    body,
  };
  const wishes = context.obeyRobots ? indexingWishes(headers, found.robots, context.product) : NO_WISHES;
  const follows = context.source.rules.followLinks && !wishes.nofollow;
  const links = !follows ? [] : linksOf(context, entry, found, base);
  if (wishes.noindex === undefined) return { kind: "page", page, links };
  return skipped(`the site asks not to keep it (noindex in ${wishes.noindex})`, links);
}

function skipped(reason: string, links: readonly Link[] = []): FetchOutcome {
  return { kind: "skipped", reason, links };
}

function findLinks(media: "html" | "markdown", text: string, product: string): PageLinks {
  return media === "html" ? htmlLinks(text, product) : markdownLinks(text);
}

/**
 * The links that the crawl follows. `rel=canonical` is one of them and no more: a page is not given up on its own word, for
 * old versions name the newest, mirrors name addresses that they do not serve, and some sites name one page on all of them.
 */
function linksOf(context: OutcomeContext, entry: FrontierEntry, found: PageLinks, base: string): Link[] {
  const depth = entry.depth + 1;
  return context.resolver.followed(found.hrefs, base).map((url) => ({ url, depth }));
}

function baseOf(found: PageLinks, networkUrl: string): string {
  return (found.base === undefined ? undefined : URL.parse(found.base, networkUrl)?.href) ?? networkUrl;
}

/** A redirect is no link that a reader follows, so its target is as deep as the page that was asked for. */
function movedTo(context: OutcomeContext, entry: FrontierEntry, to: string): FetchOutcome {
  const { inScope, rule } = scopeVerdict(context.source, to);
  if (!inScope) return skipped(`redirects out of scope, to ${to} (${rule})`);
  context.chains.add(entry.url, to);
  return { kind: "moved", to, links: [{ url: to, depth: entry.depth }] };
}
