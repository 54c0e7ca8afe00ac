import { expect, test } from "vitest";
import { DEFAULT_RETRY, Pace, retryAfterMs } from "../../src/fetch/politeness.ts";
import { crawl, QUICK_RETRY, reason } from "./support/crawl.ts";
import { memoryFrontier } from "./support/memory-frontier.ts";
import { page, startSite } from "./support/site.ts";

test("what fails for a moment is asked again", async () => {
  await using site = await startSite({
    "/": page("Home", "busy", "reset"),
    "/busy": (_request, _response, nth) => (nth < 3 ? { status: 503 } : { body: page("Busy") }),
    "/reset": (request, _response, nth) => {
      if (nth > 1) return { body: page("Reset") };
      request.socket.destroy();
      return undefined;
    },
  });
  const crawled = await crawl(site.url);
  expect(crawled.pages()).toEqual(["", "busy", "reset"]);
  expect(site.paths().filter((path) => path === "/busy")).toHaveLength(3);
  expect(crawled.log).toContainEqual(
    expect.stringContaining("busy: answered 503 Service Unavailable; asking again in"),
  );
});

test("what goes on failing is a failure that says how often it was asked", async () => {
  await using site = await startSite({ "/": { status: 500 } });
  const crawled = await crawl(site.url);
  expect(crawled.outcome("")).toEqual({ kind: "failed", reason: "answered 500 Internal Server Error (asked 4 times)" });
  expect(site.seen).toHaveLength(4);
});

test("Retry-After holds back the whole host", async () => {
  const hrefs = Array.from({ length: 10 }, (_, n) => `p${n}`);
  let slowedAt = 0;
  await using site = await startSite({ "/": page("Home", ...hrefs) }, (request, _response, nth) => {
    if (request.url !== "/p0" || nth > 1) return { body: page("P") };
    slowedAt = performance.now();
    return { status: 429, headers: { "retry-after": "1" } };
  });
  const crawled = await crawl(site.url, { limits: { concurrency: 1 } });
  expect(crawled.pages()).toHaveLength(11);
  const after = site.seen.filter(({ at }) => at > slowedAt);
  expect(after).toHaveLength(10);
  for (const { at } of after) expect(at - slowedAt).toBeGreaterThan(950);
});

test("a host that wants to be left alone for long is left alone, and each page says so", async () => {
  const hrefs = Array.from({ length: 20 }, (_, n) => `p${n}`);
  await using site = await startSite(
    { "/": page("Home", ...hrefs) },
    { status: 429, headers: { "retry-after": "3600" } },
  );
  const crawled = await crawl(site.url, { limits: { concurrency: 1 } });
  expect(site.seen).toHaveLength(2);
  expect(reason(crawled.outcome("p0"))).toBe(
    "answered 429 Too Many Requests, and to wait 3600 s, which is longer than a run waits (5 s)",
  );
  expect(reason(crawled.outcome("p19"))).toMatch(/^not asked: 127\.0\.0\.1:\d+ wants no request for the next 3600 s/);
});

test("requests start at least the delay apart, whatever the concurrency", async () => {
  const hrefs = Array.from({ length: 6 }, (_, n) => `p${n}`);
  await using site = await startSite({ "/": page("Home", ...hrefs) }, { body: page("P") });
  await crawl(site.url, { limits: { delayMs: 100, concurrency: 4 } });
  const starts = site.seen.map(({ at }) => at);
  expect(starts).toHaveLength(7);
  // A request may take a moment longer on its way than the next.
  for (let i = 1; i < starts.length; i++) expect((starts[i] ?? 0) - (starts[i - 1] ?? 0)).toBeGreaterThan(80);
});

test("turns that came while the process was busy still start the delay apart, on all hosts and on each", async () => {
  const delayMs = 15;
  const hostDelayMs = 30;
  const pace = new Pace(delayMs, DEFAULT_RETRY);
  pace.slow("slow.internal", hostDelayMs);
  const { signal } = new AbortController();
  const starts: { host: string; at: number }[] = [];
  const turns = Array.from({ length: 8 }, async (_, i) => {
    const host = i % 2 === 0 ? "slow.internal" : "quick.internal";
    await pace.turn(host, signal);
    starts.push({ host, at: performance.now() });
  });
  // So long that all turns would have come.
  for (const end = performance.now() + 200; performance.now() < end;);
  await Promise.all(turns);
  const gaps = (of: readonly { at: number }[]): number[] => of.slice(1).map(({ at }, i) => at - (of[i]?.at ?? 0));
  // What is measured here is after the turn by a moment.
  for (const gap of gaps(starts)) expect(gap).toBeGreaterThan(delayMs - 2);
  for (const gap of gaps(starts.filter(({ host }) => host === "slow.internal"))) {
    expect(gap).toBeGreaterThan(hostDelayMs - 2);
  }
});

test("no more than the set number of requests are in flight, and no fewer when there is work", async () => {
  const hrefs = Array.from({ length: 12 }, (_, n) => `p${n}`);
  let waiting: (() => void)[] = [];
  await using site = await startSite({ "/": page("Home", ...hrefs) }, async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      // All three are here: only now does any get its answer.
      if (waiting.length === 3) {
        for (const go of waiting) go();
        waiting = [];
      }
    });
    return { body: page("P") };
  });
  const crawled = await crawl(site.url, { limits: { concurrency: 3 } });
  expect(site.mostInFlight()).toBe(3);
  expect(crawled.pages()).toHaveLength(13);
});

test("Retry-After is seconds or a date", () => {
  const now = Date.parse("2026-01-05T10:00:00Z");
  expect(retryAfterMs("120", now)).toBe(120_000);
  expect(retryAfterMs(" 0 ", now)).toBe(0);
  expect(retryAfterMs("Mon, 05 Jan 2026 10:01:00 GMT", now)).toBe(60_000);
  expect(retryAfterMs("Mon, 05 Jan 2026 09:00:00 GMT", now)).toBe(0);
  expect(retryAfterMs("", now)).toBeUndefined();
  expect(retryAfterMs("soon", now)).toBeUndefined();
  expect(retryAfterMs("-1", now)).toBeUndefined();
});

test("an abort is heeded at once, while waiting for a turn, a retry or an answer, and nothing is lost", async () => {
  const cases = {
    turn: { limits: { delayMs: 60_000 }, asked: 0 },
    retry: { fetcher: { retry: { ...QUICK_RETRY, firstMs: 60_000, maxWaitMs: 60_000 } }, asked: 1 },
    answer: { asked: 1 },
  };
  for (const [name, { asked, ...options }] of Object.entries(cases)) {
    const abort = new AbortController();
    await using site = await startSite({
      "/": () => {
        setImmediate(() => abort.abort());
        return name === "retry" ? { status: 500 } : undefined;
      },
    });
    const waiting = memoryFrontier([site.url]);
    const frontier = {
      ...waiting,
      next() {
        if (name === "turn") setImmediate(() => abort.abort());
        return waiting.next();
      },
    };
    const started = performance.now();
    const { log } = await crawl(site.url, { ...options, frontier, signal: abort.signal });
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(site.seen).toHaveLength(asked);
    expect(frontier.outcomes.size).toBe(0);
    expect(frontier.claimed()).toHaveLength(1);
    expect(log.filter((line) => line.startsWith("warning"))).toEqual([]);
  }
});

test("an abort in the middle keeps what was recorded, and the next crawl goes on", async () => {
  const abort = new AbortController();
  const hrefs = Array.from({ length: 40 }, (_, n) => `p${n}`);
  await using site = await startSite({ "/": page("Home", ...hrefs) }, (request) => {
    if (request.url === "/p20") abort.abort();
    return { body: page("P") };
  });
  const { frontier } = await crawl(site.url, { signal: abort.signal });
  const done = frontier.outcomes.size;
  expect(done).toBeGreaterThan(10);
  expect(done).toBeLessThan(41);
  expect(done + frontier.claimed().length + frontier.pending().waiting).toBe(41);
  expect([...frontier.outcomes.values()].every(({ kind }) => kind === "page")).toBe(true);
});

test("an abort while Crawlee is loaded asks nothing and records nothing", async () => {
  await using site = await startSite({ "/": page("Home") });
  const abort = new AbortController();
  const frontier = memoryFrontier([site.url]);
  const crawling = crawl(site.url, { frontier, signal: abort.signal });
  abort.abort();
  await crawling;
  expect(site.seen).toHaveLength(0);
  const { waiting, inFlight } = frontier.pending();
  expect(waiting + inFlight).toBe(1);
});

test("an abort before the start asks nothing", async () => {
  await using site = await startSite({ "/": page("Home") });
  await crawl(site.url, { signal: AbortSignal.abort() });
  expect(site.seen).toHaveLength(0);
});
