import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { signWords, writeSigns } from "./codes.ts";
import { bytesOf, numbersOf } from "../segment-store.ts";

/** Signs are kept by the thousands, by ranges of row ids, so that a start reads them at once. */
const ROWS_OF_A_BLOCK = 4096;

const BUSY_TIMEOUT_MS = 30_000;

const SCHEMA = `
  CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), key TEXT NOT NULL, dimensions INTEGER NOT NULL);
  CREATE TABLE vectors (
    row INTEGER PRIMARY KEY,
    document INTEGER NOT NULL,
    text_hash BLOB NOT NULL,
    vector BLOB NOT NULL
  );
  CREATE TABLE blocks (
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    rows BLOB NOT NULL,
    documents BLOB NOT NULL,
    signs BLOB NOT NULL
  );
`;

/** The vector of a chunk, and of which text it is. */
export interface StoredVector {
  readonly row: number;
  readonly document: number;
  readonly textHash: Buffer;
  readonly vector: Int8Array;
}

/** Signs of neighbouring rows: `words` of them for each. */
export interface SignBlock {
  readonly rows: Uint32Array;
  readonly documents: Uint32Array;
  readonly signs: Uint32Array;
}

/** `vectors.db`: what a model made of the chunks. Apart from the index, so that making that anew costs no vector. */
export class VectorFile {
  readonly #db: Database.Database;
  readonly #key: string;
  readonly #statements;
  readonly #blocks = new Map<number, SignBlock & { readonly version: number }>();
  #seen = -1;

  /**
   * Opens the file for writing, with nothing in it when it is of another model or corpus; or for reading, and then undefined
   * when there is none of this model.
   */
  static open(file: string, key: string, readonly: boolean): VectorFile | undefined {
    if (readonly && !existsSync(file)) return undefined;
    if (!readonly) mkdirSync(dirname(file), { recursive: true });
    const db = new Database(file, { readonly, timeout: BUSY_TIMEOUT_MS });
    const isMade = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'state'").get() !== undefined;
    if (readonly && !isMade) {
      db.close();
      return undefined;
    }
    if (!readonly) {
      db.pragma("journal_mode = WAL");
      db.pragma("synchronous = NORMAL");
      if (!isMade) db.transaction(() => db.exec(SCHEMA)).immediate();
    }
    const opened = new VectorFile(db, key);
    if (!readonly && opened.#state()?.key !== key) opened.#begin(0);
    return opened;
  }

  private constructor(db: Database.Database, key: string) {
    this.#db = db;
    this.#key = key;
    this.#statements = {
      state: db.prepare<[], { key: string; dimensions: number }>("SELECT key, dimensions FROM state"),
      setState: db.prepare("INSERT OR REPLACE INTO state VALUES (1, ?, ?)"),
      rows: db.prepare<[], number>("SELECT row FROM vectors").pluck(),
      vector: db.prepare<[number], Buffer>("SELECT vector FROM vectors WHERE row = ?").pluck(),
      hash: db.prepare<[number], Buffer>("SELECT text_hash FROM vectors WHERE row = ?").pluck(),
      put: db.prepare("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)"),
      drop: db.prepare("DELETE FROM vectors WHERE row = ?"),
      between: db.prepare<[number, number], { row: number; document: number; vector: Buffer }>(
        "SELECT row, document, vector FROM vectors WHERE row BETWEEN ? AND ? ORDER BY row",
      ),
      count: db.prepare<[], number>("SELECT count(*) FROM vectors").pluck(),
      versions: db.prepare<[], { id: number; version: number }>("SELECT id, version FROM blocks"),
      block: db.prepare<[number], { rows: Buffer; documents: Buffer; signs: Buffer }>(
        "SELECT rows, documents, signs FROM blocks WHERE id = ?",
      ),
      putBlock: db.prepare(
        `INSERT INTO blocks VALUES (?, 1, ?, ?, ?) ON CONFLICT DO UPDATE
         SET version = version + 1, rows = excluded.rows, documents = excluded.documents, signs = excluded.signs`,
      ),
      version: db.prepare<[], number>("PRAGMA data_version").pluck(),
    };
  }

  /** Numbers of a vector; 0 while there is none. */
  get dimensions(): number {
    const state = this.#state();
    return state?.key === this.#key ? state.dimensions : 0;
  }

  get count(): number {
    return this.#state()?.key === this.#key ? (this.#statements.count.get() ?? 0) : 0;
  }

  /** Rows that have a vector. */
  rows(): Iterable<number> {
    return this.#statements.rows.iterate();
  }

  vector(row: number): Int8Array | undefined {
    const blob = this.#statements.vector.get(row);
    return blob === undefined ? undefined : new Int8Array(blob.buffer, blob.byteOffset, blob.byteLength);
  }

  /** The hash of the text that a row's vector is of. */
  textHash(row: number): Buffer | undefined {
    return this.#statements.hash.get(row);
  }

  /** Adds vectors in one transaction. When they have other dimensions than those that are there, those are dropped. */
  put(vectors: readonly StoredVector[]): void {
    const dimensions = vectors[0]?.vector.length ?? 0;
    if (dimensions === 0) return;
    this.#db
      .transaction(() => {
        if (this.dimensions !== dimensions) this.#begin(dimensions);
        for (const { row, document, textHash, vector } of vectors)
          this.#statements.put.run(row, document, textHash, bytesOf(new Uint8Array(vector.buffer)));
        this.#writeBlocks(vectors.map(({ row }) => row));
      })
      .immediate();
  }

  drop(rows: readonly number[]): void {
    if (rows.length === 0) return;
    this.#db
      .transaction(() => {
        for (const row of rows) this.#statements.drop.run(row);
        this.#writeBlocks(rows);
      })
      .immediate();
  }

  /** All signs, as of the last commit; only what has changed is read again. */
  blocks(): Iterable<SignBlock> {
    const version = this.#statements.version.get() ?? 0;
    if (version !== this.#seen) this.#readBlocks();
    this.#seen = version;
    return this.#blocks.values();
  }

  close(): void {
    this.#db.close();
  }

  #state(): { readonly key: string; readonly dimensions: number } | undefined {
    return this.#statements.state.get();
  }

  #begin(dimensions: number): void {
    this.#db.exec("DELETE FROM vectors; DELETE FROM blocks");
    this.#statements.setState.run(this.#key, dimensions);
  }

  #writeBlocks(rows: readonly number[]): void {
    this.#seen = -1;
    for (const id of new Set(rows.map((row) => Math.floor(row / ROWS_OF_A_BLOCK)))) {
      const found = this.#statements.between.all(id * ROWS_OF_A_BLOCK, (id + 1) * ROWS_OF_A_BLOCK - 1);
      const words = signWords(this.dimensions);
      const signs = new Uint32Array(found.length * words);
      for (const [i, { vector }] of found.entries())
        writeSigns(new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength), signs, i * words);
      this.#statements.putBlock.run(
        id,
        bytesOf(Uint32Array.from(found, ({ row }) => row)),
        bytesOf(Uint32Array.from(found, ({ document }) => document)),
        bytesOf(signs),
      );
    }
  }

  #readBlocks(): void {
    const versions = new Map(this.#statements.versions.all().map(({ id, version }) => [id, version]));
    for (const id of this.#blocks.keys()) if (!versions.has(id)) this.#blocks.delete(id);
    for (const [id, version] of versions) {
      if (this.#blocks.get(id)?.version === version) continue;
      const block = this.#statements.block.get(id);
      if (block === undefined) continue;
      const { rows, documents, signs } = block;
      this.#blocks.set(id, {
        version,
        rows: numbersOf(rows),
        documents: numbersOf(documents),
        signs: numbersOf(signs),
      });
    }
  }
}
