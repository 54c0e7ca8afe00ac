import type { FrontierEntry } from "../domain/frontier.ts";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import type { Page } from "../domain/page.ts";
import type { SiteLook } from "../domain/site-look.ts";
import type { WebSource } from "../domain/source.ts";
import { specialKind } from "./addresses.ts";
import { pageText } from "./charset.ts";
import { header, type Exchange } from "./exchange.ts";
import { AddressRefused } from "./failure.ts";
import { readLists } from "./init-lists.ts";
import { loginWall, refusedStatus } from "./init-refusals.ts";
import { htmlLinks, markdownLinks } from "./links.ts";
import { createMarkdownTwins } from "./markdown-twins.ts";
import { mediaOf, mediaType } from "./media.ts";
import { needsScript } from "./needs-script.ts";
import { MAX_ROBOTS_BYTES, parseRobots } from "./robots.ts";
import { createRobotsGate } from "./robots-gate.ts";
import { openSession, type FetcherOptions, type Session } from "./session.ts";
import { visit, type Visit } from "./visit.ts";

/** Where readers are led who ask for an address that has moved. */
const MAX_MOVES = 5;
/** One request after the other, with air between them: nobody is in a hurry here. A site of one's own needs none. */
const DELAY_MS = 100;
/** A host that wants more between two requests is asked for the least. */
const SLOW_HOST_S = 2;

/**
 * Looks at a site with a few requests: the page, robots.txt, some sitemaps, llms.txt, and where Markdown may be.
 * @param allowAddresses as a pipeline has it.
 * @throws CarrelError that says what to do: `not-found` when there is no such page or nothing answers, `denied` when it may not be
 * read, `invalid` when it is no documentation.
 */
export async function lookAtSite(
  options: FetcherOptions,
  url: string,
  allowAddresses: readonly string[],
  signal: AbortSignal,
): Promise<SiteLook> {
  const outer = openSession(
    { ...options, retry: { retries: 0, firstMs: 0, maxWaitMs: 0 } },
    provisional(url, allowAddresses),
    signal,
    new Map(),
  );
  try {
    const watch = watched(outer.exchange);
    const robots = createRobotsGate({ ...outer, exchange: watch.exchange, known: new Map() });
    const { to, seen } = await start({ ...outer, exchange: watch.exchange, robots }, url);
    const session: Session = {
      ...outer,
      exchange: watch.exchange,
      robots,
      source: provisional(to, allowAddresses),
    };
    const page = pageOf(to, seen);
    const text = pageText(Buffer.from(page.body), page.contentType);
    const rules = watch.robotsOf(new URL(to).origin);
    const crawlDelayS = parseRobots(rules, outer.product).crawlDelayS;
    const isSlow = (crawlDelayS ?? 0) > SLOW_HOST_S;
    const lists = await readLists(session, to, isSlow);
    const isHtml = mediaType(page.contentType) === "text/html" || mediaOf(page.contentType, to, page.body) === "html";
    const markdown = isHtml && !isSlow ? await markdownOf(session, page, watch.asked) : undefined;
    return {
      kind: "site",
      asked: url,
      url: to,
      contentType: page.contentType,
      body: page.body,
      links: linksOf(text, isHtml, to, outer.product),
      languages: isHtml ? hreflangs(text) : [],
      robots: rules,
      crawlDelayS,
      ...lists,
      isSlow,
      markdown,
      needsScript: isHtml && needsScript(text),
      allowAddresses,
      requests: watch.asked.length,
      isPrivate: isPrivate(to) || allowAddresses.length > 0,
    };
  } finally {
    await outer.close();
  }
}

function provisional(url: string, allowAddresses: readonly string[]): WebSource {
  return {
    kind: "web",
    id: "init",
    title: "init",
    seeds: [url],
    scope: { type: "host", include: [], exclude: [] },
    aliases: [],
    limits: {
      maxPages: 1,
      maxDepth: 0,
      maxPageBytes: MAX_PAGE_BYTES,
      maxSiteBytes: Number.POSITIVE_INFINITY,
      concurrency: 1,
      delayMs: isPrivate(url) ? 0 : DELAY_MS,
    },
    rules: {
      obeyRobots: true,
      sitemaps: [],
      followLinks: true,
      markdown: { prefer: true, suffixes: [".md", ".md.txt", "/index.md"] },
      allowAddresses,
    },
    freshness: { maxRecheckDays: 0, maxLoss: 1 },
    convert: { remove: [] },
  };
}

const MAX_PAGE_BYTES = 20_000_000;

/** Counts what is asked, and keeps the rules of hosts. */
function watched(exchange: Exchange): {
  readonly exchange: Exchange;
  /** Addresses, in their order. */
  readonly asked: readonly string[];
  robotsOf(origin: string): string;
} {
  const asked: string[] = [];
  const robots = new Map<string, string>();
  return {
    asked,
    robotsOf: (origin) => robots.get(origin) ?? "",
    exchange: {
      ...exchange,
      async get(url, ask) {
        asked.push(url);
        const answer = await exchange.get(url, ask);
        const { origin, pathname } = new URL(url);
        if (pathname === "/robots.txt" && answer.status === 200)
          robots.set(origin, answer.body.toString("utf8", 0, MAX_ROBOTS_BYTES));
        return answer;
      },
    },
  };
}

type Answered = Extract<Visit, { kind: "answer" }>;

/** The page that an address leads to. */
async function start(session: Session, url: string): Promise<{ readonly to: string; readonly seen: Answered }> {
  let to = url;
  for (let move = 0; move <= MAX_MOVES; move++) {
    const seen = await visit(session, to, {}, true).catch((thrown: unknown) => {
      throw unreachable(to, url, thrown, session.signal);
    });
    if (seen.kind === "forbidden") {
      throw new CarrelError(
        "denied",
        `The robots.txt of ${new URL(to).host} forbids ${to} (${seen.rule}), so a refresh would not ask for it. If the site is your own, write a pipeline with "obeyRobots: false"; see data/manual/pipelines.md.`,
      );
    }
    if (seen.kind === "redirect") {
      const wall = loginWall(url, seen.to);
      if (wall !== undefined) throw wall;
      to = withoutLogin(seen.to);
      continue;
    }
    const refusal = refusedStatus(
      to,
      url,
      seen.answer.status,
      header(seen.answer.headers, "content-type"),
      seen.answer.body,
    );
    if (refusal !== undefined) throw refusal;
    return { to: withoutLogin(seen.networkUrl), seen };
  }
  throw new CarrelError(
    "not-found",
    `${url} leads from one address to the next, at last to ${to}; name the page that a browser shows in the end.`,
  );
}

/** A redirect may hand out a user name, which has no place in a pipeline. */
function withoutLogin(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href;
}

function unreachable(to: string, asked: string, thrown: unknown, signal: AbortSignal): CarrelError {
  if (signal.aborted) return new CarrelError("stopped", "Stopped while looking at the site; nothing was written.");
  const what = to === asked ? to : `${to}, where ${asked} leads,`;
  if (thrown instanceof AddressRefused) {
    return new CarrelError(
      "denied",
      `${what} is not on the public internet: ${thrown.message}. If it is your own, name the address or its range: --allow-address 10.0.0.0/8.`,
    );
  }
  return new CarrelError(
    "not-found",
    `${what} cannot be read: ${reasonOf(thrown).replace(/^not asked: /, "")}. Check the address; if other sites cannot be reached either, this machine has no way to them: behind a proxy set HTTPS_PROXY. For files on disk, name their folder.`,
  );
}

function pageOf(url: string, { answer }: Answered): Page {
  return {
    name: url,
    url,
    status: answer.status,
    contentType: header(answer.headers, "content-type"),
    etag: undefined,
    lastModified: undefined,
    body: answer.body,
  };
}

function linksOf(text: string, isHtml: boolean, url: string, product: string): readonly string[] {
  const found = isHtml ? htmlLinks(text, product) : markdownLinks(text);
  const base = (found.base === undefined ? undefined : URL.parse(found.base, url)?.href) ?? url;
  const links = found.hrefs.map((href) => {
    const link = URL.parse(href, base);
    if (link === null || !/^https?:$/.test(link.protocol)) return undefined;
    link.hash = "";
    return link.href;
  });
  return [...new Set(links.filter((link) => link !== undefined))];
}

function hreflangs(html: string): readonly string[] {
  const tags = [...html.matchAll(/<link\b[^>]{1,1000}?\bhreflang\s?=\s?["']?([\w-]{2,20})/gi)].map(
    ([, tag = ""]) => tag,
  );
  return [...new Set(tags)].filter((tag) => tag.toLowerCase() !== "x-default");
}

/** Where Markdown was found that can stand for the page. */
async function markdownOf(session: Session, page: Page, asked: readonly string[]): Promise<string | undefined> {
  const entry: FrontierEntry = {
    name: page.url,
    url: page.url,
    depth: 0,
    isKnown: false,
    etag: undefined,
    lastModified: undefined,
    contentType: undefined,
  };
  const twins = createMarkdownTwins(session);
  const { page: kept } = await twins.inTurn(entry, () => twins.preferred({ kind: "page", page, links: [] }, true));
  return mediaType(kept.contentType) === "text/markdown" ? asked.at(-1) : undefined;
}

function isPrivate(url: string): boolean {
  const { hostname } = new URL(url);
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return true;
  const kind = specialKind(hostname.replace(/^\[|\]$/g, ""));
  return kind !== undefined && kind !== "invalid";
}
