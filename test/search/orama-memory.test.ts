import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openOramaMemory } from "../../src/search/orama-memory.ts";
import { describeSearchIndex, TestCorpus } from "../contract/search-index.ts";

const NO_SPELLING = "it keeps no terms that could be looked through";
const NOT_OURS = "Orama's own scores are not ours to mend";

describeSearchIndex(
  "Orama in memory",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "carrel-orama-"));
    const file = join(folder, "index.json");
    return {
      open: (texts) => openOramaMemory({ file, texts }),
      openReader: (texts) => openOramaMemory({ file, texts, readonly: true }),
      dispose: () => rmSync(folder, { recursive: true, force: true }),
    };
  },
  {
    "a word that was taken for another, both as they are written": NO_SPELLING,
    "words that are nearest when nothing is found": NO_SPELLING,
    "finds only in the documents that are given, however many better ones there are": `${NOT_OURS}: a word that most passages have counts against them`,
    "C++": `${NOT_OURS}: "c++" and what begins with it count alike`,
    "answers 500 characters and many more": `${NOT_OURS}: it weighs no word by how rare it is among passages`,
    'finds the page about an error by its whole text: ERROR:  relation "users" does not exist': NOT_OURS,
  },
);

describe("Orama in memory", () => {
  function open(corpusId = "one") {
    const folder = mkdtempSync(join(tmpdir(), "carrel-orama-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const corpus = new TestCorpus();
    const options = { file: join(folder, "index.json"), texts: corpus.texts };
    return { corpus, options, index: openOramaMemory({ ...options, corpusId }) };
  }

  it("refuses a corpus that is too large, says what to do, and keeps what it had", async () => {
    const { corpus, index } = open();
    await index.apply([corpus.write(1, { title: "One", passages: ["Pelicans."] })]);
    const many = Array.from({ length: 10_000 }, (_, i) => `Passage ${i}.`);
    await expect(index.apply([corpus.write(2, { title: "Many", passages: many })])).rejects.toThrow(
      /more than 10000 passages.*unset CARREL_INDEX_ENGINE/,
    );
    expect(await index.search("pelicans", 5)).toHaveLength(1);
    expect(index.notes()).toEqual([{ about: "engine", says: "orama-memory: 1 of at most 10000 passages" }]);
  });

  it("can be closed by its function alone", () => {
    const { close } = open().index;
    expect(() => close()).not.toThrow();
  });

  it("is made anew for another corpus, and is not read for it", async () => {
    const { corpus, options, index } = open();
    await index.apply([corpus.write(1, { title: "One", passages: ["Pelicans."] })]);
    expect(openOramaMemory({ ...options, corpusId: "two" }).revision()).toBe(0);
    expect(() => openOramaMemory({ ...options, corpusId: "two", readonly: true })).toThrow(/another corpus/);
  });

  it("finds only in a source, at a site, and without a word", async () => {
    const { corpus, index } = open();
    await index.apply([
      corpus.write(1, { title: "One", source: "a", uri: "https://a.example.com/x", passages: ["Pelicans fish."] }),
      corpus.write(2, { title: "Two", source: "b", uri: "https://b.example.com/x", passages: ["Pelicans nest."] }),
    ]);
    const found = async (query: string) => (await index.search(query, 5)).map(({ documentId }) => documentId);
    expect(await found("pelicans source:b")).toEqual([2]);
    expect(await found("pelicans site:a.example.com")).toEqual([1]);
    expect(await found("pelicans -nest")).toEqual([1]);
    expect(await found("pelicans source:none")).toEqual([]);
  });
});
