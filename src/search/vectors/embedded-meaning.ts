import type { ChunkText } from "../../domain/chunk.ts";
import { CarrelError, reasonOf } from "../../domain/errors.ts";
import type { Embedder, Logger } from "../../domain/ports.ts";
import type { DocumentWrite } from "../document-table.ts";
import { cosine, wholeNumbers } from "./codes.ts";
import { nearest, type Near } from "./nearest.ts";
import { textFor, textHash } from "./text-hash.ts";
import { VectorFile } from "./vector-file.ts";

/** Chunks that are looked at for being near to the query, besides those that have its words. */
const NEAR_CHUNKS = 50;

export interface EmbeddingOptions {
  readonly embedder: Embedder;
  /** Path of `vectors.db`. */
  readonly file: string;
  readonly logger: Logger;
  /** Asks for a query's vector; undefined when there is none in time. */
  readonly queryVector: (query: string) => Promise<Float32Array | undefined>;
}

/** A chunk of the index. */
export interface LiveChunk {
  readonly row: number;
  readonly document: number;
}

/** What is near a query, and how near: by document, from 0 to 1. */
export interface NearDocuments {
  readonly added: readonly Near[];
  readonly nearness: ReadonlyMap<number, number>;
}

/** Meaning by a model that the user has: vectors of chunks, in a file of their own. */
export class EmbeddedMeaning {
  readonly #options: EmbeddingOptions;
  readonly #key: string;
  readonly #readonly: boolean;
  #file: VectorFile | undefined;

  /** @param corpusId whose row ids the vectors are kept by. */
  constructor(options: EmbeddingOptions, corpusId: string, readonly: boolean) {
    this.#options = options;
    this.#key = `${options.embedder.model} ${corpusId}`;
    this.#readonly = readonly;
  }

  /** The vector of a query, when there is one and it can be compared to something. */
  async queryVector(query: string): Promise<Int8Array | "none in time" | undefined> {
    if ((this.#opened()?.dimensions ?? 0) === 0) return undefined;
    const vector = await this.#options.queryVector(query);
    return vector === undefined ? "none in time" : wholeNumbers(vector);
  }

  /** @param rows the chunks that have words of the query. */
  near(vector: Int8Array, rows: readonly LiveChunk[], within: ReadonlySet<number> | undefined): NearDocuments {
    const file = this.#opened();
    const known = new Set(rows.map(({ row }) => row));
    const found = file === undefined ? [] : nearest(file, vector, NEAR_CHUNKS, within);
    const cosines = new Map(found.map((each): [number, number] => [each.row, each.cosine]));
    for (const { row } of rows) {
      const own = cosines.has(row) ? undefined : file?.vector(row);
      if (own !== undefined) cosines.set(row, cosine(vector, own));
    }
    const least = Math.min(...cosines.values());
    const range = Math.max(...cosines.values()) - least || 1;
    const nearness = new Map<number, number>();
    for (const { row, document } of [...rows, ...found]) {
      // What models give spreads over a small part of the scale, each over another.
      const own = ((cosines.get(row) ?? least) - least) / range;
      nearness.set(document, Math.max(own, nearness.get(document) ?? 0));
    }
    return { added: found.filter(({ row }) => !known.has(row)), nearness };
  }

  /** Forgets the vectors of chunks that are written with another text than they had. */
  note(written: readonly DocumentWrite[]): void {
    const file = this.#opened();
    if (file === undefined || file.count === 0) return;
    const changed = written.flatMap(({ title, chunks }) =>
      chunks.filter(({ rowId, headings, content }) => {
        const hash = file.textHash(rowId);
        return hash !== undefined && !hash.equals(textHash(textFor({ title, headings, content })));
      }),
    );
    file.drop(changed.map(({ rowId }) => rowId));
  }

  /**
   * Has the vectors of chunks made that have none, and drops those of chunks that are gone. What is made is kept at once, so
   * that an interrupted run goes on where it was.
   */
  async complete(
    live: readonly LiveChunk[],
    texts: (rows: readonly number[]) => readonly ChunkText[],
    signal: AbortSignal,
  ): Promise<void> {
    const file = this.#opened();
    if (file === undefined) return;
    const documents = new Map(live.map(({ row, document }) => [row, document]));
    const kept = new Set<number>();
    const gone: number[] = [];
    for (const row of file.rows()) {
      if (documents.has(row)) kept.add(row);
      else gone.push(row);
    }
    file.drop(gone);
    const missing = live.filter(({ row }) => !kept.has(row));
    let done = 0;
    const { embedder, logger } = this.#options;
    const { dimensions } = file;
    try {
      while (done < missing.length && !signal.aborted) {
        const batch = missing.slice(done, done + embedder.batch).map(({ row }) => row);
        await this.#embed(file, texts(batch), documents, signal);
        done += batch.length;
      }
      // Vectors of other dimensions than the model gives now were dropped.
      if (dimensions !== 0 && file.dimensions !== dimensions) await this.complete(live, texts, signal);
    } catch (thrown) {
      if (!(thrown instanceof CarrelError)) throw thrown;
      if (thrown.code === "stopped") return;
      logger.warn(
        `${missing.length - done} passages wait for their vectors; the next run goes on with them. ${reasonOf(thrown)}`,
      );
    }
  }

  async #embed(
    file: VectorFile,
    chunks: readonly ChunkText[],
    documents: ReadonlyMap<number, number>,
    signal: AbortSignal,
  ): Promise<void> {
    const texts = chunks.map(textFor);
    const vectors = await this.#options.embedder.embedDocuments(texts, signal);
    file.put(
      chunks.map(({ rowId }, i) => ({
        row: rowId,
        document: documents.get(rowId) ?? 0,
        textHash: textHash(texts[i] ?? ""),
        vector: wholeNumbers(vectors[i] ?? new Float32Array(0)),
      })),
    );
  }

  /** @param chunks that are in the index. */
  describe(chunks: number): string {
    const file = this.#opened();
    const count = Math.min(chunks, file?.count ?? 0);
    const { dimensions } = file ?? { dimensions: 0 };
    const waiting = count === chunks ? "" : `; ${chunks - count} wait, and \`carrel index\` goes on with them`;
    return `${count} of ${chunks} passages have vectors${dimensions === 0 ? "" : ` of ${dimensions} numbers`}${waiting}`;
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #opened(): VectorFile | undefined {
    return (this.#file ??= VectorFile.open(this.#options.file, this.#key, this.#readonly));
  }
}
