import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../src/flow/evaluation.ts";
import { carrel } from "../support/command-line.ts";
import { tempFolder } from "../support/temp-folder.ts";

const DOCUMENTS = [
  { _id: "twigs", title: "Nests of twigs", text: "Crows weave twigs." },
  { _id: "mud", title: "Nests of mud", text: "Swallows carry mud." },
  { _id: "sand", title: "Scrapes", text: "Terns lay on sand, and weave nothing of mud." },
];

function collection(questions: readonly (readonly [text: string, document: string])[]): string {
  const folder = join(tempFolder(), "nests");
  mkdirSync(folder);
  const write = (name: string, lines: readonly string[]): void => writeFileSync(join(folder, name), lines.join("\n"));
  write(
    "corpus.jsonl",
    DOCUMENTS.map((one) => JSON.stringify(one)),
  );
  write(
    "queries.jsonl",
    questions.map(([text], i) => JSON.stringify({ _id: `q${i}`, text })),
  );
  write(
    "qrels.tsv",
    questions.map(([, document], i) => `q${i}\t${document}\t1`),
  );
  return folder;
}

describe("carrel eval", () => {
  it("measures a collection that brings its documents, and shows what was missed", async () => {
    const folder = collection([
      ["who weaves twigs", "twigs"],
      ["swallows with mud", "sand"],
    ]);
    const data = tempFolder();
    const { code, stdout } = await carrel(["eval", folder, "--data", data]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^nests +full +2 +0\.8\d\d +0\.750 +0\.500 +1\.000/m);
    expect(stdout).toMatch(
      /worst misses:\n {2}swallows with mud\n {4}right, found as number 2: sand\n {4}before it: mud\n$/,
    );
    const none = await carrel(["eval", folder, "--data", data, "--misses", "0"]);
    expect(none.stdout).not.toContain("worst misses");
  });

  it("compares two settings by the questions that both were asked", async () => {
    const folder = collection([
      ["who weaves twigs", "twigs"],
      ["nests mud", "mud"],
    ]);
    const saved = join(tempFolder(), "before.json");
    const before = await carrel(["eval", folder, "--setting", "plain", "--json"]);
    writeFileSync(saved, before.stdout);
    const [evaluation] = (JSON.parse(before.stdout) as { evaluations: Evaluation[] }).evaluations;
    expect(evaluation).toMatchObject({ collection: "nests", setting: "plain", questions: 2, missingDocuments: [] });
    expect(evaluation?.results[0]).toMatchObject({
      query: "who weaves twigs",
      rank: 1,
      relevant: ["twigs"],
      found: ["twigs", "sand"],
    });
    const { stdout } = await carrel(["eval", folder, "--against", saved]);
    expect(stdout).toMatch(/^nests, against .*before\.json:\nmetric +before +now +difference/m);
    expect(stdout).toMatch(/^hit@5 +1\.000 +1\.000 +\+0\.000 +\+0\.000 to \+0\.000 +0 +0$/m);
  });

  it("asks questions of the corpus that is there, and says which answers it does not have", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "docs"));
    mkdirSync(join(folder, "pipelines"));
    writeFileSync(join(folder, "docs", "mud.md"), "# Nests of mud\n\nSwallows carry mud.\n");
    writeFileSync(
      join(folder, "pipelines", "nests.yaml"),
      "title: Nests\nfolder: ../docs\nbaseUrl: https://nests.example/\n",
    );
    const flags = ["--pipelines", join(folder, "pipelines"), "--data", join(folder, "data")];
    const questions = join(folder, "questions.jsonl");
    const lines = [
      { query: "who carries mud", relevant: ["documents/nests.example/mud.md"] },
      { query: "who weaves", relevant: ["documents/nests.example/twigs.md"] },
    ];
    writeFileSync(questions, lines.map((line) => JSON.stringify(line)).join("\n"));
    expect((await carrel(["eval", questions, ...flags])).code).toBe(3);
    expect((await carrel(["refresh", ...flags])).code).toBe(0);
    for (const setting of ["full", "no-ranking"]) {
      const { stdout, stderr } = await carrel(["eval", questions, "--setting", setting, ...flags]);
      expect(stdout).toMatch(new RegExp(`^questions +${setting} +2 +0\\.500`, "m"));
      expect(stderr).toContain(
        "questions: 1 document that answers is not in the corpus: documents/nests.example/twigs.md.",
      );
    }
  }, 60_000);

  it("refuses what it cannot do", async () => {
    const folder = collection([["mud", "mud"]]);
    expect((await carrel(["eval", folder, "--setting", "best"])).code).toBe(2);
    expect((await carrel(["eval", folder, "--misses", "-1"])).code).toBe(2);
    expect((await carrel(["eval", folder, "--against", join(folder, "qrels.tsv")])).stderr).toContain(
      "cannot be read as the result of an earlier carrel eval --json",
    );
    expect((await carrel(["eval", join(folder, "x")])).code).toBe(3);
  });
});
