import type { Clock, CorpusWrite } from "../domain/ports.ts";
import { applyWrites } from "./corpus-writes.ts";
import type { Db } from "./database.ts";

/**
 * Removes every document that is left of a source, its aliases and its title; its runs stay, as history. For what the archive
 * does not know of: its own tombstones come first, and leave little here.
 */
export function removeSourceDocuments(db: Db, clock: Clock, source: string): void {
  const remove = db.transaction(() => {
    const names = db
      .prepare<[string], string>("SELECT name FROM documents WHERE source = ? AND removed = 0 ORDER BY name")
      .pluck()
      .all(source);
    const writes = names.map((name): CorpusWrite => ({ kind: "remove", source, name, movedTo: undefined }));
    const caughtUp = db.prepare<[], number>("SELECT value FROM meta WHERE key = 'archive_revision'").pluck().get() ?? 0;
    applyWrites(db, clock, writes, caughtUp);
    db.prepare("DELETE FROM aliases WHERE source = ?").run(source);
    db.prepare("DELETE FROM sources WHERE id = ?").run(source);
  });
  remove.immediate();
}
