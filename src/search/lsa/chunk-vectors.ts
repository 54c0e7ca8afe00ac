import type { IndexedChunk } from "../segment.ts";
import { MAX_OCCURRENCES } from "../postings.ts";
import { countOf, eachPosting, termOf, type ReadableSegment } from "./index-terms.ts";
import { addTerm, DIMENSIONS, quantised, type PlacedTerm, type TermSpace } from "./term-space.ts";

/** Chunks whose vectors are summed up together: 64 MiB. */
const CHUNKS_AT_ONCE = 262_144;

/** The vector of a chunk that is being indexed; the same as its postings give. */
export function vectorOf(chunk: IndexedChunk, place: (term: string) => PlacedTerm | undefined): Int8Array {
  const counts = new Map<string, number>();
  for (const term of chunk.bodyTerms) counts.set(term, Math.min(MAX_OCCURRENCES, (counts.get(term) ?? 0) + 1));
  for (const terms of [chunk.headingTerms, chunk.titleTerms])
    for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return sumOf(counts, place);
}

/** The vector of a query: each of its terms stands there once. */
export function queryVector(
  terms: readonly string[],
  place: (term: string) => PlacedTerm | undefined,
): Int8Array | undefined {
  const vector = sumOf(new Map(terms.map((term) => [term, 1])), place);
  return vector.some((value) => value !== 0) ? vector : undefined;
}

function sumOf(counts: ReadonlyMap<string, number>, place: (term: string) => PlacedTerm | undefined): Int8Array {
  const sum = new Float32Array(DIMENSIONS);
  for (const [term, count] of counts) {
    const placed = place(term);
    if (placed !== undefined) addTerm(sum, 0, placed, count);
  }
  return quantised(sum);
}

/**
 * The vectors of all chunks of a segment, from its postings, so that no text is read. `use` is given the ordinals from `from`
 * on, and their vectors one after the other.
 */
export function eachVector(
  { segment, terms }: ReadableSegment,
  space: TermSpace,
  use: (from: number, vectors: Int8Array) => void,
): void {
  const size = segment.rows.length;
  for (let from = 0; from < size; from += CHUNKS_AT_ONCE) {
    const end = Math.min(size, from + CHUNKS_AT_ONCE);
    const sums = new Float32Array((end - from) * DIMENSIONS);
    for (const stream = terms(); stream.next();) {
      const placed = space.get(termOf(stream));
      if (placed === undefined) continue;
      eachPosting(stream.list(), from, end, (ordinal, entry) => {
        const count = countOf(entry);
        if (count > 0) addTerm(sums, (ordinal - from) * DIMENSIONS, placed, count);
      });
    }
    const vectors = new Int8Array(sums.length);
    for (let i = 0; i < sums.length; i += DIMENSIONS) vectors.set(quantised(sums.subarray(i, i + DIMENSIONS)), i);
    use(from, vectors);
  }
}

/** The greatest cosine of a vector with any of those that stand one after the other in a blob; 0 when none is like it. */
export function greatestCosine(vector: Int8Array, blob: Uint8Array): number {
  const all = new Int8Array(blob.buffer, blob.byteOffset, blob.byteLength);
  let greatest = 0;
  for (let from = 0; from < all.length; from += DIMENSIONS) {
    let [dot, square] = [0, 0];
    for (let k = 0; k < DIMENSIONS; k++) {
      const value = all[from + k] as number;
      dot += value * (vector[k] as number);
      square += value * value;
    }
    if (dot > 0) greatest = Math.max(greatest, dot / Math.sqrt(square));
  }
  return greatest / Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0) || 1);
}
