import { createHash } from "node:crypto";
import { join } from "node:path";
import { Agent, request } from "undici";
import { documentName } from "../domain/document-name.ts";
import type { FetchOutcome } from "../domain/page.ts";
import type { Frontier, FrontierLimits } from "../domain/ports.ts";
import { NO_COUNTS, type Run } from "../domain/run.ts";
import type { WebSource } from "../domain/source.ts";
import { createFetcher } from "../fetch/fetcher.ts";
import { openArchive } from "../store/archive.ts";

/** What one process did. */
export interface FetchMeasured {
  readonly count: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
  /** More that is worth knowing, as `name: milliseconds`. */
  readonly parts: Readonly<Record<string, number>>;
  /** Of the names and bodies of all archived pages, in hexadecimal; "" where none is made. */
  readonly digest: string;
}

const CONCURRENCY = 8;
/** Pages and links of each in the test of a large frontier. */
const LINKS_PER_PAGE = 1_000;
const CLAIMED = 20_000;
const PAGES_AT_ONCE = 200;

const [what = "", folder = "", url = "", amount = "0"] = process.argv.slice(2);
const parts: Record<string, number> = {};
let digest = "";
const STAGES = { crawl, undici, frontier, contents };
const count = await STAGES[what as keyof typeof STAGES]();
const usage = process.resourceUsage();
const measured: FetchMeasured = {
  count,
  cpuSeconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
  peakMegabytes: usage.maxRSS / 1024,
  parts,
  digest,
};
process.send?.(measured);
process.disconnect?.();

/** CPU time of this process so far, of all threads. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Fetches, finds links and archives; goes on where a process that was killed left off. */
async function crawl(): Promise<number> {
  const source: WebSource = {
    kind: "web",
    id: "bench",
    title: "Bench",
    seeds: [url],
    scope: { type: "host", include: [], exclude: [] },
    aliases: [],
    limits: {
      maxPages: 10_000_000,
      maxDepth: 1_000,
      maxPageBytes: 1_000_000,
      maxSiteBytes: Number.POSITIVE_INFINITY,
      concurrency: CONCURRENCY,
      delayMs: 0,
    },
    rules: {
      obeyRobots: true,
      sitemaps: [],
      followLinks: true,
      markdown: { prefer: false, suffixes: [] },
      allowAddresses: [],
    },
    freshness: { maxRecheckDays: 0, maxLoss: 1 },
    convert: { remove: [] },
  };
  const logger = { info() {}, warn: (message: string) => void process.stderr.write(`${message}\n`) };
  const archive = openArchive(join(folder, "archive.db"), () => new Date());
  const opening = cpuMs();
  const run = runOf(Number(amount));
  const frontier = archive.openFrontier(run, [{ url, depth: 0 }], limitsOf());
  parts["open"] = cpuMs() - opening;
  await createFetcher({ userAgent: "Carrel-bench/1.0", logger }).crawl(source, frontier, new AbortController().signal);
  const { fetched, unchanged } = frontier.counts();
  archive.settle(run, true);
  archive.close();
  return fetched + unchanged;
}

/** What is archived: how many pages, and whether they are the same as others'. */
function contents(): Promise<number> {
  const archive = openArchive(join(folder, "archive.db"), () => new Date());
  const lines: string[] = [];
  for (let last = 0; ;) {
    const changes = archive.changesSince(last, PAGES_AT_ONCE);
    for (const change of changes) {
      last = change.revision;
      if (change.kind !== "page") continue;
      // The port of the site is another one each time.
      const name = change.page.name.replace(/:\d+/, "");
      lines.push(`${name} ${createHash("sha256").update(change.page.body).digest("hex")}`);
    }
    if (changes.length === 0) break;
  }
  archive.close();
  digest = createHash("sha256").update(lines.sort().join("\n")).digest("hex");
  return Promise.resolve(new Set(lines).size);
}

/** The least that any fetcher takes: the same pages, thrown away. */
async function undici(): Promise<number> {
  const pages = Number(amount);
  const dispatcher = new Agent({ connections: CONCURRENCY });
  let next = 0;
  let bytes = 0;
  const lane = async (): Promise<void> => {
    while (next < pages) {
      const { body } = await request(`${url}p${next++}.html`, { dispatcher });
      bytes += (await body.arrayBuffer()).byteLength;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  await dispatcher.close();
  parts["bytes each"] = bytes / pages;
  return pages;
}

/** A frontier of so many URLs: recorded as links, claimed, and opened by the next run. */
function frontier(): Promise<number> {
  const urls = Number(amount);
  const archive = openArchive(join(folder, "frontier.db"), () => new Date());
  const first = archive.openFrontier(runOf(1), [{ url, depth: 0 }], limitsOf());
  let before = cpuMs();
  let made = 0;
  for (let entry = first.next(); entry !== undefined; entry = first.next()) {
    const start = made;
    const links = Array.from({ length: Math.min(LINKS_PER_PAGE, urls - start) }, (_, i) => {
      const page = start + i + 1;
      return { url: `${url}section-${page % 97}/page-${page}.html`, depth: 1 };
    });
    made += links.length;
    first.record(entry, { kind: "skipped", reason: "", links });
    if (made >= urls) break;
  }
  parts["record a link"] = (cpuMs() - before) / made;
  before = cpuMs();
  const claimed = drain(first, Math.min(CLAIMED, urls), { kind: "unchanged" });
  parts["claim and record one"] = (cpuMs() - before) / claimed;
  before = cpuMs();
  archive.openFrontier(runOf(1), [], limitsOf());
  parts["resume"] = cpuMs() - before;
  before = cpuMs();
  archive.settle(runOf(1), true);
  parts["settle"] = cpuMs() - before;
  before = cpuMs();
  const second = archive.openFrontier(runOf(2), [{ url, depth: 0 }], limitsOf());
  parts["open in the next run"] = cpuMs() - before;
  before = cpuMs();
  const again = drain(second, Math.min(CLAIMED, urls), { kind: "unchanged" });
  parts["claim and record one again"] = (cpuMs() - before) / again;
  archive.settle(runOf(2), true);
  before = cpuMs();
  const third = archive.openFrontier(runOf(3), [{ url, depth: 0 }], { ...limitsOf(), scopeKey: "another" });
  parts["open with another scope"] = cpuMs() - before;
  before = cpuMs();
  third.counts();
  parts["count"] = cpuMs() - before;
  archive.close();
  return Promise.resolve(made);
}

function drain(from: Frontier, most: number, outcome: FetchOutcome): number {
  let done = 0;
  for (let entry = from.next(); entry !== undefined && done < most; entry = from.next()) {
    from.record(entry, outcome);
    done++;
  }
  return done;
}

function runOf(id: number): Run {
  return {
    id,
    source: "bench",
    status: "running",
    startedAt: "",
    endedAt: undefined,
    durationMs: 0,
    counts: NO_COUNTS,
    note: "",
  };
}

function limitsOf(): FrontierLimits {
  return {
    ask: "all",
    scopeKey: "bench",
    maxRecheckMs: 0,
    maxSiteBytes: Number.POSITIVE_INFINITY,
    nameOf: (url) => documentName(url),
    urlOf: (url) => url,
    maxPages: 10_000_000,
    maxDepth: 1_000,
    inScope: () => true,
  };
}
