import pLimit from "p-limit";
import type { Embedder } from "../domain/ports.ts";
import { EndpointError, operationUrl, postJson, type ModelServer } from "./json-endpoint.ts";

export interface EmbeddingsOptions extends ModelServer {
  /** What the model wants before a text, such as `search_document: `. */
  readonly documentPrefix: string;
  /** What it wants before a query, such as `search_query: `. */
  readonly queryPrefix: string;
  /** Longest time of a query's vector. */
  readonly queryTimeoutMs: number;
  /** The wait before the first retry of texts; twice as long before each further one. Default half a second. */
  readonly retryMs?: number;
}

/** Texts of one request: what the servers take at their defaults. */
const BATCH = 32;
/** Requests at a time: one is computed while the next is sent. */
const CONCURRENCY = 2;
const ATTEMPTS = 4;
const RETRY_MS = 500;
const DOCUMENTS_TIMEOUT_MS = 120_000;
/** 32 vectors of 4,096 numbers of 20 digits. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024;
const MAX_DIMENSIONS = 8_192;

/** Vectors by `/v1/embeddings`: Ollama, llama.cpp, vLLM, Text Embeddings Inference. Source: the OpenAI API, "Create embeddings". */
export function createEmbeddingsEndpoint(options: EmbeddingsOptions): Embedder {
  const url = operationUrl(options.endpoint, "embeddings");
  const { model, keyFile, documentPrefix, queryPrefix, queryTimeoutMs, retryMs = RETRY_MS } = options;
  const limit = pLimit(CONCURRENCY);

  async function embed(input: readonly string[], timeoutMs: number, signal?: AbortSignal): Promise<Float32Array[]> {
    const limits = { timeoutMs, maxBytes: MAX_REPLY_BYTES, ...(signal !== undefined && { signal }) };
    const reply = await postJson(url, keyFile, { model, input, encoding_format: "float" }, limits);
    return vectorsIn(url, reply, input.length);
  }

  async function embedBatch(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await embed(texts, DOCUMENTS_TIMEOUT_MS, signal);
      } catch (thrown) {
        if (!(thrown instanceof EndpointError)) throw thrown;
        // Too much at once, in one of the ways of saying so.
        if ((thrown.status === 413 || thrown.status === 422) && texts.length > 1) {
          const middle = texts.length >> 1;
          const first = await embedBatch(texts.slice(0, middle), signal);
          return [...first, ...(await embedBatch(texts.slice(middle), signal))];
        }
        if (attempt === ATTEMPTS || !mayPass(thrown.status)) throw thrown;
        await pause(retryMs * 2 ** (attempt - 1), signal);
      }
    }
  }

  return {
    model: JSON.stringify([model, documentPrefix]),
    batch: BATCH * CONCURRENCY,
    async embedDocuments(texts, signal) {
      const input = texts.map((text) => documentPrefix + text);
      const batches: string[][] = [];
      for (let at = 0; at < input.length; at += BATCH) batches.push(input.slice(at, at + BATCH));
      return (await Promise.all(batches.map((batch) => limit(embedBatch, batch, signal)))).flat();
    },
    async embedQuery(text) {
      const [vector] = await embed([queryPrefix + text], queryTimeoutMs);
      return vector as Float32Array;
    },
  };
}

/** Whether the same request may succeed later: not when the server understood and refused it. */
function mayPass(status: number): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}

/** What of a reply is read. */
interface Reply {
  readonly data?: readonly { readonly index?: unknown; readonly embedding?: unknown }[];
}

function vectorsIn(url: string, reply: unknown, expected: number): Float32Array[] {
  const data = (reply as Reply | null)?.data;
  if (!Array.isArray(data) || data.length !== expected) {
    const found = Array.isArray(data) ? `${data.length} vectors` : "no vectors";
    throw new EndpointError(url, `its reply has ${found} for ${expected} texts`);
  }
  const vectors: Float32Array[] = [];
  for (const [place, each] of (data as NonNullable<Reply["data"]>).entries()) {
    const index = typeof each.index === "number" ? each.index : place;
    vectors[index] = vectorIn(url, each.embedding);
  }
  const dimensions = vectors[0]?.length ?? 0;
  for (let i = 0; i < expected; i++) {
    if (dimensions === 0 || vectors[i]?.length !== dimensions)
      throw new EndpointError(url, "its vectors are not one for each text, of one length");
  }
  return vectors;
}

function vectorIn(url: string, embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length === 0 || embedding.length > MAX_DIMENSIONS)
    throw new EndpointError(url, `one of its vectors is no list of 1 to ${MAX_DIMENSIONS} numbers`);
  const vector = Float32Array.from(embedding as readonly unknown[], (value) =>
    typeof value === "number" ? value : NaN,
  );
  if (!vector.every(Number.isFinite))
    throw new EndpointError(url, "one of its vectors has something that is no number");
  if (vector.every((value) => value === 0)) throw new EndpointError(url, "one of its vectors is nothing but zeros");
  return vector;
}
