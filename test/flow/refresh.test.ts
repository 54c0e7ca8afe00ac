import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { DocumentChange } from "../../src/domain/chunk.ts";
import { NO_FACTS } from "../../src/domain/document.ts";
import type { Conversion, ConversionInput } from "../../src/domain/conversion.ts";
import { CarrelError } from "../../src/domain/errors.ts";
import type { FetchOutcome, Link } from "../../src/domain/page.ts";
import type { Frontier, FrontierEntry, SearchIndex } from "../../src/domain/ports.ts";
import type { FolderSource, WebSource } from "../../src/domain/source.ts";
import { refresh, type Stages } from "../../src/flow/refresh.ts";
import { openArchive } from "../../src/store/archive.ts";
import { openCorpus } from "../../src/store/corpus.ts";
import { page, pageOutcome } from "../support/pages.ts";
import { tempFolder } from "../support/temp-folder.ts";

const START = "https://docs.example.com/";
const A = `${START}a`;
const B = `${START}b`;
const SITE: WebSource = {
  kind: "web",
  id: "site",
  title: "The site",
  seeds: [START],
  scope: { type: "prefix", include: [], exclude: [] },
  aliases: [],
  limits: { maxPages: 100, maxDepth: 9, maxPageBytes: 1_000, maxSiteBytes: 1_000_000_000, concurrency: 1, delayMs: 0 },
  rules: {
    obeyRobots: true,
    sitemaps: [],
    followLinks: true,
    markdown: { prefer: false, suffixes: [] },
    allowAddresses: [],
  },
  freshness: { maxRecheckDays: 7, maxLoss: 0.2 },
  convert: { remove: [] },
};
const NEVER = new AbortController().signal;

/** The real stores and flow, around a site, a converter and an index that the test decides on. */
function setUp(folder = tempFolder()) {
  const archive = openArchive(join(folder, "archive.db"), () => new Date(0));
  const corpus = openCorpus(join(folder, "corpus.db"), () => new Date(0));
  onTestFinished(() => {
    archive.close();
    corpus.close();
  });
  const converted: string[] = [];
  const warnings: string[] = [];
  const indexed = new Map<number, string>();
  let indexRevision = 0;
  const site = {
    answer: (url: string): FetchOutcome => pageOutcome(page(url, `<p>${url}`), [A, B]),
    convert: ({ url }: ConversionInput): Conversion => ({
      kind: "document",
      title: url,
      description: "",
      language: "en",
      content: `About ${url}.`,
      ...NO_FACTS,
      chunks: [{ id: "c1", content: `About ${url}.`, headings: [], anchor: "", anchors: [] }],
    }),
    fingerprint: "rules 1",
    onAsked: (_entry: FrontierEntry, _frontier: Frontier): void => {},
  };
  const index: SearchIndex = {
    revision: () => indexRevision,
    apply(changes: readonly DocumentChange[]) {
      for (const change of changes) {
        if (change.kind === "removed") indexed.delete(change.documentId);
        else indexed.set(change.documentId, change.name);
        indexRevision = change.revision;
      }
      return Promise.resolve();
    },
    search: () => Promise.resolve([]),
    reading: async () => ({ corrected: [], relaxed: [], nearest: [] }),
    enrich: async () => {},
    stats: () => ({ chunks: indexed.size, revision: indexRevision }),
    notes: () => [],
    close() {},
  };
  const local = { list: (): Promise<readonly Link[]> => Promise.resolve([]), read: () => Promise.resolve() };
  const stages: Stages & { local: typeof local } = {
    archive,
    corpus,
    index,
    concurrency: 2,
    fetcher: {
      discover: () => Promise.resolve([]),
      crawl(_source, frontier, signal) {
        for (let entry = frontier.next(); entry !== undefined; entry = frontier.next()) {
          if (signal.aborted) break;
          site.onAsked(entry, frontier);
          frontier.record(entry, site.answer(entry.url));
        }
        return Promise.resolve([]);
      },
    },
    local,
    converter: {
      get fingerprint() {
        return site.fingerprint;
      },
      convert(input) {
        converted.push(input.url);
        return Promise.resolve(site.convert(input));
      },
      close: () => Promise.resolve(),
    },
    logger: { info() {}, warn: (message) => warnings.push(message) },
    progress: { fetched() {}, converted() {}, indexed() {} },
  };
  const go = (source: WebSource = SITE, signal = NEVER) => refresh(stages, [source], [source], signal);
  return { stages, site, converted, warnings, indexed, go };
}

it("takes a site through all stages, and a second time changes nothing", async () => {
  const { stages, site, converted, indexed, go } = setUp();
  const [first] = await go();
  expect(first).toMatchObject({ status: "complete", note: "", counts: { fetched: 3, added: 3, failed: 0 } });
  expect([...indexed.values()].sort()).toEqual([
    "documents/docs.example.com",
    "documents/docs.example.com/a",
    "documents/docs.example.com/b",
  ]);
  expect([...stages.corpus.titles()]).toEqual([["site", "The site"]]);

  const revisions = [stages.archive.revision(), stages.corpus.revision(), stages.index.revision()];
  site.answer = () => ({ kind: "unchanged" });
  const [second] = await go();
  expect(second).toMatchObject({ status: "complete", counts: { fetched: 0, unchanged: 3, added: 0, updated: 0 } });
  expect([stages.archive.revision(), stages.corpus.revision(), stages.index.revision()]).toEqual(revisions);
  expect(converted).toHaveLength(3);
});

it("removes a page from archive, corpus and index after two complete runs without it", async () => {
  const { stages, site, indexed, go } = setUp();
  await go();
  site.answer = (url) => (url === B ? { kind: "gone", status: 404 } : { kind: "unchanged" });
  expect((await go())[0]?.counts).toMatchObject({ gone: 1, removed: 0 });
  expect((await go())[0]?.counts).toMatchObject({ gone: 1, removed: 1 });
  expect(stages.corpus.document("documents/docs.example.com/b")).toBeUndefined();
  expect(indexed.size).toBe(2);
});

it("keeps everything when nothing answers, and says so", async () => {
  const { stages, site, warnings, go } = setUp();
  await go();
  site.answer = () => ({ kind: "failed", reason: "connection refused" });
  for (let i = 0; i < 3; i++) expect((await go())[0]?.status).toBe("failed");
  expect(stages.corpus.stats().documents).toBe(3);
  expect(warnings[0]).toMatch(/nothing could be fetched \(3 pages failed\); what was there is kept/);
});

describe("is partial, and says why", () => {
  it("when a page failed", async () => {
    const { stages, site, go } = setUp();
    const good = site.answer;
    site.answer = (url) => (url === B ? { kind: "failed", reason: "HTTP 500" } : good(url));
    const [run] = await go();
    expect(run).toMatchObject({ status: "partial", counts: { fetched: 2, failed: 1 } });
    expect(run?.note).toMatch(/1 page failed to fetch/);
    expect(stages.corpus.failures(run?.id ?? 0)).toEqual([
      { run: run?.id, url: B, stage: "fetch", reason: "HTTP 500" },
    ]);
  });

  it("when a page could not be converted, whose document stays as it was", async () => {
    const { stages, site, go } = setUp();
    const good = site.convert;
    await go();
    site.answer = (url) => pageOutcome(page(url, `new ${url}`));
    site.convert = (input) => (input.url === B ? { kind: "failed", reason: "took too long" } : good(input));
    const [run] = await go();
    expect(run?.note).toMatch(/1 page failed to convert/);
    expect(stages.corpus.document("documents/docs.example.com/b")?.content).toBe(`About ${B}.`);
  });

  it("when URLs were left out", async () => {
    const [run] = await setUp().go({ ...SITE, limits: { ...SITE.limits, maxPages: 2 } });
    expect(run).toMatchObject({ status: "partial", counts: { fetched: 2, leftOut: 1 } });
    expect(run?.note).toMatch(/1 URL left out by maxPages$/);
  });
});

it("stops when it is told to, and goes on in the same run", async () => {
  const { stages, site, go } = setUp();
  const controller = new AbortController();
  site.onAsked = () => controller.abort();
  const [stopped] = await go(SITE, controller.signal);
  expect(stopped).toMatchObject({ status: "stopped", counts: { fetched: 1 } });
  site.onAsked = () => {};
  const [resumed] = await go();
  expect(resumed).toMatchObject({ id: stopped?.id, status: "complete", counts: { fetched: 3, added: 3 } });
  expect(stages.corpus.runs(9)).toHaveLength(1);
});

it("converts again, from the archive, what other rules or another pipeline would make different", async () => {
  const { site, converted, go } = setUp();
  await go();
  site.answer = () => ({ kind: "unchanged" });
  site.fingerprint = "rules 2";
  await go();
  expect(converted).toHaveLength(6);
  await go({ ...SITE, convert: { remove: [".advert"] } });
  expect(converted).toHaveLength(9);
  await go({ ...SITE, convert: { remove: [".advert"] } });
  expect(converted).toHaveLength(9);
});

it("removes the document of a page that is none any more by the rules", async () => {
  const { stages, site, go } = setUp();
  await go();
  const good = site.convert;
  site.fingerprint = "rules 2";
  site.convert = (input) => (input.url === B ? { kind: "skipped", reason: "an index page" } : good(input));
  expect((await go())[0]?.counts).toMatchObject({ removed: 1 });
  expect(stages.corpus.document("documents/docs.example.com/b")).toBeUndefined();
});

describe("is suspicious, and keeps everything, when a site", () => {
  const PATHS = Array.from({ length: 10 }, (_, i) => `${START}p${i}`);
  const TEXT = "A long explanation of how the widget is put together. ".repeat(10);

  /** Ten pages with text, refreshed once. */
  async function tenPages() {
    const all = setUp();
    const { site, stages, go } = all;
    const bodies = new Map([START, ...PATHS].map((url) => [url, `${TEXT} ${url}`]));
    const answers = new Map<string, FetchOutcome>();
    site.answer = (url) => answers.get(url) ?? pageOutcome(page(url, bodies.get(url) ?? ""), PATHS);
    site.convert = ({ url, body }) => {
      const content = Buffer.from(body).toString();
      const chunks = [{ id: "c1", content, headings: [], anchor: "", anchors: [] }];
      return { kind: "document", title: url, description: "", language: "en", content, ...NO_FACTS, chunks };
    };
    await go();
    const before = corpusOf();
    function corpusOf() {
      return [START, ...PATHS].map(
        (url) => stages.corpus.document(url.replace("https://", "documents/").replace(/\/$/, ""))?.content,
      );
    }
    return { ...all, bodies, answers, before, corpusOf };
  }

  it("shows a login wall in place of its pages", async () => {
    const { stages, bodies, before, corpusOf, go, warnings } = await tenPages();
    for (const url of PATHS) bodies.set(url, `Please log in. ${TEXT}`);
    const [run] = await go();
    expect(run?.status).toBe("suspicious");
    expect(run?.note).toMatch(/^of 11 pages, 10 have lost their text; nothing was taken over .* --accept/);
    expect(warnings.at(-1)).toMatch(/--accept/);
    expect(corpusOf()).toEqual(before);
    // It is over: the pages are as they were, and nothing is left of the wall.
    for (const url of PATHS) bodies.set(url, `${TEXT} ${url}`);
    expect((await go())[0]).toMatchObject({ status: "complete", counts: { updated: 0 } });
    expect([...stages.archive.incoming("site")]).toEqual([]);
  });

  it("leads all of its pages to a login page, which is new and is not taken over either", async () => {
    const { stages, answers, before, corpusOf, go } = await tenPages();
    const login = `${START}login`;
    for (const url of PATHS) answers.set(url, { kind: "moved", to: login, links: [{ url: login, depth: 1 }] });
    expect((await go())[0]).toMatchObject({ status: "suspicious", counts: { added: 0, removed: 0 } });
    expect(stages.corpus.document(login.replace("https://", "documents/"))).toBeUndefined();
    expect(corpusOf()).toEqual(before);
    answers.clear();
    expect((await go())[0]).toMatchObject({ counts: { removed: 0, updated: 0 } });
    expect(corpusOf()).toEqual(before);
  });

  it("shows a short notice of maintenance, until that is accepted", async () => {
    const { stages, bodies, before, corpusOf, go } = await tenPages();
    for (const url of [START, ...PATHS]) bodies.set(url, `Back soon ${url}`);
    expect((await go())[0]?.status).toBe("suspicious");
    expect(corpusOf()).toEqual(before);
    const [accepted] = await refresh(stages, [SITE], [SITE], NEVER, { ask: "due", accept: true });
    expect(accepted).toMatchObject({ status: "complete", counts: { updated: 11 } });
    expect(corpusOf()[0]).toBe(`Back soon ${START}`);
  });

  it("is gone, from the first night on, until that is accepted", async () => {
    const { stages, answers, before, corpusOf, go } = await tenPages();
    for (const url of PATHS) answers.set(url, { kind: "gone", status: 404 });
    for (let i = 0; i < 3; i++) {
      expect((await go())[0]).toMatchObject({ status: "suspicious", counts: { removed: 0 } });
    }
    expect(corpusOf()).toEqual(before);
    const [accepted] = await refresh(stages, [SITE], [SITE], NEVER, { ask: "due", accept: true });
    expect(accepted).toMatchObject({ status: "complete", counts: { removed: 10 } });
  });

  it("answers with something that is no documentation", async () => {
    const { answers, go } = await tenPages();
    for (const url of PATHS) answers.set(url, { kind: "skipped", reason: "leads to a login page", links: [] });
    const [run] = await go();
    expect(run?.note).toMatch(/of 11 pages, 10 are no documentation any more/);
  });

  it("moves as a whole, but not when a redesign keeps the texts", async () => {
    const { bodies, go } = await tenPages();
    for (const url of [START, ...PATHS]) bodies.set(url, `New look. ${TEXT} ${url}`);
    expect((await go())[0]).toMatchObject({ status: "complete", counts: { updated: 11 } });
  });

  it("loses a few pages: that is no sign of a fault", async () => {
    const { answers, go } = await tenPages();
    for (const url of PATHS.slice(0, 2)) answers.set(url, { kind: "gone", status: 404 });
    await go();
    expect((await go())[0]).toMatchObject({ status: "complete", counts: { removed: 2 } });
  });
});

it("has failed when its seeds lead to no page at all", async () => {
  const { site, go } = setUp();
  site.answer = () => ({ kind: "gone", status: 404 });
  const [run] = await go();
  expect(run).toMatchObject({ status: "failed", counts: { gone: 1 } });
  expect(run?.note).toMatch(/no page was found \(1 gone, .* check the seeds/);
});

it("is complete when it was to retry what failed and nothing had, or what had failed is there now", async () => {
  const { stages, site, go } = setUp();
  const retry = () => refresh(stages, [SITE], [SITE], NEVER, { ask: "failed", accept: false });
  const good = site.answer;
  site.answer = (url) => (url === B ? { kind: "failed", reason: "HTTP 500" } : good(url));
  expect((await go())[0]?.status).toBe("partial");
  site.answer = good;
  expect((await retry())[0]).toMatchObject({ status: "complete", counts: { fetched: 1, added: 1 } });
  expect((await retry())[0]).toMatchObject({ status: "complete", note: "", counts: { fetched: 0, failed: 0 } });
});

it("leaves no source stale because another one cannot be read", async () => {
  const { stages, warnings } = setUp();
  const folder: FolderSource = {
    kind: "folder",
    id: "files",
    title: "Files",
    folder: "/nowhere",
    baseUrl: "https://files.example.com/",
    scope: SITE.scope,
    freshness: SITE.freshness,
    convert: SITE.convert,
  };
  stages.local.list = () => Promise.reject(new CarrelError("not-found", "There is no folder /nowhere."));
  const runs = await refresh(stages, [folder, SITE], [folder, SITE], NEVER);
  expect(runs.map(({ source, status }) => [source, status])).toEqual([
    ["files", "failed"],
    ["site", "complete"],
  ]);
  expect(runs[0]?.note).toBe("There is no folder /nowhere.");
  expect(warnings).toContain("files: There is no folder /nowhere.");
});

it("makes documents of the parts of a page, takes them away with it, and counts index pages", async () => {
  const { site, stages, go } = setUp();
  const text = { title: "T", description: "", language: "en", content: "Text.", ...NO_FACTS, chunks: [] };
  const part = { ...text, title: "GET", content: "Gives.", path: "operations/get", fragment: "operation/get" };
  site.convert = ({ url }) =>
    url === A
      ? { kind: "document", ...text, parts: [part] }
      : { kind: "skipped", reason: "it is an index page", isIndex: true };
  const [run] = await go();
  const name = A.replace("https://", "documents/");
  expect(stages.corpus.document(`${name}/operations/get`)).toMatchObject({ title: "GET", uri: `${A}#operation/get` });
  expect(run?.counts.indexPages).toBeGreaterThan(0);
  const keptOut = stages.corpus.omissionGroups(run?.id ?? 0).find(({ kind }) => kind === "keptOut");
  expect(keptOut).toMatchObject({ reason: "it is an index page", count: run?.counts.indexPages });
  site.convert = () => ({ kind: "document", ...text });
  site.fingerprint = "rules 2";
  await go();
  expect(stages.corpus.document(`${name}/operations/get`)).toBeUndefined();
});
