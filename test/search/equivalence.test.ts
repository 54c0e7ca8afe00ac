import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { DocumentChange, Hit } from "../../src/domain/chunk.ts";
import type { SearchIndex } from "../../src/domain/ports.ts";
import { openSearchIndex } from "../../src/search/search-index.ts";
import { TestCorpus } from "../contract/search-index.ts";
import type { WrittenDocument } from "../contract/search-index.ts";
import { randomNumbers } from "./random.ts";

const folder = mkdtempSync(join(tmpdir(), "carrel-equivalence-"));
const opened: SearchIndex[] = [];
let files = 0;

afterEach(() => opened.splice(0).forEach((index) => index.close()));
afterAll(() => rmSync(folder, { recursive: true }));

function open(
  corpus: TestCorpus,
  options: { file?: string; rerank?: boolean; exhaustive?: boolean } = {},
): SearchIndex {
  const index = openSearchIndex({ file: join(folder, `${files++}.db`), texts: corpus.texts, ...options });
  opened.push(index);
  return index;
}

/** Words of which some are in most passages and most in few, as in a language. */
function zipfWords(random: () => number, vocabulary: number): () => string {
  return () => `w${Math.floor(vocabulary ** random())}`;
}

function randomDocument(random: () => number, passages: number): WrittenDocument {
  const word = zipfWords(random, 3000);
  const words = (most: number) => Array.from({ length: 1 + Math.floor(random() * most) }, word).join(" ");
  const link = () => `[${words(2)}](https://docs.example.org/page-${1 + Math.floor(random() * 40)}.html)`;
  return {
    title: words(3),
    source: random() < 0.2 ? "few" : "many",
    passages: Array.from(
      { length: passages },
      () => `${words(3)} > ${words(3)}: ${words(random() < 0.1 ? 120 : 25)}${random() < 0.3 ? ` ${link()}` : ""}`,
    ),
  };
}

/** The hits without ids that depend on the order of writing: what a reader would see. */
function seen(hits: readonly Hit[], corpus: TestCorpus): unknown[] {
  const texts = new Map(corpus.texts(hits.map((hit) => hit.chunkRowId)).map((text) => [text.rowId, text.content]));
  return hits.map(({ documentId, chunkRowId, score }) => ({ documentId, score, content: texts.get(chunkRowId) }));
}

describe("leaving out what cannot matter", () => {
  it("finds what looking at everything finds, with the same scores", async () => {
    const random = randomNumbers(42);
    const corpus = new TestCorpus();
    const index = open(corpus, { rerank: false });
    const changes: DocumentChange[] = [];
    for (let id = 1; id <= 450; id++) changes.push(corpus.write(id, randomDocument(random, 8)));
    await index.apply(changes.slice(0, 300));
    await index.apply(changes.slice(300));
    await index.apply(Array.from({ length: 30 }, (_, i) => corpus.remove(1 + i * 13)));

    const file = join(folder, "0.db");
    const everything = open(corpus, { file, rerank: false, exhaustive: true });
    const word = zipfWords(random, 3000);
    for (let round = 0; round < 60; round++) {
      const words = Array.from({ length: 1 + Math.floor(random() * 9) }, word).join(" ");
      const query = round % 5 === 0 ? `${words} source:few` : words;
      for (const limit of [1, 10, 100]) {
        const found = await index.search(query, limit);
        expect(found).toEqual(await everything.search(query, limit));
        expect(found.length).toBeGreaterThan(0);
      }
    }
  }, 30_000);
});

describe("an index that was changed many times", () => {
  it.each([1, 2, 3])(
    "ranks like one that was made at once (seed %i)",
    async (seed) => {
      const random = randomNumbers(seed);
      const corpus = new TestCorpus();
      const index = open(corpus);
      const present = new Map<number, WrittenDocument>();
      for (let batch = 0; batch < 60; batch++) {
        const changes: DocumentChange[] = [];
        for (let i = Math.floor(random() * 6); i >= 0; i--) {
          const id = 1 + Math.floor(random() * 40);
          if (random() < 0.3) {
            present.delete(id);
            changes.push(corpus.remove(id));
          } else {
            const written = randomDocument(random, 1 + Math.floor(random() * 5));
            present.set(id, written);
            changes.push(corpus.write(id, written));
          }
        }
        await index.apply(changes);
      }

      const freshCorpus = new TestCorpus();
      const fresh = open(freshCorpus);
      // In the order in which the changed one wrote them last, for equal scores go by row id.
      const order = [...present.keys()].sort((a, b) => corpus.firstRow(a) - corpus.firstRow(b));
      await fresh.apply(order.map((id) => freshCorpus.write(id, present.get(id) as WrittenDocument)));

      expect(index.stats().chunks).toBe(fresh.stats().chunks);
      const word = zipfWords(random, 3000);
      for (let round = 0; round < 60; round++) {
        const query = Array.from({ length: 1 + Math.floor(random() * 6) }, word).join(" ");
        expect(seen(await index.search(query, 50), corpus)).toEqual(seen(await fresh.search(query, 50), freshCorpus));
      }
    },
    30_000,
  );

  it("has few segments, and nothing of what is gone", async () => {
    const corpus = new TestCorpus();
    const file = join(folder, "merged.db");
    const index = open(corpus, { file });
    for (let id = 1; id <= 200; id++) await index.apply([corpus.write(id, { title: "", passages: [`alpha n${id}`] })]);
    for (let id = 1; id <= 200; id++) await index.apply([corpus.remove(id)]);
    const db = new Database(file, { readonly: true });
    expect(db.prepare("SELECT count(*) FROM segments").pluck().get()).toBeLessThan(33);
    expect(index.stats().chunks).toBe(0);
    await index.apply([corpus.write(1, { title: "", passages: ["omega"] })]);
    expect(await index.search("alpha", 5)).toEqual([]);
    expect(await index.search("omega", 5)).toHaveLength(1);
    expect(db.prepare("SELECT count(*) FROM documents").pluck().get()).toBe(1);
    db.close();
  });
});

describe("the title of a document", () => {
  it.each([1, 2])("finds it, among others like it, after any changes (seed %i)", async (seed) => {
    const random = randomNumbers(seed * 77);
    const corpus = new TestCorpus();
    const index = open(corpus);
    const word = zipfWords(random, 3000);
    const titles = new Map<number, string>();
    for (let batch = 0; batch < 12; batch++) {
      const changes: DocumentChange[] = [];
      for (let i = 0; i < 10; i++) {
        const id = 1 + Math.floor(random() * 80);
        if (random() < 0.15) {
          titles.delete(id);
          changes.push(corpus.remove(id));
          continue;
        }
        // One word that no other has, as titles do; not always the first.
        const own = `n${id}x${batch}`;
        const title = random() < 0.5 ? `${own} ${word()} ${word()}` : `${word()} ${word()} ${own}`;
        titles.set(id, title);
        changes.push(corpus.write(id, { ...randomDocument(random, 1 + Math.floor(random() * 5)), title }));
      }
      await index.apply(changes);
    }
    expect(titles.size).toBeGreaterThan(30);
    for (const [id, title] of titles)
      expect([title, (await index.search(title, 5))[0]?.documentId]).toEqual([title, id]);
  });
});
