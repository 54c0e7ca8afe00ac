import type { DueTime, DueTimes } from "../domain/schedule.ts";
import { ARCHIVE_SCHEMA } from "./archive-schema.ts";
import { guardedStore, isThere, openStore } from "./database.ts";

interface DueRow extends Omit<DueTime, "ranAt"> {
  readonly ranAt: number | null;
}

const SELECT =
  "SELECT source, schedule, nominal_at AS nominalAt, due_at AS dueAt, ran_at AS ranAt, failures FROM schedules";

/**
 * Opens the due times of sources, which are kept in `archive.db`: only a machine that refreshes has any, as it alone has an
 * archive. Makes the file when it is missing. @throws CarrelError `store`.
 */
export function openDueTimes(file: string): DueTimes {
  const db = openStore(file, ARCHIVE_SCHEMA);
  return guardedStore<DueTimes>(file, ARCHIVE_SCHEMA, {
    all: () => db.prepare<[], DueRow>(`${SELECT} ORDER BY due_at, source`).all().map(toDueTime),
    get(source) {
      const row = db.prepare<[string], DueRow>(`${SELECT} WHERE source = ?`).get(source);
      return row === undefined ? undefined : toDueTime(row);
    },
    put: (row) =>
      void db
        .prepare(
          `INSERT OR REPLACE INTO schedules (source, schedule, nominal_at, due_at, ran_at, failures)
           VALUES (:source, :schedule, :nominalAt, :dueAt, :ranAt, :failures)`,
        )
        .run({ ...row, ranAt: row.ranAt ?? null }),
    forget: (source) => void db.prepare("DELETE FROM schedules WHERE source = ?").run(source),
    close: () => void db.close(),
  });
}

/** All due times; none where there is no archive, which is not made. @throws CarrelError `store`. */
export function readDueTimes(file: string): readonly DueTime[] {
  if (!isThere(file)) return [];
  const dueTimes = openDueTimes(file);
  try {
    return dueTimes.all();
  } finally {
    dueTimes.close();
  }
}

function toDueTime(row: DueRow): DueTime {
  return { ...row, ranAt: row.ranAt ?? undefined };
}
