import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { DocumentChange } from "../../src/domain/chunk.ts";
import type { Conversion, ConversionInput } from "../../src/domain/conversion.ts";
import type { FetchOutcome } from "../../src/domain/page.ts";
import type { Frontier, FrontierEntry, SearchIndex } from "../../src/domain/ports.ts";
import type { WebSource } from "../../src/domain/source.ts";
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
  limits: { maxPages: 100, maxDepth: 9, maxPageBytes: 1_000, concurrency: 1, delayMs: 0 },
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
      chunks: [{ id: "c1", content: `About ${url}.`, headings: [], anchor: "" }],
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
    stats: () => ({ chunks: indexed.size, revision: indexRevision }),
    close() {},
  };
  const stages: Stages = {
    archive,
    corpus,
    index,
    concurrency: 2,
    fetcher: {
      crawl(_source, frontier, signal) {
        for (let entry = frontier.next(); entry !== undefined; entry = frontier.next()) {
          if (signal.aborted) break;
          site.onAsked(entry, frontier);
          frontier.record(entry, site.answer(entry.url));
        }
        return Promise.resolve();
      },
    },
    folders: { list: () => Promise.resolve([]), read: () => Promise.resolve() },
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
    expect(run?.note).toMatch(/1 URL left out by maxPages or maxDepth/);
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
