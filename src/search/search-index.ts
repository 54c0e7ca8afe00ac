import type { ChunkText, DocumentChange, Hit, QueryReading } from "../domain/chunk.ts";
import { CarrelError } from "../domain/errors.ts";
import type { IndexNote, SearchIndex } from "../domain/ports.ts";
import { ANALYSER_VERSION } from "./analyser.ts";
import { CANDIDATES } from "./engine.ts";
import type { WeightedQuery } from "./evidence.ts";
import type { ConnectionOptions } from "./index-connection.ts";
import { chunksOf } from "./indexed-fields.ts";
import { fitInThread } from "./lsa/meaning.ts";
import { IndexConnection } from "./index-connection.ts";
import type { OramaHit } from "./orama.ts";
import type { RankingWeights } from "./page-ranking.ts";
import { DEFAULT_RANKING, rankPages } from "./page-ranking.ts";
import { AS_WRITTEN, correctionsInWords, told, wordOf } from "./reading.ts";
import { DoneWithout } from "./done-without.ts";
import { EmbeddedMeaning, type EmbeddingOptions } from "./vectors/embedded-meaning.ts";
import type { TextConditions } from "./text-conditions.ts";
import { passes, phraseTest, prefer, termsOfPhrases, withoutWords, withPhrases } from "./text-conditions.ts";
import type { Weights } from "./weights.ts";
import { DEFAULT_WEIGHTS } from "./weights.ts";

/** Raised when the tables or the form of postings change. */
const FORMAT_VERSION = 7;

export interface SearchIndexOptions {
  /** Path of `index.db`. */
  readonly file: string;
  /** Only searches; any number of processes may, beside the one that writes. */
  readonly readonly?: boolean;
  /** Reads the texts of chunks by row id, in any order; a chunk that is gone is left out. */
  readonly texts: (chunkRowIds: readonly number[]) => readonly ChunkText[];
  /** Id of the corpus that is indexed: the row ids of another one, even in its place, mean other passages. */
  readonly corpusId?: string;
  readonly weights?: Partial<Weights>;
  readonly ranking?: Partial<RankingWeights>;
  /** False leaves the order to the postings, that of a plain BM25F. */
  readonly rerank?: boolean;
  /** A model that the user has for finding by meaning. */
  readonly embeddings?: EmbeddingOptions;
  /** Looks at every posting instead of those that can matter, to compare the two. */
  readonly exhaustive?: boolean;
}

/**
 * Opens the index in a file: Orama over block postings in SQLite. It is derived from the corpus; one that was made by
 * other rules, or from another corpus, is dropped when opened for writing, and then has revision 0.
 * @throws CarrelError `unavailable` when there is nothing to read yet or it was made by other rules, `store` when the file
 * is damaged or something else.
 */
export function openSearchIndex(options: SearchIndexOptions): SearchIndex {
  const index = new PostingsIndex(options);
  return {
    revision: () => index.revision(),
    apply: (changes) => index.apply(changes),
    search: (query, limit, within) => index.search(query, limit, within),
    reading: (query, hits, within) => index.reading(query, hits, within),
    stats: () => index.stats(),
    enrich: (signal) => index.enrich(signal),
    notes: () => index.notes(),
    close: () => index.close(),
  };
}

class PostingsIndex implements SearchIndex {
  readonly #options: ConnectionOptions;
  readonly #texts: SearchIndexOptions["texts"];
  readonly #ranking: RankingWeights;
  readonly #rerank: boolean;
  readonly #embedded: EmbeddedMeaning | undefined;
  readonly #without = new DoneWithout("embeddings");
  #connection: IndexConnection;

  constructor({
    file,
    readonly,
    texts,
    corpusId = "",
    weights,
    ranking,
    rerank,
    exhaustive,
    embeddings,
  }: SearchIndexOptions) {
    const allWeights = { ...DEFAULT_WEIGHTS, ...weights };
    this.#options = {
      file,
      readonly: readonly === true,
      fingerprint: `${fingerprintOf(allWeights)} ${corpusId}`,
      weights: allWeights,
      exhaustive: exhaustive === true,
    };
    this.#texts = texts;
    this.#ranking = { ...DEFAULT_RANKING, ...ranking };
    this.#rerank = rerank !== false;
    this.#connection = new IndexConnection(this.#options);
    this.#embedded = embeddings && new EmbeddedMeaning(embeddings, corpusId, readonly === true);
  }

  revision(): number {
    return this.stats().revision;
  }

  stats(): { readonly chunks: number; readonly revision: number } {
    return this.#read((connection) => connection.stats());
  }

  async apply(changes: readonly DocumentChange[]): Promise<void> {
    const { file, readonly } = this.#options;
    if (readonly) throw new CarrelError("internal", `The index ${file} was opened for reading only.`);
    const { documents, engine, meaning, orama } = this.#connection;
    const last = new Map(changes.map((change) => [change.documentId, change]));
    const written = [...last.values()].filter((change) => change.kind === "document");
    this.#embedded?.note(written);
    const revision = changes.reduce((greatest, change) => Math.max(greatest, change.revision), 0);
    this.#connection.write(revision, () => {
      const removed = [...last.keys()].flatMap((id) => [...documents.remove(id)]);
      for (const row of removed) orama.remove(row);
      orama.insert(written.flatMap(chunksOf));
      for (const change of written) documents.add(change);
      meaning.write(last.keys(), removed.length, engine.added);
    });
  }

  async search(text: string, limit: number, within?: ReadonlySet<number>): Promise<readonly Hit[]> {
    const vector = await this.#queryVector(text);
    return this.#read((connection) => {
      connection.engine.within = within;
      const query = connection.engine.prepare(text);
      if (!this.#rerank) return candidatesOf(connection, query, limit).map(hitOf);
      const { phrases } = query.passage;
      const canStand = termsOfPhrases(phrases).every((term) => connection.engine.has(term));
      const strict = canStand ? this.#ranked(connection, query, query.passage, limit, vector) : [];
      if (strict.length > 0 || phrases.length === 0) return strict;
      // Quotation marks are in questions too: a phrase that no passage has is then taken for words.
      return this.#ranked(connection, query, { ...query.passage, phrases: [] }, limit, vector);
    });
  }

  /** What the model makes of a query; undefined when there is no model, or it gives nothing in time. */
  async #queryVector(text: string): Promise<Int8Array | undefined> {
    if (this.#embedded === undefined) return undefined;
    const { text: words, terms } = this.#read(({ engine }) => engine.prepare(text));
    const vector = terms.length === 0 ? undefined : await this.#embedded.queryVector(words);
    this.#without.note(text, vector === "none in time");
    return vector === "none in time" ? undefined : vector;
  }

  async reading(text: string, hits: readonly Hit[], within?: ReadonlySet<number>): Promise<QueryReading> {
    const reading = this.#read((connection): QueryReading => {
      const { engine } = connection;
      const { text: words, terms, passage, corrected } = engine.prepare(text);
      if (hits.length === 0) {
        engine.within = within;
        const near = new Set([...corrected.values(), ...terms.flatMap(({ term }) => engine.nearest(term))]);
        return { ...AS_WRITTEN, nearest: told([...near].flatMap((term) => this.#asWord(connection, term))) };
      }
      const test = phraseTest(passage.phrases);
      if (corrected.size === 0 && test === undefined) return AS_WRITTEN;
      const rows = hits.slice(0, TOLD_FROM).map(({ chunkRowId }) => chunkRowId);
      const texts = this.#texts(rows);
      return {
        corrected: correctionsInWords(corrected, words, texts),
        // Either all that was found has the phrases, or they were given up.
        relaxed: test === undefined || texts.length === 0 || texts.some(test) ? [] : told(passage.phrases),
        nearest: [],
      };
    });
    return this.#without.tell(text, reading);
  }

  /** A term as texts that may be seen have it; none, when none has. */
  #asWord(connection: IndexConnection, term: string): readonly string[] {
    const found = candidatesOf(connection, connection.engine.prepare(term), TOLD_FROM);
    const word = wordOf(term, this.#texts(found.map(({ row }) => row)));
    return word === undefined ? [] : [word];
  }

  async enrich(signal: AbortSignal): Promise<void> {
    const { file, fingerprint } = this.#options;
    const questions = this.#read(({ meaning }) => (meaning.isDue() ? meaning.questions(this.#texts) : undefined));
    if (questions !== undefined) await fitInThread({ file, fingerprint, questions }, signal);
    if (this.#embedded !== undefined)
      await this.#embedded.complete(
        this.#read(({ engine }) => engine.live()),
        this.#texts,
        signal,
      );
  }

  notes(): readonly IndexNote[] {
    const { chunks } = this.stats();
    return [
      { about: "meaning", says: this.#read(({ meaning }) => meaning.describe()) },
      ...(this.#embedded === undefined ? [] : [{ about: "vectors", says: this.#embedded.describe(chunks) }]),
    ];
  }

  close(): void {
    this.#embedded?.close();
    this.#connection.close();
  }

  #read<T>(use: (connection: IndexConnection) => T): T {
    if (this.#options.readonly && this.#connection.isReplaced()) this.#reopen();
    const connection = this.#connection;
    return connection.read(() => use(connection));
  }

  /** Goes over to the file that is there, when the index was deleted and made again; until it is ready, the old one answers. */
  #reopen(): void {
    try {
      const replaced = this.#connection;
      this.#connection = new IndexConnection(this.#options);
      replaced.close();
    } catch (error) {
      if (!(error instanceof CarrelError && error.code === "unavailable")) throw error;
    }
  }

  #ranked(
    connection: IndexConnection,
    query: WeightedQuery,
    conditions: TextConditions,
    limit: number,
    vector?: Int8Array,
  ): readonly Hit[] {
    const { phrases, excluded } = conditions;
    const { engine, documents, meaning } = connection;
    for (let depth = CANDIDATES; ; depth = Math.min(depth * DEEPER, MOST_CANDIDATES)) {
      const found = candidatesOf(connection, query, depth);
      const near = vector && this.#embedded?.near(vector, found, engine.allowed(query.page));
      const added = near?.added.map(({ row, document }) => ({ row, document, score: 0 })) ?? [];
      const possible = withPhrases(engine, withoutWords(engine, [...found, ...added], excluded), phrases);
      const texts = new Map(this.#texts(possible.map(({ row }) => row)).map((chunk) => [chunk.rowId, chunk]));
      const test = phraseTest(phrases);
      const candidates = test === undefined ? possible : possible.filter(({ row }) => passes(test, texts.get(row)));
      // Conditions on texts are not in the postings: look further down for more that meet them.
      if (
        candidates.length < found.length + added.length &&
        candidates.length < limit &&
        found.length === depth &&
        depth < MOST_CANDIDATES
      ) {
        continue;
      }
      const pages = documents.info(candidates.map(({ document }) => document));
      const presence = engine.presence(
        query.terms.map(({ term }) => term),
        candidates.map(({ row }) => row),
      );
      const preferred = prefer(engine, candidates, query.preferred, texts);
      const evidence = {
        texts,
        presence,
        pages,
        meaning: near?.nearness ?? meaning.nearness(query.terms, pages.keys()),
      };
      const weights = near === undefined ? this.#ranking : { ...this.#ranking, meaning: EMBEDDED_WEIGHT };
      return rankPages(query, preferred, evidence, weights).slice(0, limit);
    }
  }
}

/** What the meaning that a model finds counts in the ranking: as much as the score of the words and the heads of entries. */
const EMBEDDED_WEIGHT = 8;

/** The best so many texts show how a term is written. */
const TOLD_FROM = 10;

function candidatesOf(connection: IndexConnection, query: WeightedQuery, depth: number): readonly OramaHit[] {
  connection.engine.depth = depth;
  const { sources, sites } = query.page;
  return connection.orama.search(query.text, depth, sources.length + sites.length > 0 ? query.page : undefined);
}

/** How much further each look goes when what was found does not meet the conditions. */
const DEEPER = 8;

/**
 * Past these a phrase is taken to stand nowhere: passages with all of its words lead the ranking, and reading the text of
 * every passage that has one of them would take seconds.
 */
const MOST_CANDIDATES = 2_000;

function hitOf({ row, document, score }: OramaHit): Hit {
  return { chunkRowId: row, documentId: document, score };
}

function fingerprintOf(weights: Weights): string {
  const { headings, title, path, b } = weights;
  return `format ${FORMAT_VERSION}, analyser ${ANALYSER_VERSION}, weights ${headings} ${title} ${path}, b ${b}, unicode ${process.versions["unicode"] ?? ""}`;
}
