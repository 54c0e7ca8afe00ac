import type { FetchOutcome } from "../domain/page.ts";
import type { Frontier, FrontierEntry } from "../domain/ports.ts";
import { FetchFailure, failureOf } from "./failure.ts";
import type { Session } from "./session.ts";

/** What revalidation leaves to the crawl. */
export interface Left {
  /** Taken from the frontier, and not asked for yet. */
  readonly fresh: readonly FrontierEntry[];
  /** Asked for once, and to be asked again. */
  readonly failed: readonly { readonly entry: FrontierEntry; readonly failure: FetchFailure }[];
}

/** So many new entries at the head of the queue mean that this is a crawl, and no mere look for changes. */
const MOST_FRESH = 64;

/**
 * Asks the site whether what is held is still so. When all is, which is what most refreshes find, there is nothing to crawl,
 * and Crawlee need not be loaded, which would take longer than asking for hundreds of pages. What comes back changed is
 * recorded just as a crawl does.
 * @param fetch gives the outcome of one entry.
 * @param record is called with each outcome.
 */
export async function revalidate(
  { source, signal }: Session,
  frontier: Pick<Frontier, "next">,
  fetch: (entry: FrontierEntry) => Promise<FetchOutcome>,
  record: (entry: FrontierEntry, outcome: FetchOutcome) => void,
): Promise<Left> {
  const fresh: FrontierEntry[] = [];
  const failed: { entry: FrontierEntry; failure: FetchFailure }[] = [];

  function nextHeld(): FrontierEntry | undefined {
    while (!signal.aborted && fresh.length < MOST_FRESH) {
      const entry = frontier.next();
      if (entry === undefined || entry.isKnown) return entry;
      fresh.push(entry);
    }
    return undefined;
  }

  async function lane(): Promise<void> {
    for (let entry = nextHeld(); entry !== undefined; entry = nextHeld()) {
      const outcome = await fetch(entry).catch(failureOf);
      if (signal.aborted) return;
      if (!(outcome instanceof FetchFailure)) record(entry, outcome);
      else if (outcome.retry) failed.push({ entry, failure: outcome });
      else record(entry, { kind: "failed", reason: outcome.message });
    }
  }

  await Promise.all(Array.from({ length: source.limits.concurrency }, lane));
  return { fresh, failed };
}
