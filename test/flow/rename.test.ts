import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { NO_FACTS } from "../../src/domain/document.ts";
import type { FetchOutcome } from "../../src/domain/page.ts";
import { compileNames } from "../../src/domain/page-names.ts";
import type { SearchIndex } from "../../src/domain/ports.ts";
import { DEFAULT_NAMES, type NameRules, type WebSource } from "../../src/domain/source.ts";
import { refresh, type Stages } from "../../src/flow/refresh.ts";
import { openArchive } from "../../src/store/archive.ts";
import { openCorpus } from "../../src/store/corpus.ts";
import { page } from "../support/pages.ts";
import { tempFolder } from "../support/temp-folder.ts";

const START = "https://docs.example.com/";
const LINKS = ["a/", "b?lang=de", "b?lang=en", "c"].map((path) => START + path);
const NAME = "documents/docs.example.com";

const NO_INDEX: SearchIndex = {
  revision: () => Number.MAX_SAFE_INTEGER,
  apply: () => Promise.resolve(),
  search: () => Promise.resolve([]),
  reading: async () => ({ corrected: [], relaxed: [], nearest: [] }),
  enrich: async () => {},
  stats: () => ({ chunks: 0, revision: 0 }),
  notes: () => [],
  close() {},
};

/** The real stores and flow, around a site of which the test sees what it is asked. */
function setUp() {
  const folder = tempFolder();
  const archive = openArchive(join(folder, "archive.db"), () => new Date(0));
  const corpus = openCorpus(join(folder, "corpus.db"), () => new Date(0));
  onTestFinished(() => {
    archive.close();
    corpus.close();
  });
  const asked: string[] = [];
  /** Entries after which the crawl is killed. */
  const site = { isDown: false, killedAfter: Number.POSITIVE_INFINITY };
  const abort = { now: new AbortController() };
  const answer = (url: string, name: string): FetchOutcome => {
    if (site.isDown) return { kind: "failed", reason: "connection refused" };
    return { kind: "page", page: page(url, url, { name }), links: LINKS.map((link) => ({ url: link, depth: 1 })) };
  };
  const stages: Stages = {
    archive,
    corpus,
    index: NO_INDEX,
    concurrency: 2,
    fetcher: {
      discover: () => Promise.resolve([]),
      crawl(source, frontier, signal) {
        const names = compileNames(source.names);
        for (let entry = frontier.next(); entry !== undefined; entry = frontier.next()) {
          asked.push(entry.url.slice(START.length));
          const outcome = answer(entry.url, entry.name);
          const links =
            "links" in outcome ? outcome.links.map((link) => ({ ...link, url: names.asked(link.url) })) : [];
          frontier.record(entry, "links" in outcome ? { ...outcome, links } : outcome);
          if (asked.length >= site.killedAfter) abort.now.abort();
          if (signal.aborted) break;
        }
        return Promise.resolve([]);
      },
    },
    local: { list: () => Promise.resolve([]), read: () => Promise.resolve() },
    converter: {
      fingerprint: "rules",
      convert: ({ url }) =>
        Promise.resolve({
          kind: "document",
          title: url,
          description: "",
          language: "en",
          content: `About ${url}.`,
          chunks: [],
          ...NO_FACTS,
        }),
      close: () => Promise.resolve(),
    },
    logger: { info() {}, warn() {} },
    progress: { fetched() {}, converted() {}, indexed() {} },
  };
  const go = async (rules: Partial<NameRules>) => {
    asked.length = 0;
    abort.now = new AbortController();
    const source: WebSource = {
      kind: "web",
      id: "site",
      title: "The site",
      seeds: [START],
      scope: { type: "prefix", include: [], exclude: [] },
      names: { ...DEFAULT_NAMES, ...rules },
      aliases: [],
      limits: { maxPages: 99, maxDepth: 9, maxPageBytes: 999, maxSiteBytes: 1e9, concurrency: 1, delayMs: 0 },
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
    const [run] = await refresh(stages, [source], [source], abort.now.signal);
    return run;
  };
  const paths = (): string[] =>
    ["", "/a", "/a/", "/b", "/b?lang=de", "/b?lang=en", "/c"].filter(
      (path) => corpus.documentInfo(NAME + path) !== undefined,
    );
  return { asked, corpus, archive, site, go, paths };
}

const KEEP = { trailingSlash: "keep" } as const;
const NO_LANG = { ignoreParameters: ["lang"] };

it("renames what is kept when the rules change: nothing is lost or doubled, and old names lead to the new", async () => {
  const { asked, corpus, go, paths } = setUp();
  expect(await go({})).toMatchObject({ status: "complete", counts: { fetched: 5 } });
  expect(paths()).toEqual(["", "/a", "/b?lang=de", "/b?lang=en", "/c"]);

  expect(await go({ ...KEEP, ...NO_LANG })).toMatchObject({ status: "complete", counts: { fetched: 4, gone: 0 } });
  expect(paths()).toEqual(["", "/a/", "/b", "/c"]);
  expect([...asked].sort()).toEqual(["", "a/", "b", "c"]);
  expect(corpus.document(`${NAME}/a`)?.name).toBe(`${NAME}/a/`);
  expect(corpus.document(`${NAME}/b?lang=de`)).toMatchObject({ name: `${NAME}/b`, uri: `${START}b` });
  expect(corpus.stats().documents).toBe(4);

  // And back: what was one page is two again, as the site links them.
  expect(await go({})).toMatchObject({ status: "complete" });
  expect(paths()).toEqual(["", "/a", "/b", "/b?lang=de", "/b?lang=en", "/c"]);
  expect(corpus.document(`${NAME}/a/`)?.name).toBe(`${NAME}/a`);
});

it("keeps everything under its new name while the site is down", async () => {
  const { corpus, site, go, paths } = setUp();
  await go({});
  site.isDown = true;
  expect((await go(KEEP))?.status).toBe("failed");
  expect(paths()).toEqual(["", "/a/", "/b?lang=de", "/b?lang=en", "/c"]);
  expect(corpus.document(`${NAME}/a`)?.content).toBe(`About ${START}a/.`);
  site.isDown = false;
  expect(await go(KEEP)).toMatchObject({ status: "complete", counts: { removed: 0 } });
  expect(corpus.stats().documents).toBe(5);
});

it("renames after a run that goes on with other rules than it began with", async () => {
  const { site, corpus, go, paths } = setUp();
  site.killedAfter = 3;
  expect((await go({}))?.status).toBe("stopped");
  site.killedAfter = Number.POSITIVE_INFINITY;
  await go({ ...KEEP, ...NO_LANG });
  expect(await go({ ...KEEP, ...NO_LANG })).toMatchObject({ status: "complete" });
  expect(paths()).toEqual(["", "/a/", "/b", "/c"]);
  expect(corpus.stats().documents).toBe(4);
});

it("asks for nothing more than is due when the rules are as they were", async () => {
  const { asked, go } = setUp();
  await go(KEEP);
  const first = [...asked];
  await go(KEEP);
  expect([...asked].sort()).toEqual(first.sort());
});
