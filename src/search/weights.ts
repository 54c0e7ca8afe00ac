/**
 * How much a word counts by where it stands, and the constants of BM25F. The weights of the fields and `b` are part of
 * the bounds that are kept with the postings: an index of other ones is made again.
 */
export interface Weights {
  readonly headings: number;
  readonly title: number;
  readonly path: number;
  /** How fast more of the same word stops counting. */
  readonly k1: number;
  /** How much a long passage is held against its words: 0 not at all, 1 in full. */
  readonly b: number;
}

/** Body 1, headings 2, title 3: the best of those measured on known-item questions over seven manuals. */
export const DEFAULT_WEIGHTS: Weights = { headings: 2, title: 3, path: 1, k1: 1.2, b: 0.75 };

/** Bits of a posting that say where else than in the body the word stands. */
export const IN_HEADINGS = 1;
export const IN_TITLE = 2;
export const IN_PATH = 4;

/** What the bits weigh, by their value. */
export function fieldWeights(weights: Weights): Float64Array {
  return Float64Array.from(
    { length: 8 },
    (_, bits) =>
      (bits & IN_HEADINGS ? weights.headings : 0) +
      (bits & IN_TITLE ? weights.title : 0) +
      (bits & IN_PATH ? weights.path : 0),
  );
}

/** Lengths up to this are kept exactly in their byte; longer ones in steps of a sixteenth of a doubling. */
const EXACT_LENGTHS = 40;
const STEPS_PER_DOUBLING = 16;

/** The length of a body in terms, as one byte. Greater lengths never give smaller codes. */
export function lengthCode(length: number): number {
  if (length < EXACT_LENGTHS) return length;
  return Math.min(255, EXACT_LENGTHS + Math.round(STEPS_PER_DOUBLING * Math.log2(length / EXACT_LENGTHS)));
}

/** The length that a code stands for. */
export const LENGTH_OF_CODE: Float64Array = Float64Array.from({ length: 256 }, (_, code) =>
  code < EXACT_LENGTHS ? code : Math.round(EXACT_LENGTHS * 2 ** ((code - EXACT_LENGTHS) / STEPS_PER_DOUBLING)),
);

/** By length code, what one occurrence in a body counts: 1 / (1 - b + b × length / mean length). */
export function occurrenceWeights(weights: Weights, meanLength: number): Float64Array {
  const mean = Math.max(1, meanLength);
  return LENGTH_OF_CODE.map((length) => 1 / Math.max(0.01, 1 - weights.b + (weights.b * length) / mean));
}

/** How telling a word is: BM25's idf as Lucene has it, which is never negative. */
export function inverseFrequency(chunks: number, chunksWithTerm: number): number {
  return Math.log(1 + (chunks - chunksWithTerm + 0.5) / (chunksWithTerm + 0.5));
}
