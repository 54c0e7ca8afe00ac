import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { madeUpPassage, madeUpQuestion } from "../../src/bench/made-up-texts.ts";
import { tempFolder } from "../support/temp-folder.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/bench/main.js", import.meta.url));

function bench(...args: readonly string[]) {
  return spawnSync(process.execPath, [PROGRAM, ...args], { encoding: "utf8" });
}

describe("npm run bench -- quality", () => {
  it("asks the collections of a folder under every setting, and says which need a corpus", { timeout: 60_000 }, () => {
    const folder = tempFolder();
    const nests = join(folder, "nests");
    mkdirSync(nests);
    writeFileSync(join(nests, "corpus.jsonl"), '{"_id":"a","text":"twigs"}\n{"_id":"b","text":"mud"}');
    writeFileSync(join(nests, "queries.jsonl"), '{"_id":"1","text":"mud"}');
    writeFileSync(join(nests, "qrels.tsv"), "1\tb\t1");
    writeFileSync(join(folder, "site.jsonl"), '{"query":"mud","relevant":["documents/a.example/b"]}');
    const { status, stdout } = bench("quality", folder);
    expect(status).toBe(0);
    for (const setting of ["full", "plain", "no-ranking"])
      expect(stdout).toMatch(new RegExp(`^nests +${setting} +1 +1\\.000`, "m"));
    expect(stdout).toContain("site is asked of a corpus; give its folder with --data.");
  });
});

describe("npm run bench -- search", () => {
  it("measures building and asking", { timeout: 120_000 }, () => {
    const { status, stdout } = bench("search", "1000", "--engine", "carrel");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^carrel +\d+\.\d +\d+ +\d+ +\d+ +\d+ +\d+\.\d$/m);
    expect(stdout).toMatch(/^carrel +8 words, 1 % of sources +100 +\d+\.\d +\d+\.\d +(?:1\.000|0\.9\d\d)$/m);
    expect(bench("search", "12").status).toBe(2);
  });
});

describe("the made-up texts", () => {
  it("are always the same, and as long as passages are", () => {
    expect(madeUpPassage(1234)).toEqual(madeUpPassage(1234));
    const lengths = Array.from({ length: 50 }, (_, i) => madeUpPassage(i * 31).content.length);
    expect(lengths.reduce((sum, length) => sum + length, 0) / 50).toBeGreaterThan(1000);
    expect(madeUpQuestion(77, 8).split(" ")).toHaveLength(8);
    expect(madeUpPassage(77).content.replaceAll(/[^a-z_\s]/gi, " ")).toContain(madeUpQuestion(77, 3).split(" ")[0]);
  });

  it("have words as often as languages do: few very often, most very seldom", () => {
    const counts = new Map<string, number>();
    let all = 0;
    for (let i = 0; i < 300; i++) {
      for (const word of madeUpPassage(i * 97)
        .content.toLowerCase()
        .match(/[a-z]+/g) ?? []) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
        all++;
      }
    }
    const sorted = [...counts.values()].sort((a, b) => b - a);
    const share = (most: number) => sorted.slice(0, most).reduce((sum, count) => sum + count, 0) / all;
    expect(share(10)).toBeGreaterThan(0.12);
    expect(share(100)).toBeGreaterThan(0.3);
    expect(share(100)).toBeLessThan(0.6);
    expect(sorted.filter((count) => count === 1).length / sorted.length).toBeGreaterThan(0.3);
  });
});
