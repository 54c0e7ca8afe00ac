import type { Logger } from "../domain/ports.ts";
import type { Exchange } from "./exchange.ts";
import { AddressRefused, failureOf, FetchFailure } from "./failure.ts";
import { backoffMs, type Pace, type RetryRule } from "./politeness.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { MAX_ROBOTS_BYTES, NO_ROBOTS, parseRobots, type Robots, type RobotsVerdict } from "./robots.ts";

/** Asks each host once what it allows. Addresses are those of the network: the host that is asked makes the rules. */
export interface RobotsGate {
  /** @throws FetchFailure when the rules could not be read, for then nothing may be asked. */
  verdict(networkUrl: string): Promise<RobotsVerdict>;
  /** The sitemaps that the host of a network address names, as written. */
  sitemaps(networkUrl: string): Promise<readonly string[]>;
}

/** RFC 9309 section 2.3.1.2: at least five redirects are followed. */
const MAX_REDIRECTS = 5;
/** A file that goes on beyond this is no robots.txt; of a smaller one, the beginning counts. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** RFC 9309 section 2.4: no rules are used for longer than a day. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** A host that could not say what it allows is asked again by a crawl that begins after this. */
const MAX_FAILURE_AGE_MS = 5 * 60 * 1000;
/** A host that asks for more is asked this seldom: a site of a thousand pages would take days. */
const MAX_CRAWL_DELAY_S = 60;

export interface RobotsGateOptions {
  readonly exchange: Exchange;
  readonly pace: Pace;
  readonly retry: RetryRule;
  /** The product token of our user agent. */
  readonly product: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** What other crawls of this process have asked; this one adds to it. */
  readonly known: KnownRobots;
}

/** What hosts allow, by origin, and until when that may be used, by performance.now. */
export type KnownRobots = Map<string, { readonly robots: Promise<Robots>; until: number }>;

/** For one's own sites: everything is allowed, and nothing is asked. */
export const OPEN_GATE: RobotsGate = {
  verdict: () => Promise.resolve({ allowed: true, rule: "" }),
  sitemaps: () => Promise.resolve([]),
};

/** Nothing may be asked, for this reason. */
export function closedGate(reason: string): RobotsGate {
  return {
    verdict: () => Promise.reject(new FetchFailure(`not asked: ${reason}`, false)),
    sitemaps: () => Promise.resolve([]),
  };
}

export function createRobotsGate(options: RobotsGateOptions): RobotsGate {
  const { exchange, pace, retry, product, logger, signal, known } = options;
  const hosts = new Map<string, { readonly robots: Promise<Robots>; readonly at: number }>();

  function rules(networkUrl: string): Promise<Robots> {
    const { origin } = new URL(networkUrl);
    const held = hosts.get(origin);
    if (held !== undefined && performance.now() - held.at < MAX_AGE_MS) return held.robots;
    const robots = knownOrAsked(origin).then((read) => {
      slowDown(origin, read);
      return read;
    });
    hosts.set(origin, { robots, at: performance.now() });
    // A run that is stopped leaves some that nobody waits for any more.
    robots.catch(() => undefined);
    return robots;
  }

  /** Looking for what to ask and the crawl itself are two crawls: a dead host would be waited for twice. */
  function knownOrAsked(origin: string): Promise<Robots> {
    const before = known.get(origin);
    if (before !== undefined && performance.now() < before.until) return before.robots;
    const robots = ask(origin);
    const entry = { robots, until: performance.now() + MAX_AGE_MS };
    known.set(origin, entry);
    robots.catch(() => {
      // One that was stopped says nothing of the host.
      entry.until = signal.aborted ? 0 : performance.now() + MAX_FAILURE_AGE_MS;
    });
    return robots;
  }

  async function ask(origin: string): Promise<Robots> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await read(`${origin}/robots.txt`);
      } catch (thrown) {
        const failure = failureOf(thrown);
        if (signal.aborted || failure instanceof AddressRefused) throw failure;
        if (!failure.retry || attempt > retry.retries) {
          // RFC 9309 section 2.3.1.4: rules that cannot be read forbid everything.
          const reason = `${origin}/robots.txt could not be read (${failure.message})`;
          logger.warn(`${reason}: nothing is asked of this host`);
          throw new FetchFailure(`not asked: ${reason}`, false);
        }
        await sleep(failure.waitMs ?? backoffMs(retry, attempt), undefined, { signal });
      }
    }
  }

  async function read(start: string): Promise<Robots> {
    let url = start;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      await pace.turn(new URL(url).host, signal);
      const { status, headers, body } = await exchange.get(url, {
        headers: {},
        maxBytes: MAX_FILE_BYTES,
        signal,
        wants: (status) => status === 200,
      });
      if (status === 200) return parseRobots(body.toString("utf8", 0, MAX_ROBOTS_BYTES), product);
      if (status >= 500 || status === 429) throw new FetchFailure(`answered ${status}`, true);
      const target = status >= 300 && status < 400 ? URL.parse(String(headers["location"] ?? ""), url) : null;
      if (target === null || !/^https?:$/.test(target.protocol)) return NO_ROBOTS;
      url = target.href;
    }
    return NO_ROBOTS;
  }

  function slowDown(origin: string, { crawlDelayS = 0 }: Robots): void {
    if (crawlDelayS === 0) return;
    const { host } = new URL(origin);
    if (crawlDelayS > MAX_CRAWL_DELAY_S) {
      logger.warn(`${host} asks for ${crawlDelayS} s between requests; ${MAX_CRAWL_DELAY_S} s are kept`);
    } else {
      logger.info(`${host} asks for ${crawlDelayS} s between requests`);
    }
    pace.slow(host, Math.min(crawlDelayS, MAX_CRAWL_DELAY_S) * 1000);
  }

  return {
    verdict: async (networkUrl) => {
      const { pathname, search } = new URL(networkUrl);
      return (await rules(networkUrl)).verdict(pathname + search);
    },
    sitemaps: async (networkUrl) => (await rules(networkUrl)).sitemaps,
  };
}
