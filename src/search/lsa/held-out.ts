import { inverseFrequency } from "../weights.ts";
import { greatestCosine, queryVector } from "./chunk-vectors.ts";
import { quantised, DIMENSIONS, addTerm, type Sample, type TermSpace } from "./term-space.ts";

/** A section that was held out, and the terms of its heading, which are asked for it. */
export interface HeldOut {
  /** Its place in the sample. */
  readonly chunk: number;
  readonly terms: readonly string[];
}

/** How a corpus' own headings find their sections, by words alone and by meaning as well. */
export interface HeldOutCheck {
  readonly questions: number;
  /** Mean reciprocal ranks within the first hundred. */
  readonly words: number;
  readonly both: number;
  /** Standard error of their difference. */
  readonly error: number;
}

/** Fewer questions tell nothing. */
export const LEAST_QUESTIONS = 100;

/** A gain must be greater than this, and than its standard error: what is less is not worth a reader's time. */
const LEAST_GAIN = 0.004;

const [K1, B] = [1.2, 0.75];

const DEPTH = 100;

/** Whether meaning is of use in a corpus. */
export function helps({ questions, words, both, error }: HeldOutCheck): boolean {
  return questions >= LEAST_QUESTIONS && both - words > Math.max(LEAST_GAIN, error);
}

/**
 * Asks for sections by their headings, which were not read when the space was made, nor are read now: so words that do
 * not stand in the section must find it by their company, as those of a reader's question must.
 * @param documents by chunk: its document, which counts as found with any of its chunks.
 * @param weight what a cosine counts beside the score of the words, which is from 0 to 1.
 */
export function checkHeldOut(
  sample: Sample,
  documents: readonly number[],
  space: TermSpace,
  heldOut: readonly HeldOut[],
  weight: number,
): HeldOutCheck {
  const asked = new Set(heldOut.flatMap(({ terms }) => terms));
  const lists = new Map(sample.terms.filter(({ term }) => asked.has(term)).map((each) => [each.term, each]));
  const lengths = new Float64Array(sample.chunks);
  for (const { chunks, counts } of sample.terms)
    for (const [i, chunk] of chunks.entries()) lengths[chunk] = (lengths[chunk] as number) + (counts[i] as number);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, sample.chunks);
  const vectors = vectorsOf(sample, space);
  const differences: number[] = [];
  let [words, both] = [0, 0];
  for (const { chunk, terms } of heldOut) {
    const scores = new Map<number, number>();
    let ideal = 0;
    for (const term of terms) {
      const list = lists.get(term);
      const idf = inverseFrequency(sample.chunks, list?.chunks.length ?? 0);
      ideal += idf;
      for (const [i, found] of list?.chunks.entries() ?? []) {
        const count = list?.counts[i] ?? 0;
        const length = 1 - B + (B * (lengths[found] as number)) / mean;
        scores.set(found, (scores.get(found) ?? 0) + (idf * count) / (count + K1 * length));
      }
    }
    const vector = queryVector(terms, (term) => space.get(term));
    const first = [...scores].sort(([a, x], [b, y]) => y - x || a - b).slice(0, DEPTH);
    const rank = (gain: (found: number) => number): number =>
      reciprocalRank(
        first.map(([found, score]) => [documents[found] ?? -1, score / ideal + gain(found)]),
        documents[chunk] ?? -1,
      );
    const before = rank(() => 0);
    const after = rank((found) =>
      vector === undefined
        ? 0
        : weight * greatestCosine(vector, bytesOf(vectors.subarray(found * DIMENSIONS, (found + 1) * DIMENSIONS))),
    );
    words += before;
    both += after;
    differences.push(after - before);
  }
  const questions = Math.max(1, heldOut.length);
  const gain = (both - words) / questions;
  const variance = differences.reduce((sum, each) => sum + (each - gain) ** 2, 0) / questions;
  return {
    questions: heldOut.length,
    words: words / questions,
    both: both / questions,
    error: Math.sqrt(variance / questions),
  };
}

function reciprocalRank(scored: readonly (readonly [document: number, score: number])[], right: number): number {
  const best = new Map<number, number>();
  for (const [document, score] of scored) best.set(document, Math.max(score, best.get(document) ?? 0));
  const own = best.get(right);
  if (own === undefined) return 0;
  // Those that are equal stand before it half of the time.
  let [before, equal] = [0, 0];
  for (const [document, score] of best) {
    if (document === right) continue;
    if (score > own) before++;
    else if (score === own) equal++;
  }
  return 1 / (1 + before + equal / 2);
}

function vectorsOf(sample: Sample, space: TermSpace): Int8Array {
  const sums = new Float32Array(sample.chunks * DIMENSIONS);
  for (const { term, chunks, counts } of sample.terms) {
    const placed = space.get(term);
    if (placed === undefined) continue;
    for (const [i, chunk] of chunks.entries()) addTerm(sums, chunk * DIMENSIONS, placed, counts[i] as number);
  }
  const vectors = new Int8Array(sums.length);
  for (let i = 0; i < sums.length; i += DIMENSIONS) vectors.set(quantised(sums.subarray(i, i + DIMENSIONS)), i);
  return vectors;
}

function bytesOf(numbers: Int8Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
