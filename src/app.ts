import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { createChatEndpoint } from "./answer/chat-endpoint.ts";
import { findBrowser } from "./config/browser.ts";
import { createAccessReader } from "./config/credentials.ts";
import type { Settings } from "./config/settings.ts";
import type { Explanation } from "./convert/explain-page.ts";
import type { ConversionInput } from "./domain/conversion.ts";
import { CarrelError } from "./domain/errors.ts";
import type { ArchivedPage } from "./domain/page.ts";
import type { AnswerWriter, Clock, CorpusReader, IndexNote, Logger, SearchIndex } from "./domain/ports.ts";
import type { Run } from "./domain/run.ts";
import type { DueTime, DueTimes } from "./domain/schedule.ts";
import type { UrlVerdict } from "./domain/scope.ts";
import type { Source } from "./domain/source.ts";
import { indexDocuments } from "./flow/catch-up.ts";
import { createQueries, type Queries } from "./flow/query.ts";
import { createRestrictedQueries } from "./flow/restricted.ts";
import { documentSpellings } from "./flow/document-spellings.ts";
import type { Progress, RefreshOptions, Stages } from "./flow/refresh.ts";
import { indexFile, openIndex } from "./index-choice.ts";
import { replaceIndexFile } from "./search/replace-index-file.ts";
import { openArchive } from "./store/archive.ts";
import { openCorpus, openCorpusReader } from "./store/corpus.ts";
import { isThere } from "./store/database.ts";
import { checkArchive, checkCorpus } from "./store/check-stores.ts";
import { openDueTimes, readDueTimes } from "./store/due-times.ts";
import { acquireLock } from "./store/lock.ts";
import { userAgent } from "./version.ts";

/** The largest pages of real sites, of 6 MB, take 3 seconds; what takes this long never ends. */
const PAGE_TIMEOUT_MS = 60_000;
/** Each takes about 100 MB. */
const MAX_CONVERT_THREADS = 8;

/**
 * The program: the only place that knows which technologies are in use. What only a refresh needs is loaded by a
 * refresh, so that a question is answered at once.
 */
export interface App {
  readonly settings: Settings;
  /** The listed sources. Rejects with CarrelError `config`. */
  sources(): Promise<readonly Source[]>;
  /** See `refresh` in flow. @throws CarrelError `busy` when another process is refreshing. */
  refresh(
    sources: readonly Source[],
    listed: readonly Source[],
    progress: Progress,
    signal: AbortSignal,
    options?: RefreshOptions,
  ): Promise<readonly Run[]>;
  /** See `removeSource` in flow. @throws CarrelError `busy` as `refresh` does. */
  removeSource(id: string, listed: readonly Source[], progress: Progress, signal: AbortSignal): Promise<Run>;
  /** When sources are due; see `keepSchedule` in flow. The first is for one that writes, and closes it. */
  openDueTimes(): DueTimes;
  dueTimes(): readonly DueTime[];
  /** Lets the index catch up with the corpus. @throws CarrelError `busy` as `refresh` does. */
  catchUpIndex(progress: Progress, signal: AbortSignal): Promise<void>;
  /**
   * Makes the index anew from the corpus, beside the old one, which answers until it is replaced. What an earlier call left
   * half done is gone on with; when `signal` aborts, the old index stays. @throws CarrelError `busy` as `refresh` does.
   */
  rebuildIndex(progress: Progress, signal: AbortSignal): Promise<void>;
  /** Converts a page here and now, and says how. */
  explain(input: ConversionInput): Promise<Explanation>;
  /** A page as it was last fetched. @returns undefined when the archive does not have it. @param source of this one only. */
  archivedPage(url: string, source?: string): ArchivedPage | undefined;
  /** What a crawl of each source would do with these public URLs; asks no more than robots.txt, once. */
  checkUrls(sources: readonly Source[], urls: readonly string[], signal: AbortSignal): Promise<readonly UrlVerdict[]>;
  /** Whether nothing was ever refreshed or imported here. */
  isEmpty(): boolean;
  /** Opens what readers need. @throws CarrelError `not-found` when nothing was ever refreshed, or `store`. */
  openReading(): Reading;
  /** As `openReading`; undefined when nothing was ever refreshed. */
  tryReading(): Reading | undefined;
  /** Starts a thread that answers queries from the same stores; see `answerThrough` in server. */
  startQueryThread(): Worker;
  /** What there is to look at in the data folder; each check says what it found, or throws. */
  checkStores(): readonly { readonly store: string; readonly check: () => string }[];
}

/** The stores, open for reading. */
export interface Reading extends Disposable {
  readonly corpus: CorpusReader;
  readonly index: SearchIndex;
  readonly queries: Queries;
  /** The queries of one who may see these sources only. */
  queriesOf(sources: readonly string[]): Queries;
}

/** @param clock the time, for tests. */
export function createApp(settings: Settings, logger: Logger, clock: Clock = () => new Date()): App {
  const file = (name: string): string => join(settings.data, name);

  const openIndexOf = (corpus: CorpusReader, options: { readonly?: boolean; file?: string } = {}): SearchIndex =>
    openIndex(settings, corpus, logger, clock, options);
  const isEmpty = (): boolean => !isThere(file("corpus.db"));

  /** Runs what writes to the data folder under its lock, and closes what it opened, last opened first. */
  async function writing<T>(run: (closing: (() => void | Promise<void>)[]) => Promise<T>): Promise<T> {
    const closing: (() => void | Promise<void>)[] = [acquireLock(file("refresh.lock"))];
    try {
      return await run(closing);
    } finally {
      for (const close of closing.reverse()) await close();
    }
  }

  /** Runs what fetches and converts. All that only that needs is loaded here. */
  function withStages<T>(progress: Progress, run: (stages: Stages) => Promise<T>): Promise<T> {
    return writing(async (closing) => {
      const [{ createConverter }, { createFetcher }, { createLocalReader }] = await Promise.all([
        import("./convert/converter.ts"),
        import("./fetch/fetcher.ts"),
        import("./fetch/local-reader.ts"),
      ]);
      const archive = openArchive(file("archive.db"), clock);
      closing.push(archive.close);
      const corpus = openCorpus(file("corpus.db"), clock);
      closing.push(corpus.close);
      const index = openIndexOf(corpus);
      closing.push(index.close);
      const threads = Math.min(MAX_CONVERT_THREADS, availableParallelism());
      const converter = createConverter({ threads, pageTimeoutMs: PAGE_TIMEOUT_MS });
      closing.push(converter.close);
      const fetcher = createFetcher({
        userAgent: userAgent(settings.contact),
        logger,
        access: createAccessReader((message) => logger.warn(message)),
        browser: () => findBrowser(settings.browserPath),
      });
      const local = createLocalReader(logger);
      const concurrency = threads * 2;
      return run({ archive, corpus, index, converter, concurrency, fetcher, local, logger, progress });
    });
  }

  function openReading(): Reading {
    const corpus = openCorpusReader(file("corpus.db"));
    const index = openedOnFirstUse(() => openIndexOf(corpus, { readonly: true }));
    const ports = { corpus, index, logger, ...answerWriter(settings) };
    return {
      corpus,
      index,
      queries: createQueries(ports),
      queriesOf: (sources) => createRestrictedQueries(ports, sources),
      [Symbol.dispose]() {
        index.close();
        corpus.close();
      },
    };
  }

  return {
    settings,
    sources: async () => (await import("./config/pipelines.ts")).loadPipelines(settings.pipelines),
    openReading,
    isEmpty,
    tryReading: () => (isEmpty() ? undefined : openReading()),

    async catchUpIndex(progress, signal) {
      const corpus = openCorpusReader(file("corpus.db"));
      try {
        await writing(async (closing) => {
          const index = openIndexOf(corpus);
          closing.push(index.close);
          await indexDocuments(corpus, index, signal, progress.indexed);
        });
      } finally {
        corpus.close();
      }
    },

    async rebuildIndex(progress, signal) {
      const corpus = openCorpusReader(file("corpus.db"));
      try {
        await writing(async () => {
          const made = `${indexFile(settings)}.new`;
          const index = openIndexOf(corpus, { file: made });
          try {
            await indexDocuments(corpus, index, signal, progress.indexed);
          } finally {
            index.close();
          }
          if (!signal.aborted) replaceIndexFile(indexFile(settings), made);
        });
      } finally {
        corpus.close();
      }
    },

    refresh: (sources, listed, progress, signal, options) =>
      withStages(progress, async (stages) =>
        (await import("./flow/refresh.ts")).refresh(stages, sources, listed, signal, options),
      ),
    removeSource: (id, listed, progress, signal) =>
      withStages(progress, async (stages) =>
        (await import("./flow/remove-source.ts")).removeSource(stages, id, listed, signal),
      ),

    openDueTimes: () => openDueTimes(file("archive.db")),
    dueTimes: () => readDueTimes(file("archive.db")),

    explain: async (input) => (await import("./convert/explain-page.ts")).explainPage(input),
    archivedPage: (url, source) => findArchivedPage(file("archive.db"), clock, url, source),

    async checkUrls(sources, urls, signal) {
      const [{ createFetcher }, { checkLocalUrl }] = await Promise.all([
        import("./fetch/fetcher.ts"),
        import("./fetch/folder-urls.ts"),
      ]);
      const retry = { retries: 0, firstMs: 0, maxWaitMs: 0 };
      const access = createAccessReader(NO_LOGGER.warn);
      const fetcher = createFetcher({ userAgent: userAgent(settings.contact), logger: NO_LOGGER, retry, access });
      const verdicts = sources.map(async (source) =>
        source.kind === "web" ? fetcher.check(source, urls, signal) : urls.map((url) => checkLocalUrl(source, url)),
      );
      return (await Promise.all(verdicts)).flat();
    },

    startQueryThread: () => new Worker(new URL("./query-worker.js", import.meta.url), { workerData: settings }),

    checkStores: () => [
      { store: "archive", check: () => checkArchive(file("archive.db"), clock) },
      { store: "corpus", check: () => checkCorpus(file("corpus.db")) },
      { store: "index", check: () => checkIndex(openReading) },
      ...noteChecks(tryNotes(openReading)),
    ],
  };
}

/** What shows documents and runs alone needs no index, and works while there is none. */
function openedOnFirstUse(open: () => SearchIndex): SearchIndex {
  let opened: SearchIndex | undefined;
  const index = (): SearchIndex => (opened ??= open());
  return {
    revision: () => index().revision(),
    apply: (changes) => index().apply(changes),
    search: async (...args) => index().search(...args),
    reading: async (...args) => index().reading(...args),
    stats: () => index().stats(),
    enrich: async (signal) => index().enrich(signal),
    notes: () => index().notes(),
    close: () => opened?.close(),
  };
}

/** What writes answers, where a server for it is set. */
function answerWriter({ answerEndpoint, answerModel, answerKeyFile }: Settings): { writer?: AnswerWriter } {
  if (answerEndpoint === "") return {};
  return { writer: createChatEndpoint({ endpoint: answerEndpoint, model: answerModel, keyFile: answerKeyFile }) };
}

/** What is told in a result need not be said as well. */
const NO_LOGGER: Logger = { info() {}, warn() {} };

function findArchivedPage(file: string, clock: Clock, url: string, source?: string): ArchivedPage | undefined {
  if (!existsSync(file)) return undefined;
  const archive = openArchive(file, clock);
  try {
    // Sources name their pages by rules of their own; the likeliest spelling comes first.
    for (const name of documentSpellings(url)) {
      const page = archive.page(name, source);
      if (page !== undefined) return page;
    }
    return undefined;
  } finally {
    archive.close();
  }
}

/** None while there is no index; what is wrong with it is told where it is checked. */
function tryNotes(openReading: () => Reading): readonly IndexNote[] {
  try {
    using reading = openReading();
    return reading.index.notes();
  } catch {
    return [];
  }
}

function noteChecks(notes: readonly IndexNote[]): readonly { readonly store: string; readonly check: () => string }[] {
  return notes.map(({ about, says }) => ({ store: about, check: () => says }));
}

function checkIndex(openReading: () => Reading): string {
  using reading = openReading();
  const { indexRevision, revision } = reading.queries.status();
  if (indexRevision === revision) return `revision ${indexRevision}: it has caught up with the corpus`;
  throw new CarrelError(
    "unavailable",
    `It is at revision ${indexRevision}, and the corpus at ${revision}; run "carrel refresh" to let it catch up.`,
  );
}
