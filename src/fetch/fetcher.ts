import { CarrelError, reasonOf } from "../domain/errors.ts";
import type { FetchOutcome, Link } from "../domain/page.ts";
import type { Fetcher, Frontier, FrontierEntry } from "../domain/ports.ts";
import { fetchUrl, type WebSource } from "../domain/source.ts";
import { createCrawleeLog } from "./crawlee-log.ts";
import { discover } from "./discovery.ts";
import { FetchFailure, failureOf, TooLarge } from "./failure.ts";
import { createLinkResolver } from "./follow.ts";
import { isDocumentType } from "./media.ts";
import { outcomeOf, type OutcomeContext } from "./outcome.ts";
import { backoffMs } from "./politeness.ts";
import { RedirectChains } from "./redirect-chains.ts";
import { createFrontierRequests } from "./request-manager.ts";
import { openSession, type FetcherOptions, type Session } from "./session.ts";
import { createSoftNotFound, type SoftNotFound } from "./soft-404.ts";
import { visit } from "./visit.ts";

/** Ours are the time limits; Crawlee's would count waiting for one's turn. It takes no more than 2^31 ms. */
const NO_TIME_LIMIT_S = 1_000_000;
/** How often Crawlee looks whether a postponed request is due, or the crawl was stopped. */
const LOOK_EVERY_S = 0.1;
/** Crawlee measures memory by starting `ps`; with a fixed concurrency it does not act on it. */
const SELDOM_MS = 2_000_000_000;

/** The fetcher of web sources. */
export interface WebFetcher extends Fetcher {
  /** Pages in scope that the site's own lists name: more links to begin a run with. Fails for no list. */
  discover(source: WebSource, signal: AbortSignal): Promise<readonly Link[]>;
}

/**
 * Makes the fetcher of web sources. Crawlee hands out the requests, keeps the concurrency and asks again; its BasicCrawler
 * leaves the network to us, where its HttpCrawler adds a client, decoding and retry rules of its own that would have to be
 * turned off, and takes a quarter more CPU time. It is loaded when the first crawl starts, for that takes a while.
 */
export function createFetcher(options: FetcherOptions): WebFetcher {
  async function within<T>(source: WebSource, signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> {
    const session = openSession(options, source, signal);
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  }
  return {
    async crawl(source, frontier, signal) {
      if (!signal.aborted) await within(source, signal, (session) => crawl(session, frontier, signal));
    },
    discover: (source, signal) => within(source, signal, discover),
  };
}

async function crawl(session: Session, frontier: Frontier, outer: AbortSignal): Promise<void> {
  const { logger, retry, signal, source } = session;
  const crawlee = await import("@crawlee/basic");
  const { concurrency } = source.limits;
  const context = {
    ...session,
    resolver: createLinkResolver(source),
    chains: new RedirectChains(),
    missing: createSoftNotFound(session),
  };
  const requests = createFrontierRequests(
    frontier,
    (entry) => new crawlee.Request({ url: entry.url, uniqueKey: entry.name }),
  );

  /** A fault of the frontier ends the crawl: a page that cannot be recorded would be lost. */
  let fault: unknown;
  function record(entry: FrontierEntry, outcome: FetchOutcome): void {
    if (signal.aborted) return;
    if (outcome.kind === "skipped" && entry.depth === 0) logger.warn(`${entry.url}: ${outcome.reason}`);
    try {
      frontier.record(entry, outcome);
    } catch (thrown) {
      fault = thrown;
      session.halt();
    }
  }

  const crawler = new crawlee.BasicCrawler(
    {
      // Crawlee calls no more than IRequestManager on it, and takes that under another name only in its base class.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      requestQueue: requests as unknown as InstanceType<typeof crawlee.RequestQueue>,
      log: createCrawleeLog(crawlee, logger),
      useSessionPool: false,
      minConcurrency: concurrency,
      maxConcurrency: concurrency,
      autoscaledPoolOptions: { maybeRunIntervalSecs: LOOK_EVERY_S, loggingIntervalSecs: null },
      statisticsOptions: { persistenceOptions: { enable: false } },
      requestHandlerTimeoutSecs: NO_TIME_LIMIT_S,
      maxRequestRetries: retry.retries,

      async requestHandler({ request }) {
        const entry = requests.entryOf(request);
        const outcome = await fetchEntry(context, entry).catch(failureOf);
        if (!(outcome instanceof FetchFailure)) {
          record(entry, outcome);
          return;
        }
        if (signal.aborted) return;
        if (outcome.retry && request.retryCount < retry.retries) throw outcome;
        const tries = request.retryCount === 0 ? "" : ` (asked ${request.retryCount + 1} times)`;
        record(entry, { kind: "failed", reason: outcome.message + tries });
      },
      errorHandler({ request }, error) {
        const { waitMs } = failureOf(error);
        const wait = waitMs ?? backoffMs(retry, request.retryCount + 1);
        requests.postpone(request, wait);
        logger.info(`${request.url}: ${error.message}; asking again in ${Math.ceil(wait / 1000)} s`);
      },
      failedRequestHandler({ request }, error) {
        record(requests.entryOf(request), { kind: "failed", reason: reasonOf(error) });
      },
    },
    new crawlee.Configuration({
      persistStorage: false,
      purgeOnStart: false,
      systemInfoIntervalMillis: SELDOM_MS,
      persistStateIntervalMillis: SELDOM_MS,
    }),
  );

  if (signal.aborted) requests.stop();
  signal.addEventListener("abort", () => requests.stop(), { once: true });
  await crawler.run();
  for (const [reason, example] of context.resolver.traps) {
    logger.warn(`${source.id}: some links were not followed: ${reason}, such as ${example}`);
  }
  if (fault !== undefined) throw fault;
  // Crawlee listens for SIGINT itself and ends the crawl, which must not pass for a finished one.
  if (!outer.aborted && !(await requests.isFinished())) {
    throw new CarrelError("stopped", `The crawl of ${source.id} was interrupted; refresh it again to go on.`);
  }
}

type CrawlContext = Session & OutcomeContext & { readonly missing: SoftNotFound };

async function fetchEntry(context: CrawlContext, entry: FrontierEntry): Promise<FetchOutcome> {
  const validators: Record<string, string> = {};
  if (entry.etag !== undefined) validators["if-none-match"] = entry.etag;
  if (entry.lastModified !== undefined) validators["if-modified-since"] = entry.lastModified;
  try {
    const answer = await visit(context, entry.url, validators);
    const asked = fetchUrl(context.source.aliases, entry.url);
    if (await context.missing.isMissing(asked, answer)) return { kind: "gone", status: "soft 404" };
    return outcomeOf(context, entry, answer);
  } catch (thrown) {
    // A log or a download of any size is skipped like a small one.
    if (!(thrown instanceof TooLarge) || isDocumentType(thrown.contentType)) throw thrown;
    return { kind: "skipped", reason: `${thrown.contentType || "no Content-Type"}, ${thrown.message}`, links: [] };
  }
}
