import { join } from "node:path";
import type { Settings } from "./config/settings.ts";
import type { Clock, CorpusReader, Logger, SearchIndex } from "./domain/ports.ts";
import { CircuitBreaker } from "./model/circuit-breaker.ts";
import { createEmbeddingsEndpoint } from "./model/embeddings-endpoint.ts";
import { createRerankEndpoint } from "./model/rerank-endpoint.ts";
import { openOramaMemory } from "./search/orama-memory.ts";
import { rerankedIndex } from "./search/reranked-index.ts";
import { openSearchIndex } from "./search/search-index.ts";
import type { EmbeddingOptions } from "./search/vectors/embedded-meaning.ts";

/** The file of the index that the settings choose. */
export function indexFile({ data, indexEngine }: Settings): string {
  return join(data, indexEngine === "postings" ? "index.db" : "index.json");
}

/**
 * Opens the index that the settings choose, with the models that they name. @throws CarrelError as `openSearchIndex`.
 * @param file in place of the one of the settings.
 */
export function openIndex(
  settings: Settings,
  corpus: Pick<CorpusReader, "texts" | "id">,
  logger: Logger,
  clock: Clock,
  { readonly = false, file = indexFile(settings) }: { readonly readonly?: boolean; readonly file?: string } = {},
): SearchIndex {
  const { texts } = corpus;
  const options = { file, readonly, texts, corpusId: corpus.id() };
  const index =
    settings.indexEngine === "orama-memory"
      ? openOramaMemory(options)
      : openSearchIndex({ ...options, ...embeddings(settings, logger, clock) });
  const { rerankEndpoint: endpoint, rerankModel: model, rerankKeyFile: keyFile, rerankTimeout: timeoutMs } = settings;
  if (endpoint === "") return index;
  const reranker = createRerankEndpoint({ endpoint, model, keyFile, timeoutMs });
  const breaker = new CircuitBreaker("The rerank endpoint", logger, clock);
  return rerankedIndex(index, {
    texts,
    scores: (query, passages) => breaker.try(() => reranker.scores(query, passages)),
  });
}

function embeddings(settings: Settings, logger: Logger, clock: Clock): { embeddings?: EmbeddingOptions } {
  if (settings.embeddingsEndpoint === "") return {};
  const embedder = createEmbeddingsEndpoint({
    endpoint: settings.embeddingsEndpoint,
    model: settings.embeddingsModel,
    keyFile: settings.embeddingsKeyFile,
    documentPrefix: settings.embeddingsDocumentPrefix,
    queryPrefix: settings.embeddingsQueryPrefix,
    queryTimeoutMs: settings.embeddingsTimeout,
  });
  const breaker = new CircuitBreaker("The embeddings endpoint", logger, clock);
  return {
    embeddings: {
      embedder,
      file: join(settings.data, "vectors.db"),
      logger,
      queryVector: (query) => breaker.try(() => embedder.embedQuery(query)),
    },
  };
}
