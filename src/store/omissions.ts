import type { CorpusWrite } from "../domain/ports.ts";
import {
  OMISSIONS_KEPT,
  RUNS_WITH_OMISSIONS,
  type Omission,
  type OmissionGroup,
  type OmissionKind,
  type Run,
} from "../domain/run.ts";
import type { Db } from "./database.ts";

/** Reasons of each kind that have groups of their own: a hostile site could give each URL another. */
const MAX_GROUPS = 200;
const OTHER_REASONS = "other reasons";

/**
 * Keeps what a run omitted, in place of what was kept of it. How many URLs there are for each reason is kept for good; which
 * ones, up to a limit, and only of the latest runs of each source.
 */
export function recordOmissions(db: Db, run: Run, omissions: Iterable<Omission>): void {
  const insert = db.prepare(INSERT_OMISSION);
  const insertGroup = db.prepare("INSERT INTO omission_groups (run, kind, reason, count) VALUES (?, ?, ?, ?)");
  const record = db.transaction(() => {
    // What conversion kept out is noted as it does so.
    db.prepare("DELETE FROM omissions WHERE run = ? AND kind <> 'keptOut'").run(run.id);
    db.prepare("DELETE FROM omission_groups WHERE run = ? AND kind <> 'keptOut'").run(run.id);
    const groups = new Map<OmissionKind, Map<string, number>>();
    const kept = new Map<OmissionKind, number>();
    for (const { kind, url, reason } of omissions) {
      const counts = groups.get(kind) ?? new Map<string, number>();
      groups.set(kind, counts);
      const group = groupOf(kind, reason);
      const own = counts.has(group) || counts.size < MAX_GROUPS ? group : OTHER_REASONS;
      counts.set(own, (counts.get(own) ?? 0) + 1);
      const before = kept.get(kind) ?? 0;
      if (before >= OMISSIONS_KEPT) continue;
      kept.set(kind, before + 1);
      insert.run(run.id, kind, url, reason);
    }
    for (const [kind, counts] of groups) {
      for (const [reason, count] of counts) insertGroup.run(run.id, kind, reason, count);
    }
    db.prepare(
      `DELETE FROM omissions WHERE run IN (SELECT id FROM runs WHERE source = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    ).run(run.source, RUNS_WITH_OMISSIONS);
  });
  record.immediate();
}

const INSERT_OMISSION = "INSERT OR REPLACE INTO omissions (run, kind, url, reason) VALUES (?, ?, ?, ?)";

/** Notes for a run that a page was converted and is no document: in its counts, by the reason, and, up to a limit, one by one. */
export function keptOutRecorder(db: Db): (run: number, page: NonNullable<KeptOut>) => void {
  const count = {
    index: db.prepare("UPDATE runs SET index_pages = index_pages + 1 WHERE id = ?"),
    other: db.prepare("UPDATE runs SET kept_out = kept_out + 1 WHERE id = ?"),
  };
  const counted = db
    .prepare<[number], number>("SELECT coalesce(sum(count), 0) FROM omission_groups WHERE run = ? AND kind = 'keptOut'")
    .pluck();
  const group = db.prepare(
    `INSERT INTO omission_groups (run, kind, reason, count) VALUES (?, 'keptOut', ?, 1)
     ON CONFLICT (run, kind, reason) DO UPDATE SET count = count + 1`,
  );
  const insert = db.prepare(INSERT_OMISSION);
  return (run, { url, reason, isIndex }) => {
    count[isIndex ? "index" : "other"].run(run);
    if ((counted.get(run) ?? 0) < OMISSIONS_KEPT) insert.run(run, "keptOut", url, reason);
    group.run(run, groupOf("keptOut", reason));
  };
}

type KeptOut = Extract<CorpusWrite, { kind: "remove" }>["keptOut"];

/** By kind, the most frequent reason first. */
export function listOmissionGroups(db: Db, run: number): readonly OmissionGroup[] {
  return db
    .prepare<[number], OmissionGroup>(
      "SELECT kind, reason, count FROM omission_groups WHERE run = ? ORDER BY kind, count DESC, reason",
    )
    .all(run);
}

/** Those that are kept, by URL. */
export function listOmissions(db: Db, run: number, kind: OmissionKind): readonly Omission[] {
  return db
    .prepare<[number, OmissionKind], Omission>(
      "SELECT kind, url, reason FROM omissions WHERE run = ? AND kind = ? ORDER BY url",
    )
    .all(run, kind);
}

/** Reasons that differ in an address alone are one. */
function groupOf(kind: OmissionKind, reason: string): string {
  return kind === "moved" ? "to another page of the source" : reason.replace(/https?:\/\/[^\s,)]+/g, "…");
}
