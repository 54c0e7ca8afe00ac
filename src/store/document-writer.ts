import { createHash } from "node:crypto";
import type { Chunk } from "../domain/chunk.ts";
import type { Document } from "../domain/document.ts";
import type { Clock } from "../domain/ports.ts";
import type { Db } from "./database.ts";
import { nextRevision } from "./revision.ts";

type DocumentToWrite = Omit<Document, "updateTime">;

/** What a write came to, and the texts before and after it. */
export interface Written {
  readonly kind: "added" | "updated" | "removed" | "none";
  readonly before?: Pick<Document, "title" | "content">;
  readonly after?: Pick<Document, "title" | "content">;
}

/** A document as its row has it, but for its names. */
interface DocumentRow extends Omit<DocumentToWrite, "breadcrumbs"> {
  readonly id: number;
  readonly removed: number;
  readonly page: string;
  readonly hash: Buffer;
  readonly breadcrumbs: string;
  readonly updateTime: string;
}
interface ChunkRow {
  readonly row_id: number;
  readonly ordinal: number;
  readonly id: string;
  readonly content: string;
  readonly headings: string;
  readonly anchor: string;
  readonly anchors: string;
}

/** The columns of a document that may change, by their fields. */
const COLUMNS = {
  uri: "uri",
  source: "source",
  page: "page",
  title: "title",
  description: "description",
  language: "language",
  breadcrumbs: "breadcrumbs",
  product: "product",
  version: "version",
  lastModified: "last_modified",
  canonical: "canonical",
  generator: "generator",
  pageKind: "page_kind",
  content: "content",
} as const;

const FIELDS = Object.keys(COLUMNS) as readonly (keyof typeof COLUMNS)[];
const NOTHING: Written = { kind: "none" };

/** Writes and removes documents with their chunks; to be called within a transaction. */
export function documentWriter(db: Db, clock: Clock) {
  const find = db.prepare<[string], DocumentRow>(
    `SELECT id, removed, name, hash, update_time AS updateTime, ${FIELDS.map((field) => `${COLUMNS[field]} AS ${field}`).join(", ")}
     FROM documents WHERE name = ?`,
  );
  const insert = db.prepare(
    `INSERT INTO documents (name, revision, removed, update_time, hash, ${FIELDS.map((field) => COLUMNS[field]).join(", ")})
     VALUES (:name, :revision, 0, :updateTime, :hash, ${FIELDS.map((field) => `:${field}`).join(", ")})`,
  );
  const update = db.prepare(
    `UPDATE documents SET revision = :revision, removed = 0, update_time = :updateTime, hash = :hash,
       ${FIELDS.map((field) => `${COLUMNS[field]} = :${field}`).join(", ")}
     WHERE id = :id`,
  );
  const partsOf = db
    .prepare<[string, string], string>("SELECT name FROM documents WHERE page = ? AND source = ? AND removed = 0")
    .pluck();
  const bury = db.prepare(
    `UPDATE documents SET removed = 1, twin_of = NULL, content = '', description = '', hash = zeroblob(0),
       revision = :revision, update_time = :updateTime
     WHERE id = :id`,
  );
  const dropChunks = db.prepare("DELETE FROM chunks WHERE document_id = ?");
  const chunksOf = db.prepare<[number], ChunkRow>("SELECT * FROM chunks WHERE document_id = ? ORDER BY ordinal");
  const dropChunk = db.prepare("DELETE FROM chunks WHERE row_id = ?");
  const placeChunk = db.prepare(
    "UPDATE chunks SET ordinal = ?, headings = ?, anchor = ?, anchors = ? WHERE row_id = ?",
  );
  const insertChunk = db.prepare(
    "INSERT INTO chunks (document_id, ordinal, id, content, headings, anchor, anchors) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const twins = db.prepare<[Buffer, string], { id: number; twin_of: number | null }>(
    `SELECT id, twin_of FROM documents WHERE hash = ? AND source = ? AND removed = 0
     ORDER BY canonical = uri DESC, length(name), name`,
  );
  const setTwin = db.prepare("UPDATE documents SET twin_of = ?, revision = ? WHERE id = ?");

  /** Passages that are as they were keep their rows, so that what refers to them still holds. */
  function writeChunks(documentId: number, before: readonly ChunkRow[], chunks: readonly Chunk[]): void {
    const kept = new Map(before.map((row) => [row.id + "\0" + row.content, row]));
    chunks.forEach((chunk, ordinal) => {
      const key = chunk.id + "\0" + chunk.content;
      const row = kept.get(key);
      const headings = JSON.stringify(chunk.headings);
      const anchors = JSON.stringify(chunk.anchors);
      if (row === undefined) {
        insertChunk.run(documentId, ordinal, chunk.id, chunk.content, headings, chunk.anchor, anchors);
        return;
      }
      kept.delete(key);
      placeChunk.run(ordinal, headings, chunk.anchor, anchors, row.row_id);
    });
    for (const row of kept.values()) dropChunk.run(row.row_id);
  }

  /**
   * Of the pages of a source that read the same, the one that calls itself canonical (then the one with the shortest name, then the first by name) stands for all,
   * whatever the order in which they came.
   */
  function regroupTwins(hash: Buffer, source: string): void {
    const [first, ...others] = twins.all(hash, source);
    if (first === undefined) return;
    for (const { id, twin_of, wanted } of [
      { ...first, wanted: null },
      ...others.map((other) => ({ ...other, wanted: first.id })),
    ]) {
      if (twin_of !== wanted) setTwin.run(wanted, nextRevision(db), id);
    }
  }

  return {
    /**
     * Writes a document; that of a part with the name of its page, else "". One whose title and text are as they were has not
     * changed for readers: its time stays, and it is no change of a run.
     */
    write(document: DocumentToWrite, chunks: readonly Chunk[], page: string): Written {
      const row = find.get(document.name);
      const hash = createHash("sha256").update(`${document.title}\0${document.content}`).digest();
      const values = { ...document, page, breadcrumbs: JSON.stringify(document.breadcrumbs), hash };
      const now = clock().toISOString();
      if (row === undefined) {
        const inserted = insert.run({ ...values, revision: nextRevision(db), updateTime: now });
        writeChunks(Number(inserted.lastInsertRowid), [], chunks);
        regroupTwins(hash, document.source);
        return { kind: "added", after: document };
      }
      const before = chunksOf.all(row.id);
      const isHere = row.removed === 0;
      if (isHere && FIELDS.every((field) => row[field] === values[field]) && sameChunks(before, chunks)) return NOTHING;
      const readsTheSame = isHere && hash.equals(row.hash);
      const updateTime = readsTheSame ? row.updateTime : now;
      update.run({ ...values, id: row.id, revision: nextRevision(db), updateTime });
      writeChunks(row.id, before, chunks);
      regroupTwins(hash, document.source);
      if (!readsTheSame || row.source !== document.source) regroupTwins(row.hash, row.source);
      if (readsTheSame) return NOTHING;
      return isHere ? { kind: "updated", before: row, after: document } : { kind: "added", after: document };
    },

    /** The names of the documents that parts of a page became. */
    partsOf: (source: string, page: string): readonly string[] => partsOf.all(page, source),

    /** Another source may keep the page as well: only the one that the document came from can take it away. */
    remove(source: string, name: string): Written {
      const row = find.get(name);
      if (row === undefined || row.removed === 1 || row.source !== source) return NOTHING;
      bury.run({ id: row.id, revision: nextRevision(db), updateTime: clock().toISOString() });
      dropChunks.run(row.id);
      regroupTwins(row.hash, source);
      return { kind: "removed", before: row };
    },
  };
}

function sameChunks(before: readonly ChunkRow[], chunks: readonly Chunk[]): boolean {
  return (
    before.length === chunks.length &&
    before.every((row, i) => {
      const chunk = chunks[i];
      return (
        chunk !== undefined &&
        row.id === chunk.id &&
        row.content === chunk.content &&
        row.anchor === chunk.anchor &&
        row.anchors === JSON.stringify(chunk.anchors) &&
        row.headings === JSON.stringify(chunk.headings)
      );
    })
  );
}
