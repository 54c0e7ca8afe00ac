import type { Reranker } from "../domain/ports.ts";
import { EndpointError, operationUrl, postJson, type ModelServer } from "./json-endpoint.ts";

export interface RerankOptions extends ModelServer {
  /** Longest time of a ranking. */
  readonly timeoutMs: number;
}

const MAX_REPLY_BYTES = 1024 * 1024;

/**
 * A ranking by `/v1/rerank`, as Jina and Cohere have it and vLLM and llama.cpp serve it; or by the `/rerank` of Text
 * Embeddings Inference, when that is what the endpoint ends in.
 */
export function createRerankEndpoint({ endpoint, model, keyFile, timeoutMs }: RerankOptions): Reranker {
  const url = operationUrl(endpoint, "rerank");
  const body = url.endsWith("/v1/rerank")
    ? (query: string, documents: readonly string[]) => ({ model, query, documents, top_n: documents.length })
    : (query: string, texts: readonly string[]) => ({ query, texts, truncate: true });
  return {
    async scores(query, passages) {
      const reply = await postJson(url, keyFile, body(query, passages), { timeoutMs, maxBytes: MAX_REPLY_BYTES });
      return scoresIn(url, reply, passages.length);
    },
  };
}

interface Scored {
  readonly index?: unknown;
  readonly relevance_score?: unknown;
  readonly score?: unknown;
}

function scoresIn(url: string, reply: unknown, expected: number): readonly number[] {
  const results = Array.isArray(reply) ? reply : (reply as { results?: unknown } | null)?.results;
  if (!Array.isArray(results)) throw new EndpointError(url, "its reply has no results");
  const scores = Array.from({ length: expected }, () => NaN);
  for (const { index, relevance_score, score } of results as readonly Scored[]) {
    const value = relevance_score ?? score;
    if (typeof index === "number" && index in scores && typeof value === "number") scores[index] = value;
  }
  if (!scores.every(Number.isFinite))
    throw new EndpointError(url, `its reply has no score for some of ${expected} passages`);
  return scores;
}
