import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import type { FetchOutcome } from "../../src/domain/page.ts";
import type { Archive, Frontier, FrontierLimits } from "../../src/domain/ports.ts";
import { NO_COUNTS, type Run } from "../../src/domain/run.ts";
import { ARCHIVE_SCHEMA } from "../../src/store/archive-schema.ts";
import { openArchive } from "../../src/store/archive.ts";
import { NO_LIMITS, page, pageOutcome } from "../support/pages.ts";
import { tempFolder } from "../support/temp-folder.ts";

const NOW = new Date("2026-05-04T03:02:01Z");
const A = "https://docs.example.com/a";
const B = "https://docs.example.com/b";
const C = "https://docs.example.com/c";

function open(file = join(tempFolder(), "archive.db")): Archive {
  const archive = openArchive(file, () => NOW);
  onTestFinished(() => archive.close());
  return archive;
}

function run(id: number, source = "site"): Run {
  return {
    id,
    source,
    status: "running",
    startedAt: NOW.toISOString(),
    endedAt: undefined,
    durationMs: 0,
    counts: NO_COUNTS,
    note: "",
  };
}

function frontierOf(
  archive: Archive,
  id: number,
  urls: readonly string[],
  limits: FrontierLimits = NO_LIMITS,
): Frontier {
  return archive.openFrontier(
    run(id),
    urls.map((url) => ({ url, depth: 0 })),
    limits,
  );
}

/** Answers every entry, and returns the URLs in the order that they were asked for. */
function drain(frontier: Frontier, answer: (url: string) => FetchOutcome): string[] {
  const asked: string[] = [];
  for (let entry = frontier.next(); entry !== undefined; entry = frontier.next()) {
    asked.push(entry.url);
    frontier.record(entry, answer(entry.url));
  }
  return asked;
}

const linkedPages = (url: string): FetchOutcome => pageOutcome(page(url, `page ${url}`), [A, B, C]);

it("follows links once each, whatever their spelling, and keeps what was sent to the byte", () => {
  const archive = open();
  const body = Buffer.from([0, 255, 10, 13, 60]);
  const asked = drain(frontierOf(archive, 1, [A]), (url) => ({
    kind: "page",
    page: page(url, "", { body, etag: '"1"', lastModified: "yesterday" }),
    links: [B, `${B}/`, `${B}#part`, `${B}/index.html`].map((link) => ({ url: link, depth: 1 })),
  }));
  expect(asked).toEqual([A, B]);
  const changes = archive.changesSince(0, 10);
  expect(changes.map(({ revision }) => revision)).toEqual([1, 2]);
  expect(changes[0]).toMatchObject({
    kind: "page",
    page: { source: "site", url: A, etag: '"1"', lastModified: "yesterday", fetchedAt: NOW.toISOString() },
  });
  expect(changes[0]?.kind === "page" && Buffer.from(changes[0].page.body).equals(body)).toBe(true);
});

it.each([
  ["before it is asked for", [A, `${B}/`, C]],
  ["after it was gone", [A, C]],
])("asks by another spelling of a name whose first one is gone, when that is found %s", (_, links) => {
  const archive = open();
  const there = new Set([A, `${B}/`, C]);
  const answer = (url: string): FetchOutcome => {
    if (!there.has(url)) return { kind: "gone", status: 404 };
    const found = url === A ? links : [`${B}/`, B, A];
    return pageOutcome(page(url, `page ${url}`), found);
  };
  const frontier = frontierOf(archive, 1, [A, B]);
  const asked = drain(frontier, answer);
  expect(asked.filter((url) => url.startsWith(B))).toEqual([B, `${B}/`]);
  expect(frontier.counts()).toMatchObject({ fetched: 3, gone: 0 });
  expect(frontier.pending()).toEqual({ waiting: 0, inFlight: 0 });
  archive.settle(run(1), true);
  // The next run asks by the spelling that is there.
  expect(drain(frontierOf(archive, 2, [A, B]), answer).filter((url) => url.startsWith(B))).toEqual([`${B}/`]);
});

it("asks by each spelling of what is gone once", () => {
  const gone = (url: string): FetchOutcome =>
    url === A ? pageOutcome(page(url, "page"), [B, `${B}/`, `${B}/index.html`]) : { kind: "gone", status: 404 };
  const frontier = frontierOf(open(), 1, [A]);
  expect(drain(frontier, gone)).toEqual([A, B, `${B}/`, `${B}/index.html`]);
  expect(frontier.counts()).toMatchObject({ fetched: 1, gone: 1 });
});

it("gives back what was in flight when a run was killed, and asks nothing twice that was recorded", () => {
  const file = join(tempFolder(), "archive.db");
  const killed = open(file);
  const frontier = frontierOf(killed, 1, [A]);
  const first = frontier.next();
  if (first === undefined) throw new Error("nothing to ask");
  frontier.record(first, linkedPages(A));
  expect(frontier.next()?.url).toBe(B);
  killed.close();

  const resumed = frontierOf(open(file), 1, [A]);
  expect(resumed.pending()).toEqual({ waiting: 2, inFlight: 0 });
  expect(drain(resumed, linkedPages)).toEqual([B, C]);
  expect(resumed.counts()).toMatchObject({ fetched: 3, failed: 0 });
});

it("asks every known URL again in the next run, with its validators, and keeps the revision of what is the same", () => {
  const archive = open();
  drain(frontierOf(archive, 1, [A]), (url) => pageOutcome(page(url, "same", { etag: `"${url}"` }), [B]));
  archive.settle(run(1), true);
  const before = archive.revision();

  const second = frontierOf(archive, 2, [A]);
  const entry = second.next();
  expect(entry).toMatchObject({ url: A, etag: `"${A}"` });
  if (entry !== undefined) second.record(entry, { kind: "unchanged" });
  expect(drain(second, (url) => pageOutcome(page(url, "same")))).toEqual([B]);
  expect(second.counts()).toMatchObject({ fetched: 1, unchanged: 1 });
  expect(archive.revision()).toBe(before);
});

it("lets a page that changed wait until its run is settled, and drops it when it never is", () => {
  const archive = open();
  drain(frontierOf(archive, 1, [A]), (url) => pageOutcome(page(url, "old", { etag: '"old"' })));
  archive.settle(run(1), true);
  drain(frontierOf(archive, 2, [A]), (url) => pageOutcome(page(url, "a login wall", { etag: '"wall"' })));
  expect(archive.review(run(2), true)).toEqual({ live: 1, changed: 1, leaving: 0, refused: 0 });
  expect([...archive.incoming("site")].map(({ body }) => Buffer.from(body).toString())).toEqual(["a login wall"]);
  expect(archive.changesSince(1, 10)).toEqual([]);

  const third = frontierOf(archive, 3, [A]);
  expect(third.next()?.etag).toBe('"old"');
  expect([...archive.incoming("site")]).toEqual([]);

  drain(frontierOf(archive, 4, [A]), (url) => pageOutcome(page(url, "new")));
  archive.settle(run(4), false);
  const changes = archive.changesSince(1, 10);
  expect(changes).toHaveLength(1);
  expect(changes[0]).toMatchObject({ revision: 2, kind: "page", page: { url: A } });
});

it("asks a page less often the longer it has been the same, up to a limit; all when told to", () => {
  let now = new Date("2026-01-01T00:00:00Z");
  const archive = openArchive(join(tempFolder(), "archive.db"), () => now);
  onTestFinished(() => archive.close());
  const DAY_MS = 86_400_000;
  let id = 0;
  let last: Frontier | undefined;
  const askedOn = (day: number, ask: FrontierLimits["ask"] = "due", answer: FetchOutcome = { kind: "unchanged" }) => {
    now = new Date(Date.UTC(2026, 0, 1) + day * DAY_MS);
    last = frontierOf(archive, ++id, [], { ...NO_LIMITS, ask });
    return drain(last, () => answer).length;
  };
  drain(frontierOf(archive, ++id, [A]), (url) => pageOutcome(page(url, "x")));
  archive.settle(run(id), true);
  expect(askedOn(0)).toBe(1);
  expect(askedOn(10)).toBe(1);
  // Unchanged for 10 days: not for one more.
  expect(askedOn(10.9)).toBe(0);
  expect(last?.counts()).toMatchObject({ notDue: 1, unchanged: 0 });
  expect(askedOn(10.9, "all")).toBe(1);
  expect(askedOn(12.2)).toBe(1);
  // Unchanged for most of a year: for seven days.
  expect(askedOn(300)).toBe(1);
  expect(askedOn(306.9)).toBe(0);
  expect(askedOn(307, "due", pageOutcome(page(A, "changed")))).toBe(1);
  expect(askedOn(307.1)).toBe(1);
  expect(askedOn(307.2, "due", { kind: "failed", reason: "HTTP 500" })).toBe(1);
  expect(askedOn(307.2)).toBe(1);
});

it("asks for whole pages when the scope is another, until one run has done so: a 304 has no links", () => {
  const archive = open();
  const tagged = (url: string): FetchOutcome => pageOutcome(page(url, "x", { etag: '"1"' }));
  const tagsOf = (id: number, scopeKey: string, isSettled: boolean): unknown[] => {
    const tags: unknown[] = [];
    const frontier = frontierOf(archive, id, [A, B], { ...NO_LIMITS, scopeKey });
    for (let entry = frontier.next(); entry !== undefined; entry = frontier.next()) {
      tags.push(entry.etag);
      frontier.record(entry, tagged(entry.url));
    }
    if (isSettled) archive.settle(run(id), true);
    return tags;
  };
  tagsOf(1, "narrow", true);
  expect(tagsOf(2, "narrow", true)).toEqual(['"1"', '"1"']);
  expect(tagsOf(3, "wide", false)).toEqual([undefined, undefined]);
  expect(tagsOf(4, "wide", true)).toEqual([undefined, undefined]);
  expect(tagsOf(5, "wide", true)).toEqual(['"1"', '"1"']);
});

it("asks for a page that a list says has changed at once, and for one that it says has not only at the limit", () => {
  let now = new Date("2026-01-10T00:00:00Z");
  const archive = openArchive(join(tempFolder(), "archive.db"), () => now);
  onTestFinished(() => archive.close());
  const unchanged: FetchOutcome = { kind: "unchanged" };
  drain(frontierOf(archive, 1, [A, B, C]), (url) => pageOutcome(page(url, url)));
  archive.settle(run(1), true);
  const listed = [
    { url: B, depth: 1, lastModified: "2026-01-09T23:00:00Z" },
    { url: C, depth: 1, lastModified: "2026-01-11T11:00:00Z" },
    { url: `${C}/new`, depth: 1, lastModified: "2001-01-01T00:00:00Z" },
  ];
  const askedOn = (id: number, day: number, ask: FrontierLimits["ask"] = "due"): string[] => {
    now = new Date(Date.UTC(2026, 0, day, 12));
    return drain(archive.openFrontier(run(id), listed, { ...NO_LIMITS, ask }), () => unchanged);
  };
  // B has not changed by the list, C has since; of A the list says nothing.
  expect(askedOn(2, 11)).toEqual([A, C, `${C}/new`]);
  // C was checked after its change. A has been the same for a day and a half, and not been asked for more than a tenth.
  expect(askedOn(3, 12)).toEqual([A]);
  expect(askedOn(4, 13, "all")).toEqual([A, B, C, `${C}/new`]);
  expect(askedOn(5, 21)).toEqual([A, B, C, `${C}/new`]);
});

it("asks for what failed alone when told to, and for what is new behind it", () => {
  const archive = open();
  drain(frontierOf(archive, 1, [A]), (url) =>
    url === B ? { kind: "failed", reason: "HTTP 500" } : pageOutcome(page(url, url), [A, B]),
  );
  const retry = frontierOf(archive, 2, [A], { ...NO_LIMITS, ask: "failed" });
  expect(drain(retry, linkedPages)).toEqual([B, C]);
  expect(retry.counts()).toMatchObject({ fetched: 2, failed: 0 });
});

it("forgets the runs of a corpus that is not there any more, and keeps the pages", () => {
  const archive = open();
  archive.serveCorpus("first");
  drain(frontierOf(archive, 1, [A]), (url) => pageOutcome(page(url, "x")));
  archive.settle(run(1), true);
  archive.serveCorpus("first");
  expect(drain(frontierOf(archive, 1, [A]), linkedPages)).toEqual([]);
  archive.serveCorpus("second");
  expect(drain(frontierOf(archive, 1, [A]), () => ({ kind: "unchanged" }))).toEqual([A]);
  expect(archive.changesSince(0, 10)).toHaveLength(1);
});

it("says where a name leads that never had a page", () => {
  const archive = open();
  drain(frontierOf(archive, 1, [A]), (url) =>
    url === A ? { kind: "moved", to: B, links: [{ url: B, depth: 0 }] } : pageOutcome(page(url, "x")),
  );
  expect(archive.changesSince(0, 10)).toMatchObject([
    { kind: "removed", name: "documents/docs.example.com/a", movedTo: "documents/docs.example.com/b" },
    { kind: "page", page: { url: B } },
  ]);
  const revision = archive.revision();
  drain(frontierOf(archive, 2, [A]), (url) =>
    url === A ? { kind: "moved", to: B, links: [] } : { kind: "unchanged" },
  );
  expect(archive.revision()).toBe(revision);
});

it("removes a page that was gone in two complete runs, and neither after one nor after incomplete ones", () => {
  const archive = open();
  const gone = (url: string): FetchOutcome => (url === B ? { kind: "gone", status: 404 } : linkedPages(url));
  drain(frontierOf(archive, 1, [A]), linkedPages);
  archive.settle(run(1), true);
  const revision = archive.revision();
  for (const [id, complete] of [
    [2, false],
    [3, true],
    [4, false],
  ] as const) {
    drain(frontierOf(archive, id, [A]), gone);
    archive.settle(run(id), complete);
    // Settled again, as when the process was killed before it could say so.
    archive.settle(run(id), complete);
    expect(archive.changesSince(revision, 10)).toEqual([]);
  }
  drain(frontierOf(archive, 5, [A]), gone);
  archive.settle(run(5), true);
  expect(archive.changesSince(revision, 10)).toEqual([
    {
      kind: "removed",
      revision: revision + 1,
      source: "site",
      name: "documents/docs.example.com/b",
      movedTo: undefined,
    },
  ]);
});

it("forgets that a page was gone once it is there again", () => {
  const archive = open();
  drain(frontierOf(archive, 1, [A]), (url) => pageOutcome(page(url, "x")));
  archive.settle(run(1), true);
  const answers: FetchOutcome[] = [{ kind: "gone", status: 404 }, { kind: "unchanged" }, { kind: "gone", status: 410 }];
  for (const [i, answer] of answers.entries()) {
    drain(frontierOf(archive, i + 2, [A]), () => answer);
    archive.settle(run(i + 2), true);
  }
  expect(archive.changesSince(1, 10)).toEqual([]);
});

it("lets a page that moved go once its new place has a page", () => {
  const archive = open();
  drain(frontierOf(archive, 1, [A]), (url) => pageOutcome(page(url, "x")));
  archive.settle(run(1), true);
  const moved = frontierOf(archive, 2, [A]);
  drain(moved, (url) =>
    url === A ? { kind: "moved", to: B, links: [{ url: B, depth: 0 }] } : { kind: "failed", reason: "HTTP 500" },
  );
  archive.settle(run(2), true);
  expect(archive.changesSince(1, 10)).toEqual([]);
  expect([...archive.failures(run(2))]).toEqual([{ url: B, reason: "HTTP 500" }]);

  drain(frontierOf(archive, 3, [A]), (url) =>
    url === A ? { kind: "moved", to: B, links: [{ url: B, depth: 0 }] } : pageOutcome(page(url, "x")),
  );
  archive.settle(run(3), true);
  expect(archive.changesSince(1, 10).map(({ kind }) => kind)).toEqual(["page", "removed"]);
});

it("counts each URL beyond a limit once, and asks for one that is found again nearer to a seed", () => {
  const archive = open();
  const frontier = frontierOf(archive, 1, [A], { ...NO_LIMITS, maxDepth: 1 });
  const asked = drain(frontier, (url) => ({
    kind: "page",
    page: page(url, url),
    links:
      url === A
        ? [
            { url: B, depth: 1 },
            { url: C, depth: 2 },
          ]
        : [
            { url: C, depth: 1 },
            { url: `${C}c`, depth: 2 },
          ],
  }));
  expect(asked).toEqual([A, B, C]);
  expect(frontier.counts()).toMatchObject({ fetched: 3, leftOut: 1 });

  const few = frontierOf(archive, 2, [A], { ...NO_LIMITS, maxPages: 2 });
  expect(drain(few, linkedPages)).toEqual([A, B]);
  expect(few.counts()).toMatchObject({ fetched: 2, leftOut: 2 });
});

it("does not ask for a known URL that is out of scope now, and removes its page after a complete run", () => {
  const archive = open();
  drain(frontierOf(archive, 1, [A]), linkedPages);
  const narrower = frontierOf(archive, 2, [A], { ...NO_LIMITS, inScope: (url) => url !== B });
  expect(drain(narrower, (url) => pageOutcome(page(url, `page ${url}`)))).toEqual([A, C]);
  expect(archive.review(run(2), true).leaving).toBe(1);
  archive.settle(run(2), false);
  expect(archive.changesSince(3, 10)).toEqual([]);
  archive.settle(run(2), true);
  expect(archive.changesSince(3, 10)).toMatchObject([{ kind: "removed", name: "documents/docs.example.com/b" }]);
});

it("removes a page that was no documentation in two complete runs", () => {
  const archive = open();
  drain(frontierOf(archive, 1, [A]), (url) => pageOutcome(page(url, "x")));
  archive.settle(run(1), true);
  const noindex = (): FetchOutcome => ({ kind: "skipped", reason: "asks not to be indexed", links: [] });
  drain(frontierOf(archive, 2, [A]), noindex);
  expect(archive.review(run(2), true)).toMatchObject({ leaving: 0, refused: 1 });
  archive.settle(run(2), true);
  drain(frontierOf(archive, 3, [A]), noindex);
  expect(archive.review(run(3), true)).toMatchObject({ leaving: 0, refused: 1 });
  archive.settle(run(3), true);
  expect(archive.changesSince(1, 10)).toMatchObject([{ kind: "removed" }]);
});

it("keeps the sources apart", () => {
  const archive = open();
  drain(frontierOf(archive, 1, [A]), linkedPages);
  const other = archive.openFrontier(run(2, "other"), [{ url: A, depth: 0 }], NO_LIMITS);
  expect(drain(other, (url) => pageOutcome(page(url, "other")))).toEqual([A]);
  archive.touch("other");
  expect(archive.changesSince(4, 10)).toMatchObject([{ page: { source: "other", url: A } }]);
});

it("asks as before when the run is begun in one statement: due, by depth, by number, in scope", () => {
  const archive = open();
  const urls = Array.from({ length: 8 }, (_, i) => `${A}${i}`);
  drain(frontierOf(archive, 1, urls), (url) => pageOutcome(page(url, url)));
  archive.settle(run(1), true);
  // Seeds come first, whatever their place; the limit leaves out the last of the others.
  const few = frontierOf(archive, 2, [`${A}7`], { ...NO_LIMITS, maxPages: 4 });
  expect(few.pending()).toEqual({ waiting: 4, inFlight: 0 });
  expect(drain(few, () => ({ kind: "unchanged" })).sort()).toEqual([urls[0], urls[1], urls[2], urls[7]]);
  expect(few.counts()).toMatchObject({ unchanged: 4, leftOut: 4 });
  expect([...archive.omissions(run(2))]).toEqual(
    urls.slice(3, 7).map((url) => ({ kind: "leftOut", url, reason: "maxPages" })),
  );
  const two = frontierOf(archive, 3, [], { ...NO_LIMITS, maxPages: 2 });
  expect(drain(two, () => ({ kind: "unchanged" }))).toEqual(urls.slice(0, 2));
});

it("judges the scope of what is known when it is another, and only then", () => {
  const archive = open();
  const judged: string[] = [];
  const scoped = (id: number, scopeKey: string, out: string, isSettled = true): string[] => {
    judged.length = 0;
    const inScope = (url: string): boolean => {
      judged.push(url);
      return url !== out;
    };
    const frontier = archive.openFrontier(run(id), [], { ...NO_LIMITS, scopeKey, inScope });
    const asked = drain(frontier, (url) => pageOutcome(page(url, url)));
    if (isSettled) archive.settle(run(id), false);
    return asked;
  };
  drain(frontierOf(archive, 1, [A, B, C]), (url) => pageOutcome(page(url, url)));
  archive.settle(run(1), true);
  expect(scoped(2, "without B", B)).toEqual([A, C]);
  expect(judged).toEqual([A, B, C]);
  expect(scoped(3, "without B", B)).toEqual([A, C]);
  expect(judged).toEqual([]);
  expect(scoped(4, "without C", C, false)).toEqual([A, B]);
  // The run before was never settled: nothing is taken for judged.
  expect(scoped(5, "without C", C)).toEqual([A, B]);
  expect(judged).toEqual([A, B, C]);
});

it("judges again after a run that went on with another scope than it was begun with", () => {
  const archive = open();
  drain(frontierOf(archive, 1, [A, B]), (url) => pageOutcome(page(url, url)));
  archive.settle(run(1), true);
  frontierOf(archive, 2, [], { ...NO_LIMITS, scopeKey: "first" });
  drain(frontierOf(archive, 2, [], { ...NO_LIMITS, scopeKey: "second" }), () => ({ kind: "unchanged" }));
  archive.settle(run(2), true);
  const third = frontierOf(archive, 3, [], { ...NO_LIMITS, scopeKey: "second", inScope: (url) => url !== B });
  expect(drain(third, () => ({ kind: "unchanged" }))).toEqual([A]);
});

it("takes a scope for settled by no run that asked for what had failed alone", () => {
  const archive = open();
  const tagged = (url: string): FetchOutcome =>
    url === B ? { kind: "failed", reason: "HTTP 500" } : pageOutcome(page(url, "x", { etag: '"1"' }));
  drain(frontierOf(archive, 1, [A, B]), tagged);
  archive.settle(run(1), true);
  drain(frontierOf(archive, 2, [], { ...NO_LIMITS, ask: "failed", scopeKey: "wide" }), tagged);
  archive.settle(run(2), false);
  expect(frontierOf(archive, 3, [], { ...NO_LIMITS, scopeKey: "wide" }).next()).toMatchObject({
    url: A,
    etag: undefined,
  });
});

it("counts what was sent and what is kept, and goes on counting after a kill", () => {
  const file = join(tempFolder(), "archive.db");
  const killed = open(file);
  const frontier = frontierOf(killed, 1, [A, B]);
  const first = frontier.next();
  if (first !== undefined) frontier.record(first, pageOutcome(page(A, "x".repeat(100))));
  expect(frontier.counts()).toMatchObject({ fetched: 1, bytes: 100 });
  killed.close();
  const archive = open(file);
  const resumed = frontierOf(archive, 1, [A, B]);
  expect(resumed.counts()).toMatchObject({ fetched: 1, bytes: 100 });
  drain(resumed, (url) => pageOutcome(page(url, "y".repeat(50))));
  expect(resumed.counts()).toMatchObject({ fetched: 2, bytes: 150 });
  archive.settle(run(1), true);
  const second = frontierOf(archive, 2, [A, B]);
  drain(second, () => ({ kind: "unchanged" }));
  expect(second.counts()).toMatchObject({ unchanged: 2, bytes: 0 });
});

it("asks for no new page once the source has as many bytes as it may have, and for those that it has in every run", () => {
  const archive = open();
  const site = (url: string): FetchOutcome => pageOutcome(page(url, url.padEnd(100, "-")), [A, B, C, `${C}c`]);
  const limits = { ...NO_LIMITS, maxSiteBytes: 200 };
  const first = frontierOf(archive, 1, [A], limits);
  expect(drain(first, site)).toEqual([A, B]);
  expect(first.counts()).toMatchObject({ fetched: 2, leftOut: 2, bytes: 200 });
  expect(first.pending()).toEqual({ waiting: 0, inFlight: 0 });
  archive.settle(run(1), true);

  const second = frontierOf(archive, 2, [A], limits);
  expect(drain(second, () => ({ kind: "unchanged" }))).toEqual([A, B]);
  expect(second.counts()).toMatchObject({ unchanged: 2, leftOut: 2, bytes: 0 });
  archive.settle(run(2), true);

  // A page that has become smaller makes room; what waits is settled first.
  drain(frontierOf(archive, 3, [A], limits), (url) => pageOutcome(page(url, "small"), [A, B, C]));
  archive.settle(run(3), true);
  const fourth = frontierOf(archive, 4, [A], limits);
  expect(drain(fourth, site)).toEqual([A, B]);
  archive.settle(run(4), true);
  const more = frontierOf(archive, 5, [A], { ...limits, maxSiteBytes: 10_000 });
  expect(drain(more, site)).toEqual([A, B, C, `${C}c`]);
  expect(more.counts()).toMatchObject({ leftOut: 0 });
});

it("counts for gone the runs that are telling, in a row, among which one that failed is no answer", () => {
  const archive = open();
  drain(frontierOf(archive, 1, [A]), (url) => pageOutcome(page(url, "x")));
  archive.settle(run(1), true);
  const gone: FetchOutcome = { kind: "gone", status: 404 };
  const there: FetchOutcome = { kind: "unchanged" };
  const failed: FetchOutcome = { kind: "failed", reason: "HTTP 500" };
  const removedAfter = (outcomes: readonly (readonly [FetchOutcome, boolean])[], from: number): boolean => {
    for (const [i, [outcome, isTelling]] of outcomes.entries()) {
      drain(frontierOf(archive, from + i, [A]), () => outcome);
      archive.settle(run(from + i), isTelling);
    }
    return archive.changesSince(1, 9).length > 0;
  };
  // It was there in between, although that run told of nothing else.
  expect(removedAfter([[gone, true], [there, false], [gone, true]], 2)).toBe(false); // prettier-ignore
  expect(removedAfter([[there, true], [gone, true], [failed, true], [gone, true]], 10)).toBe(true); // prettier-ignore
});

it("removes what is kept of a source, and gives another one's pages of the same names a new revision", () => {
  const archive = open();
  drain(frontierOf(archive, 1, [A, B]), (url) => pageOutcome(page(url, "first")));
  drain(archive.openFrontier(run(2, "other"), [{ url: A, depth: 0 }], NO_LIMITS), (url) =>
    pageOutcome(page(url, "other")),
  );
  archive.removeSource("site");
  expect(archive.changesSince(3, 9)).toMatchObject([
    { kind: "removed", source: "site", name: "documents/docs.example.com/a" },
    { kind: "page", page: { source: "other", url: A } },
    { kind: "removed", source: "site", name: "documents/docs.example.com/b" },
  ]);
  const revision = archive.revision();
  archive.removeSource("site");
  expect(archive.revision()).toBe(revision);
  // Listed again, it begins anew.
  expect(drain(frontierOf(archive, 1, [A]), linkedPages)).toEqual([A, B, C]);
});

it("brings up to date what the version before wrote, and goes on with its killed run", () => {
  const file = join(tempFolder(), "archive.db");
  const old = new Database(file);
  old.pragma(`application_id = ${ARCHIVE_SCHEMA.applicationId}`);
  old.exec(ARCHIVE_SCHEMA.migrations[0] ?? "");
  old.pragma("user_version = 1");
  const insert = old.prepare(
    "INSERT INTO urls (source, name, url, depth, run, state, outcome) VALUES ('site', ?, ?, 0, 4, ?, ?)",
  );
  insert.run("documents/docs.example.com/a", A, 2, "page");
  insert.run("documents/docs.example.com/b", B, 1, null);
  old
    .prepare(
      `INSERT INTO pages (source, name, revision, removed, url, status, content_type, fetched_at, hash, body)
       VALUES ('site', 'documents/docs.example.com/a', 1, 0, ?, 200, 'text/html', '', zeroblob(0), ?)`,
    )
    .run(A, deflateRawSync("a page of 22 characters"));
  old.exec("INSERT INTO scopes VALUES ('site', '', 0); UPDATE meta SET value = 1");
  old.close();

  const archive = open(file);
  const limits = { ...NO_LIMITS, maxSiteBytes: 25 };
  const resumed = frontierOf(archive, 4, [A], limits);
  expect(drain(resumed, (url) => pageOutcome(page(url, "new")))).toEqual([B]);
  expect(resumed.counts()).toMatchObject({ fetched: 2, bytes: 3 });
  archive.settle(run(4), true);
  // 23 bytes and 3: it is full.
  expect(drain(frontierOf(archive, 5, [A, B, C], limits), () => ({ kind: "unchanged" }))).toEqual([A, B]);
});

it("gives one page by its name, of a source or of whichever has it, and none that is gone", () => {
  const archive = open();
  drain(frontierOf(archive, 1, [A]), linkedPages);
  archive.settle(run(1), true);
  const [first] = archive.changesSince(0, 1);
  if (first?.kind !== "page") throw new Error("there is no page");
  const { name } = first.page;
  expect(archive.page(name)).toEqual(first.page);
  expect(archive.page(name, "site")).toEqual(first.page);
  expect(archive.page(name, "other")).toBeUndefined();
  expect(archive.page(`${name}x`)).toBeUndefined();
});
