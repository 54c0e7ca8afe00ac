import type Database from "better-sqlite3";
import type { ChunkText, DocumentChange, Hit } from "../domain/chunk.ts";
import { CarrelError } from "../domain/errors.ts";
import type { SearchIndex } from "../domain/ports.ts";
import { ANALYSER_VERSION } from "./analyser.ts";
import type { DocumentWrite } from "./document-table.ts";
import { DocumentTable } from "./document-table.ts";
import { CANDIDATES, PostingsEngine } from "./engine.ts";
import { checkFingerprint, guarded, openIndexFile } from "./index-file.ts";
import type { WeightedQuery } from "./evidence.ts";
import type { OramaHit, OramaShell } from "./orama.ts";
import { createOrama } from "./orama.ts";
import type { RankingWeights } from "./page-ranking.ts";
import { DEFAULT_RANKING, gatherEvidence, rankPages } from "./page-ranking.ts";
import { SegmentStore } from "./segment-store.ts";
import type { TextConditions } from "./text-conditions.ts";
import { textTest } from "./text-conditions.ts";
import type { Weights } from "./weights.ts";
import { DEFAULT_WEIGHTS } from "./weights.ts";

/** Raised when the tables or the form of postings change. */
const FORMAT_VERSION = 1;

export interface SearchIndexOptions {
  /** Path of `index.db`. */
  readonly file: string;
  /** Only searches; any number of processes may, beside the one that writes. */
  readonly readonly?: boolean;
  /** Reads the texts of chunks by row id, in any order; a chunk that is gone is left out. */
  readonly texts: (chunkRowIds: readonly number[]) => readonly ChunkText[];
  readonly weights?: Partial<Weights>;
  readonly ranking?: Partial<RankingWeights>;
  /** False leaves the order to the postings, that of a plain BM25F. */
  readonly rerank?: boolean;
  /** Looks at every posting instead of those that can matter, to compare the two. */
  readonly exhaustive?: boolean;
}

/**
 * Opens the index in a file: Orama over block postings in SQLite. It is derived from the corpus; one that was made by
 * other rules is dropped when opened for writing, and then has revision 0.
 * @throws CarrelError `unavailable` when there is nothing to read yet or it was made by other rules, `store` when the file
 * is damaged or something else.
 */
export function openSearchIndex(options: SearchIndexOptions): SearchIndex {
  const index = new PostingsIndex(options);
  return {
    revision: () => index.revision(),
    apply: (changes) => index.apply(changes),
    search: (query, limit) => index.search(query, limit),
    stats: () => index.stats(),
    close: () => index.close(),
  };
}

class PostingsIndex implements SearchIndex {
  readonly #file: string;
  readonly #readonly: boolean;
  readonly #fingerprint: string;
  readonly #db: Database.Database;
  readonly #store: SegmentStore;
  readonly #engine: PostingsEngine;
  readonly #orama: OramaShell;
  readonly #documents: DocumentTable;
  readonly #statements;
  readonly #texts: SearchIndexOptions["texts"];
  readonly #ranking: RankingWeights;
  readonly #rerank: boolean;

  constructor(options: SearchIndexOptions) {
    const weights = { ...DEFAULT_WEIGHTS, ...options.weights };
    this.#file = options.file;
    this.#texts = options.texts;
    this.#ranking = { ...DEFAULT_RANKING, ...options.ranking };
    this.#rerank = options.rerank !== false;
    this.#readonly = options.readonly === true;
    this.#fingerprint = fingerprintOf(weights);
    const db = openIndexFile(options.file, this.#readonly, this.#fingerprint);
    this.#db = db;
    this.#store = guarded(options.file, () => new SegmentStore(db));
    this.#documents = guarded(options.file, () => new DocumentTable(db));
    this.#engine = new PostingsEngine(this.#store, this.#documents, weights);
    this.#engine.exhaustive = options.exhaustive === true;
    this.#orama = createOrama(this.#engine);
    this.#statements = guarded(options.file, () => ({
      revision: db.prepare<[], { revision: number }>("SELECT revision FROM state"),
      setRevision: db.prepare("UPDATE state SET revision = max(revision, ?)"),
    }));
  }

  revision(): number {
    return this.#read(() => this.#statements.revision.get()?.revision ?? 0);
  }

  async apply(changes: readonly DocumentChange[]): Promise<void> {
    if (this.#readonly) throw new CarrelError("internal", `The index ${this.#file} was opened for reading only.`);
    const last = new Map(changes.map((change) => [change.documentId, change]));
    const write = this.#db.transaction(() => {
      this.#store.refresh();
      for (const documentId of last.keys())
        this.#documents.remove(documentId).forEach((row) => this.#orama.remove(row));
      const written = [...last.values()].filter((change) => change.kind === "document");
      this.#orama.insert(written.flatMap(chunksOf));
      for (const change of written) this.#documents.add(change);
      this.#engine.flush();
      this.#statements.setRevision.run(changes.reduce((revision, change) => Math.max(revision, change.revision), 0));
    });
    try {
      guarded(this.#file, () => write.immediate());
    } catch (error) {
      this.#engine.discard();
      this.#store.invalidate();
      throw error;
    }
  }

  async search(text: string, limit: number): Promise<readonly Hit[]> {
    return this.#read(() => {
      const query = this.#engine.prepare(text);
      if (!this.#rerank) return this.#candidates(query, limit).map(hitOf);
      const strict = this.#ranked(query, query.passage, limit);
      if (strict.length > 0 || query.passage.phrases.length === 0) return strict;
      // Quotation marks are in questions too: a phrase that no passage has is then taken for words.
      return this.#ranked(query, { ...query.passage, phrases: [] }, limit);
    });
  }

  #ranked(query: WeightedQuery, conditions: TextConditions, limit: number): readonly Hit[] {
    const test = textTest(conditions);
    for (let depth = CANDIDATES; ; depth *= DEEPER) {
      const found = this.#candidates(query, depth);
      const texts = new Map(this.#texts(found.map(({ row }) => row)).map((chunk) => [chunk.rowId, chunk]));
      const candidates = test === undefined ? found : found.filter(({ row }) => passes(test, texts.get(row)));
      // Conditions on texts are not in the postings: look further down for more that meet them.
      if (candidates.length < found.length && candidates.length < limit && found.length === depth) continue;
      const pages = this.#documents.info(candidates.map(({ document }) => document));
      const preferred = prefer(candidates, textTest({ phrases: query.preferred, excluded: [] }), texts);
      return rankPages(gatherEvidence(query, preferred, texts, pages), this.#ranking).slice(0, limit);
    }
  }

  #candidates(query: WeightedQuery, depth: number): readonly OramaHit[] {
    this.#engine.depth = depth;
    const { sources, sites } = query.page;
    return this.#orama.search(query.text, depth, sources.length + sites.length > 0 ? query.page : undefined);
  }

  stats(): { readonly chunks: number; readonly revision: number } {
    return this.#read(() => ({
      chunks: this.#store.live.chunks,
      revision: this.#statements.revision.get()?.revision ?? 0,
    }));
  }

  close(): void {
    this.#db.close();
  }

  /** Runs with one state of the index, that of the last commit by whatever process. */
  #read<T>(use: () => T): T {
    const read = this.#db.transaction(() => {
      checkFingerprint(this.#file, this.#store.refresh(), this.#fingerprint);
      return use();
    });
    return guarded(this.#file, () => read.deferred());
  }
}

/** How much further each look goes when what was found does not meet the conditions. */
const DEEPER = 8;

function passes(test: (chunk: ChunkText) => boolean, chunk: ChunkText | undefined): boolean {
  return chunk !== undefined && test(chunk);
}

/** What a candidate without what is preferred is worth. */
const NOT_PREFERRED = 0.8;

function prefer(
  candidates: readonly OramaHit[],
  test: ((chunk: ChunkText) => boolean) | undefined,
  texts: ReadonlyMap<number, ChunkText>,
): readonly OramaHit[] {
  if (test === undefined) return candidates;
  return candidates.map((each) =>
    passes(test, texts.get(each.row)) ? each : { ...each, score: each.score * NOT_PREFERRED },
  );
}

function hitOf({ row, document, score }: OramaHit): Hit {
  return { chunkRowId: row, documentId: document, score };
}

function fingerprintOf(weights: Weights): string {
  const { headings, title, path, b } = weights;
  return `format ${FORMAT_VERSION}, analyser ${ANALYSER_VERSION}, weights ${headings} ${title} ${path}, b ${b}, unicode ${process.versions["unicode"] ?? ""}`;
}

function chunksOf(change: DocumentWrite) {
  return change.chunks.map((chunk) => ({
    id: String(chunk.rowId),
    document: change.documentId,
    body: chunk.content,
    headings: chunk.headings.join("\n"),
    title: change.title,
    path: pathText(change),
  }));
}

/** The words of an address that say where a page belongs: source, host and path without its ending. */
function pathText({ uri, source }: DocumentWrite): string {
  const parsed = URL.canParse(uri) ? new URL(uri) : undefined;
  const path = parsed === undefined ? uri : decode(parsed.pathname).replace(/\.(?:html?|md|php|aspx?)$/i, "");
  return [source, ...(parsed?.hostname.split(".") ?? []), ...path.split("/")].join(" ");
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
