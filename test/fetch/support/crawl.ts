// Loaded here, for it takes a second or two, which no single test should be blamed for.
import "@crawlee/basic";
import type { FetchOutcome } from "../../../src/domain/page.ts";
import { compileNames } from "../../../src/domain/page-names.ts";
import type { Logger } from "../../../src/domain/ports.ts";
import type { CrawlRules, WebSource } from "../../../src/domain/source.ts";
import { createFetcher } from "../../../src/fetch/fetcher.ts";
import type { FetcherOptions } from "../../../src/fetch/session.ts";
import { memoryFrontier, type Known, type MemoryFrontier } from "./memory-frontier.ts";

export const USER_AGENT = "Carrel/0.0.0-test (+mailto:tests@example.org)";

/** What a pipeline that says nothing of it means. */
export const DEFAULT_RULES: CrawlRules = {
  obeyRobots: true,
  sitemaps: [],
  followLinks: true,
  markdown: { prefer: false, suffixes: [] },
  allowAddresses: [],
};

/** Retries at once, so that tests do not wait. */
export const QUICK_RETRY = { retries: 3, firstMs: 1, maxWaitMs: 5_000 };

export interface CrawlOptions {
  readonly source?: Partial<Omit<WebSource, "limits" | "scope">>;
  readonly limits?: Partial<WebSource["limits"]>;
  readonly scope?: Partial<WebSource["scope"]>;
  readonly fetcher?: Partial<FetcherOptions>;
  readonly known?: readonly Known[];
  readonly signal?: AbortSignal;
  readonly frontier?: MemoryFrontier;
}

/** What a crawl left. `outcome` finds by path, such as "a.html"; the host is that of the first seed. */
export interface Crawled {
  readonly frontier: MemoryFrontier;
  readonly log: readonly string[];
  /** What the run's note is to say besides. */
  readonly notes: readonly string[];
  outcome(path: string): FetchOutcome | undefined;
  /** Paths that became pages, sorted. */
  pages(): string[];
}

/** A web source with nothing special about it. */
export function webSource(seeds: readonly string[], options: CrawlOptions = {}): WebSource {
  return {
    kind: "web",
    id: "test",
    title: "Test",
    seeds,
    aliases: [],
    convert: { remove: [] },
    rules: DEFAULT_RULES,
    freshness: { maxRecheckDays: 0, maxLoss: 1 },
    ...options.source,
    scope: { type: "prefix", include: [], exclude: [], ...options.scope },
    limits: {
      maxPages: 1_000,
      maxDepth: 50,
      maxPageBytes: 1_000_000,
      maxSiteBytes: Number.POSITIVE_INFINITY,
      concurrency: 4,
      delayMs: 0,
      ...options.limits,
    },
  };
}

/** Crawls from seeds to the end. */
export async function crawl(seeds: string | readonly string[], options: CrawlOptions = {}): Promise<Crawled> {
  const source = webSource(typeof seeds === "string" ? [seeds] : seeds, options);
  const frontier =
    options.frontier ?? memoryFrontier(source.seeds, options.known, undefined, compileNames(source.names).name);
  const log: string[] = [];
  const logger: Logger = { info: (message) => log.push(message), warn: (message) => log.push(`warning: ${message}`) };
  const fetcher = createFetcher({ userAgent: USER_AGENT, logger, retry: QUICK_RETRY, ...options.fetcher });
  const notes = await fetcher.crawl(source, frontier, options.signal ?? new AbortController().signal);
  const { host } = new URL(source.seeds[0] ?? "");
  return {
    frontier,
    log,
    notes,
    outcome: (path) => frontier.outcomes.get(path === "" ? host : `${host}/${path}`),
    pages: () =>
      [...frontier.outcomes]
        .filter(([, { kind }]) => kind === "page")
        .map(([name]) => name.slice(host.length + 1))
        .sort(),
  };
}

/** The reason of a failed or skipped outcome; "" for others. */
export function reason(outcome: FetchOutcome | undefined): string {
  return outcome !== undefined && "reason" in outcome ? outcome.reason : "";
}

/** The URLs of an outcome's links. */
export function linkUrls(outcome: FetchOutcome | undefined): string[] {
  return outcome !== undefined && "links" in outcome ? outcome.links.map(({ url }) => url) : [];
}
