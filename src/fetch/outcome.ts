import type { FetchOutcome, Link, Page } from "../domain/page.ts";
import type { FrontierEntry } from "../domain/ports.ts";
import type { ScopeVerdict } from "../domain/scope.ts";
import { publicUrl, type WebSource } from "../domain/source.ts";
import { pageText } from "./charset.ts";
import { header, type Answer } from "./exchange.ts";
import { BrokenAnswer, FetchFailure } from "./failure.ts";
import type { LinkResolver } from "./follow.ts";
import { htmlLinks, markdownLinks, NO_LINKS, type PageLinks } from "./links.ts";
import { indexingWishes, NO_WISHES } from "./indexing.ts";
import { isBlank, mediaOf, mediaType, trueContentType, type Media } from "./media.ts";
import type { RedirectChains } from "./redirect-chains.ts";
import type { UrlRules } from "./url-rules.ts";
import { statusText, type Visit } from "./visit.ts";

/** What a crawl knows that decides what becomes of an answer. */
export interface OutcomeContext {
  readonly source: WebSource;
  readonly urls: UrlRules;
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
  const url = context.urls.names.tidy(publicUrl(context.source.aliases, networkUrl));
  const media = mediaOf(sentType, url, body);
  if (media === undefined) {
    const type = mediaType(sentType);
    return skipped(`${type === "" ? "no Content-Type" : type} is no document`);
  }
  // Text and data that a page links to are nearly always no documentation; what is listed as a seed is meant.
  const isAsked = entry.depth === 0 || context.urls.isAsked(entry.url);
  const refused = context.urls.media.refusal(media, isAsked);
  if (refused !== undefined) return skipped(refused);
  if (isBlank(body)) throw new BrokenAnswer("answered 200 OK with an empty body");
  const contentType = trueContentType(sentType, media);
  const found = findLinks(media, body, contentType, context.product);
  const base = baseOf(found, networkUrl);
  if (found.refresh !== undefined) {
    const to = context.resolver.resolve(found.refresh, base);
    // A stub that sends its reader on at once is a redirect, but only a target in scope makes up for the page.
    if (to !== undefined && !isSame(context, to, url) && scopeOf(context, to).inScope) {
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
  const language = context.urls.scope.refusedLanguage(found.language);
  // A page in another language leads to others of its kind; only a seed is more than its own text.
  if (language !== undefined) return skipped(language, entry.depth === 0 ? links : []);
  if (wishes.noindex === undefined) return { kind: "page", page, links };
  return skipped(`the site asks not to keep it (noindex in ${wishes.noindex})`, links);
}

function skipped(reason: string, links: readonly Link[] = []): FetchOutcome {
  return { kind: "skipped", reason, links };
}

function findLinks(media: Media, body: Buffer, contentType: string, product: string): PageLinks {
  if (media === "html") return htmlLinks(pageText(body, contentType), product);
  return media === "markdown" ? markdownLinks(pageText(body, contentType)) : NO_LINKS;
}

function isSame({ urls }: OutcomeContext, a: string, b: string): boolean {
  return a === b || urls.names.name(a) === urls.names.name(b);
}

function scopeOf({ urls }: OutcomeContext, url: string): ScopeVerdict {
  return urls.scope.verdict(urls.names.rewritten(url));
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
  const { inScope, rule } = scopeOf(context, to);
  if (!inScope) return skipped(`redirects out of scope, to ${to} (${rule})`);
  context.chains.add(entry.url, to);
  return { kind: "moved", to, links: [{ url: context.urls.names.asked(to), depth: entry.depth }] };
}
