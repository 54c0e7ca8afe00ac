import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { DocumentChange } from "../../src/domain/chunk.ts";
import type { SearchIndex } from "../../src/domain/ports.ts";
import { greatestCosine, queryVector, vectorOf } from "../../src/search/lsa/chunk-vectors.ts";
import { checkHeldOut, helps, type HeldOut } from "../../src/search/lsa/held-out.ts";
import { headingQuestions } from "../../src/search/lsa/questions.ts";
import { rightSingularVectors, seededRandom } from "../../src/search/lsa/svd.ts";
import { DIMENSIONS, makeTermSpace, type Sample } from "../../src/search/lsa/term-space.ts";
import { bytesIn } from "../../src/search/lsa/vector-bytes.ts";
import { openSearchIndex } from "../../src/search/search-index.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { TestCorpus } from "../contract/search-index.ts";

const { signal } = new AbortController();

/**
 * Chunks on subjects, of which each has words of its own: a chunk uses half of them, so that its other words are known by the
 * company they keep.
 */
function chunksOnSubjects(subjects: number, perSubject: number): readonly (readonly string[])[] {
  const random = seededRandom(3);
  return Array.from({ length: subjects * perSubject }, (_, i) => {
    const subject = i % subjects;
    const words = Array.from({ length: 12 }, (_word, k) => `s${subject}w${k}`).filter(() => random() < 0.5);
    return [...words, ...Array.from({ length: 4 }, () => `n${Math.floor(random() * 400)}`)];
  });
}

function sampleOf(chunks: readonly (readonly string[])[]): Sample {
  const lists = new Map<string, number[]>();
  for (const [i, words] of chunks.entries())
    for (const word of new Set(words)) lists.set(word, [...(lists.get(word) ?? []), i]);
  return {
    chunks: chunks.length,
    terms: [...lists].map(([term, own]) => ({
      term,
      chunks: Uint32Array.from(own),
      counts: new Uint8Array(own.length).fill(1),
    })),
  };
}

describe("singular vectors", () => {
  it("are those of the matrix", () => {
    // Three directions, of lengths 5, 3 and 1, and nothing else.
    const rows = [...Array<number>(25).fill(0), ...Array<number>(9).fill(1), 2];
    const matrix = {
      columns: 6,
      begins: Uint32Array.from({ length: rows.length + 1 }, (_, i) => i * 2),
      places: Uint32Array.from(rows.flatMap((direction) => [direction * 2, direction * 2 + 1])),
      values: Float32Array.from(rows.flatMap(() => [0.6, 0.8])),
    };
    const found = rightSingularVectors(matrix, 3, seededRandom(1));
    for (const [direction, [first, second]] of [
      [0, 1],
      [2, 3],
      [4, 5],
    ].entries()) {
      const own = [first, second].map((column) => Math.abs(found[(column ?? 0) * 3 + direction] ?? 0));
      expect(own[0]).toBeCloseTo(0.6, 3);
      expect(own[1]).toBeCloseTo(0.8, 3);
    }
  });
});

describe("a term space", () => {
  const chunks = chunksOnSubjects(40, 30);
  const sample = sampleOf(chunks);
  const space = makeTermSpace(sample);
  const place = (term: string) => space.get(term);

  it("is the same each time", () => {
    expect(makeTermSpace(sampleOf(chunks))).toEqual(space);
  });

  it("has words near each other that keep the same company, though they never meet", () => {
    const near = (a: string, b: string): number => {
      const [x, y] = [queryVector([a], place), queryVector([b], place)];
      return x === undefined || y === undefined ? 0 : greatestCosine(x, bytesIn(y));
    };
    expect(near("s1w1", "s1w7")).toBeGreaterThan(0.6);
    expect(near("s1w1", "s2w7")).toBeLessThan(0.3);
  });

  it("helps where sections are asked for by words that they do not have, and not where they are found by their words", () => {
    const documents = chunks.map((_, i) => i);
    const other = (chunk: number): HeldOut => {
      const own = new Set(chunks[chunk]);
      const words = Array.from({ length: 12 }, (_, k) => `s${chunk % 40}w${k}`);
      const [noise = ""] = (chunks[chunk] ?? []).filter((word) => word.startsWith("n"));
      return { chunk, terms: [noise, ...words.filter((word) => !own.has(word)).slice(0, 2)] };
    };
    const same = (chunk: number): HeldOut => ({ chunk, terms: [...new Set(chunks[chunk])] });
    const asked = Array.from({ length: 200 }, (_, i) => i * 5);
    const needed = checkHeldOut(sample, documents, space, asked.map(other), 0.5);
    expect(needed.both).toBeGreaterThan(needed.words + 0.02);
    expect(helps(needed)).toBe(true);
    const idle = checkHeldOut(sample, documents, space, asked.map(same), 0.14);
    expect(idle.words).toBeGreaterThan(0.95);
    expect(helps(idle)).toBe(false);
    expect(helps({ ...needed, questions: 50 })).toBe(false);
    expect(helps({ ...needed, error: 1 })).toBe(false);
  });
});

describe("headings as questions", () => {
  it("are those of one section alone, of two words or more", () => {
    const text = (rowId: number, title: string, ...headings: string[]) => ({ rowId, title, headings, content: "" });
    const questions = headingQuestions([
      text(1, "Guide", "Taking locks"),
      text(2, "Guide", "See also others"),
      text(3, "Other", "See also others"),
      text(4, "Waiting for locks"),
      text(5, "Guide", "Locks"),
    ]);
    expect(questions.map(({ row }) => row)).toEqual([1, 4]);
    expect(questions[0]?.terms).toEqual(["take", "lock"]);
  });
});

describe("meaning in an index", () => {
  /** Of each subject many pages; headings say in words of the subject what the section has not. */
  function subjects(corpus: TestCorpus, count: number, from = 1): DocumentChange[] {
    return chunksOnSubjects(50, count / 50).map((words, i) => {
      const missing = Array.from({ length: 12 }, (_, k) => `s${i % 50}w${k}`).filter((word) => !words.includes(word));
      const heading = `part ${missing.slice(0, 2).join(" ")} ${words.at(-1) ?? ""}`;
      return corpus.write(from + i, { title: `Page ${i}`, passages: [`Top > ${heading}: ${words.join(" ")}`] });
    });
  }

  async function open(count: number): Promise<{ index: SearchIndex; corpus: TestCorpus; file: string }> {
    const corpus = new TestCorpus();
    const file = join(tempFolder(), "index.db");
    const index = openSearchIndex({ file, texts: corpus.texts });
    onTestFinished(() => index.close());
    await index.apply(subjects(corpus, count));
    await index.enrich(signal);
    return { index, corpus, file };
  }

  const says = (index: SearchIndex) => index.notes().find(({ about }) => about === "meaning")?.says ?? "";

  it("is off in a small corpus, and says so", async () => {
    const { index } = await open(100);
    expect(says(index)).toMatch(/^off: 100 passages, and in fewer than 2000/);
  });

  it(
    "is decided by the headings with figures, once, and again when much has changed",
    { timeout: 120_000 },
    async () => {
      const { index, corpus, file } = await open(2_000);
      expect(says(index)).toMatch(
        /^(?:on|off): \d{3,4} headings found.* MRR 0\.\d{3} by words and 0\.\d{3} with meaning/,
      );
      expect(says(index)).toMatch(/tried at 2000 passages, 0 written or removed since$/);
      await index.apply(subjects(corpus, 50, 3_000));
      await index.enrich(signal);
      expect(says(index)).toMatch(/tried at 2000 passages, 50 written or removed since$/);
      await index.apply(subjects(corpus, 600));
      await index.enrich(signal);
      expect(says(index)).toMatch(/tried at 2050 passages, 0 written or removed since$/);
      const reader = openSearchIndex({ file, texts: corpus.texts, readonly: true });
      onTestFinished(() => reader.close());
      expect(says(reader)).toBe(says(index));
      expect(await reader.search("s3w1 s3w2", 10)).toEqual(await index.search("s3w1 s3w2", 10));
    },
  );

  it("gives a chunk that is indexed later the vector that its postings would give it", () => {
    const space = makeTermSpace(sampleOf(chunksOnSubjects(40, 30)));
    const chunk = {
      row: 1,
      document: 1,
      bodyTerms: ["s1w1", "s1w1"],
      headingTerms: ["s1w1", "s1w2"],
      titleTerms: [],
      pathTerms: ["s9w9"],
    };
    const vector = vectorOf(chunk, (term) => space.get(term));
    expect(vector).toHaveLength(DIMENSIONS);
    expect(vector).not.toEqual(vectorOf({ ...chunk, headingTerms: [] }, (term) => space.get(term)));
    expect(vector).toEqual(vectorOf({ ...chunk, pathTerms: [] }, (term) => space.get(term)));
  });
});
