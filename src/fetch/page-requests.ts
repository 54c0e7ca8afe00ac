import type { Request, Route } from "playwright-core";
import { fetchUrl, publicUrl } from "../domain/source.ts";
import { header, type Answer } from "./exchange.ts";
import type { Session } from "./session.ts";

/** Answers what the pages of a crawl ask for while they are built, by the session: its hosts, robots.txt, pace and secrets. */
export interface PageRequests {
  /** Answers one request of a page, or refuses it. Never rejects. */
  answer(route: Route, budget: RequestBudget): Promise<void>;
  /** Requests that were refused, by why. */
  readonly refused: ReadonlyMap<string, number>;
}

/** What one page has asked for. */
export interface RequestBudget {
  asked: number;
  inFlight: number;
}

/** Pages with more scripts and data than this ask without end. */
const MAX_REQUESTS = 300;
const MAX_REDIRECTS = 5;
/** Scripts are the same on each page of a site: held for the crawl, up to this. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
/** What a page needs to have its text. */
const NEEDED: ReadonlySet<string> = new Set(["script", "xhr", "fetch", "manifest", "other"]);
/** Headers that the site's own scripts set for its own data. */
const PASSED_ON = /^(?:accept|origin|x-[a-z0-9-]+)$/;

export function createPageRequests(session: Session): PageRequests {
  const { source, exchange, pace, robots, signal } = session;
  const { aliases, limits } = source;
  const refused = new Map<string, number>();
  const held = new Map<string, Promise<Answer | string>>();
  let heldBytes = 0;
  const listed = [...source.seeds.map((seed) => fetchUrl(aliases, seed)), ...aliases.map(({ fetch }) => fetch)];
  const origins = new Set([...listed.map((url) => new URL(url).origin), ...(source.rules.render?.origins ?? [])]);
  const names = source.scope.type === "domain" ? source.seeds.map((seed) => new URL(seed).hostname) : [];

  function isListed(networkUrl: string): boolean {
    const { origin, hostname } = new URL(networkUrl);
    return origins.has(origin) || names.some((name) => hostname.endsWith(`.${name}`));
  }

  function refuse(route: Route, why: string): Promise<void> {
    refused.set(why, (refused.get(why) ?? 0) + 1);
    return route.abort("blockedbyclient");
  }

  /** Follows redirects as long as they stay on listed hosts. @returns undefined when one does not, or robots.txt forbids it. */
  async function ask(start: string, headers: Readonly<Record<string, string>>): Promise<Answer | string> {
    let url = start;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      if (!isListed(url)) return `other hosts (${new URL(url).host})`;
      const { allowed } = await robots.verdict(url);
      if (!allowed) return "robots.txt";
      await pace.turn(new URL(url).host, signal);
      const answer = await exchange.get(url, {
        headers,
        maxBytes: limits.maxPageBytes,
        capName: "limits.maxPageBytes",
        signal,
        wants: (status) => status < 300 || status >= 400,
      });
      const to =
        answer.status >= 300 && answer.status < 400 ? URL.parse(header(answer.headers, "location"), url) : null;
      if (to === null || !/^https?:$/.test(to.protocol)) return answer;
      url = fetchUrl(aliases, publicUrl(aliases, to.href));
    }
    return "redirects without end";
  }

  /** Lets go of what another page would have to ask for anew, and of what there is no room for. */
  async function release(key: string, work: Promise<Answer | string>): Promise<void> {
    const answer = await work.catch(() => "");
    if (isWorthHolding(answer) && heldBytes + answer.body.length <= MAX_HELD_BYTES) heldBytes += answer.body.length;
    else held.delete(key);
  }

  function fetched(url: string, headers: Readonly<Record<string, string>>): Promise<Answer | string> {
    const key = `${url} ${JSON.stringify(headers)}`;
    const before = held.get(key);
    if (before !== undefined) return before;
    const work = ask(url, headers);
    held.set(key, work);
    void release(key, work);
    return work;
  }

  async function answer(route: Route, budget: RequestBudget): Promise<void> {
    const request = route.request();
    const type = request.resourceType();
    // Some applications wait for their styles before they go on.
    if (type === "stylesheet") return route.fulfill({ status: 200, contentType: "text/css", body: "" });
    if (!NEEDED.has(type)) return refuse(route, `${type}s`);
    if (request.method() !== "GET") return refuse(route, `${request.method()} requests`);
    if (!/^https?:/.test(request.url())) return refuse(route, "other schemes");
    if (++budget.asked > MAX_REQUESTS) return refuse(route, `more than ${MAX_REQUESTS} requests of a page`);
    const url = new URL(fetchUrl(aliases, publicUrl(aliases, request.url())));
    url.hash = "";
    const { origin, ...asked } = await headersOf(request);
    const got = await fetched(url.href, asked);
    if (typeof got === "string") return refuse(route, got);
    const { status, headers, body } = got;
    return route.fulfill({
      status,
      headers: {
        "content-type": header(headers, "content-type") || "application/octet-stream",
        // The browser knows no one's session, so nothing is disclosed by letting a page read what it has asked for.
        "access-control-allow-origin": origin ?? "*",
        ...(origin === undefined ? {} : { "access-control-allow-credentials": "true" }),
      },
      body,
    });
  }

  return {
    refused,
    async answer(route, budget) {
      budget.inFlight++;
      try {
        await answer(route, budget);
      } catch {
        // The page is gone, or its request failed: its script is told as much, and goes on as it can.
        await route.abort("failed").catch(() => undefined);
      } finally {
        budget.inFlight--;
      }
    },
  };
}

function isWorthHolding(answer: Answer | string): answer is Answer {
  return (
    typeof answer !== "string" && answer.status === 200 && !/no-store/i.test(header(answer.headers, "cache-control"))
  );
}

async function headersOf(request: Request): Promise<Record<string, string>> {
  const all = await request.allHeaders().catch(() => request.headers());
  return Object.fromEntries(Object.entries(all).filter(([name]) => PASSED_ON.test(name)));
}
