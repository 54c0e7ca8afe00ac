import type { IRequestManager, Request } from "@crawlee/basic";
import type { Frontier, FrontierEntry } from "../domain/ports.ts";

/** Our frontier as Crawlee's request queue. Requests are kept by the name of their entry. */
export interface FrontierRequests extends IRequestManager {
  /** The entry that a request stands for. */
  entryOf(request: Request): FrontierEntry;
  /** When the request is reclaimed, it is not handed out again before this long has passed. */
  postpone(request: Request, ms: number): void;
  /** No request is handed out any more, and the queue counts as finished once none is in flight. */
  stop(): void;
}

/**
 * Adapts a frontier. Crawlee's own queue rescans what it has handled and grows; the frontier does neither, and lives on when
 * the process is killed. What Crawlee does not need of a queue here (adding requests, reading all) is refused.
 * @param toRequest Makes a Crawlee request of an entry that was asked for so often before.
 * @param left What was taken from the frontier before.
 */
export function createFrontierRequests(
  frontier: Frontier,
  toRequest: (entry: FrontierEntry, retryCount: number) => Request,
  left: {
    readonly fresh: readonly FrontierEntry[];
    readonly failed: readonly { entry: FrontierEntry; waitMs: number }[];
  },
): FrontierRequests {
  const inFlight = new Set<string>();
  const entries = new WeakMap<Request, FrontierEntry>();
  const postponed: { readonly request: Request; readonly at: number }[] = [];
  const waits = new Map<string, number>();
  const fresh = [...left.fresh];
  let taken: FrontierEntry | undefined;
  let stopped = false;

  /** "Is there another?" is answered by taking it, since a frontier has no cheaper way. */
  function peek(): FrontierEntry | undefined {
    if (!stopped) taken ??= fresh.shift() ?? frontier.next();
    return taken;
  }

  for (const { entry, waitMs } of left.failed) {
    const request = toRequest(entry, 1);
    entries.set(request, entry);
    postponed.push({ request, at: performance.now() + waitMs });
  }

  function dueIndex(): number {
    const now = performance.now();
    return postponed.findIndex(({ at }) => at <= now);
  }

  const refused = (): never => {
    throw new Error("links are recorded in the frontier, not added to Crawlee's queue");
  };

  return {
    isEmpty: () => Promise.resolve(stopped || (dueIndex() === -1 && peek() === undefined)),
    isFinished: () =>
      Promise.resolve(inFlight.size === 0 && (stopped || (postponed.length === 0 && peek() === undefined))),
    fetchNextRequest: <T>() => {
      const due = stopped ? -1 : dueIndex();
      const again = due === -1 ? undefined : postponed.splice(due, 1)[0]?.request;
      const entry = again === undefined ? peek() : undefined;
      taken = again === undefined ? undefined : taken;
      const request = again ?? (entry === undefined ? null : toRequest(entry, 0));
      if (request !== null) inFlight.add(request.uniqueKey);
      if (request !== null && entry !== undefined) entries.set(request, entry);
      return Promise.resolve(request as Request<T & Record<string, unknown>> | null);
    },
    markRequestHandled: (request) => {
      inFlight.delete(request.uniqueKey);
      return Promise.resolve(null);
    },
    reclaimRequest: (request) => {
      const wait = waits.get(request.uniqueKey) ?? 0;
      waits.delete(request.uniqueKey);
      inFlight.delete(request.uniqueKey);
      postponed.push({ request, at: performance.now() + wait });
      return Promise.resolve(null);
    },
    handledCount: () => {
      const { fetched, unchanged, moved, gone, skipped, failed } = frontier.counts();
      return Promise.resolve(fetched + unchanged + moved + gone + skipped + failed);
    },
    getPendingCount: () => frontier.pending().waiting + frontier.pending().inFlight,
    getTotalCount: () => frontier.pending().waiting + frontier.pending().inFlight,
    addRequest: refused,
    addRequestsBatched: refused,
    [Symbol.asyncIterator]: refused,

    entryOf(request) {
      const entry = entries.get(request);
      if (entry === undefined) throw new Error(`${request.uniqueKey} is not of this frontier`);
      return entry;
    },
    postpone(request, ms) {
      waits.set(request.uniqueKey, ms);
    },
    stop() {
      stopped = true;
    },
  };
}
