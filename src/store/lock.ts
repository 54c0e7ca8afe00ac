import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { CarrelError } from "../domain/errors.ts";
import { isBusy } from "./database.ts";

/**
 * Takes the lock that writers of a data folder share. The lock is the operating system's, held through an open SQLite
 * transaction, so a process that dies lets go of it.
 * @returns what lets go of it.
 * @throws CarrelError `busy` when another process has it.
 */
export function acquireLock(file: string): () => void {
  mkdirSync(dirname(file), { recursive: true });
  const db = new Database(file, { timeout: 0 });
  try {
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (!isBusy(error)) throw error;
    throw new CarrelError(
      "busy",
      `Another carrel is writing to ${dirname(file)}; wait until it has ended, or stop it, and try again.`,
      { cause: error },
    );
  }
  return () => db.close();
}
