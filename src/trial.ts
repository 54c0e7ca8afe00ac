import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChunkText } from "./domain/chunk.ts";
import type { CorpusReader, SearchIndex } from "./domain/ports.ts";
import { indexDocuments } from "./flow/catch-up.ts";
import { collectionCorpus } from "./flow/collection-corpus.ts";
import type { CollectionDocument, EvaluatedCorpus, SearchSetting } from "./flow/evaluation.ts";
import type { SearchIndexOptions } from "./search/search-index.ts";
import { openSearchIndex } from "./search/search-index.ts";

/** An index of its own in a temporary folder, and the corpus that it was made from: to measure, and to compare settings. */
export interface Trial extends AsyncDisposable {
  readonly corpus: EvaluatedCorpus;
  readonly index: SearchIndex;
}

/** What each setting changes. The constants of `plain` are those of the published figures (Anserini's BM25). */
const OPTIONS: Readonly<Record<SearchSetting, Partial<SearchIndexOptions>>> = {
  full: {},
  plain: { rerank: false, weights: { k1: 0.9, b: 0.4, headings: 0, title: 0, path: 0 } },
  "no-ranking": { rerank: false },
};

/** Indexes the documents of a collection. Stops when the signal aborts, with what is indexed by then. */
export async function openCollectionTrial(
  documents: readonly CollectionDocument[],
  setting: SearchSetting,
  signal: AbortSignal,
): Promise<Trial> {
  const corpus = collectionCorpus(documents, setting === "plain");
  const { changes, texts } = corpus;
  const changesSince = (revision: number, limit: number) => changes.slice(revision, revision + limit);
  return { corpus, ...(await makeIndex({ changesSince }, texts, setting, signal)) };
}

/** Indexes a corpus once more, under another setting. It stays open when the trial is disposed of. */
export async function openCorpusTrial(
  corpus: CorpusReader,
  setting: SearchSetting,
  signal: AbortSignal,
): Promise<Trial> {
  return { corpus, ...(await makeIndex(corpus, corpus.texts, setting, signal)) };
}

async function makeIndex(
  corpus: Pick<CorpusReader, "changesSince">,
  texts: (chunkRowIds: readonly number[]) => readonly ChunkText[],
  setting: SearchSetting,
  signal: AbortSignal,
): Promise<Omit<Trial, "corpus">> {
  const folder = mkdtempSync(join(tmpdir(), "carrel-trial-"));
  const index = openSearchIndex({ file: join(folder, "index.db"), texts, ...OPTIONS[setting] });
  const dispose = (): void => {
    index.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await indexDocuments(corpus, index, signal);
  } catch (error) {
    dispose();
    throw error;
  }
  return { index, [Symbol.asyncDispose]: async () => dispose() };
}
