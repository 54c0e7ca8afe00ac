import { CarrelError, reasonOf } from "../domain/errors.ts";
import type { FetchOutcome } from "../domain/page.ts";
import type { Ask, Fetcher, LocalReader, Frontier, Logger, SearchIndex } from "../domain/ports.ts";
import { NO_COUNTS, type Run } from "../domain/run.ts";
import { compileNames } from "../domain/page-names.ts";
import { compileScope, scopedBy } from "../domain/scope.ts";
import { DEFAULT_NAMES, type Source } from "../domain/source.ts";
import { applyRules, convertPages, indexDocuments, PAGES_PER_BATCH, type ConvertStage } from "./catch-up.ts";
import { findSuspicion } from "./guard.ts";
import { isTelling, judge } from "./verdict.ts";

/** The stages of a refresh. */
export interface Stages extends ConvertStage {
  readonly fetcher: Fetcher;
  readonly local: LocalReader;
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
  /** Whether a source is still wanted, asked when its turn has come and nobody else writes; all are unless given. */
  readonly isWanted?: (source: Source) => boolean;
  /** Told of each run as it ended, while nobody else writes yet. */
  readonly onEnded?: (source: Source, run: Run) => void;
}

const MS_PER_DAY = 86_400_000;

/** A folder or archive has no limits: what is there is read. */
const NO_LIMITS = { maxPages: Infinity, maxDepth: Infinity, maxSiteBytes: Infinity };

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
    if (options.isWanted?.(source) === false) continue;
    const run = await refreshSource(stages, source, listed, signal, options);
    options.onEnded?.(source, run);
    runs.push(run);
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
  let frontier: Frontier | undefined;
  const notes: string[] = sourceNotes(source);
  const noteConverted = (pages: number): void => {
    if (frontier !== undefined) corpus.noteProgress(run, frontier.counts);
    stages.progress.converted(pages);
  };
  // Pages are converted while others are still being fetched: a polite crawl leaves the processor idle.
  const converting = inBackground(() => convertPages(stages, listed, signal, noteConverted));
  try {
    frontier = await fetchSource(stages, source, run, signal, options.ask, converting.start, notes);
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
  const telling = isTelling(counts, options.ask, source.freshness.maxLoss);
  const suspicion = isDrained ? await settle(stages, source, run, telling, options.accept) : undefined;
  corpus.recordFailures(
    run,
    [...archive.failures(run)].map((failure) => ({ ...failure, stage: "fetch" })),
  );
  corpus.recordOmissions(run, archive.omissions(run));
  await convertPages(stages, listed, signal, noteConverted);
  await indexDocuments(corpus, stages.index, signal, stages.progress.indexed);
  const { status, note: verdict } = judge({
    counts,
    unconverted: corpus.failures(run.id).filter(({ stage }) => stage === "convert").length,
    hasEnded: isDrained && !signal.aborted,
    suspicion,
    ask: options.ask,
    omissions: corpus.omissionGroups(run.id),
    isTelling: telling,
  });
  const note = [verdict, ...notes].filter((text) => text !== "").join("; ");
  const ended = corpus.endRun(run, status, counts, note);
  if (note !== "") logger.warn(`${source.id}: ${note}`);
  return ended;
}

/** What a pipeline gave up, so that no one takes its runs for others. */
function sourceNotes(source: Source): string[] {
  if (source.kind !== "web") return [];
  return [
    ...(source.rules.obeyRobots ? [] : ["robots.txt is not heeded"]),
    ...(source.access?.tls?.verify === false ? ["certificates are not verified (tls.verify: false)"] : []),
  ];
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
  telling: boolean,
  accept: boolean,
): Promise<string | undefined> {
  const suspicion = accept ? undefined : await findSuspicion(stages, source, stages.archive.review(run, telling));
  if (suspicion === undefined) stages.archive.settle(run, telling, accept);
  return suspicion;
}

async function fetchSource(
  stages: Stages,
  source: Source,
  run: Run,
  signal: AbortSignal,
  ask: Ask,
  onPages: () => void,
  notes: string[],
): Promise<Frontier> {
  const common = { ask, maxRecheckMs: source.freshness.maxRecheckDays * MS_PER_DAY, scopeKey: scopeKey(source) };
  const watch = (frontier: Frontier): Frontier => watched(stages, run, frontier, onPages);
  const scope = compileScope(scopedBy(source));
  const names = compileNames(source.names);
  const inScope = (url: string): boolean => scope.verdict(url).inScope;
  if (source.kind !== "web") {
    const seeds = await stages.local.list(source);
    // The URL of a file is the way to it.
    const urls = { inScope, nameOf: names.name, urlOf: (url: string): string => url };
    const frontier = watch(stages.archive.openFrontier(run, seeds, { ...NO_LIMITS, ...common, ...urls }));
    await stages.local.read(source, frontier, signal);
    return frontier;
  }
  const discovered = await stages.fetcher.discover(source, signal);
  const seeds = [...source.seeds.map((url) => ({ url: names.asked(url), depth: 0 })), ...discovered];
  const { maxPages, maxDepth, maxSiteBytes } = source.limits;
  const urls = { inScope, nameOf: names.name, urlOf: names.asked };
  const limits = { maxPages, maxDepth, maxSiteBytes };
  const frontier = watch(stages.archive.openFrontier(run, seeds, { ...limits, ...common, ...urls }));
  // Crawlee takes over a second to load; a run that was killed after its last page has nothing to ask it.
  if (frontier.pending().waiting > 0) notes.push(...(await stages.fetcher.crawl(source, frontier, signal)));
  return frontier;
}

/** Counts the ways in which links are followed: with another one, pages are asked for whole once. */
const LINK_RULES = 2;

/** All that decides what is in scope, what it is called, and which links of a page are followed. */
function scopeKey(source: Source): string {
  const { scope, names = DEFAULT_NAMES } = source;
  if (source.kind === "folder") return JSON.stringify(["a folder has no links", source.baseUrl, scope, names]);
  if (source.kind === "archive") return JSON.stringify(["an archive", source.baseUrl, source.root, scope, names]);
  const { obeyRobots, followLinks, markdown, render } = source.rules;
  const rules = [LINK_RULES, source.seeds, scope, names, source.aliases, obeyRobots, followLinks, markdown];
  // Whose credentials are sent is no part of it: other ones are no reason to fetch all pages again.
  return JSON.stringify(render === undefined ? rules : [...rules, render]);
}

/** A frontier that tells how far it is, and that some pages have come. */
function watched({ corpus, progress }: Stages, run: Run, frontier: Frontier, onPages: () => void): Frontier {
  let pages = 0;
  return {
    ...frontier,
    record(entry, outcome) {
      frontier.record(entry, outcome);
      corpus.noteProgress(run, frontier.counts);
      progress.fetched(run.source, outcome.kind, frontier.pending());
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
