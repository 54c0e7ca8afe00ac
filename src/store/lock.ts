import { dirname } from "node:path";
import Database from "better-sqlite3";
import { CarrelError } from "../domain/errors.ts";
import { fileError, isBusy, makeFolder } from "./database.ts";

/**
 * Takes the lock that writers of a data folder share. The lock is the operating system's, held through an open SQLite
 * transaction, so a process that dies lets go of it. No process is known by its number, which another one may have by now, or
 * in another container.
 * @returns what lets go of it.
 * @throws CarrelError `busy` when another process has it, `store` when the folder cannot be written to.
 */
export function acquireLock(file: string): () => void {
  let db: Database.Database | undefined;
  try {
    makeFolder(dirname(file));
    db = new Database(file, { timeout: 0 });
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    if (!isBusy(error)) throw fileError(file, "it", error);
    throw new CarrelError(
      "busy",
      `Another carrel is writing to ${dirname(file)}; wait until it has ended, or stop it, and try again.`,
      { cause: error },
    );
  }
  const held = db;
  return () => held.close();
}
