import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { NO_FACTS } from "../../src/domain/document.ts";
import { ARCHIVE_SCHEMA } from "../../src/store/archive-schema.ts";
import { openArchive } from "../../src/store/archive.ts";
import { openCorpus, openCorpusReader } from "../../src/store/corpus.ts";
import { guardedStore, openStore } from "../../src/store/database.ts";
import { acquireLock } from "../../src/store/lock.ts";
import { tempFolder } from "../support/temp-folder.ts";

const clock = (): Date => new Date(0);

it("refuses a file that is no database, and leaves it as it is", () => {
  const file = join(tempFolder(), "corpus.db");
  writeFileSync(file, "this is no database at all, and longer than a header would be".repeat(4));
  expect(() => openCorpus(file, clock)).toThrow(expect.objectContaining({ code: "store" }));
  expect(readFileSync(file, "utf8")).toMatch(/^this is no database/);
});

it("refuses a database of something else, and one that another of our stores made", () => {
  const folder = tempFolder();
  const foreign = new Database(join(folder, "foreign.db"));
  foreign.exec("CREATE TABLE bank_accounts (id)");
  foreign.close();
  openArchive(join(folder, "archive.db"), clock).close();
  for (const name of ["foreign.db", "archive.db"]) {
    expect(() => openCorpus(join(folder, name), clock)).toThrow(/is a database of something else/);
    expect(() => openCorpusReader(join(folder, name))).toThrow(/is a database of something else/);
  }
});

it("refuses a store that a newer Carrel wrote", () => {
  const file = join(tempFolder(), "corpus.db");
  openCorpus(file, clock).close();
  const db = new Database(file);
  db.pragma("user_version = 999");
  db.close();
  expect(() => openCorpus(file, clock)).toThrow(/written by a newer Carrel/);
  expect(() => openCorpusReader(file)).toThrow(/written by a newer Carrel/);
});

const PAGE_BYTES = 4096;

/** The pages of a database that hold its tables and indexes, from 1. */
function tablePages(file: string): readonly number[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare<[], number>("SELECT pageno FROM dbstat WHERE name <> 'sqlite_schema'").pluck().all();
  } finally {
    db.close();
  }
}

it("says which store is damaged at whatever call finds it, and what to do", () => {
  const folder = tempFolder();
  const corpus = openCorpus(join(folder, "corpus.db"), clock);
  const content = "x".repeat(200_000);
  const document = {
    name: "documents/a.org/a",
    uri: "https://a.org/a",
    source: "s",
    title: "A",
    description: "",
    language: "",
    ...NO_FACTS,
  };
  corpus.apply([{ kind: "document", document: { ...document, content }, chunks: [] }], 1);
  corpus.close();
  const file = join(folder, "corpus.db");
  const bytes = readFileSync(file);
  // The schema stays, so that the file can be opened.
  for (const page of tablePages(file)) bytes.fill(0x5a, (page - 1) * PAGE_BYTES, page * PAGE_BYTES);
  writeFileSync(file, bytes);
  const damaged = openCorpusReader(file);
  onTestFinished(() => damaged.close());
  for (const call of [() => damaged.document("documents/a.org/a"), () => damaged.stats(), () => damaged.runs(1)]) {
    expect(call).toThrow(
      expect.objectContaining({ code: "store", message: expect.stringMatching(/corpus\.db is damaged .* backup/) }),
    );
  }
});

it("does not hang where no folder can be made", () => {
  expect(() => openCorpus("/proc/carrel/corpus.db", clock)).toThrow(expect.objectContaining({ code: "store" }));
  expect(() => acquireLock("/proc/carrel/refresh.lock")).toThrow(expect.objectContaining({ code: "store" }));
});

it("makes no file when it opens for reading", () => {
  const file = join(tempFolder(), "corpus.db");
  expect(() => openCorpusReader(file)).toThrow(expect.objectContaining({ code: "not-found" }));
  expect(existsSync(file)).toBe(false);
});

it("lets one process write at a time, and a process that is killed lets go", async () => {
  const file = join(tempFolder(), "refresh.lock");
  const sqlite = createRequire(import.meta.url).resolve("better-sqlite3");
  const holder = spawn(
    process.execPath,
    [
      "-e",
      `const db = new (require(${JSON.stringify(sqlite)}))(${JSON.stringify(file)}); db.exec("BEGIN EXCLUSIVE");
       console.log("held"); process.stdin.resume();`,
    ],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  onTestFinished(() => void holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  expect(() => acquireLock(file)).toThrow(expect.objectContaining({ code: "busy" }));
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const release = acquireLock(file);
  expect(() => acquireLock(file)).toThrow(/Another carrel is writing/);
  release();
  acquireLock(file)();
});

it("says that there is no room left, and what to do, when the disk is full", () => {
  const file = join(tempFolder(), "archive.db");
  const db = openStore(file, ARCHIVE_SCHEMA);
  onTestFinished(() => void db.close());
  const full = guardedStore(file, ARCHIVE_SCHEMA, {
    write: () =>
      db.exec(
        "INSERT INTO meta WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT hex(randomblob(2000)), i FROM n",
      ),
  });
  db.pragma(`max_page_count = ${String(db.pragma("page_count", { simple: true }))}`);
  expect(full.write).toThrow(
    expect.objectContaining({
      code: "store",
      message: `There is no room left to write ${file}; make room and try again.`,
    }),
  );
});
