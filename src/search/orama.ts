import type { AnyOrama, IDocumentsStore, IIndex, ISorter, Results, Tokenizer } from "@orama/orama";
import { create, insertMultiple, remove, search } from "@orama/orama";
import { analyse } from "./analyser.ts";
import type { DocumentConditions } from "./document-table.ts";
import type { IndexedChunk } from "./segment.ts";

/**
 * Orama 3.1.18 with our tokenizer, index and documents store: its insert, remove and search drive what is here. These
 * parts are not covered by Orama's promise of stable versions, so the version is pinned, and the tests of this folder
 * hold what it expects of them.
 */

/** What the components write to and read from. Row ids are Orama's internal ids. */
export interface Engine {
  add(chunk: IndexedChunk): void;
  /** Whether the row was there. */
  remove(row: number): boolean;
  /** The document of a row; undefined for a row that is not there. */
  documentOf(row: number): number | undefined;
  count(): number;
  /** The best rows for a query, with scores, of the documents that are given; of all, when none are. */
  rank(query: string, allowed: ReadonlySet<number> | undefined): [row: number, score: number][];
  /** The documents that meet conditions. */
  select(conditions: DocumentConditions): ReadonlySet<number>;
}

/** A chunk as Orama's schema has it. */
export interface OramaChunk {
  /** The row id in decimal digits. */
  readonly id: string;
  readonly document: number;
  readonly body: string;
  readonly headings: string;
  readonly title: string;
  readonly path: string;
}

export interface OramaHit {
  readonly row: number;
  readonly document: number;
  readonly score: number;
}

/** What we ask of Orama. */
export interface OramaShell {
  insert(chunks: OramaChunk[]): void;
  remove(row: number): void;
  search(query: string, limit: number, conditions?: DocumentConditions): readonly OramaHit[];
}

const FIELDS = ["body", "headings", "title", "path"] as const;
type Field = (typeof FIELDS)[number];
const TYPES = { body: "string", headings: "string", title: "string", path: "string" } as const;

export function createOrama(engine: Engine): OramaShell {
  const index = new EngineIndex(engine);
  const orama: AnyOrama = create({
    schema: TYPES,
    components: {
      tokenizer: TOKENIZER,
      index: index as unknown as IIndex<never>,
      documentsStore: new EngineDocuments(engine, index) as unknown as IDocumentsStore,
      sorter: NO_SORTER,
    },
  });
  orama.internalDocumentIDStore.idToInternalId = ROW_OF_ID;
  orama.internalDocumentIDStore.internalIdToId = ID_OF_ROW;
  return {
    insert: (chunks) => void insertMultiple(orama, chunks, chunks.length),
    remove: (row) => void remove(orama, String(row)),
    search: (query, limit, conditions) => {
      // Orama takes an empty term for a wish to see everything.
      if (query.trim() === "") return [];
      const asked = { term: query, limit, ...(conditions === undefined ? {} : { where: conditions }) };
      const found = search(orama, asked as { term: string; limit: number }) as Results<{ document: number }>;
      return found.hits.map((hit) => ({ row: Number(hit.id), document: hit.document.document, score: hit.score }));
    },
  };
}

/** Gives terms with their repetitions, for they are counted. */
export const TOKENIZER: Tokenizer = {
  language: "all",
  normalizationCache: new Map(),
  tokenize: (raw) => analyse(raw),
};

/** Orama saves nothing: everything is in the file already. */
function notSaved(): never {
  throw new Error("the index is in its file, and is not saved apart");
}

/** Nothing is sorted by a field; Orama's own sorter would make each removal go over all chunks. */
const NO_SORTER: ISorter<object> = {
  create: () => ({}),
  insert: () => undefined,
  remove: () => undefined,
  load: () => ({}),
  save: notSaved,
  sortBy: (_sorter, found) => found,
  getSortableProperties: () => [],
  getSortablePropertiesWithTypes: () => ({}),
};

/** An id is its row in decimal digits, so that the two maps between them are arithmetic and take no memory. */
const ROW_OF_ID = {
  get: (id: string) => Number(id),
  has: () => true,
  set: () => ROW_OF_ID,
  clear: () => undefined,
  size: 0,
} as unknown as Map<string, number>;

const ID_OF_ROW = new Proxy<string[]>([], {
  get: (target, key) => {
    if (key === "length") return Number.MAX_SAFE_INTEGER;
    return typeof key === "string" && /^\d+$/.test(key) ? String(Number(key) + 1) : Reflect.get(target, key);
  },
});

/** The index component: one call for each field of a chunk, from which a chunk is put together. */
class EngineIndex {
  #row = 0;
  #document = 0;
  #terms: Record<Field, readonly string[]> = { body: [], headings: [], title: [], path: [] };
  /** The last value of each field and its terms, for the chunks of a document share their title and more. */
  readonly #last = new Map<string, { value: string; terms: readonly string[] }>();
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  create = () => ({
    vectorIndexes: {},
    indexes: {},
    searchableProperties: FIELDS,
    searchablePropertiesWithTypes: TYPES,
  });
  getSearchableProperties = () => [...FIELDS];
  getSearchablePropertiesWithTypes = () => TYPES;

  begin(row: number, document: number): void {
    this.#row = row;
    this.#document = document;
    this.#terms = { body: [], headings: [], title: [], path: [] };
  }

  insert = (
    _implementation: unknown,
    _data: unknown,
    field: Field,
    _id: unknown,
    _row: number,
    value: string,
    _type: unknown,
    language: string | undefined,
    tokenizer: Tokenizer,
  ): void => {
    const last = this.#last.get(field);
    const terms = last?.value === value ? last.terms : tokenizer.tokenize(value, language, field);
    this.#last.set(field, { value, terms });
    this.#terms[field] = terms;
    if (field !== FIELDS.at(-1)) return;
    this.#engine.add({
      row: this.#row,
      document: this.#document,
      bodyTerms: this.#terms.body,
      headingTerms: this.#terms.headings,
      titleTerms: this.#terms.title,
      pathTerms: this.#terms.path,
    });
  };

  /** Called for each field; the documents store then removes the row once. */
  remove = (): boolean => true;

  searchByWhereClause = (_data: unknown, _tokenizer: unknown, where: DocumentConditions): ReadonlySet<number> =>
    this.#engine.select(where);

  search = (...[, query, , , , , , , , , allowed]: SearchArguments): [number, number][] =>
    this.#engine.rank(query, allowed);
}

/** What Orama calls the search of an index with; the eleventh is what `searchByWhereClause` gave. */
type SearchArguments = [
  data: unknown,
  query: string,
  tokenizer: unknown,
  language: unknown,
  properties: unknown,
  exact: unknown,
  tolerance: unknown,
  boost: unknown,
  relevance: unknown,
  count: unknown,
  allowed: ReadonlySet<number> | undefined,
];

class EngineDocuments {
  readonly #engine: Engine;
  readonly #index: EngineIndex;

  constructor(engine: Engine, index: EngineIndex) {
    this.#engine = engine;
    this.#index = index;
  }

  create = () => ({ docs: {} });

  store = (_data: unknown, _id: unknown, row: number, chunk: OramaChunk): boolean => {
    if (this.#engine.documentOf(row) !== undefined) return false;
    this.#index.begin(row, chunk.document);
    return true;
  };

  /** A removal asks for the chunk's fields and hands them to the index, which does not need them: they are empty. */
  get = (_data: unknown, id: string | number): OramaChunk | undefined => {
    const document = this.#engine.documentOf(Number(id));
    return document === undefined
      ? undefined
      : { id: String(id), document, body: "", headings: "", title: "", path: "" };
  };

  getMultiple = (data: unknown, ids: readonly (string | number)[]) => ids.map((id) => this.get(data, id));
  remove = (_data: unknown, id: string | number): boolean => this.#engine.remove(Number(id));
  count = (): number => this.#engine.count();
}
