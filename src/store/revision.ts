import type { Db } from "./database.ts";

/** The revision of a store's last write; 0 for an empty one. */
export function revisionOf(db: Db): number {
  return db.prepare<[], number>("SELECT value FROM meta WHERE key = 'revision'").pluck().get() ?? 0;
}

/** Made once for each store: preparing it takes longer than running it, and each page that comes in needs one. */
const NEXT = new WeakMap<Db, { get(): number | undefined }>();

/** The next revision; to be called in the transaction that writes what carries it. */
export function nextRevision(db: Db): number {
  let next = NEXT.get(db);
  if (next === undefined) {
    next = db.prepare<[], number>("UPDATE meta SET value = value + 1 WHERE key = 'revision' RETURNING value").pluck();
    NEXT.set(db, next);
  }
  return next.get() ?? 0;
}
