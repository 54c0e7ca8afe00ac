import { createHash } from "node:crypto";
import type { Chunk } from "../domain/chunk.ts";
import type { Document } from "../domain/document.ts";
import type { Clock } from "../domain/ports.ts";
import type { Db } from "./database.ts";
import { nextRevision } from "./revision.ts";

type NewDocument = Omit<Document, "updateTime">;

/** What a write came to, and the texts before and after it. */
export interface Written {
  readonly kind: "added" | "updated" | "removed" | "none";
  readonly before?: Pick<Document, "title" | "content">;
  readonly after?: Pick<Document, "title" | "content">;
}

interface DocumentRow extends NewDocument {
  readonly id: number;
  readonly removed: number;
  readonly hash: Buffer;
}
interface ChunkRow {
  readonly row_id: number;
  readonly ordinal: number;
  readonly id: string;
  readonly content: string;
  readonly headings: string;
  readonly anchor: string;
}

const DOCUMENT_FIELDS = ["uri", "source", "title", "description", "language", "content"] as const;
const NOTHING: Written = { kind: "none" };

/** Writes and removes documents with their chunks; to be called within a transaction. */
export function documentWriter(db: Db, clock: Clock) {
  const find = db.prepare<[string], DocumentRow>("SELECT * FROM documents WHERE name = ?");
  const insert = db.prepare(
    `INSERT INTO documents (name, revision, removed, uri, source, title, description, language, content, update_time, hash)
     VALUES (:name, :revision, 0, :uri, :source, :title, :description, :language, :content, :updateTime, :hash)`,
  );
  const update = db.prepare(
    `UPDATE documents SET revision = :revision, removed = 0, uri = :uri, source = :source, title = :title,
       description = :description, language = :language, content = :content, update_time = :updateTime, hash = :hash
     WHERE id = :id`,
  );
  const bury = db.prepare(
    `UPDATE documents SET removed = 1, twin_of = NULL, content = '', description = '', hash = zeroblob(0),
       revision = :revision, update_time = :updateTime
     WHERE id = :id`,
  );
  const dropChunks = db.prepare("DELETE FROM chunks WHERE document_id = ?");
  const chunksOf = db.prepare<[number], ChunkRow>("SELECT * FROM chunks WHERE document_id = ? ORDER BY ordinal");
  const dropChunk = db.prepare("DELETE FROM chunks WHERE row_id = ?");
  const placeChunk = db.prepare("UPDATE chunks SET ordinal = ?, headings = ?, anchor = ? WHERE row_id = ?");
  const insertChunk = db.prepare(
    "INSERT INTO chunks (document_id, ordinal, id, content, headings, anchor) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const twins = db.prepare<[Buffer, string], { id: number; twin_of: number | null }>(
    "SELECT id, twin_of FROM documents WHERE hash = ? AND source = ? AND removed = 0 ORDER BY length(name), name",
  );
  const setTwin = db.prepare("UPDATE documents SET twin_of = ?, revision = ? WHERE id = ?");

  /** Passages that are as they were keep their rows, so that what refers to them still holds. */
  function writeChunks(documentId: number, before: readonly ChunkRow[], chunks: readonly Chunk[]): void {
    const kept = new Map(before.map((row) => [row.id + "\0" + row.content, row]));
    chunks.forEach((chunk, ordinal) => {
      const key = chunk.id + "\0" + chunk.content;
      const row = kept.get(key);
      const headings = JSON.stringify(chunk.headings);
      if (row === undefined) {
        insertChunk.run(documentId, ordinal, chunk.id, chunk.content, headings, chunk.anchor);
        return;
      }
      kept.delete(key);
      placeChunk.run(ordinal, headings, chunk.anchor, row.row_id);
    });
    for (const row of kept.values()) dropChunk.run(row.row_id);
  }

  /**
   * Of the pages of a source that read the same, the one with the shortest name (then the first by name) stands for all,
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
    write(document: NewDocument, chunks: readonly Chunk[]): Written {
      const row = find.get(document.name);
      const updateTime = clock().toISOString();
      const hash = createHash("sha256").update(`${document.title}\0${document.content}`).digest();
      if (row === undefined) {
        const values = { ...document, revision: nextRevision(db), updateTime, hash };
        writeChunks(Number(insert.run(values).lastInsertRowid), [], chunks);
        regroupTwins(hash, document.source);
        return { kind: "added", after: document };
      }
      const before = chunksOf.all(row.id);
      const isSame =
        row.removed === 0 &&
        DOCUMENT_FIELDS.every((field) => row[field] === document[field]) &&
        sameChunks(before, chunks);
      if (isSame) return NOTHING;
      update.run({ ...document, id: row.id, revision: nextRevision(db), updateTime, hash });
      writeChunks(row.id, before, chunks);
      regroupTwins(hash, document.source);
      if (!hash.equals(row.hash)) regroupTwins(row.hash, row.source);
      return row.removed === 1 ? { kind: "added", after: document } : { kind: "updated", before: row, after: document };
    },

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
        row.headings === JSON.stringify(chunk.headings)
      );
    })
  );
}
