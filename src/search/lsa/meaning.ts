import { Worker } from "node:worker_threads";
import type Database from "better-sqlite3";
import type { ChunkText } from "../../domain/chunk.ts";
import type { QueryTerm } from "../query.ts";
import type { SegmentStore } from "../segment-store.ts";
import type { IndexedChunk } from "../segment.ts";
import { greatestCosine, queryVector, vectorOf } from "./chunk-vectors.ts";
import type { FitRequest } from "./fit.ts";
import { LEAST_QUESTIONS } from "./held-out.ts";
import { spreadEvenly } from "./index-terms.ts";
import { headingQuestions } from "./questions.ts";
import { MeaningTables } from "./tables.ts";
import { bytesIn } from "./vector-bytes.ts";

/** In fewer chunks words have too little company. */
const LEAST_CHUNKS = 2_000;

/** Of so many sections the headings are asked. */
const MAX_QUESTIONS = 1_000;

/** It is made anew when more than this share of the chunks is not what it was. */
const CHANGED_SHARE = 0.3;

/**
 * Meaning without a model: a latent semantic analysis of the corpus itself. It brings pages up that use other words than
 * the query for the same; whether that helps in a corpus is decided on the corpus' own headings. Call all in a transaction.
 */
export class Meaning {
  readonly #tables: MeaningTables;
  readonly #store: SegmentStore;

  constructor(db: Database.Database, store: SegmentStore) {
    this.#tables = new MeaningTables(db);
    this.#store = store;
  }

  /** By document: how near the nearest of its chunks is to the query, from 0 to 1; undefined when it is off. */
  nearness(terms: readonly QueryTerm[], documentIds: Iterable<number>): ReadonlyMap<number, number> | undefined {
    if (this.#tables.decision()?.isOn !== true) return undefined;
    const words = terms.filter(({ role }) => role !== "alternative").map(({ term }) => term);
    const vector = queryVector(words, (term) => this.#tables.place(term));
    const near = new Map<number, number>();
    for (const id of vector === undefined ? [] : new Set(documentIds)) {
      const vectors = this.#tables.vectors(id);
      if (vectors !== undefined && vector !== undefined) near.set(id, greatestCosine(vector, vectors));
    }
    return near;
  }

  /** Takes up what is being indexed, with the space that there is. */
  write(removedDocuments: Iterable<number>, removedChunks: number, added: readonly IndexedChunk[]): void {
    const decision = this.#tables.decision();
    if (decision === undefined) return;
    this.#tables.noteChanged(Math.max(removedChunks, added.length));
    if (!decision.isOn) return;
    for (const id of removedDocuments) this.#tables.dropVectors(id);
    const byDocument = new Map<number, Uint8Array[]>();
    for (const chunk of added) {
      const own = byDocument.get(chunk.document) ?? [];
      own.push(bytesIn(vectorOf(chunk, (term) => this.#tables.place(term))));
      byDocument.set(chunk.document, own);
    }
    for (const [document, own] of byDocument) this.#tables.putVectors(document, Buffer.concat(own));
  }

  /** What was decided, and why. */
  describe(): string {
    const { chunks } = this.#store.live;
    const decision = this.#tables.decision();
    if (decision === undefined) {
      return chunks < LEAST_CHUNKS
        ? `off: ${chunks} passages, and in fewer than ${LEAST_CHUNKS} words have too little company`
        : "off: not tried yet; `carrel index` does";
    }
    const { isOn, check } = decision;
    if (check.questions < LEAST_QUESTIONS) {
      return `off: only ${check.questions} headings could be asked for their sections, and ${LEAST_QUESTIONS} are needed to tell`;
    }
    const gain = check.both - check.words;
    const figures = `${check.questions} headings found their sections with MRR ${check.words.toFixed(3)} by words and ${check.both.toFixed(3)} with meaning (${gain < 0 ? "" : "+"}${gain.toFixed(3)}, standard error ${check.error.toFixed(3)})`;
    return `${isOn ? "on" : "off"}: ${figures}; tried at ${decision.chunks} passages, ${decision.changed} written or removed since`;
  }

  /** Whether it was never tried, or much has changed since. */
  isDue(): boolean {
    const { chunks } = this.#store.live;
    if (chunks < LEAST_CHUNKS) return false;
    const decision = this.#tables.decision();
    return decision === undefined || decision.changed > CHANGED_SHARE * decision.chunks;
  }

  /** The questions that it is to be tried with. */
  questions(texts: (rows: readonly number[]) => readonly ChunkText[]): FitRequest["questions"] {
    const rows = spreadEvenly(this.#store.segments, MAX_QUESTIONS).map(
      ({ segment, ordinal }) => segment.rows[ordinal] as number,
    );
    return headingQuestions(texts(rows).toSorted((a, b) => a.rowId - b.rowId));
  }
}

/** A worker cannot be run from TypeScript, so under the tests it is the built one. */
const WORKER = import.meta.url.endsWith(".ts")
  ? new URL("../../../dist/search/lsa/worker.js", import.meta.url)
  : new URL("./worker.js", import.meta.url);

/** Makes it anew in a thread. When the signal aborts, nothing is changed. */
export function fitInThread(request: FitRequest, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { workerData: request });
    const stop = (): void => void worker.terminate();
    signal.addEventListener("abort", stop);
    worker.once("error", reject);
    worker.once("exit", () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
  });
}
