import type { Db } from "./database.ts";

/** The revision of a store's last write; 0 for an empty one. */
export function revisionOf(db: Db): number {
  return db.prepare<[], number>("SELECT value FROM meta WHERE key = 'revision'").pluck().get() ?? 0;
}

/** The next revision; to be called in the transaction that writes what carries it. */
export function nextRevision(db: Db): number {
  const next = db
    .prepare<[], number>("UPDATE meta SET value = value + 1 WHERE key = 'revision' RETURNING value")
    .pluck();
  return next.get() ?? 0;
}
