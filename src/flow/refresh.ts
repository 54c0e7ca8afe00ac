import { CarrelError, reasonOf } from "../domain/errors.ts";
import type { FetchOutcome } from "../domain/page.ts";
import type { Ask, Fetcher, FolderReader, Frontier, FrontierCounts, Logger, SearchIndex } from "../domain/ports.ts";
import { NO_COUNTS, type Run, type RunStatus } from "../domain/run.ts";
import { scopeVerdict } from "../domain/scope.ts";
import type { Source } from "../domain/source.ts";
import { applyRules, convertPages, indexDocuments, PAGES_PER_BATCH, type ConvertStage } from "./catch-up.ts";
import { findSuspicion } from "./guard.ts";

/** The stages of a refresh. */
export interface Stages extends ConvertStage {
  readonly fetcher: Fetcher;
  readonly folders: FolderReader;
  readonly index: SearchIndex;
  readonly logger: Logger;
  readonly progress: Progress;
}

/** Told how far a refresh has come. */
export interface Progress {
  fetched(source: string, outcome: FetchOutcome["kind"], pending: { waiting: number; inFlight: number }): void;
  converted(pages: number): void;
  indexed(documents: number): void;
}

/** What a refresh is asked to do differently. */
export interface RefreshOptions {
  /** Which of the known URLs are asked for; "due" unless said. */
  readonly ask: Ask;
  /** Takes over what a run brings even if it would remove or empty much of a source. */
  readonly accept: boolean;
}

const MS_PER_DAY = 86_400_000;

/** A folder has no limits: what is there is read. */
const NO_LIMITS = { maxPages: Number.POSITIVE_INFINITY, maxDepth: Number.POSITIVE_INFINITY };

/**
 * Brings the copies of these sources up to date, one source after another, and the corpus and the index with them. A run
 * that was killed goes on where it was; what an earlier run left unconverted or unindexed is caught up first.
 * @param sources those to refresh, among all that are `listed`.
 * @returns the runs, each as it ended; fewer than sources when the signal aborted.
 */
export async function refresh(
  stages: Stages,
  sources: readonly Source[],
  listed: readonly Source[],
  signal: AbortSignal,
  options: RefreshOptions = { ask: "due", accept: false },
): Promise<readonly Run[]> {
  const runs: Run[] = [];
  const { archive, corpus } = stages;
  archive.serveCorpus(corpus.id());
  corpus.readArchive(archive.id());
  applyRules(stages, listed);
  for (const source of sources) {
    if (signal.aborted) break;
    runs.push(await refreshSource(stages, source, listed, signal, options));
  }
  // With no source to refresh there may still be something to catch up with.
  await catchUp(stages, listed, signal);
  return runs;
}

async function refreshSource(
  stages: Stages,
  source: Source,
  listed: readonly Source[],
  signal: AbortSignal,
  options: RefreshOptions,
): Promise<Run> {
  const { archive, corpus, logger } = stages;
  const run = corpus.beginRun(source.id);
  // Pages are converted while others are still being fetched: a polite crawl leaves the processor idle.
  const converting = inBackground(() => convertPages(stages, listed, signal, stages.progress.converted));
  let frontier: Frontier;
  try {
    frontier = await fetchSource(stages, source, run, signal, options.ask, converting.start);
  } catch (error) {
    // One source that cannot be read is no reason to leave the others stale.
    const isOfSource = (error instanceof CarrelError && error.code !== "store") || isSystemError(error);
    if (!isOfSource || signal.aborted) throw error;
    await converting.ended();
    const note = reasonOf(error);
    logger.warn(`${source.id}: ${note}`);
    return corpus.endRun(run, "failed", NO_COUNTS, note);
  }
  await converting.ended();
  const { waiting, inFlight } = frontier.pending();
  const isDrained = waiting === 0 && inFlight === 0;
  const counts = frontier.counts();
  const suspicion = isDrained ? await settle(stages, source, run, counts, options) : undefined;
  corpus.recordFailures(
    run,
    [...archive.failures(run)].map((failure) => ({ ...failure, stage: "fetch" })),
  );
  await catchUp(stages, listed, signal);
  const unconverted = corpus.failures(run.id).filter(({ stage }) => stage === "convert").length;
  const { status, note: verdict } = judge(counts, unconverted, isDrained && !signal.aborted, suspicion, options.ask);
  const ignoresRobots = source.kind === "web" && !source.rules.obeyRobots;
  const note = [verdict, ignoresRobots ? "robots.txt is not heeded" : ""].filter((text) => text !== "").join("; ");
  const ended = corpus.endRun(run, status, counts, note);
  if (note !== "") logger.warn(`${source.id}: ${note}`);
  return ended;
}

/** A file or folder of the source that cannot be read, say, rather than a fault of ours. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}

/** Takes over what a run brought, unless that is suspicious. @returns what is suspicious. */
async function settle(
  stages: Stages,
  source: Source,
  run: Run,
  counts: FrontierCounts,
  { ask, accept }: RefreshOptions,
): Promise<string | undefined> {
  const complete = ask !== "failed" && counts.failed === 0 && counts.leftOut === 0;
  const suspicion = accept ? undefined : await findSuspicion(stages, source, stages.archive.review(run, complete));
  if (suspicion === undefined) stages.archive.settle(run, complete, accept);
  return suspicion;
}

async function fetchSource(
  stages: Stages,
  source: Source,
  run: Run,
  signal: AbortSignal,
  ask: Ask,
  onPages: () => void,
): Promise<Frontier> {
  const common = { ask, maxRecheckMs: source.freshness.maxRecheckDays * MS_PER_DAY, scopeKey: scopeKey(source) };
  const watch = (frontier: Frontier): Frontier => watched(stages, source, frontier, onPages);
  if (source.kind === "folder") {
    const seeds = await stages.folders.list(source);
    const shape = { seeds: [source.baseUrl], scope: source.scope };
    const inScope = (url: string): boolean => scopeVerdict(shape, url).inScope;
    const frontier = watch(stages.archive.openFrontier(run, seeds, { ...NO_LIMITS, ...common, inScope }));
    await stages.folders.read(source, frontier, signal);
    return frontier;
  }
  const discovered = await stages.fetcher.discover(source, signal);
  const seeds = [...source.seeds.map((url) => ({ url, depth: 0 })), ...discovered];
  const { maxPages, maxDepth } = source.limits;
  const inScope = (url: string): boolean => scopeVerdict(source, url).inScope;
  const frontier = watch(stages.archive.openFrontier(run, seeds, { maxPages, maxDepth, ...common, inScope }));
  // Crawlee takes over a second to load; a run that was killed after its last page has nothing to ask it.
  if (frontier.pending().waiting > 0) await stages.fetcher.crawl(source, frontier, signal);
  return frontier;
}

/** All that decides which links of a page are followed. */
function scopeKey(source: Source): string {
  return source.kind === "folder"
    ? "a folder has no links"
    : JSON.stringify([
        source.seeds,
        source.scope,
        source.aliases,
        source.rules.obeyRobots,
        source.rules.followLinks,
        source.rules.markdown,
      ]);
}

/** A frontier that tells how far it is, and that some pages have come. */
function watched({ progress }: Stages, source: Source, frontier: Frontier, onPages: () => void): Frontier {
  let pages = 0;
  return {
    ...frontier,
    record(entry, outcome) {
      frontier.record(entry, outcome);
      progress.fetched(source.id, outcome.kind, frontier.pending());
      if (outcome.kind === "page" && ++pages % PAGES_PER_BATCH === 0) onPages();
    },
  };
}

/** Work that is started now and then, never twice at the same time; its error comes out when its end is awaited. */
function inBackground(work: () => Promise<void>): { start: () => void; ended: () => Promise<void> } {
  let running: Promise<void> | undefined;
  let failed: { readonly error: unknown } | undefined;
  return {
    start() {
      if (running !== undefined || failed !== undefined) return;
      running = work()
        .catch((error: unknown) => {
          failed = { error };
        })
        .finally(() => {
          running = undefined;
        });
    },
    async ended() {
      await running;
      if (failed !== undefined) throw failed.error;
    },
  };
}

/** Converts and indexes what is new. */
async function catchUp(stages: Stages, listed: readonly Source[], signal: AbortSignal): Promise<void> {
  await convertPages(stages, listed, signal, stages.progress.converted);
  await indexDocuments(stages.corpus, stages.index, signal, stages.progress.indexed);
}

/** What a run came to, and why it is not complete. */
function judge(
  counts: FrontierCounts,
  unconverted: number,
  hasEnded: boolean,
  suspicion: string | undefined,
  ask: Ask,
): { status: Exclude<RunStatus, "running">; note: string } {
  if (!hasEnded) return { status: "stopped", note: "stopped before it was done; the next refresh goes on from here" };
  if (suspicion !== undefined) {
    return {
      status: "suspicious",
      note: `${suspicion}; nothing was taken over and what was there is kept. Look at the site, and say --accept if it is right`,
    };
  }
  // A run that asks for what failed alone may have nothing to ask, or find that it is gone.
  if (ask !== "failed" && counts.fetched + counts.unchanged + counts.notDue === 0 && counts.failed === 0) {
    const reasons = `${counts.gone} gone, ${counts.moved} moved, ${counts.skipped} no documentation`;
    return { status: "failed", note: `no page was found (${reasons}); check the seeds and the scope` };
  }
  const answered = counts.fetched + counts.unchanged + counts.moved + counts.skipped + counts.gone;
  if (answered === 0 && counts.failed > 0) {
    return {
      status: "failed",
      note: `nothing could be fetched (${failedText(counts.failed)}); what was there is kept`,
    };
  }
  const notes: string[] = [];
  if (counts.failed > 0) notes.push(`${failedText(counts.failed)} to fetch`);
  if (unconverted > 0) notes.push(`${failedText(unconverted)} to convert`);
  if (counts.leftOut > 0) {
    notes.push(`${counts.leftOut} ${counts.leftOut === 1 ? "URL" : "URLs"} left out by maxPages or maxDepth`);
  }
  return notes.length === 0 ? { status: "complete", note: "" } : { status: "partial", note: notes.join(", ") };
}

function failedText(count: number): string {
  return count === 1 ? "1 page failed" : `${count} pages failed`;
}
