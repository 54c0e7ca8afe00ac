import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { readSettings } from "../../src/config/settings.ts";
import { carrel } from "../support/command-line.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** More than one batch of the index. */
const PAGES = 650;

/** A data folder with a corpus and an index of some hundred pages about birds. */
async function workplace(): Promise<{ readonly data: string; readonly flags: readonly string[] }> {
  const folder = tempFolder();
  const [docs, pipelines, data] = [join(folder, "docs"), join(folder, "pipelines"), join(folder, "data")];
  mkdirSync(docs);
  mkdirSync(pipelines);
  for (let i = 0; i < PAGES; i++)
    writeFileSync(join(docs, `bird-${i}.md`), `# Bird ${i}\n\nIt has ring number r${i}x.\n`);
  writeFileSync(join(pipelines, "birds.yaml"), "title: Birds\nfolder: ../docs\nbaseUrl: https://birds.example/\n");
  const flags = ["--pipelines", pipelines, "--data", data];
  expect((await carrel(["refresh", ...flags])).code).toBe(0);
  return { data, flags };
}

describe("carrel index", { timeout: 60_000 }, () => {
  it("makes an index that is not there, or is damaged", async () => {
    const { data, flags } = await workplace();
    const file = join(data, "index.db");
    for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
    expect((await carrel(["search", "ring r7x", ...flags])).stderr).toContain("run `carrel index` to make it");
    const { code, stdout } = await carrel(["index", ...flags]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^The index is at revision \d+: 650 passages \(/)]);
    writeFileSync(file, "no database at all, but long enough to look like something ".repeat(200));
    expect((await carrel(["index", ...flags])).stderr).toContain("run `carrel index --rebuild`");
    expect((await carrel(["index", "--rebuild", "--json", ...flags])).stdout).toContain('"chunks": 650');
    expect((await carrel(["search", "ring r7x", ...flags])).stdout).toContain("birds.example/bird-7.md");
  });

  it("answers from the old index until the new one is there, and goes on where it was stopped", async () => {
    const { data, flags } = await workplace();
    const app = createApp(readSettings({ data, pipelines: flags[1] ?? "" }), { info() {}, warn() {} });
    using reading = app.openReading();
    const best = async () => (await reading.queries.searchDocuments({ query: "ring r649x" })).passages[0]?.parent;
    expect(await best()).toBe("documents/birds.example/bird-649.md");
    const before = statSync(join(data, "index.db")).ino;

    const stop = new AbortController();
    let batches = 0;
    const progress = { fetched() {}, converted() {}, indexed: () => void (++batches === 1 && stop.abort()) };
    await app.rebuildIndex(progress, stop.signal);
    expect([batches, existsSync(join(data, "index.db.new"))]).toEqual([1, true]);
    expect(statSync(join(data, "index.db")).ino).toBe(before);
    expect(await best()).toBe("documents/birds.example/bird-649.md");

    let indexed = 0;
    await app.rebuildIndex(
      { ...progress, indexed: (documents) => void (indexed += documents) },
      new AbortController().signal,
    );
    expect(indexed).toBeGreaterThan(0);
    expect(indexed).toBeLessThan(PAGES);
    expect(existsSync(join(data, "index.db.new"))).toBe(false);
    expect(statSync(join(data, "index.db")).ino).not.toBe(before);
    expect(await best()).toBe("documents/birds.example/bird-649.md");
    expect(reading.index.stats().chunks).toBe(PAGES);
  });
});
