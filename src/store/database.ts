import { existsSync, mkdirSync, statSync } from "node:fs";
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
  return guarded(file, schema, () => {
    makeFolder(dirname(file));
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
  if (!isThere(file)) {
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

/** Whether a file is there. @throws CarrelError `store` when its folder may not be looked into. */
export function isThere(file: string): boolean {
  try {
    statSync(file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw fileError(file, "it", error);
  }
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

/**
 * A store whose every call says which file is at fault when SQLite finds it damaged, full, locked or not to be written:
 * damage shows at the statement that reads it, and not when the file is opened.
 */
export function guardedStore<T extends object>(file: string, schema: StoreSchema, store: T): T {
  const guardedMethods = Object.entries(store).map(([name, method]: [string, unknown]) => [
    name,
    typeof method === "function"
      ? (...args: unknown[]): unknown =>
          guarded(file, schema, () => (method as (...given: unknown[]) => unknown)(...args))
      : method,
  ]);
  return Object.fromEntries(guardedMethods) as T;
}

function guarded<T>(file: string, schema: StoreSchema, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof CarrelError) throw error;
    if (!isFileError(error)) throw error;
    throw fileError(file, schema.what, error);
  }
}

/** Whether the fault lies with a file, and not with a statement of ours. */
function isFileError(error: unknown): error is Error {
  if (error instanceof Database.SqliteError)
    return /^SQLITE_(?:BUSY|CORRUPT|NOTADB|CANTOPEN|READONLY|FULL|IOERR|PERM)/.test(error.code);
  return error instanceof Error && "code" in error && "syscall" in error;
}

/** What is wrong with a file, and what to do about it. */
export function fileError(file: string, what: string, error: unknown): CarrelError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const cause = { cause: error };
  if (code.startsWith("SQLITE_BUSY")) {
    return new CarrelError("busy", `${file} is in use by another process; try again when it is done.`, cause);
  }
  if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) {
    return new CarrelError("store", `${file} is damaged (${reasonOf(error)}); restore ${what} from a backup.`, cause);
  }
  if (code.startsWith("SQLITE_FULL")) {
    return new CarrelError("store", `There is no room left to write ${file}; make room and try again.`, cause);
  }
  return new CarrelError(
    "store",
    `${file} cannot be opened or written (${reasonOf(error)}); check that its folder is there, and whose it is.`,
    cause,
  );
}

/**
 * Makes a folder and those above it. One at a time: Node's own way of doing so never ends below some folders of the system,
 * such as /proc.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process made it in the meantime.
    if (!existsSync(folder)) throw error;
  }
}

/** Whether SQLite gave up because another process holds the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}
