import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { CarrelError, reasonOf } from "../domain/errors.ts";

export type Db = Database.Database;

/** What a file of ours is, and the statements that brought it to each version; a list that is only added to. */
export interface StoreSchema {
  /** For messages: "the corpus". */
  readonly what: string;
  /** Written as SQLite's application_id, so that a stranger's database is not taken for ours. */
  readonly applicationId: number;
  readonly migrations: readonly string[];
}

/** How long a statement waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 10_000;
/** The switch to WAL needs an exclusive lock that the busy timeout does not cover: two first opens can collide. */
const WAL_ATTEMPTS = 50;

/**
 * Opens a store, makes it when it is missing, and brings it to the newest version; each migration and its record are one
 * transaction.
 * @throws CarrelError `store` when the file is damaged, is none of ours, or was written by a newer Carrel.
 */
export function openStore(file: string, schema: StoreSchema): Db {
  mkdirSync(dirname(file), { recursive: true });
  return guarded(file, schema, () => {
    const db = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      switchToWal(db);
      db.pragma("synchronous = NORMAL");
      migrate(db, file, schema);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/**
 * Opens a store for reading alone.
 * @throws CarrelError `not-found` when there is none, and `store` as `openStore` does.
 */
export function openStoreForReading(file: string, schema: StoreSchema): Db {
  if (!existsSync(file)) {
    throw new CarrelError("not-found", `There is no ${file} yet; run "carrel refresh" to make ${schema.what}.`);
  }
  return guarded(file, schema, () => {
    const db = new Database(file, { timeout: BUSY_TIMEOUT_MS, readonly: true });
    try {
      check(db, file, schema);
      const version = versionOf(db);
      if (version < schema.migrations.length) {
        throw new CarrelError(
          "store",
          `${file} was written by an older Carrel; run "carrel refresh" once to bring it up to date.`,
        );
      }
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

function switchToWal(db: Db): void {
  for (let attempt = 1; ; attempt++) {
    try {
      db.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || attempt === WAL_ATTEMPTS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

function migrate(db: Db, file: string, schema: StoreSchema): void {
  const upgrade = db.transaction(() => {
    check(db, file, schema);
    db.pragma(`application_id = ${schema.applicationId}`);
    for (let version = versionOf(db); version < schema.migrations.length; version++) {
      db.exec(schema.migrations[version] ?? "");
      db.pragma(`user_version = ${version + 1}`);
    }
  });
  // Two processes may come here at once: the second waits, and finds nothing left to do.
  upgrade.immediate();
}

function check(db: Db, file: string, schema: StoreSchema): void {
  const version = versionOf(db);
  const id = Number(db.pragma("application_id", { simple: true }));
  const isEmpty = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
  if (id !== schema.applicationId && !isEmpty) {
    throw new CarrelError(
      "store",
      `${file} is a database of something else; move it away, or choose another folder with --data.`,
    );
  }
  if (version > schema.migrations.length) {
    throw new CarrelError(
      "store",
      `${file} was written by a newer Carrel (version ${version} of ${schema.what}); update this one.`,
    );
  }
}

function versionOf(db: Db): number {
  return Number(db.pragma("user_version", { simple: true }));
}

function guarded<T>(file: string, schema: StoreSchema, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof CarrelError) throw error;
    if (isBusy(error)) {
      throw new CarrelError("busy", `${file} is in use by another process; try again when it is done.`, {
        cause: error,
      });
    }
    throw new CarrelError(
      "store",
      `${file} cannot be opened (${reasonOf(error)}); check its permissions, or restore ${schema.what} from a backup.`,
      { cause: error },
    );
  }
}

/** Whether SQLite gave up because another process holds the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}
