import { describe, expect, it } from "vitest";
import { compareBytes, findTerm, TermPageWriter, TermStream } from "../../src/search/term-pages.ts";
import { randomNumbers } from "./random.ts";

interface Written {
  readonly term: Buffer;
  readonly list: Uint8Array;
}

/** Terms in their order with lists of all lengths, some of which fill several pages. */
function someTerms(seed: number, count: number): readonly Written[] {
  const random = randomNumbers(seed);
  const letters = ["a", "b", "ab", "é", "文", "\u{20000}", "\uff21", "zz"];
  const words = new Set<string>(["a"]);
  while (words.size < count) {
    const length = 1 + Math.floor(random() * 8);
    words.add(Array.from({ length }, () => letters[Math.floor(random() * letters.length)] ?? "").join(""));
  }
  return [...words]
    .map((word) => Buffer.from(word))
    .sort((a, b) => a.compare(b))
    .map((term) => {
      const length = random() < 0.02 ? Math.floor(random() * 40_000) : 1 + Math.floor(random() * 40);
      return { term, list: Uint8Array.from({ length }, () => Math.floor(random() * 256)) };
    });
}

function write(terms: readonly Written[]) {
  const pages: Uint8Array[] = [];
  const firsts: { term: Buffer; page: number; at: number }[] = [];
  const writer = new TermPageWriter({
    page: (bytes) => void pages.push(bytes.slice()),
    first: (term, at) => void firsts.push({ term: Buffer.from(term), page: pages.length, at }),
  });
  for (const { term, list } of terms) writer.add(term, term.length, list);
  writer.end();
  return { pages, firsts };
}

describe("pages of terms", () => {
  it.each([1, 2, 3])("are read as they were written (seed %i)", (seed) => {
    const terms = someTerms(seed, 3000);
    const { pages, firsts } = write(terms);
    expect(pages.length).toBeGreaterThan(20);
    expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(8150);

    let next = 0;
    const stream = new TermStream(() => pages[next++]);
    for (const [i, { term, list }] of terms.entries()) {
      expect(stream.next()).toBe(true);
      expect(Buffer.from(stream.term.subarray(0, stream.length)).equals(term)).toBe(true);
      expect(Buffer.from(stream.head()).equals(list.subarray(0, 5))).toBe(true);
      // Lists that are not asked for are passed over.
      if (i % 3 > 0) expect(Buffer.from(stream.list()).equals(list)).toBe(true);
    }
    expect(stream.next()).toBe(false);
    expect(stream.isAtEnd).toBe(true);

    const known = new Set(terms.map(({ term }) => term.toString()));
    const find = (term: Buffer) => {
      const first = firsts.findLast((each) => each.term.compare(term) <= 0);
      return first === undefined ? undefined : findTerm(pages[first.page] ?? new Uint8Array(), first.at, term);
    };
    for (const { term, list } of terms) {
      expect(find(term)?.length).toBe(list.length);
      for (const other of [`${term.toString()}a`, term.toString().slice(0, -1), `${term.toString()}\u{10ffff}`]) {
        if (!known.has(other)) expect(find(Buffer.from(other))).toBeUndefined();
      }
    }
  });

  it("are none for no terms", () => {
    expect(write([]).pages).toEqual([]);
    expect(new TermStream(() => undefined).next()).toBe(false);
  });

  it("can be read from the first term that begins in one", () => {
    const { pages, firsts } = write(someTerms(4, 2000));
    for (const { term, page, at } of firsts) {
      let next = page;
      const stream = new TermStream(() => pages[next++], at);
      expect(stream.next()).toBe(true);
      expect(compareBytes(stream.term, stream.length, term, term.length)).toBe(0);
    }
  });
});
