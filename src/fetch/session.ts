import { setMaxListeners } from "node:events";
import type { OpenedAccess } from "../domain/access.ts";
import type { Logger } from "../domain/ports.ts";
import type { WebSource } from "../domain/source.ts";
import { addressRules } from "./addresses.ts";
import type { BrowserProgram } from "./browser.ts";
import { createDisclosure } from "./disclosure.ts";
import { createExchange, DEFAULT_TIMEOUTS, type Exchange, type Timeouts } from "./exchange.ts";
import { guardedConnector } from "./guarded-connect.ts";
import { NO_ACCESS } from "./no-access.ts";
import { DEFAULT_RETRY, Pace, type RetryRule } from "./politeness.ts";
import { proxyOf } from "./proxy.ts";
import { compileUrlRules, type UrlRules } from "./url-rules.ts";
import type { RenderTimes } from "./render-times.ts";
import { createRobotsGate, OPEN_GATE, type KnownRobots, type RobotsGate } from "./robots-gate.ts";

export interface FetcherOptions {
  /** Sent as it is: who we are, and how to reach whoever runs this. Its first word without version is our product token. */
  readonly userAgent: string;
  readonly logger: Logger;
  /**
   * Reads what the references of a source lead to, when its crawl begins; without it, the site is asked directly, as nobody.
   * @throws CarrelError `config` when a secret is not there.
   */
  readonly access?: (source: WebSource) => OpenedAccess;
  /** The browser that renders pages; undefined when none is installed. @throws CarrelError `config` when the one that is set is not there. */
  readonly browser?: () => BrowserProgram | undefined;
  readonly renderTimes?: RenderTimes;
  readonly timeouts?: Timeouts;
  readonly retry?: RetryRule;
}

/** The way to the network for one crawl of one source: every request goes through it. */
export interface Session {
  readonly source: WebSource;
  readonly urls: UrlRules;
  readonly logger: Logger;
  readonly exchange: Exchange;
  readonly pace: Pace;
  readonly robots: RobotsGate;
  readonly retry: RetryRule;
  /** The product token of our user agent, such as "Carrel". */
  readonly product: string;
  readonly obeyRobots: boolean;
  /** Aborts when the caller's does, or when the crawl halts by itself. */
  readonly signal: AbortSignal;
  halt(): void;
  close(): Promise<void>;
}

/** @param known what the hosts of sessions before allowed. */
export function openSession(
  options: FetcherOptions,
  source: WebSource,
  outer: AbortSignal,
  known: KnownRobots,
): Session {
  const { logger, userAgent, timeouts = DEFAULT_TIMEOUTS, retry = DEFAULT_RETRY } = options;
  const { obeyRobots, allowAddresses } = source.rules;
  const { concurrency, delayMs } = source.limits;
  const access = options.access?.(source) ?? NO_ACCESS;
  const stop = new AbortController();
  const halt = (): void => stop.abort();
  // One listener for each request in flight.
  setMaxListeners(0, stop.signal);
  if (outer.aborted) halt();
  outer.addEventListener("abort", halt, { once: true });

  const listed = [...source.seeds, ...source.aliases.map((alias) => alias.fetch)];
  const connect = guardedConnector(addressRules(allowAddresses, listed), timeouts.connectMs, access);
  const exchange = createExchange({
    userAgent,
    timeouts,
    connections: concurrency,
    connect,
    disclosure: createDisclosure(access),
    proxyOf: (url) => proxyOf(access.proxies, url),
  });
  const pace = new Pace(delayMs, retry);
  const product = /^[a-z_-]*/i.exec(userAgent)?.[0] ?? "";
  const { signal } = stop;
  return {
    source,
    urls: compileUrlRules(source),
    logger,
    exchange,
    pace,
    robots: obeyRobots ? createRobotsGate({ exchange, pace, retry, product, logger, signal, known }) : OPEN_GATE,
    retry,
    product,
    obeyRobots,
    signal,
    halt,
    async close() {
      outer.removeEventListener("abort", halt);
      await exchange.close();
    },
  };
}
