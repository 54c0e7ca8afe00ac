import { create, insertMultiple, search } from "@orama/orama";
import Database from "better-sqlite3";
import type { ChunkText, DocumentChange } from "../domain/chunk.ts";
import { openSearchIndex } from "../search/search-index.ts";
import { madeUpPassage, madeUpSource, PASSAGES_OF_A_DOCUMENT } from "./made-up-texts.ts";

/** A way to search the made-up passages, whose numbers are from 0. */
export interface BenchEngine {
  /** Makes passages with these numbers, all of their documents; gives what adds them, for that is what is measured. */
  prepare(from: number, to: number): () => Promise<void> | void;
  /** Numbers of the best ten, best first. */
  ask(query: string, source?: string): Promise<readonly number[]> | readonly number[];
  /** Changes a document: the first of its passages. Only engines that keep a file. */
  change?(document: number): Promise<void>;
  bytes(): number;
}

/** What can be measured; each is tried up to so many passages, past which it takes hours or does not fit into memory. */
export const ENGINES = { carrel: Infinity, fts5: Infinity, minisearch: 200_000, orama: 100_000 } as const;

export type EngineName = keyof typeof ENGINES;

export async function openEngine(name: EngineName, folder: string): Promise<BenchEngine> {
  switch (name) {
    case "carrel":
      return carrelEngine(folder);
    case "fts5":
      return fts5Engine(folder);
    case "minisearch":
      return minisearchEngine();
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
    prepare(from, to) {
      const documents = Array.from(
        { length: (to - from) / PASSAGES_OF_A_DOCUMENT },
        (_, i) => from / PASSAGES_OF_A_DOCUMENT + i,
      );
      const changes = db.transaction(() => documents.map((document) => change(document, "")))();
      return () => index.apply(changes);
    },
    ask: async (query, source) =>
      (await index.search(source === undefined ? query : `${query} source:${source}`, BEST)).map(
        ({ chunkRowId }) => chunkRowId - 1,
      ),
    async change(document) {
      await index.apply([change(document, ` Changed ${revision}.`)]);
    },
    bytes: () => bytesOf(file),
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
    prepare(from, to) {
      const passages = passagesFrom(from, to);
      const write = db.transaction(() => {
        for (const { id, title, heading, content, source } of passages)
          put.run(id + 1, title, heading, content, source);
      });
      return () => write();
    },
    ask(query, source) {
      const words = query.split(/\s+/).map((word) => `"${word}"`);
      return source === undefined ? find.all(words.join(" OR ")) : findIn.all(words.join(" OR "), source);
    },
    bytes: () => bytesOf(file),
  };
}

async function minisearchEngine(): Promise<BenchEngine> {
  // Installed for development alone: only who measures it needs it.
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch<MadeUpRow>({ fields: ["title", "heading", "content"], storeFields: ["source"] });
  const options = { boost: { title: 3, heading: 2 } };
  return {
    prepare(from, to) {
      const passages = passagesFrom(from, to);
      return () => index.addAll(passages);
    },
    ask: (query, source) =>
      index
        .search(query, source === undefined ? options : { ...options, filter: (hit) => hit["source"] === source })
        .slice(0, BEST)
        .map(({ id }) => Number(id)),
    bytes: () => 0,
  };
}

function oramaEngine(): BenchEngine {
  const orama = create({ schema: { title: "string", heading: "string", content: "string", source: "enum" } as const });
  return {
    prepare(from, to) {
      const passages = passagesFrom(from, to).map((passage) => ({ ...passage, id: String(passage.id) }));
      return () => void insertMultiple(orama, passages, passages.length);
    },
    ask: async (query, source) => {
      const where = source === undefined ? {} : { where: { source: { eq: source } } };
      const found = await search(orama, { term: query, limit: BEST, boost: { title: 3, heading: 2 }, ...where });
      return found.hits.map(({ id }) => Number(id));
    },
    bytes: () => 0,
  };
}

/** Of a database, as large as it is when its log is written back. */
function bytesOf(file: string): number {
  const db = new Database(file, { readonly: true });
  const pragma = (name: string): number => Number(db.pragma(name, { simple: true }));
  const bytes = pragma("page_count") * pragma("page_size");
  db.close();
  return bytes;
}

type MadeUpRow = ReturnType<typeof passagesFrom>[number];

function passagesFrom(from: number, to: number) {
  return Array.from({ length: to - from }, (_, i) => ({
    id: from + i,
    ...madeUpPassage(from + i),
    source: madeUpSource(Math.floor((from + i) / PASSAGES_OF_A_DOCUMENT)),
  }));
}
