import type Database from "better-sqlite3";
import { numbersIn } from "./vector-bytes.ts";
import { DIMENSIONS, type PlacedTerm, type TermSpace } from "./term-space.ts";
import type { HeldOutCheck } from "./held-out.ts";

/** Raised when the same texts give other vectors, or another decision: what was made by the rules before is made again. */
export const MEANING_VERSION = 1;

/** In `index.db`. There is one row of `meaning` when it was tried, and terms and vectors when it is on. */
export const MEANING_SCHEMA = `
  CREATE TABLE meaning (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    chunks INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    is_on INTEGER NOT NULL,
    held_out TEXT NOT NULL
  );
  CREATE TABLE meaning_terms (term TEXT PRIMARY KEY, scale REAL NOT NULL, vector BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE meaning_documents (id INTEGER PRIMARY KEY, vectors BLOB NOT NULL);
`;

export const MEANING_TABLES = ["meaning", "meaning_terms", "meaning_documents"];

/** What was decided, when, and why. */
export interface Decision {
  readonly isOn: boolean;
  /** The chunks that there were then, and those that were written or removed since. */
  readonly chunks: number;
  readonly changed: number;
  readonly check: HeldOutCheck;
}

interface StateRow {
  readonly version: number;
  readonly generation: number;
  readonly chunks: number;
  readonly changed: number;
  readonly is_on: number;
  readonly held_out: string;
}

/** Terms whose places are kept in memory. */
const MAX_CACHED_TERMS = 20_000;

/** The term space of the index, and the vectors of its documents' chunks. Call what reads and writes in a transaction. */
export class MeaningTables {
  readonly #statements;
  readonly #places = new Map<string, PlacedTerm | undefined>();
  #generation = -1;

  constructor(db: Database.Database) {
    this.#statements = {
      state: db.prepare<[], StateRow>("SELECT * FROM meaning"),
      put: db.prepare(
        `INSERT INTO meaning VALUES (1, ?, 1, ?, 0, ?, ?)
         ON CONFLICT DO UPDATE SET version = excluded.version, generation = generation + 1, chunks = excluded.chunks,
           changed = 0, is_on = excluded.is_on, held_out = excluded.held_out`,
      ),
      changed: db.prepare("UPDATE meaning SET changed = changed + ?"),
      term: db.prepare<[string], { scale: number; vector: Buffer }>(
        "SELECT scale, vector FROM meaning_terms WHERE term = ?",
      ),
      putTerm: db.prepare("INSERT INTO meaning_terms VALUES (?, ?, ?)"),
      clearTerms: db.prepare("DELETE FROM meaning_terms"),
      vectors: db.prepare<[number], Buffer>("SELECT vectors FROM meaning_documents WHERE id = ?").pluck(),
      putVectors: db.prepare("INSERT OR REPLACE INTO meaning_documents VALUES (?, ?)"),
      dropVectors: db.prepare("DELETE FROM meaning_documents WHERE id = ?"),
      clearVectors: db.prepare("DELETE FROM meaning_documents"),
    };
  }

  /** The decision that is in force; undefined when none was made by today's rules. */
  decision(): Decision | undefined {
    const row = this.#statements.state.get();
    if (row?.version !== MEANING_VERSION) return undefined;
    if (row.generation !== this.#generation) this.#places.clear();
    this.#generation = row.generation;
    const { chunks, changed, is_on, held_out } = row;
    return { isOn: is_on === 1, chunks, changed, check: JSON.parse(held_out) as HeldOutCheck };
  }

  /** Where a term is; undefined for one that the space does not have. Call `decision` before. */
  place(term: string): PlacedTerm | undefined {
    if (this.#places.has(term)) return this.#places.get(term);
    const row = this.#statements.term.get(term);
    const placed = row === undefined ? undefined : { scale: row.scale, vector: numbersIn(row.vector) };
    if (this.#places.size >= MAX_CACHED_TERMS) this.#places.clear();
    this.#places.set(term, placed);
    return placed;
  }

  /** The vectors of a document's chunks, one after the other. */
  vectors(documentId: number): Uint8Array | undefined {
    return this.#statements.vectors.get(documentId);
  }

  putVectors(documentId: number, vectors: Uint8Array): void {
    this.#statements.putVectors.run(documentId, vectors);
  }

  /** Adds to the vectors that a document has. */
  addVectors(documentId: number, vectors: Uint8Array): void {
    const known = this.vectors(documentId);
    this.putVectors(documentId, known === undefined ? vectors : Buffer.concat([known, vectors]));
  }

  dropVectors(documentId: number): void {
    this.#statements.dropVectors.run(documentId);
  }

  noteChanged(chunks: number): void {
    this.#statements.changed.run(chunks);
  }

  /** Takes over a new decision. Its space, if it is given, is in force; the vectors are then to be added. */
  decide(chunks: number, check: HeldOutCheck, space: TermSpace | undefined): void {
    this.#statements.clearTerms.run();
    this.#statements.clearVectors.run();
    for (const [term, { scale, vector }] of space ?? [])
      this.#statements.putTerm.run(term, scale, Buffer.from(vector.buffer, vector.byteOffset, DIMENSIONS));
    this.#statements.put.run(MEANING_VERSION, chunks, space === undefined ? 0 : 1, JSON.stringify(check));
  }
}
