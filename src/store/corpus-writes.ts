import type { Clock, CorpusWrite, NewDocument } from "../domain/ports.ts";
import type { DocumentChangeNote } from "../domain/run.ts";
import type { Db } from "./database.ts";
import { documentWriter, type Written } from "./document-writer.ts";
import { keptOutRecorder } from "./omissions.ts";
import { recordFailures } from "./runs.ts";

/** Writes a batch of the convert stage in one transaction; see `Corpus.apply`. */
export function applyWrites(db: Db, clock: Clock, writes: readonly CorpusWrite[], archiveRevision: number): void {
  const writer = documentWriter(db, clock);
  const note = changeNoter(db);
  const alias = db.prepare("INSERT OR REPLACE INTO aliases (name, source, target) VALUES (?, ?, ?)");
  const dropAlias = db.prepare("DELETE FROM aliases WHERE name = ? AND source = ?");
  const keepOut = keptOutRecorder(db);

  /** Writes the parts that a page has now, and removes those that it has no more. */
  const writeParts = (
    run: number | undefined,
    page: { readonly name: string; readonly source: string },
    parts: readonly NewDocument[],
  ): void => {
    for (const { document, chunks } of parts) {
      dropAlias.run(document.name, document.source);
      note(run, document.name, writer.write(document, chunks, page.name));
    }
    const names = new Set(parts.map(({ document }) => document.name));
    for (const name of writer.partsOf(page.source, page.name)) {
      if (!names.has(name)) note(run, name, writer.remove(page.source, name));
    }
  };

  const apply = db.transaction(() => {
    for (const write of writes) {
      const run = unfinishedRun(db, write.kind === "document" ? write.document.source : write.source);
      switch (write.kind) {
        case "document":
          dropAlias.run(write.document.name, write.document.source);
          note(run, write.document.name, writer.write(write.document, write.chunks, ""));
          writeParts(run, write.document, write.parts ?? []);
          break;
        case "remove":
          note(run, write.name, writer.remove(write.source, write.name));
          writeParts(run, write, []);
          if (write.keptOut !== undefined && run !== undefined) keepOut(run, write.keptOut);
          if (write.movedTo === undefined) dropAlias.run(write.name, write.source);
          else alias.run(write.name, write.source, write.movedTo);
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

/** Counts what changed for the run in which it did, and keeps it for a changelog. */
function changeNoter(db: Db): (run: number | undefined, name: string, written: Written) => void {
  const insert = db.prepare(
    `INSERT INTO changes (run, name, kind, title, title_before, lines_added, lines_removed)
     VALUES (:run, :name, :kind, :title, :titleBefore, :linesAdded, :linesRemoved)
     ON CONFLICT (run, name) DO UPDATE SET kind = :kind, title = :title, lines_added = lines_added + :linesAdded,
       lines_removed = lines_removed + :linesRemoved`,
  );
  return (run, name, { kind, before, after }) => {
    if (run === undefined || kind === "none") return;
    db.prepare(`UPDATE runs SET ${kind} = ${kind} + 1 WHERE id = ?`).run(run);
    const change: DocumentChangeNote = {
      name,
      kind,
      title: after?.title ?? before?.title ?? "",
      titleBefore: before?.title ?? after?.title ?? "",
      ...lineCounts(before?.content ?? "", after?.content ?? ""),
    };
    insert.run({ ...change, run });
  };
}

/** Lines of one text that the other has not, wherever they stand: a line that only moved is no change to a reader. */
function lineCounts(before: string, after: string): { linesAdded: number; linesRemoved: number } {
  const balance = new Map<string, number>();
  const lines = (text: string): string[] => (text === "" ? [] : text.split("\n"));
  for (const line of lines(before)) balance.set(line, (balance.get(line) ?? 0) - 1);
  for (const line of lines(after)) balance.set(line, (balance.get(line) ?? 0) + 1);
  let linesAdded = 0;
  let linesRemoved = 0;
  for (const count of balance.values()) {
    if (count > 0) linesAdded += count;
    else linesRemoved -= count;
  }
  return { linesAdded, linesRemoved };
}
