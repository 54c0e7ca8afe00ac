import type { Chunk } from "../domain/chunk.ts";
import type { Document } from "../domain/document.ts";
import type { Clock, CorpusWrite } from "../domain/ports.ts";
import type { Db } from "./database.ts";
import { nextRevision } from "./revision.ts";
import { recordFailures } from "./runs.ts";

type Change = "added" | "updated" | "removed" | "none";
type NewDocument = Omit<Document, "updateTime">;
interface DocumentRow extends NewDocument {
  readonly id: number;
  readonly removed: number;
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

/** Writes a batch of the convert stage in one transaction; see `Corpus.apply`. */
export function applyWrites(db: Db, clock: Clock, writes: readonly CorpusWrite[], archiveRevision: number): void {
  const writer = documentWriter(db, clock);
  const apply = db.transaction(() => {
    for (const write of writes) {
      const run = unfinishedRun(db, write.kind === "document" ? write.document.source : write.source);
      switch (write.kind) {
        case "document":
          count(db, run, writer.write(write.document, write.chunks));
          break;
        case "remove":
          count(db, run, writer.remove(write.source, write.name));
          break;
        case "failure":
          if (run !== undefined) recordFailures(db, run, [{ url: write.url, stage: "convert", reason: write.reason }]);
          break;
      }
    }
    db.prepare("UPDATE meta SET value = ? WHERE key = 'archive_revision'").run(archiveRevision);
  });
  apply.immediate();
}

function unfinishedRun(db: Db, source: string): number | undefined {
  return db
    .prepare<[string], number>("SELECT id FROM runs WHERE source = ? AND status = 'running' ORDER BY id DESC LIMIT 1")
    .pluck()
    .get(source);
}

function count(db: Db, run: number | undefined, change: Change): void {
  if (run === undefined || change === "none") return;
  db.prepare(`UPDATE runs SET ${change} = ${change} + 1 WHERE id = ?`).run(run);
}

function documentWriter(db: Db, clock: Clock) {
  const find = db.prepare<[string], DocumentRow>("SELECT * FROM documents WHERE name = ?");
  const insert = db.prepare(
    `INSERT INTO documents (name, revision, removed, uri, source, title, description, language, content, update_time)
     VALUES (:name, :revision, 0, :uri, :source, :title, :description, :language, :content, :updateTime)`,
  );
  const update = db.prepare(
    `UPDATE documents SET revision = :revision, removed = 0, uri = :uri, source = :source, title = :title,
       description = :description, language = :language, content = :content, update_time = :updateTime
     WHERE id = :id`,
  );
  const bury = db.prepare(
    "UPDATE documents SET removed = 1, content = '', description = '', revision = :revision, update_time = :updateTime WHERE id = :id",
  );
  const dropChunks = db.prepare("DELETE FROM chunks WHERE document_id = ?");
  const chunksOf = db.prepare<[number], ChunkRow>("SELECT * FROM chunks WHERE document_id = ? ORDER BY ordinal");
  const dropChunk = db.prepare("DELETE FROM chunks WHERE row_id = ?");
  const placeChunk = db.prepare("UPDATE chunks SET ordinal = ?, headings = ?, anchor = ? WHERE row_id = ?");
  const insertChunk = db.prepare(
    "INSERT INTO chunks (document_id, ordinal, id, content, headings, anchor) VALUES (?, ?, ?, ?, ?, ?)",
  );

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

  return {
    write(document: NewDocument, chunks: readonly Chunk[]): Change {
      const row = find.get(document.name);
      const updateTime = clock().toISOString();
      if (row === undefined) {
        const id = Number(insert.run({ ...document, revision: nextRevision(db), updateTime }).lastInsertRowid);
        writeChunks(id, [], chunks);
        return "added";
      }
      const before = chunksOf.all(row.id);
      const isSame =
        row.removed === 0 &&
        DOCUMENT_FIELDS.every((field) => row[field] === document[field]) &&
        sameChunks(before, chunks);
      if (isSame) return "none";
      update.run({ ...document, id: row.id, revision: nextRevision(db), updateTime });
      writeChunks(row.id, before, chunks);
      return row.removed === 1 ? "added" : "updated";
    },

    /** Another source may keep the page as well: only the one that the document came from can take it away. */
    remove(source: string, name: string): Change {
      const row = find.get(name);
      if (row === undefined || row.removed === 1 || row.source !== source) return "none";
      bury.run({ id: row.id, revision: nextRevision(db), updateTime: clock().toISOString() });
      dropChunks.run(row.id);
      return "removed";
    },
  };
}

function sameChunks(before: readonly ChunkRow[], chunks: readonly Chunk[]): boolean {
  return (
    before.length === chunks.length &&
    before.every((row, i) => {
      const chunk = chunks[i] as Chunk;
      return (
        row.id === chunk.id &&
        row.content === chunk.content &&
        row.anchor === chunk.anchor &&
        row.headings === JSON.stringify(chunk.headings)
      );
    })
  );
}
