import { CarrelError, reasonOf } from "../domain/errors.ts";
import type { FetchOutcome, Link } from "../domain/page.ts";
import type { Fetcher, Frontier, FrontierEntry } from "../domain/ports.ts";
import type { UrlVerdict } from "../domain/scope.ts";
import { fetchUrl, type WebSource } from "../domain/source.ts";
import { checkUrls } from "./check-urls.ts";
import { createCrawleeLog } from "./crawlee-log.ts";
import { discover } from "./discovery.ts";
import { FetchFailure, failureOf, TooLarge } from "./failure.ts";
import { createLinkResolver } from "./follow.ts";
import { createMarkdownTwins, type MarkdownTwins } from "./markdown-twins.ts";
import { isDocumentType } from "./media.ts";
import { outcomeOf, type OutcomeContext } from "./outcome.ts";
import { backoffMs } from "./politeness.ts";
import { RedirectChains } from "./redirect-chains.ts";
import { createRenderer } from "./render.ts";
import { createFrontierRequests } from "./request-manager.ts";
import { revalidate, type Left } from "./revalidate.ts";
import { NO_ACCESS } from "./no-access.ts";
import { closedGate, type KnownRobots } from "./robots-gate.ts";
import { openSession, type FetcherOptions, type Session } from "./session.ts";
import { createSoftNotFound, type SoftNotFound } from "./soft-404.ts";
import { visit, type Look } from "./visit.ts";

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
  /** What a crawl would do with these URLs; asks for robots.txt alone. @throws CarrelError `invalid` for what is no URL. */
  check(source: WebSource, urls: readonly string[], signal: AbortSignal): Promise<readonly UrlVerdict[]>;
}

/**
 * Makes the fetcher of web sources. Crawlee hands out the requests, keeps the concurrency and asks again; its BasicCrawler
 * leaves the network to us, where its HttpCrawler adds a client, decoding and retry rules of its own that would have to be
 * turned off, and takes a quarter more CPU time. It is loaded when the first crawl starts, for that takes a while.
 */
export function createFetcher(options: FetcherOptions): WebFetcher {
  const shared: KnownRobots = new Map();
  const own = new Map<string, KnownRobots>();

  /** What a host allows one who is let in, or who comes by another way, is no matter of other sources. */
  function knownTo({ id, access }: WebSource): KnownRobots {
    if (access === undefined) return shared;
    const known = own.get(id) ?? new Map();
    own.set(id, known);
    return known;
  }

  async function within<T>(source: WebSource, signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> {
    const session = openSession(options, source, signal, knownTo(source));
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  }
  return {
    async crawl(source, frontier, signal) {
      if (signal.aborted) return [];
      return within(source, signal, (session) => crawl(session, frontier, options));
    },
    discover: (source, signal) => within(source, signal, discover),
    async check(source, urls, signal) {
      const missing = whatIsMissing(options, source);
      if (missing === undefined) return within(source, signal, (session) => checkUrls(session, urls));
      const session = openSession({ ...options, access: () => NO_ACCESS }, source, signal, new Map());
      try {
        return await checkUrls({ ...session, robots: closedGate(missing) }, urls);
      } finally {
        await session.close();
      }
    },
  };
}

/** Why a source cannot be asked: a secret that is not there. */
function whatIsMissing({ access }: FetcherOptions, source: WebSource): string | undefined {
  try {
    access?.(source);
    return undefined;
  } catch (error) {
    if (error instanceof CarrelError) return error.message;
    throw error;
  }
}

interface CrawlContext extends Session, OutcomeContext {
  readonly missing: SoftNotFound;
  /** undefined where the source does not prefer Markdown. */
  readonly twins: MarkdownTwins | undefined;
  /** Asks for a page, and has it rendered where the source wants it so. */
  readonly look: Look;
}

/** @returns what else is to be known of the crawl. */
async function crawl(session: Session, frontier: Frontier, options: FetcherOptions): Promise<readonly string[]> {
  if (session.source.rules.render === undefined) {
    await crawlAll(session, frontier, (...asked) => visit(session, ...asked));
    return [];
  }
  const renderer = createRenderer(session, options.browser?.(), options.renderTimes);
  try {
    await crawlAll(session, frontier, async (...asked) => renderer.rendered(await visit(session, ...asked)));
  } finally {
    await renderer.close();
  }
  return renderer.notes();
}

async function crawlAll(session: Session, frontier: Frontier, look: Look): Promise<void> {
  const { logger, retry, signal, source } = session;
  const context: CrawlContext = {
    ...session,
    look,
    resolver: createLinkResolver(session.urls, source.aliases),
    chains: new RedirectChains(session.urls.names),
    missing: createSoftNotFound(session, look),
    twins: source.rules.markdown.prefer ? createMarkdownTwins(session) : undefined,
  };

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

  const left = await revalidate(session, frontier, (entry) => fetchEntry(context, entry, retry.retries === 0), record);
  const isDone = left.fresh.length + left.failed.length + frontier.pending().waiting === 0;
  if (!isDone && !signal.aborted) await crawlRest(context, frontier, left, record);
  for (const [reason, example] of context.resolver.traps) {
    logger.warn(`${source.id}: some links were not followed: ${reason}, such as ${example}`);
  }
  if (fault !== undefined) throw fault;
}

/** Crawls what is left with Crawlee. It is loaded here, for that takes a while. */
async function crawlRest(
  context: CrawlContext,
  frontier: Frontier,
  left: Left,
  record: (entry: FrontierEntry, outcome: FetchOutcome) => void,
): Promise<void> {
  const { logger, retry, signal, source } = context;
  const crawlee = await import("@crawlee/basic");
  const { concurrency } = source.limits;
  const waitOf = ({ waitMs }: FetchFailure, attempt: number): number => waitMs ?? backoffMs(retry, attempt);
  const requests = createFrontierRequests(
    frontier,
    (entry, retryCount) =>
      Object.assign(new crawlee.Request({ url: entry.url, uniqueKey: entry.name }), { retryCount }),
    {
      fresh: left.fresh,
      failed: left.failed.map(({ entry, failure }) => ({ entry, waitMs: waitOf(failure, 1) })),
    },
  );

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
        const isLastTry = request.retryCount >= retry.retries;
        const outcome = await fetchEntry(context, entry, isLastTry).catch(failureOf);
        if (!(outcome instanceof FetchFailure)) {
          record(entry, outcome);
          return;
        }
        if (signal.aborted) return;
        if (outcome.retry && !isLastTry && request.retryCount < outcome.mostRetries) throw outcome;
        const tries = request.retryCount === 0 ? "" : ` (asked ${request.retryCount + 1} times)`;
        record(entry, { kind: "failed", reason: outcome.message + tries });
      },
      errorHandler({ request }, error) {
        const wait = waitOf(failureOf(error), request.retryCount + 1);
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
  // Crawlee listens for SIGINT itself and ends the crawl, which must not pass for a finished one.
  if (!signal.aborted && !(await requests.isFinished())) {
    throw new CarrelError("stopped", `The crawl of ${source.id} was interrupted; refresh it again to go on.`);
  }
}

/** @throws FetchFailure when there is no outcome, or a better one may come of asking again. */
function fetchEntry(context: CrawlContext, entry: FrontierEntry, isLastTry: boolean): Promise<FetchOutcome> {
  const { twins } = context;
  const validators: Record<string, string> = {};
  if (entry.etag !== undefined) validators["if-none-match"] = entry.etag;
  if (entry.lastModified !== undefined) validators["if-modified-since"] = entry.lastModified;
  if (twins === undefined) return fetchPage(context, entry, validators);
  return twins.inTurn(entry, async () => {
    const isHeld = twins.isHeld(entry);
    if (isHeld && (await twins.isUnchanged(entry, validators, isLastTry))) return { kind: "unchanged" };
    const outcome = await fetchPage(context, entry, isHeld ? {} : validators);
    return outcome.kind === "page" ? twins.preferred(outcome, isLastTry) : outcome;
  });
}

async function fetchPage(
  context: CrawlContext,
  entry: FrontierEntry,
  validators: Readonly<Record<string, string>>,
): Promise<FetchOutcome> {
  try {
    const isAsked = entry.depth === 0 || context.urls.isAsked(entry.url);
    const answer = await context.look(entry.url, validators, isAsked);
    const asked = fetchUrl(context.source.aliases, entry.url);
    if (await context.missing.isMissing(asked, answer)) return { kind: "gone", status: "soft 404" };
    return outcomeOf(context, entry, answer);
  } catch (thrown) {
    // A log or a download of any size is skipped like a small one.
    if (!(thrown instanceof TooLarge) || isDocumentType(thrown.contentType)) throw thrown;
    return { kind: "skipped", reason: `${thrown.contentType || "no Content-Type"}, ${thrown.message}`, links: [] };
  }
}
