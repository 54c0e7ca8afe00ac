import type { ChunkText, DocumentChange, Hit } from "../domain/chunk.ts";
import { CarrelError } from "../domain/errors.ts";
import type { SearchIndex } from "../domain/ports.ts";
import { ANALYSER_VERSION } from "./analyser.ts";
import type { DocumentWrite } from "./document-table.ts";
import { CANDIDATES } from "./engine.ts";
import type { WeightedQuery } from "./evidence.ts";
import type { ConnectionOptions } from "./index-connection.ts";
import { headsOf } from "./heads.ts";
import { IndexConnection } from "./index-connection.ts";
import type { OramaHit } from "./orama.ts";
import type { RankingWeights } from "./page-ranking.ts";
import { DEFAULT_RANKING, rankPages } from "./page-ranking.ts";
import type { TextConditions } from "./text-conditions.ts";
import { textTest } from "./text-conditions.ts";
import type { Weights } from "./weights.ts";
import { DEFAULT_WEIGHTS } from "./weights.ts";

/** Raised when the tables or the form of postings change. */
const FORMAT_VERSION = 2;

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
    stats: () => index.stats(),
    close: () => index.close(),
  };
}

class PostingsIndex implements SearchIndex {
  readonly #options: ConnectionOptions;
  readonly #texts: SearchIndexOptions["texts"];
  readonly #ranking: RankingWeights;
  readonly #rerank: boolean;
  #connection: IndexConnection;

  constructor({ file, readonly, texts, corpusId = "", weights, ranking, rerank, exhaustive }: SearchIndexOptions) {
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
    const { documents, orama } = this.#connection;
    const last = new Map(changes.map((change) => [change.documentId, change]));
    const revision = changes.reduce((greatest, change) => Math.max(greatest, change.revision), 0);
    this.#connection.write(revision, () => {
      for (const id of last.keys()) documents.remove(id).forEach((row) => orama.remove(row));
      const written = [...last.values()].filter((change) => change.kind === "document");
      orama.insert(written.flatMap(chunksOf));
      for (const change of written) documents.add(change);
    });
  }

  async search(text: string, limit: number, within?: ReadonlySet<number>): Promise<readonly Hit[]> {
    return this.#read((connection) => {
      connection.engine.within = within;
      const query = connection.engine.prepare(text);
      if (!this.#rerank) return candidatesOf(connection, query, limit).map(hitOf);
      const strict = this.#ranked(connection, query, query.passage, limit);
      if (strict.length > 0 || query.passage.phrases.length === 0) return strict;
      // Quotation marks are in questions too: a phrase that no passage has is then taken for words.
      return this.#ranked(connection, query, { ...query.passage, phrases: [] }, limit);
    });
  }

  close(): void {
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
  ): readonly Hit[] {
    const test = textTest(conditions);
    for (let depth = CANDIDATES; ; depth = Math.min(depth * DEEPER, MOST_CANDIDATES)) {
      const found = candidatesOf(connection, query, depth);
      const texts = new Map(this.#texts(found.map(({ row }) => row)).map((chunk) => [chunk.rowId, chunk]));
      const candidates = test === undefined ? found : found.filter(({ row }) => passes(test, texts.get(row)));
      // Conditions on texts are not in the postings: look further down for more that meet them.
      if (
        candidates.length < found.length &&
        candidates.length < limit &&
        found.length === depth &&
        depth < MOST_CANDIDATES
      ) {
        continue;
      }
      const pages = connection.documents.info(candidates.map(({ document }) => document));
      const presence = connection.engine.presence(
        query,
        candidates.map(({ row }) => row),
      );
      const preferred = prefer(candidates, textTest({ phrases: query.preferred, excluded: [] }), texts);
      return rankPages(query, preferred, { texts, presence, pages }, this.#ranking).slice(0, limit);
    }
  }
}

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
    headings: [...chunk.headings, ...headsOf(chunk.content)].join("\n"),
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
