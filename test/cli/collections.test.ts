import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { collectionsIn, readCollection } from "../../src/cli/collections.ts";
import { tempFolder } from "../support/temp-folder.ts";

function file(name: string, ...lines: readonly (object | string)[]): string {
  const path = join(tempFolder(), name);
  writeFileSync(path, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return path;
}

function beir(): string {
  const folder = join(tempFolder(), "nests");
  mkdirSync(folder);
  const documents = [
    { _id: "d1", title: "Nest", text: "Of twigs." },
    { _id: "d2", text: "Of mud." },
  ];
  writeFileSync(join(folder, "corpus.jsonl.gz"), gzipSync(documents.map((one) => JSON.stringify(one)).join("\n")));
  const questions = [
    { _id: "q1", text: "twigs?" },
    { _id: "q2", text: "who knows?" },
  ];
  writeFileSync(join(folder, "queries.jsonl"), questions.map((one) => JSON.stringify(one)).join("\n"));
  return folder;
}

describe("readCollection", () => {
  it("reads questions for the corpus that is there, by names or URLs", () => {
    const path = file(
      "birds.dev.jsonl",
      { id: "a", query: "nests?", relevant: ["documents/birds.example/nest", "https://Birds.example/egg/index.html"] },
      { query: "eggs?", relevant: [] },
      "",
    );
    expect(readCollection(path)).toEqual({
      name: "birds.dev",
      documents: undefined,
      questions: [
        {
          id: "a",
          query: "nests?",
          relevant: new Map([
            ["documents/birds.example/nest", 1],
            ["documents/birds.example/egg", 1],
          ]),
        },
        { id: "2", query: "eggs?", relevant: new Map() },
      ],
    });
  });

  it("reads the layout of BEIR, without questions that nothing answers", () => {
    const folder = beir();
    writeFileSync(join(folder, "qrels.tsv"), "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td2\t0\n");
    expect(readCollection(folder)).toEqual({
      name: "nests",
      documents: [
        { id: "d1", title: "Nest", text: "Of twigs." },
        { id: "d2", title: "", text: "Of mud." },
      ],
      questions: [{ id: "q1", query: "twigs?", relevant: new Map([["d1", 2]]) }],
    });
  });

  it("takes the judgements to test with, where there are several files", () => {
    const folder = beir();
    mkdirSync(join(folder, "qrels"));
    writeFileSync(join(folder, "qrels", "train.tsv"), "q1\td1\t1\n");
    writeFileSync(join(folder, "qrels", "test.tsv"), "q2\td2\t1\n");
    expect(readCollection(folder).questions.map(({ id }) => id)).toEqual(["q2"]);
  });

  it("says what it cannot read, and where", () => {
    expect(() => readCollection("/nowhere/x.jsonl")).toThrow("There is no file or folder /nowhere/x.jsonl.");
    expect(() => readCollection(file("a.jsonl", { query: "q", relevant: ["documents/a/b"] }, "{"))).toThrow(
      /a\.jsonl, line 2: it is no JSON object\.$/,
    );
    expect(() => readCollection(file("a.jsonl", { query: "q" }))).toThrow(/a\.jsonl, line 1: a question is \{"id"/);
    const folder = beir();
    expect(() => readCollection(folder)).toThrow(/There is no file .*qrels\.tsv\.$/);
    writeFileSync(join(folder, "qrels.tsv"), "q1 d1 1\n1\t2\tx");
    expect(() => readCollection(folder)).toThrow(/qrels\.tsv, line 2: a judgement is/);
  });
});

describe("collectionsIn", () => {
  it("finds the collections of a folder, and a folder that is one", () => {
    const folder = beir();
    const above = join(folder, "..");
    writeFileSync(join(above, "a.jsonl"), "");
    writeFileSync(join(above, "README.md"), "");
    mkdirSync(join(above, "other"));
    expect(collectionsIn(above)).toEqual([join(above, "a.jsonl"), folder]);
    expect(collectionsIn(folder)).toEqual([folder]);
  });
});
