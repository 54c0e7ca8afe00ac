import { documentName } from "../../../src/domain/document-name.ts";
import type { FetchOutcome, Link } from "../../../src/domain/page.ts";
import type { Frontier, FrontierEntry } from "../../../src/domain/ports.ts";
import { NO_COUNTS } from "../../../src/domain/run.ts";

/** What a page that the archive holds is known by. */
export interface Known {
  readonly url: string;
  readonly etag?: string;
  readonly lastModified?: string;
  readonly contentType?: string;
}

/** A frontier in memory that keeps what was recorded, for tests to read. */
export interface MemoryFrontier extends Frontier {
  /** By document name without `documents/`, in the order of recording. */
  readonly outcomes: ReadonlyMap<string, FetchOutcome>;
  /** Names that were taken, and of which nothing was recorded. */
  claimed(): string[];
}

export function memoryFrontier(
  seeds: readonly string[],
  known: readonly Known[] = [],
  limits = { maxPages: 100_000, maxDepth: 100 },
  nameOf: (url: string) => string = (url) => documentName(url),
): MemoryFrontier {
  const entries = new Map<string, FrontierEntry>();
  const waiting: string[] = [];
  const inFlight = new Set<string>();
  const outcomes = new Map<string, FetchOutcome>();
  let leftOut = 0;

  function add(link: Link, page?: Known): void {
    const name = nameOf(link.url);
    if (entries.has(name)) return;
    if (link.depth > limits.maxDepth || entries.size >= limits.maxPages) {
      leftOut++;
      return;
    }
    const { etag, lastModified, contentType } = page ?? {};
    entries.set(name, {
      name,
      url: link.url,
      depth: link.depth,
      isKnown: page !== undefined,
      etag,
      lastModified,
      contentType,
    });
    waiting.push(name);
  }
  for (const page of known) add({ url: page.url, depth: 1 }, page);
  for (const url of seeds) add({ url, depth: 0 });

  return {
    outcomes,
    claimed: () => [...inFlight],
    next() {
      const name = waiting.shift();
      if (name === undefined) return undefined;
      inFlight.add(name);
      return entries.get(name);
    },
    record(entry, outcome) {
      if (!inFlight.delete(entry.name)) throw new Error(`${entry.name} was not in flight`);
      outcomes.set(entry.name.replace("documents/", ""), outcome);
      if ("links" in outcome) for (const link of outcome.links) add(link);
    },
    pending: () => ({ waiting: waiting.length, inFlight: inFlight.size }),
    counts() {
      const counts = { ...NO_COUNTS, leftOut };
      for (const { kind } of outcomes.values()) counts[kind === "page" ? "fetched" : kind]++;
      return counts;
    },
  };
}
