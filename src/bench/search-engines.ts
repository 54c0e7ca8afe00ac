import { create, insertMultiple, search } from "@orama/orama";
import Database from "better-sqlite3";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { ChunkText, DocumentChange } from "../domain/chunk.ts";
import { openSearchIndex } from "../search/search-index.ts";
import { madeUpPassage, madeUpSource, PASSAGES_OF_A_DOCUMENT } from "./made-up-texts.ts";

/** A way to search the made-up passages, whose numbers are from 0. */
export interface BenchEngine {
  /** Adds passages with these numbers, all of their documents. */
  add(from: number, to: number): Promise<void> | void;
  /** Numbers of the best ten, best first. */
  ask(query: string, source?: string): Promise<readonly number[]> | readonly number[];
  /** Changes a document: the first of its passages. Only engines that keep a file. */
  change?(document: number): Promise<void>;
  bytes(): number;
}

/** What can be measured; each is tried up to so many passages, past which it takes hours or does not fit into memory. */
export const ENGINES = { carrel: Infinity, fts5: Infinity, minisearch: 200_000, orama: 100_000 } as const;

export type EngineName = keyof typeof ENGINES;

/** @param minisearch path of its module, where it is not installed. */
export async function openEngine(name: EngineName, folder: string, minisearch: string): Promise<BenchEngine> {
  switch (name) {
    case "carrel":
      return carrelEngine(folder);
    case "fts5":
      return fts5Engine(folder);
    case "minisearch":
      return minisearchEngine(minisearch);
    case "orama":
      return oramaEngine();
  }
}

const BEST = 10;

/** Texts are read from a file, as Carrel reads them from the corpus. */
function carrelEngine(folder: string): BenchEngine {
  const db = new Database(`${folder}/texts.db`);
  db.pragma("journal_mode = WAL");
  db.exec("CREATE TABLE IF NOT EXISTS texts (rowId INTEGER PRIMARY KEY, title TEXT, heading TEXT, content TEXT)");
  const put = db.prepare("INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?)");
  const get = db.prepare<[string], ChunkText & { readonly heading: string }>(
    "SELECT rowId, title, heading, content FROM texts WHERE rowId IN (SELECT value FROM json_each(?))",
  );
  const texts = (rowIds: readonly number[]): readonly ChunkText[] =>
    get.all(JSON.stringify(rowIds)).map((row) => ({ ...row, headings: [row.heading] }));
  const file = `${folder}/index.db`;
  const index = openSearchIndex({ file, texts });
  let revision = index.revision();
  const change = (document: number, extra: string): DocumentChange => {
    const title = madeUpPassage(document * PASSAGES_OF_A_DOCUMENT).title;
    const chunks = Array.from({ length: PASSAGES_OF_A_DOCUMENT }, (_, i) => {
      const rowId = document * PASSAGES_OF_A_DOCUMENT + i + 1;
      const { heading, content } = madeUpPassage(rowId - 1);
      const text = i === 0 ? `${content}${extra}` : content;
      put.run(rowId, title, heading, text);
      return { rowId, id: `c${i}`, anchor: "", anchors: [], headings: [heading], content: text };
    });
    const uri = `https://${madeUpSource(document)}.example/guide/page-${document}.html`;
    return {
      kind: "document",
      revision: ++revision,
      documentId: document + 1,
      name: uri.replace("https://", "documents/"),
      uri,
      source: madeUpSource(document),
      title,
      language: "en",
      pageKind: "guide",
      chunks,
    };
  };
  return {
    async add(from, to) {
      const documents = Array.from(
        { length: (to - from) / PASSAGES_OF_A_DOCUMENT },
        (_, i) => from / PASSAGES_OF_A_DOCUMENT + i,
      );
      const changes = db.transaction(() => documents.map((document) => change(document, "")))();
      await index.apply(changes);
    },
    ask: async (query, source) =>
      (await index.search(source === undefined ? query : `${query} source:${source}`, BEST)).map(
        ({ chunkRowId }) => chunkRowId - 1,
      ),
    async change(document) {
      await index.apply([change(document, ` Changed ${revision}.`)]);
    },
    bytes: () => statSync(file).size,
  };
}

function fts5Engine(folder: string): BenchEngine {
  const file = `${folder}/fts5.db`;
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  db.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS passages
     USING fts5(title, heading, content, source UNINDEXED, content='', contentless_unindexed=1, tokenize='porter')`,
  );
  const put = db.prepare("INSERT INTO passages (rowid, title, heading, content, source) VALUES (?, ?, ?, ?, ?)");
  const find = db
    .prepare<[string], number>(
      `SELECT rowid - 1 FROM passages WHERE passages MATCH ? ORDER BY bm25(passages, 3, 2, 1) LIMIT ${BEST}`,
    )
    .pluck();
  const findIn = db
    .prepare<[string, string], number>(
      `SELECT rowid - 1 FROM passages WHERE passages MATCH ? AND source = ? ORDER BY bm25(passages, 3, 2, 1) LIMIT ${BEST}`,
    )
    .pluck();
  return {
    add: (from, to) =>
      db.transaction(() => {
        for (let number = from; number < to; number++) {
          const { title, heading, content } = madeUpPassage(number);
          put.run(number + 1, title, heading, content, madeUpSource(Math.floor(number / PASSAGES_OF_A_DOCUMENT)));
        }
      })(),
    ask(query, source) {
      const words = query.split(/\s+/).map((word) => `"${word}"`);
      return source === undefined ? find.all(words.join(" OR ")) : findIn.all(words.join(" OR "), source);
    },
    bytes: () => statSync(file).size,
  };
}

/** What is used of minisearch, which need not be installed. */
interface MiniSearchModule {
  readonly default: new (options: object) => {
    addAll(passages: readonly object[]): void;
    search(query: string, options: object): readonly { readonly id: number }[];
  };
}

async function minisearchEngine(path: string): Promise<BenchEngine> {
  const module = (await import(path === "" ? "minisearch" : pathToFileURL(path).href)) as MiniSearchModule;
  const index = new module.default({ fields: ["title", "heading", "content"], storeFields: ["source"] });
  const options = { boost: { title: 3, heading: 2 } };
  return {
    add: (from, to) => index.addAll(Array.from({ length: to - from }, (_, i) => fieldsOf(from + i))),
    ask: (query, source) =>
      index
        .search(
          query,
          source === undefined ? options : { ...options, filter: (hit: { source?: string }) => hit.source === source },
        )
        .slice(0, BEST)
        .map(({ id }) => id),
    bytes: () => 0,
  };
}

function oramaEngine(): BenchEngine {
  const orama = create({ schema: { title: "string", heading: "string", content: "string", source: "enum" } as const });
  return {
    add: (from, to) => {
      const passages = Array.from({ length: to - from }, (_, i) => ({ ...fieldsOf(from + i), id: String(from + i) }));
      void insertMultiple(orama, passages, passages.length);
    },
    ask: async (query, source) => {
      const where = source === undefined ? {} : { where: { source: { eq: source } } };
      const found = await search(orama, { term: query, limit: BEST, boost: { title: 3, heading: 2 }, ...where });
      return found.hits.map(({ id }) => Number(id));
    },
    bytes: () => 0,
  };
}

function fieldsOf(number: number) {
  return { id: number, ...madeUpPassage(number), source: madeUpSource(Math.floor(number / PASSAGES_OF_A_DOCUMENT)) };
}
