import { describe, expect, it } from "vitest";
import { BLOCK_SIZE, encodePostings, Postings, postingWeight } from "../../src/search/postings.ts";
import {
  DEFAULT_WEIGHTS,
  fieldWeights,
  lengthCode,
  LENGTH_OF_CODE,
  occurrenceWeights,
} from "../../src/search/weights.ts";
import { randomNumbers } from "./random.ts";

const bounding = {
  fields: fieldWeights(DEFAULT_WEIGHTS),
  occurrences: occurrenceWeights(DEFAULT_WEIGHTS, 100),
  lengthCodes: Uint8Array.from({ length: 200_000 }, (_, i) => lengthCode((i * 37) % 900)),
};

function decodeAll(postings: Postings): [number, number][] {
  const ordinals = new Uint32Array(BLOCK_SIZE);
  const entries = new Uint8Array(BLOCK_SIZE);
  const all: [number, number][] = [];
  for (let block = 0; block < postings.blocks; block++) {
    const size = postings.decode(block, ordinals, entries);
    for (let i = 0; i < size; i++) all.push([ordinals[i] ?? -1, entries[i] ?? -1]);
  }
  return all;
}

describe("postings", () => {
  const random = randomNumbers(1);

  it.each([1, 2, 127, 128, 129, 256, 1000, 20_000])("of %i chunks are read as they were written", (count) => {
    const written: [number, number][] = [];
    let ordinal = -1;
    for (let i = 0; i < count; i++)
      written.push([(ordinal += 1 + Math.floor(random() ** 4 * 200)), Math.floor(random() * 256)]);
    ordinal = Math.min(ordinal, 199_999);
    const kept = written.filter(([each]) => each <= ordinal);
    const blob = encodePostings(
      kept.map(([each]) => each),
      kept.map(([, entry]) => entry),
      kept.length,
      bounding,
    );
    const postings = new Postings(Buffer.concat([Buffer.from([9]), blob]).subarray(1));
    expect(postings.count).toBe(kept.length);
    expect(decodeAll(postings)).toEqual(kept);

    for (let block = 0; block < postings.blocks; block++) {
      const inBlock = kept.slice(block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE);
      const greatest = Math.max(...inBlock.map(([each, entry]) => postingWeight(bounding, each, entry)));
      expect(postings.bound(block)).toBeGreaterThanOrEqual(greatest);
      expect(postings.bound(block)).toBeLessThan(greatest * 1.05 + 0.05);
    }
    for (let i = 0; i < kept.length; i += 13) {
      expect(postings.seek(0, kept[i]?.[0] ?? -1)).toBe(Math.floor(i / BLOCK_SIZE));
    }
    // A list of one block keeps no last ordinal: the block is read to see.
    expect(postings.seek(0, ordinal + 1)).toBe(postings.blocks > 1 ? postings.blocks : 0);
  });

  it("keep ordinals of four bytes", () => {
    const ordinals = [0, 1, 2 ** 21, 2 ** 28 + 5];
    const blob = encodePostings(ordinals, [8, 8, 8, 8], 4, bounding);
    expect(decodeAll(new Postings(blob)).map(([each]) => each)).toEqual(ordinals);
  });
});

describe("the length of a body as one byte", () => {
  it("is exact for short ones, near for long ones, and never turned round", () => {
    for (let length = 0; length < 40; length++) expect(LENGTH_OF_CODE[lengthCode(length)]).toBe(length);
    let before = 0;
    for (let length = 40; length < 300_000; length = Math.ceil(length * 1.01)) {
      const code = lengthCode(length);
      expect(code).toBeGreaterThanOrEqual(before);
      expect(Math.abs((LENGTH_OF_CODE[code] ?? 0) / length - 1)).toBeLessThan(0.04);
      before = code;
    }
  });
});
