import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CarrelError } from "../../src/domain/errors.ts";
import { openSearchIndex } from "../../src/search/search-index.ts";
import { describeSearchIndex, TestCorpus } from "../contract/search-index.ts";

describeSearchIndex("the index in SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "carrel-index-"));
  const file = join(folder, "data", "index.db");
  return {
    open: (texts) => openSearchIndex({ file, texts }),
    openReader: (texts) => openSearchIndex({ file, texts, readonly: true }),
    dispose: () => rmSync(folder, { recursive: true }),
  };
});

describe("the file of the index", () => {
  const corpus = new TestCorpus();
  const { texts } = corpus;
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "carrel-index-"));
    file = join(folder, "index.db");
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function failure(open: () => unknown): CarrelError {
    try {
      open();
    } catch (error) {
      if (error instanceof CarrelError) return error;
      throw error;
    }
    throw new Error("nothing was thrown");
  }

  async function makeIndex(): Promise<void> {
    const index = openSearchIndex({ file, texts });
    await index.apply([corpus.write(1, { title: "One", passages: ["Pelicans."] })]);
    index.close();
  }

  it("must be there to be read", () => {
    expect(failure(() => openSearchIndex({ file, texts, readonly: true }))).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("run `carrel index`"),
    });
  });

  it.each([
    ["by other rules", { weights: { title: 7 } }],
    ["from another corpus", { corpusId: "another" }],
  ])("is dropped when it was made %s, and only when it is opened for writing", async (_, difference) => {
    await makeIndex();
    const other = { file, texts, ...difference };
    expect(failure(() => openSearchIndex({ ...other, readonly: true }))).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("run `carrel index`"),
    });
    const reader = openSearchIndex({ file, texts, readonly: true });
    expect(reader.revision()).toBeGreaterThan(0);

    const rebuilt = openSearchIndex(other);
    expect(rebuilt.stats()).toEqual({ chunks: 0, revision: 0 });
    expect(failure(() => reader.revision())).toMatchObject({ code: "unavailable" });
    rebuilt.close();
    reader.close();
  });

  it("is followed by readers when it is dropped and made again by the same rules", async () => {
    await makeIndex();
    const reader = openSearchIndex({ file, texts, readonly: true });
    expect(await reader.search("pelicans", 5)).toHaveLength(1);
    openSearchIndex({ file, texts, weights: { title: 7 } }).close();
    const writer = openSearchIndex({ file, texts });
    await writer.apply([corpus.write(5, { title: "Five", passages: ["Herons.", "Pelicans."] })]);
    expect(await reader.search("pelicans", 5)).toEqual(await writer.search("pelicans", 5));
    expect(await reader.search("herons", 5)).toHaveLength(1);
    writer.close();
    reader.close();
  });

  it.each([false, true])("that is no database is an error (readonly: %s)", (readonly) => {
    writeFileSync(file, "Dear diary, today nothing was indexed. ".repeat(500));
    expect(failure(() => openSearchIndex({ file, texts, readonly }))).toMatchObject({
      code: "store",
      message: expect.stringContaining(file),
    });
  });

  it.each([false, true])("that is another database is left alone (readonly: %s)", (readonly) => {
    const other = new Database(file);
    other.exec("CREATE TABLE state (mine TEXT); INSERT INTO state VALUES ('kept')");
    other.close();
    expect(failure(() => openSearchIndex({ file, texts, readonly }))).toMatchObject({ code: "store" });
    const again = new Database(file);
    expect(again.prepare("SELECT mine FROM state").get()).toEqual({ mine: "kept" });
    again.close();
  });

  it("that is torn in its middle is an error that says so", async () => {
    await makeIndex();
    const db = new Database(file);
    db.pragma("wal_checkpoint(TRUNCATE)");
    const pages = Number(db.pragma("page_count", { simple: true }));
    const size = Number(db.pragma("page_size", { simple: true }));
    db.close();
    const bytes = Buffer.alloc(size * (pages - 1), 0xa5);
    writeFileSync(file, bytes, { flag: "r+" });
    expect(failure(() => openSearchIndex({ file, texts, readonly: true }))).toMatchObject({ code: "store" });
  });
});
