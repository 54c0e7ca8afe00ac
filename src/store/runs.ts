import type { Clock, FrontierCounts } from "../domain/ports.ts";
import type { DocumentChangeNote, Failure, Run, RunStatus } from "../domain/run.ts";
import type { Db } from "./database.ts";

interface RunRow {
  readonly id: number;
  readonly source: string;
  readonly status: RunStatus;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly note: string;
  readonly fetched: number;
  readonly unchanged: number;
  readonly moved: number;
  readonly gone: number;
  readonly skipped: number;
  readonly left_out: number;
  readonly not_due: number;
  readonly bytes: number;
  readonly worked_ms: number;
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly index_pages: number;
  readonly kept_out: number;
  readonly failed: number;
}

const SELECT_RUNS = "SELECT runs.*, (SELECT count(*) FROM failures f WHERE f.run = runs.id) AS failed FROM runs";

/**
 * The source's run that was killed or stopped, going on; else a new one. From now on it is at work: the time since it was
 * stopped does not count.
 */
export function beginRun(db: Db, clock: Clock, source: string): Run {
  const now = clock();
  const begin = db.transaction(() => {
    const unfinished = db
      .prepare<[string], number>(
        "SELECT id FROM runs WHERE source = ? AND status IN ('running', 'stopped') ORDER BY id DESC LIMIT 1",
      )
      .pluck()
      .get(source);
    if (unfinished !== undefined) {
      db.prepare("UPDATE runs SET status = 'running', ended_at = NULL, note = '', seen_at = ? WHERE id = ?").run(
        now.getTime(),
        unfinished,
      );
      return unfinished;
    }
    const insert = db.prepare("INSERT INTO runs (source, status, started_at, seen_at) VALUES (?, 'running', ?, ?)");
    return Number(insert.run(source, now.toISOString(), now.getTime()).lastInsertRowid);
  });
  return runById(db, begin.immediate()) as Run;
}

/** Ends a run and returns it with all of its counts. */
export function endRun(
  db: Db,
  clock: Clock,
  run: Run,
  status: Exclude<RunStatus, "running">,
  counts: FrontierCounts,
  note: string,
): Run {
  const now = clock();
  const end = db.transaction(() => {
    writeProgress(db, run, now, counts);
    db.prepare("UPDATE runs SET status = ?, ended_at = ?, note = ? WHERE id = ?").run(
      status,
      now.toISOString(),
      note,
      run.id,
    );
  });
  end.immediate();
  return runById(db, run.id) as Run;
}

/** How often the progress of a run is noted: a kill costs this much of its time, and nothing else. */
const PROGRESS_EVERY_MS = 5_000;

/** What notes how far runs are, now and then. */
export function progressNoter(db: Db, clock: Clock): (run: Run, counts: () => FrontierCounts) => void {
  let last = clock().getTime();
  return (run, counts) => {
    const now = clock();
    if (Math.abs(now.getTime() - last) < PROGRESS_EVERY_MS) return;
    last = now.getTime();
    writeProgress(db, run, now, counts());
  };
}

function writeProgress(db: Db, run: Run, now: Date, counts: FrontierCounts): void {
  // A clock that was set back takes no time away.
  db.prepare(
    `UPDATE runs SET worked_ms = worked_ms + max(0, :now - coalesce(seen_at, :now)), seen_at = :now, fetched = :fetched,
       unchanged = :unchanged, moved = :moved, gone = :gone, skipped = :skipped, left_out = :leftOut, not_due = :notDue,
       bytes = :bytes
     WHERE id = :id`,
  ).run({ ...counts, id: run.id, now: now.getTime() });
}

/** Notes what failed; a URL that fails again in the same run and stage has its newest reason. */
export function recordFailures(db: Db, run: number, failures: readonly Omit<Failure, "run">[]): void {
  const insert = db.prepare("INSERT OR REPLACE INTO failures (run, url, stage, reason) VALUES (?, ?, ?, ?)");
  db.transaction(() => {
    for (const failure of failures) insert.run(run, failure.url, failure.stage, failure.reason);
  })();
}

/** Newest first. */
export function listRuns(db: Db, limit: number, source?: string): readonly Run[] {
  const rows = db
    .prepare<{ source: string | null; limit: number }, RunRow>(
      `${SELECT_RUNS} WHERE :source IS NULL OR source = :source ORDER BY id DESC LIMIT :limit`,
    )
    .all({ source: source ?? null, limit });
  return rows.map(toRun);
}

/** One run; undefined when there is none. */
export function runById(db: Db, id: number): Run | undefined {
  const row = db.prepare<[number], RunRow>(`${SELECT_RUNS} WHERE id = ?`).get(id);
  return row === undefined ? undefined : toRun(row);
}

/** What failed in a run, by URL. */
export function listFailures(db: Db, run: number): readonly Failure[] {
  return db
    .prepare<[number], Failure>("SELECT run, url, stage, reason FROM failures WHERE run = ? ORDER BY url")
    .all(run);
}

/** What a run added, changed and removed, by name. */
export function listChanges(db: Db, run: number): readonly DocumentChangeNote[] {
  return db
    .prepare<[number], DocumentChangeNote>(
      `SELECT kind, name, title, title_before AS titleBefore, lines_added AS linesAdded, lines_removed AS linesRemoved
       FROM changes WHERE run = ? ORDER BY name`,
    )
    .all(run);
}

function toRun(row: RunRow): Run {
  return {
    id: row.id,
    source: row.source,
    status: row.status,
    startedAt: row.started_at,
    endedAt: row.ended_at ?? undefined,
    durationMs: row.worked_ms,
    note: row.note,
    counts: {
      fetched: row.fetched,
      unchanged: row.unchanged,
      moved: row.moved,
      gone: row.gone,
      skipped: row.skipped,
      failed: row.failed,
      leftOut: row.left_out,
      notDue: row.not_due,
      bytes: row.bytes,
      added: row.added,
      updated: row.updated,
      removed: row.removed,
      indexPages: row.index_pages,
      keptOut: row.kept_out,
    },
  };
}
